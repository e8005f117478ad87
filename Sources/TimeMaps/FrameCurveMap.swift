extension FrameCurve {
    /// The frame curve as a time map.
    ///
    /// A record says: when this output frame starts, the source is at the start of that source frame. So video and
    /// sound of a record come together, forwards and backwards. Between records the source moves in a straight line.
    /// The first record's frame is held before that record. The last record's motion continues for one frame.
    ///
    /// ```
    ///  start of frame 3 ┈┈┈┈●┈┈┈       1 ⇥ 1, 3 ⇥ 3, 5 ⇥ 1
    ///  start of frame 2 ┈┈╱┈┈╲┈
    ///  start of frame 1 ●┈┈┈┈┈┈●
    /// ```
    /// - Parameters:
    ///   - outputFrameDuration: how long each output frame lasts; above 0.
    ///   - frameStart: the source time in seconds at which source frame i begins, with i counted from 0. It
    ///     is linear between whole numbers, and the clip's end from the clip's number of frames on.
    ///   - sourceDuration: how long the clip lasts; above 0.
    /// - Throws: ``CurveError`` when a duration isn't above 0, when a record names a frame beyond the clip,
    ///   or when a time doesn't fit in a ``RationalTime``.
    /// - Complexity: O(n) records. Neighbours that lie on one line, to within a nanosecond, become one piece.
    public func map(
        outputFrameDuration: RationalTime, frameStart: @escaping (Double) -> Double,
        sourceDuration: RationalTime
    ) throws(CurveError) -> TimeMap {
        guard outputFrameDuration > .zero, sourceDuration > .zero else {
            throw CurveError(
                .invalidParameter, value: outputFrameDuration.seconds,
                "a frame and a clip must last longer than 0 s")
        }
        let falls = zip(points, points.dropFirst()).contains { $0.sourceFrame > $1.sourceFrame }
        let clip = ClipFrames(
            start: frameStart, duration: sourceDuration.seconds, margin: falls ? Self.margin : 0)
        for point in points {
            try clip.check(point)
        }
        var run = LineRun()
        let first = points[0]
        var output = try Self.time(ofFrame: first.atFrame, outputFrameDuration)
        if output > .zero {
            run.append(.held, from: 0, to: output.seconds, clip.ends(.held, first, first))
        }
        var motion = Motion.held
        for (point, next) in zip(points, points.dropFirst()) {
            let start = output.seconds
            output = try Self.time(ofFrame: next.atFrame, outputFrameDuration)
            motion = Motion(from: point, to: next)
            run.append(
                motion, from: start, to: output.seconds, clip.ends(motion, point, next))
        }
        let last = points[points.count - 1]
        let end = try Self.time(ofFrame: last.atFrame + 1, outputFrameDuration)
        let step = motion == .backward ? -1.0 : 1.0
        let beyond = Point(atFrame: last.atFrame + 1, sourceFrame: last.sourceFrame + step)
        run.append(motion, from: output.seconds, to: end.seconds, clip.ends(motion, last, beyond))
        return try TimeMap(
            run.finished(), sourceDuration: sourceDuration.seconds, exactOutputDuration: end,
            warnings: [])
    }

    /// Where a curve falls, the source is this much, in seconds, past the start of a record's frame: where it plays
    /// backwards, a frame ends at its start, and would not be the one that is seen there.
    private static let margin = 2 * Tolerance.stated

    /// The output time at which an output frame, counted from 1, begins.
    private static func time(
        ofFrame frame: Int, _ duration: RationalTime
    ) throws(CurveError) -> RationalTime {
        do {
            return try duration.multiplied(by: Int64(frame) - 1, over: 1)
        } catch {
            throw CurveError(
                .invalidParameter, "output frame \(frame) begins too late to be counted: \(error)")
        }
    }
}

/// What the source does between two records.
private enum Motion {
    case forward, backward, held

