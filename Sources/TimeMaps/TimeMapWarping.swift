extension TimeMap {
    /// The limits of a time scale, on average: over a frame upwards, over a stretch downwards.
    static let largestScale = 1000.0
    static let smallestScale = 0.001

    /// A clip warped along a time scale: source time x is shown at D·F(x/D).
    ///
    /// Where s is negative for less than a frame the map is F's running maximum, with a warning.
    /// The upper limit on s, 1000, holds over every frame. The lower one, 1/1000, holds over a
    /// hundredth of the clip (or a frame, if longer): a scale that merely touches 0 is fine.
    ///
    /// - Parameters:
    ///   - frameDuration: seconds between frames; nil takes a thousandth of the clip.
    ///   - lasting: what the output lasts exactly, the curve keeping its shape; nil lets it decide.
    /// - Throws: ``CurveError`` when s isn't finite, F falls across a frame, or s is too large or
    ///   small, naming the first place.
    /// - Complexity: O(pieces of the curve · log of the frames), as a rule.
    public init(
        warping duration: RationalTime, by scale: any TimeScale, frameDuration: Double? = nil,
        lasting: RationalTime? = nil
    ) throws(CurveError) {
        let seconds = duration.seconds
        guard seconds > 0 else {
            throw CurveError(.invalidParameter, value: seconds, "a clip lasts longer than 0 s")
        }
        let table: IntegratedTimeScale
        do {
            table = try IntegratedTimeScale(scale)
        } catch {
            throw error.located(in: seconds)
        }
        let total = table.sums.max() ?? 0
        var multiplier = 1.0
        if let lasting {
            guard lasting > .zero, total > 0 else {
                throw CurveError(
                    .invalidParameter, value: lasting.seconds,
                    "the curve can't be made to last \(lasting.seconds) s")
            }
            multiplier = lasting.seconds / (seconds * total)
        }
        let check = WarpCheck(
            table: table, duration: seconds, multiplier: multiplier, frameDuration: frameDuration)
        try check.run()
        try self.init(
            Self.pieces(table, duration: seconds, multiplier: multiplier),
            sourceDuration: seconds, exactOutputDuration: lasting, warnings: check.warnings)
    }

    /// The rising parts of F, each where it is above all before.
    private static func pieces(
        _ table: IntegratedTimeScale, duration: Double, multiplier: Double
    ) -> [Piece] {
        let stretch = duration * multiplier
        var pieces: [Piece] = []
        var reached = 0.0
        for piece in 0..<table.pieceCount {
            let (start, end) = (table.sums[piece], table.sums[piece + 1])
            guard end > reached, (end - reached) * stretch > 1e-12 else {
                continue
            }
            let segment = CurveSegment(
                table: table, piece: piece, integralAtZero: 0, integralPerSecond: 1 / stretch,
                sourceAtZero: 0, sourcePerUnit: duration)
            let from =
                start >= reached ? -1 : table.solve(piece, for: reached - start, from: 0)
            pieces.append(
                Piece(
                    outputStart: pieces.isEmpty ? 0 : reached * stretch, outputEnd: end * stretch,
                    sourceStart: segment.source(atCoordinate: from),
                    sourceEnd: segment.source(atCoordinate: 1), shape: .curve(segment)))
            reached = end
        }
        return pieces
    }
}

/// The rules on what a time scale may do.
private struct WarpCheck {
    let table: IntegratedTimeScale
    /// Of the source, in seconds.
    let duration: Double
    let multiplier: Double
    /// Between frames, in seconds.
    let step: Double

    /// A scale of just 1000 may come out a little above.
    private static let largestScale = TimeMap.largestScale * (1 + 1e-9)
    /// A place on [0,1] can't tell narrower frames apart.
    private static let narrowest = 1e-12

    /// - Parameter frameDuration: in seconds; no number above 0 takes a thousandth of the clip.
    init(
        table: IntegratedTimeScale, duration: Double, multiplier: Double, frameDuration: Double?
    ) {
        self.table = table
        self.duration = duration
        self.multiplier = multiplier
        let frame = frameDuration.flatMap { $0 > 0 ? $0 : nil } ?? duration / 1000
        step = min(max(frame, duration * Self.narrowest), duration)
    }

    func run() throws(CurveError) {
        try checkFrames()
        try checkStretches()
    }

