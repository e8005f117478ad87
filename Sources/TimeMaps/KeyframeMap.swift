extension TimeMap {
    /// Speeds at instants of the output, joined by easings: above 0 plays, 0 freezes, below 0 plays
    /// backwards. Held before the first and after the last.
    ///
    /// Instants as shares of the output: it lasts so long that the source is visited from its
    /// start to its end, exactly, in whatever order. Instants in seconds of output: the source
    /// begins at its start, or, if it first moves backwards, at its end; the output ends when the
    /// source runs out after the last keyframe, or at the last keyframe if that freezes.
    ///
    /// - Parameter lasting: how long the output lasts, with instants as shares: all speeds are
    ///   multiplied by one number; nil takes the speeds as they are.
    /// - Throws: ``CurveError`` when shares and seconds are mixed, nothing moves, a speed is above
    ///   1000 either way, the source runs out before the last keyframe, or the output would last
    ///   longer than ``longestOutput``.
    public init(
        keyframes: [Keyframe], sourceDuration: RationalTime, lasting: RationalTime? = nil
    ) throws(CurveError) {
        guard sourceDuration > .zero else {
            throw CurveError(
                .invalidParameter, value: sourceDuration.seconds, "a clip lasts longer than 0 s")
        }
        let track = try SpeedTrack(keyframes)
        try Self.requireCountable(track.length?.seconds ?? 0)
        switch track.length {
        case nil:
            try self.init(track, sharing: sourceDuration, lasting: lasting)
        case let length?:
            guard lasting == nil else {
                throw CurveError(
                    .invalidParameter,
                    "keyframes in seconds say themselves how long the output lasts; a length for "
                        + "it needs instants as shares, such as 40%")
            }
            try self.init(track, until: length, of: sourceDuration)
        }
    }

    /// Instants as shares. With X(t) = ∫₀ᵗ v, source time is D·(X − min X)/(max X − min X).
    private init(
        _ track: SpeedTrack, sharing duration: RationalTime, lasting: RationalTime?
    ) throws(CurveError) {
        let table = try track.table()
        let (low, high) = (table.sums.min() ?? 0, table.sums.max() ?? 0)
        guard high > low else {
            throw SpeedTrack.nothingMoves
        }
        let stretch = duration.seconds / (high - low)
        let seconds = lasting?.seconds ?? stretch
        guard seconds > 0, seconds <= TimeMap.longestOutput else {
            throw SpeedTrack.impossible(length: seconds)
        }
        var run = SpeedRun(
            track: track, outputLength: seconds, sourceDuration: duration.seconds,
            sourceStart: -low * stretch, sourcePerIntegral: stretch)
        try run.append(table)
        if let line = track.exactLine(run.pieces, duration: duration, lasting: lasting) {
            try self.init(pieces: [Piece(line)], sourceDuration: duration)
            return
        }
        try self.init(
            run.pieces, sourceDuration: duration.seconds, exactOutputDuration: lasting,
            warnings: [])
    }

    /// Instants in seconds, the last at `length`.
    private init(
        _ track: SpeedTrack, until length: RationalTime, of duration: RationalTime
    ) throws(CurveError) {
        let speeds = track.function.speeds
        guard let first = speeds.first(where: { $0 != 0 }) else {
            throw SpeedTrack.nothingMoves
        }
        var run = SpeedRun(
            track: track, outputLength: length.seconds, sourceDuration: duration.seconds,
            sourceStart: first > 0 ? 0 : duration.seconds, sourcePerIntegral: length.seconds)
        if length > .zero {
            let table = try track.table()
            try run.append(table)
            try run.checkSource(table)
        }
        try run.appendRest(speed: speeds[speeds.count - 1])
        if let line = track.exactLine(run.pieces, duration: duration, lasting: nil) {
            try self.init(pieces: [Piece(line)], sourceDuration: duration)
            return
        }
        try self.init(
            run.pieces, sourceDuration: duration.seconds,
            exactOutputDuration: speeds.last == 0 ? length : nil, warnings: [])
    }
}