    init(from point: FrameCurve.Point, to next: FrameCurve.Point) {
        let step = next.sourceFrame - point.sourceFrame
        self = step == 0 ? .held : step > 0 ? .forward : .backward
    }
}

/// The frames of the source.
private struct ClipFrames {
    let start: (Double) -> Double
    /// Seconds.
    let duration: Double
    /// How far after a frame's start its place is, in seconds.
    let margin: Double

    /// The source times at the start and at the end of the motion between two records.
    func ends(
        _ motion: Motion, _ point: FrameCurve.Point, _ next: FrameCurve.Point
    ) -> (from: Double, to: Double) {
        let from = place(of: point.sourceFrame)
        return (from, motion == .held ? from : place(of: next.sourceFrame))
    }

    /// The source time of a frame, which is counted from 1.
    private func place(of frame: Double) -> Double {
        min(max(start(frame - 1) + margin, 0), duration)
    }

    func check(_ point: FrameCurve.Point) throws(CurveError) {
        guard isBeyond(point.sourceFrame - 1) else {
            return
        }
        throw CurveError(
            .invalidParameter, value: point.sourceFrame,
            "the record \(point.atFrame) \(point.sourceFrame) needs source frame "
                + "\(point.sourceFrame), but the clip has \(count(below: point.sourceFrame)) frames"
        )
    }

    /// Whether a frame begins at the clip's end or later, to within a microsecond.
    private func isBeyond(_ frame: Double) -> Bool {
        start(frame) > duration - Tolerance.stated
    }

    /// How many frames begin before the clip ends. Frame number `limit` must not be one of them. O(log limit).
    private func count(below limit: Double) -> Int {
        var (low, high) = (0, Int(limit.rounded(.up)))
        while low < high {
            let middle = (low + high) / 2
            if isBeyond(Double(middle)) {
                high = middle
            } else {
                low = middle + 1
            }
        }
        return low
    }
}

/// Collects lines that follow each other, and joins neighbours that lie on one line.
private struct LineRun {
    private struct Line {
        let outputStart: Double
        var outputEnd: Double
        let sourceStart: Double
        var sourceEnd: Double
        let motion: Motion
        /// The slopes with which one line passes all ends joined so far, to within ``grace``.
        var slopes: ClosedRange<Double>
    }

    /// How far a joined line may pass an end: half of the time that counts as one instant, in seconds.
    private static let grace = Tolerance.instant / 2

    private var pieces: [TimeMap.Piece] = []
    private var current: Line?

    mutating func append(
        _ motion: Motion, from outputStart: Double, to outputEnd: Double,
        _ source: (from: Double, to: Double)
    ) {
        if let line = current, line.motion == motion,
            abs(line.sourceEnd - source.from) <= Self.grace
        {
            let length = outputEnd - line.outputStart
            let slope = (source.to - line.sourceStart) / length
            if line.slopes.contains(slope) {
                let play = Self.grace / length
                current?.outputEnd = outputEnd
                current?.sourceEnd = source.to
                current?.slopes =
                    max(
                        line.slopes.lowerBound, slope - play)...min(
                        line.slopes.upperBound, slope + play)
                return
            }
        }
        flush()
        let slope = (source.to - source.from) / (outputEnd - outputStart)
        let play = Self.grace / (outputEnd - outputStart)
        current = Line(
            outputStart: outputStart, outputEnd: outputEnd, sourceStart: source.from,
            sourceEnd: source.to, motion: motion, slopes: slope - play...slope + play)
    }

    private mutating func flush() {
        guard let line = current else {
            return
        }
        pieces.append(
            TimeMap.Piece(
                outputStart: line.outputStart, outputEnd: line.outputEnd,
                sourceStart: line.sourceStart, sourceEnd: line.sourceEnd, shape: .line(nil)))
        current = nil
    }

    mutating func finished() -> [TimeMap.Piece] {
        flush()
        return pieces
    }
}