    /// Frames are looked at one by one only where the bounds of s don't rule the matter out.
    private func checkFrames() throws(CurveError) {
        let count = max(1, Int((duration / step).rounded(.up)))
        // A stack, last first, so that the first place is named.
        var open = [0..<count]
        while let frames = open.popLast() {
            guard frames.count > 1 else {
                try checkFrame(from: place(frames.lowerBound), to: place(frames.upperBound))
                continue
            }
            guard !areHarmless(from: place(frames.lowerBound), to: place(frames.upperBound)) else {
                continue
            }
            let middle = frames.lowerBound + frames.count / 2
            open.append(middle..<frames.upperBound)
            open.append(frames.lowerBound..<middle)
        }
    }

    /// Where a frame begins, on [0,1].
    private func place(_ frame: Int) -> Double {
        min(Double(frame) * step / duration, 1)
    }

    /// Whether s is within its limits from one place to another, all along.
    private func areHarmless(from start: Double, to end: Double) -> Bool {
        let piece = table.edges.piece(containing: start)
        guard end <= table.edges[piece + 1] else {
            return false
        }
        let bounds = table.scaleBounds(piece, from: start, to: end)
        return bounds.least * multiplier > 0 && bounds.most * multiplier <= Self.largestScale
    }

    private func checkFrame(from start: Double, to end: Double) throws(CurveError) {
        guard end - start > Self.narrowest else {
            return
        }
        let gain = table.integral(to: end) - table.integral(to: start)
        let scale = gain * multiplier / (end - start)
        guard scale > 0 else {
            throw fall(between: start, and: end)
        }
        guard scale <= Self.largestScale else {
            throw CurveError(
                .tooSlow, position: start, sourceTime: start * duration, value: scale,
                "the time scale is about \(rounded(scale)) there; over any frame it may be "
                    + "1000 at the most. A longer stop is a freeze and belongs in a time map")
        }
    }

    private func checkStretches() throws(CurveError) {
        let width = max(step / duration, 0.01)
        let count = max(1, Int((1 / width).rounded(.down)))
        for stretch in 0..<count {
            let start = Double(stretch) / Double(count)
            let end = Double(stretch + 1) / Double(count)
            let gain = table.integral(to: end) - table.integral(to: start)
            let scale = gain * multiplier / (end - start)
            guard scale >= TimeMap.smallestScale else {
                throw CurveError(
                    .tooFast, position: start, sourceTime: start * duration, value: scale,
                    "the time scale is about \(rounded(scale)) there; over a hundredth of the clip "
                        + "it must be 1/1000 at the least. Cut that part out instead")
            }
        }
    }

    /// Names the place where F begins to fall, or to stand still.
    private func fall(between start: Double, and end: Double) -> CurveError {
        let turn = (0..<table.pieceCount).first { piece in
            table.sums[piece + 1] < table.sums[piece] && table.edges[piece + 1] > start
                && table.edges[piece] <= end
        }
        let place = turn.map { table.edges[$0] } ?? start
        let middle = max(place, (start + end) / 2)
        let value = table.value(at: middle) * multiplier
        return CurveError(
            .fallsBackwards, position: place, sourceTime: place * duration, value: value,
            "from there on a frame would land on or before the one before it (the time scale "
                + "falls to \(rounded(value))). Keep it above 0; reverse and freeze belong in a "
                + "time map")
    }

    private func rounded(_ number: Double) -> Double {
        Double(String(format4(number))) ?? number
    }

    private func format4(_ number: Double) -> String {
        guard number != 0, number.isFinite else {
            return "\(number)"
        }
        var scale = 1.0
        while abs(number) * scale < 1000 && scale < 1e15 {
            scale *= 10
        }
        return "\((number * scale).rounded() / scale)"
    }

    /// Where s is negative for less than a frame.
    var warnings: [String] {
        var dips: [(start: Double, end: Double)] = []
        for piece in 0..<table.pieceCount where table.sums[piece + 1] < table.sums[piece] {
            let (start, end) = (table.edges[piece], table.edges[piece + 1])
            if let last = dips.last, start - last.end < 1e-9 {
                dips[dips.count - 1].end = end
            } else {
                dips.append((start, end))
            }
        }
        let warnings = dips.filter {
            table.integral(to: $0.end) < table.integral(to: $0.start) - 1e-13
        }
        .map { dip in
            "the time scale is negative from \(format4(dip.start * duration)) s to "
                + "\(format4(dip.end * duration)) s: what lies there is skipped"
        }
        return warnings.count > 5
            ? warnings.prefix(5) + ["and in \(warnings.count - 5) more places"] : warnings
    }
}
