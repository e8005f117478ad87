/// Builds the pieces of a time map from an integrated speed.
///
/// With X(t) the integral of the speed, the source time at output time `outputLength·t` is
/// `origin + sourcePerIntegral·X(t)`, where every cut has an origin of its own.
struct SpeedRun {
    let track: SpeedTrack
    /// Seconds.
    let outputLength: Double
    /// Seconds.
    let sourceDuration: Double
    let sourcePerIntegral: Double

    private var origin: Double
    /// The source time from which the film goes on if not where the last piece ends.
    private var next: Double?
    private var cuts: ArraySlice<(place: Double, source: Double)>
    private(set) var pieces: [TimeMap.Piece] = []
    /// The speed of the last piece, if that is a straight line.
    private var lastSpeed: Double?

    init(
        track: SpeedTrack, outputLength: Double, sourceDuration: Double, sourceStart: Double,
        sourcePerIntegral: Double
    ) {
        self.track = track
        self.outputLength = outputLength
        self.sourceDuration = sourceDuration
        self.sourcePerIntegral = sourcePerIntegral
        origin = sourceStart
        next = sourceStart
        cuts = track.cuts.map { ($0.place, $0.keyframe.source?.seconds ?? 0) }[...]
    }

    /// Goes on at the source times of the cuts up to a place, where the integral is known.
    private mutating func cut(at place: Double, integral: Double) {
        while let cut = cuts.first, cut.place <= place {
            cuts.removeFirst()
            (origin, next, lastSpeed) = (cut.source - sourcePerIntegral * integral, cut.source, nil)
        }
    }

    mutating func append(_ table: IntegratedTimeScale) throws(CurveError) {
        for piece in 0..<table.pieceCount {
            let start = table.edges[piece] * outputLength
            let end = table.edges[piece + 1] * outputLength
            guard end > start else {
                continue
            }
            cut(at: table.edges[piece], integral: table.sums[piece])
            let segment = SpeedSegment(
                table: table, piece: piece, outputAtEdge: start,
                sourceAtEdge: source(table.sums[piece]), coordinatePerSecond: 2 / (end - start),
                sourcePerIntegral: sourcePerIntegral)
            let goal = inside(source(table.sums[piece + 1]))
            let middle = (table.edges[piece] + table.edges[piece + 1]) / 2
            if let speed = track.function.constantSpeed(around: middle) {
                let speed = speed * sourcePerIntegral / outputLength
                try appendLine(from: start, to: end, reaching: goal, speed: speed)
            } else {
                try checkSpeed(segment, from: start, to: end)
                (lastSpeed, next) = (nil, nil)
                pieces.append(
                    TimeMap.Piece(
                        outputStart: start, outputEnd: end,
                        sourceStart: inside(segment.sourceAtEdge), sourceEnd: goal,
                        shape: .integral(segment)))
            }
            try checkSource(table, piece)
        }
    }

    /// Continues at one speed until the source ends.
    mutating func appendRest(speed: Double) throws(CurveError) {
        cut(at: 1, integral: 0)
        let here = next ?? pieces.last?.sourceEnd ?? 0
        let goal = speed > 0 ? sourceDuration : 0
        let lasts = (goal - here) / speed
        // Ignore a rest shorter than a nanosecond.
        guard speed != 0, lasts > Tolerance.instant else {
            return
        }
        guard lasts <= TimeMap.longestOutput else {
            throw SpeedTrack.impossible(length: lasts)
        }
        let start = pieces.last?.outputEnd ?? 0
        try appendLine(from: start, to: start + lasts, reaching: goal, speed: speed)
    }

    private mutating func appendLine(
        from start: Double, to end: Double, reaching goal: Double, speed: Double
    ) throws(CurveError) {
        try check(speed: speed, at: start)
        var (outputStart, sourceStart) = (start, inside(next ?? pieces.last?.sourceEnd ?? 0))
        if let last = pieces.last, lastSpeed == speed {
            (outputStart, sourceStart) = (last.outputStart, last.sourceStart)
            pieces.removeLast()
        }
        (lastSpeed, next) = (speed, nil)
        pieces.append(
            TimeMap.Piece(
                outputStart: outputStart, outputEnd: end, sourceStart: sourceStart,
                sourceEnd: speed == 0 ? sourceStart : goal, shape: .line(nil)))
    }

    private func source(_ integral: Double) -> Double {
        origin + sourcePerIntegral * integral
    }

    /// Clamps a source time that rounding moved out of the source.
    private func inside(_ source: Double) -> Double {
        min(max(source, 0), sourceDuration)
    }

    // MARK: - Limits

    private func checkSpeed(
        _ segment: SpeedSegment, from start: Double, to end: Double
    ) throws(CurveError) {
        for step in 0...32 {
            let y = start + (end - start) * Double(step) / 32
            try check(speed: segment.position(at: y).speed, at: y)
        }
    }

    private func check(speed: Double, at y: Double) throws(CurveError) {
        // A speed of exactly 1000 may come out a little above because of rounding.
        guard TimeMap.allows(speed: speed) else {
            throw CurveError(
                .tooFast, value: speed,
                "at output second \(rounded(y)) the source would play at a speed of "
                    + "\(rounded(speed)); the limits are -1000 and 1000")
        }
    }

    /// Throws when the source ends in a piece, before the next cut or the last keyframe.
    private func checkSource(_ table: IntegratedTimeScale, _ piece: Int) throws(CurveError) {
        let grace = Tolerance.instant * max(1, sourceDuration)
        let end = source(table.sums[piece + 1])
        guard end < -grace || end > sourceDuration + grace else {
            return
        }
        let limit = end < 0 ? 0 : sourceDuration
        let gain = (limit - source(table.sums[piece])) / sourcePerIntegral
        let z = table.solve(piece, for: gain, from: 0)
        let y = table.place(of: z, in: piece) * outputLength
        let which = end < 0 ? "start, playing backwards," : "end"
        let (name, place) = cuts.first.map { ("next cut", $0.place) } ?? ("last keyframe", 1)
        throw CurveError(
            .invalidParameter, value: y,
            "the source's \(which) is reached at output second \(rounded(y)), before the \(name) at "
                + "\(rounded(place * outputLength)) s; use a smaller speed, or an earlier \(name)")
    }

    private func rounded(_ number: Double) -> Double {
        (number * 1e6).rounded() / 1e6
    }
}
