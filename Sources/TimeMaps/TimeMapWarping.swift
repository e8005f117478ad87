extension TimeMap {
    /// The time map of a clip that is retimed along a time scale s with integral F. A clip of duration D shows
    /// source time x at output time D·F(x/D).
    ///
    /// Where s is negative for less than a frame, the map is the running maximum of F, with a warning. The
    /// average of s over every frame must be at most 1000. Its average over every hundredth of the clip (or
    /// over a frame, if that is longer) must be at least 1/1000; so s may touch 0.
    ///
    /// - Parameters:
    ///   - duration: how long the clip lasts; above 0.
    ///   - scale: the time scale.
    ///   - frameDuration: seconds between frames; nil takes a thousandth of the clip.
    ///   - lasting: the exact duration of the output; the curve keeps its shape. Nil lets the curve decide.
    /// - Throws: ``CurveError`` when s isn't finite, when F falls across a frame, or when s is too large or too
    ///   small. The error names the first such place.
    /// - Complexity: usually O(n log f) for n pieces of the curve and f frames.
    public init(
        warping duration: RationalTime, by scale: any TimeScale, frameDuration: Double? = nil,
        lasting: RationalTime? = nil
    ) throws(CurveError) {
        let seconds = duration.seconds
        guard seconds > 0 else {
            throw CurveError(.invalidParameter, value: seconds, "a clip must last longer than 0 s")
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

    /// The parts of F that rise above all earlier values.
    private static func pieces(
        _ table: IntegratedTimeScale, duration: Double, multiplier: Double
    ) -> [Piece] {
        let stretch = duration * multiplier
        var pieces: [Piece] = []
        var reached = 0.0
        for piece in 0..<table.pieceCount {
            let (start, end) = (table.sums[piece], table.sums[piece + 1])
            guard end > reached, (end - reached) * stretch > Tolerance.nothing else {
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

/// Checks the limits on a time scale.
private struct WarpCheck {
    let table: IntegratedTimeScale
    /// The duration of the source, in seconds.
    let duration: Double
    let multiplier: Double
    /// The time between frames, in seconds.
    let step: Double

    /// A scale of exactly 1000 may come out a little above because of rounding.
    private static let largestScale = TimeMap.scaleLimits.upperBound * (1 + Tolerance.limit)
    /// Places on [0,1] can't tell narrower frames apart.
    private static let narrowest = Tolerance.nothing

    /// - Parameter frameDuration: in seconds; nil, or a number that isn't above 0, takes a thousandth of the
    ///   clip.
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

    /// Checks every frame. Ranges of frames in which the bounds of s exclude an error are skipped at once.
    private func checkFrames() throws(CurveError) {
        let count = max(1, Int((duration / step).rounded(.up)))
        // A stack with the earliest range on top, so that the error names the first place.
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

    /// The place on [0,1] where a frame begins.
    private func place(_ frame: Int) -> Double {
        min(Double(frame) * step / duration, 1)
    }

    /// Whether the bounds of s show that it stays within its limits between two places.
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
                "the time scale is about \(rounded(scale)) there; over a frame it may be at "
                    + "most 1000. For a longer stop, use a freeze in a time map")
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
            guard scale >= TimeMap.scaleLimits.lowerBound else {
                throw CurveError(
                    .tooFast, position: start, sourceTime: start * duration, value: scale,
                    "the time scale is about \(rounded(scale)) there; over a hundredth of the clip "
                        + "it must be at least 1/1000. Cut that part out instead")
            }
        }
    }

    /// The error for a place where F begins to fall or stands still.
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
            "from there on a frame would be shown at or before the time of the frame before it "
                + "(the time scale falls to \(rounded(value))). Keep it above 0; to reverse or "
                + "freeze, use a time map")
    }

    /// The number rounded to at least four significant digits.
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

    /// A warning for each place where s is negative for less than a frame; at most six sentences.
    var warnings: [String] {
        var dips: [(start: Double, end: Double)] = []
        for piece in 0..<table.pieceCount where table.sums[piece + 1] < table.sums[piece] {
            let (start, end) = (table.edges[piece], table.edges[piece + 1])
            if let last = dips.last, start - last.end < Tolerance.instant {
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
                + "\(format4(dip.end * duration)) s, so that part is skipped"
        }
        return warnings.count > 5
            ? warnings.prefix(5) + ["and in \(warnings.count - 5) more places"] : warnings
    }
}
