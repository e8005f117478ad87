extension TimeMap {
    /// The time map of a clip that is retimed along a time scale s with integral F. A clip of duration D shows
    /// source time x at output time D·F(x/D).
    ///
    /// s may touch 0 or stay there: those frames pass faster than can be seen. Where s is negative, F falls, and the map is
    /// the running maximum of F: the source from there to where F is as high again is passed over, and the output lasts
    /// as long as that maximum says. Both give a warning. F(1) must be above 0. The average of s must be at most
    /// 1000 over every frame, and at least 1/1000 over the clip, whose output must last at least one frame.
    ///
    /// - Parameters:
    ///   - duration: how long the clip lasts; above 0.
    ///   - scale: the time scale.
    ///   - frameDuration: seconds between frames; nil takes a thousandth of the clip.
    ///   - lasting: the exact duration of the output; the curve keeps its shape. Nil lets the curve decide.
    /// - Throws: ``CurveError`` when s isn't finite, when the output would end at or below zero, or when s is too large or
    ///   too small. The error names the first place where s isn't finite or is too large.
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
                    "the curve can't be made to last \(lasting.secondsText) s")
            }
            multiplier = lasting.seconds / (seconds * total)
        }
        let check = WarpCheck(
            table: table, duration: seconds, multiplier: multiplier, frameDuration: frameDuration)
        try check.run()
        let pieces = Self.pieces(table, duration: seconds, multiplier: multiplier)
        try self.init(
            pieces, sourceDuration: seconds, exactOutputDuration: lasting,
            warnings: check.warnings(pieces))
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
    /// Whether frames have a duration of their own, not the thousandth of the clip that stands for it.
    private let hasFrames: Bool

    /// - Parameter frameDuration: in seconds; nil, or a number that isn't above 0, takes a thousandth of the
    ///   clip.
    init(
        table: IntegratedTimeScale, duration: Double, multiplier: Double, frameDuration: Double?
    ) {
        self.table = table
        self.duration = duration
        self.multiplier = multiplier
        let stated = frameDuration.flatMap { $0 > 0 ? $0 : nil }
        hasFrames = stated != nil
        let frame = stated ?? duration / 1000
        step = min(max(frame, duration * Self.narrowest), duration)
    }

    func run() throws(CurveError) {
        try checkFrames()
        try checkWhole()
    }

    /// How far F may fall because of the table's error, at both ends of a part.
    private var allowedFall: Double { 2 * table.errorBound + 1e-14 }

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
        return table.largestScale(piece, from: start, to: end) * multiplier <= Self.largestScale
    }

    private func checkFrame(from start: Double, to end: Double) throws(CurveError) {
        guard end - start > Self.narrowest else {
            return
        }
        let gain = table.integral(to: end) - table.integral(to: start)
        let scale = gain * multiplier / (end - start)
        guard scale <= Self.largestScale else {
            throw CurveError(
                .tooSlow, position: start, sourceTime: start * duration, value: scale,
                "the time scale is about \(rounded(scale)) there; over a frame it may be at "
                    + "most 1000. For a longer stop, use a freeze in a time map")
        }
    }

    /// Checks that enough is left of the clip.
    private func checkWhole() throws(CurveError) {
        let (end, most) = (table.sums.last ?? 0, table.sums.max() ?? 0)
        let isNothing = most <= allowedFall && end >= -allowedFall
        guard end > allowedFall || isNothing else {
            throw fall(to: end * multiplier)
        }
        let scale = most * multiplier
        guard scale >= TimeMap.scaleLimits.lowerBound * (1 - Tolerance.limit) else {
            throw CurveError(
                .tooFast, value: scale,
                "the time scale is about \(rounded(scale)) on average; it must be at least 1/1000, or "
                    + "hardly anything of the clip would be left")
        }
        let lasts = scale * duration
        guard !hasFrames || duration < 2 * step || lasts >= step * (1 - Tolerance.limit) else {
            throw CurveError(
                .tooFast, value: scale,
                "the output would last \(rounded(lasts)) s, which is less than one frame "
                    + "(\(rounded(step)) s); use a larger time scale")
        }
    }

    /// The error for a curve whose output would end at or before its start.
    private func fall(to end: Double) -> CurveError {
        let top = (0..<table.pieceCount).max { table.sums[$0] < table.sums[$1] } ?? 0
        let low = (top..<table.pieceCount).map { $0 + 1 }.min { table.sums[$0] < table.sums[$1] }
        let place = table.edges[top]
        let value = low.map {
            (table.sums[$0] - table.sums[top]) / (table.edges[$0] - place) * multiplier
        }
        return CurveError(
            .fallsBackwards, position: place, sourceTime: place * duration, value: value,
            "from there on the time scale is negative, and the output would end at "
                + "\(rounded(end * duration)) s. Keep the scale above 0 on average; to play "
                + "backwards, use keyframes or a time map")
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

    /// A warning for each place where s is negative, or zero for longer than a frame; at most six sentences.
    ///
    /// - Parameter pieces: the parts of the source that are played.
    func warnings(_ pieces: [TimeMap.Piece]) -> [String] {
        let starts = pieces.map(\.sourceStart) + [duration]
        let ends = [0] + pieces.map(\.sourceEnd)
        let warnings = zip(ends, starts).compactMap { from, to in
            to > from ? warning(from: from, to: to) : nil
        }
        return warnings.count > 5
            ? warnings.prefix(5) + ["and in \(warnings.count - 5) more places"] : warnings
    }

    /// Says that a part of the source, in seconds, isn't played; nil if there is nothing unusual about that.
    private func warning(from start: Double, to end: Double) -> String? {
        let falls = largestFall(from: start / duration, to: end / duration) > 1e-13
        guard falls || end - start > step else {
            return nil
        }
        return
            "the time scale is \(falls ? "negative" : "0") from \(format4(start)) s on, so the source is "
            + "passed over from there to \(format4(end)) s (\(format4(end - start)) s)"
    }

    /// How far F falls between two places below what it was at the first.
    private func largestFall(from start: Double, to end: Double) -> Double {
        let inside =
            table.edges.piece(containing: start) + 1..<table.edges.piece(containing: end) + 1
        let lowest = table.sums[inside].min() ?? .infinity
        return table.integral(to: start) - min(lowest, table.integral(to: end))
    }
}