/// Keyframes in order, over the output as the unit interval.
struct SpeedTrack {
    let function: SpeedFunction
    /// When the last keyframe is reached, where they are in seconds; nil for shares.
    let length: RationalTime?

    static let nothingMoves = CurveError(
        .invalidParameter, value: 0, "nothing moves: every keyframe has speed 0")

    static func impossible(length: Double) -> CurveError {
        CurveError(
            .invalidParameter, value: length, "the output can't last \(length) s")
    }

    init(_ keyframes: [Keyframe]) throws(CurveError) {
        guard !keyframes.isEmpty else {
            throw CurveError(.malformed, "there are no keyframes")
        }
        let isInSeconds = keyframes.contains { $0.isInSeconds }
        var sorted: [(time: RationalTime, place: Double, keyframe: Keyframe)] = []
        for keyframe in keyframes {
            try keyframe.checkSpeed()
            let (time, place) = try keyframe.outputPlace(inSeconds: isInSeconds)
            sorted.append((time, place, keyframe))
        }
        sorted.sort { $0.place < $1.place }
        for (first, second) in zip(sorted, sorted.dropFirst()) where first.place == second.place {
            throw CurveError(
                .malformed, "two keyframes lie at \(first.keyframe.instantText)")
        }
        let last = sorted[sorted.count - 1]
        let unit = isInSeconds && last.place > 0 ? last.place : 1
        length = isInSeconds ? last.time : nil
        function = SpeedFunction(
            places: sorted.map { $0.place / unit }, speeds: sorted.map(\.keyframe.speed),
            easings: sorted.map(\.keyframe.easing))
    }

    /// The whole clip at one speed, where that is a decimal number; nil for all else.
    func exactLine(
        _ pieces: [TimeMap.Piece], duration: RationalTime, lasting: RationalTime?
    ) -> ExactLine? {
        guard pieces.count == 1, let speed = function.speeds.first,
            abs(pieces[0].sourceEnd - pieces[0].sourceStart) == duration.seconds,
            pieces[0].isLine, let length = lasting ?? length(of: duration, at: abs(speed)),
            length > .zero
        else {
            return nil
        }
        return speed > 0
            ? ExactLine(.zero, length, from: .zero, to: duration)
            : ExactLine(.zero, length, from: duration, to: .zero)
    }

    private func length(of duration: RationalTime, at speed: Double) -> RationalTime? {
        let billionths = (speed * 1e9).rounded()
        guard billionths >= 1, billionths <= 1e13, billionths / 1e9 == speed else {
            return nil
        }
        return try? duration.multiplied(by: 1_000_000_000, over: Int64(billionths))
    }

    func table() throws(CurveError) -> IntegratedTimeScale {
        try IntegratedTimeScale(
            of: function.speed(at:), .scale, breakpoints: function.places,
            weight: function.weight, work: IntegrationWork())
    }
}

extension Keyframe {
    fileprivate var isInSeconds: Bool {
        guard case .seconds = instant else {
            return false
        }
        return true
    }

    fileprivate func checkSpeed() throws(CurveError) {
        guard speed.isFinite else {
            throw CurveError(
                .notFinite, value: speed,
                "the keyframe at \(instantText) has speed \(speed); it must be a finite number")
        }
    }

    fileprivate func outputPlace(
        inSeconds: Bool
    ) throws(CurveError) -> (time: RationalTime, place: Double) {
        switch instant {
        case .share(let share) where !inSeconds && (0...1).contains(share):
            return (.zero, share)
        case .share(0):
            return (.zero, 0)
        case .seconds(let time) where time >= .zero:
            return (time, time.seconds)
        case .share where inSeconds:
            throw CurveError(
                .malformed,
                "the keyframe at \(instantText) is a share and others are in seconds; write all "
                    + "as shares or all in seconds")
        default:
            throw CurveError(
                .invalidParameter, "the keyframe at \(instantText) lies outside of the output")
        }
    }
}
