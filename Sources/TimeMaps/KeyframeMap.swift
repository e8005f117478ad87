extension TimeMap {
    /// A speed ramp from speeds at instants of the output, connected by easings. A speed above 0 plays
    /// forward, 0 freezes, and a speed below 0 plays backwards. The first speed also holds before the first
    /// keyframe, and the last one after the last keyframe. Two keyframes at one instant are a jump, from the
    /// speed of the first to that of the second.
    ///
    /// With instants as shares of the output, the output lasts as long as it takes to reach exactly the
    /// source's start and its end, in whatever order. With instants in seconds of output time, the source
    /// begins at its start, or at its end if it first moves backwards; and the output ends when the source
    /// ends after the last keyframe, or at the last keyframe if that one freezes. There a keyframe may also cut to a
    /// source time, from which it goes on.
    ///
    /// - Parameters:
    ///   - keyframes: at least one, in any order; all at shares, or all in seconds.
    ///   - sourceDuration: how long the source lasts; above 0.
    ///   - lasting: how long the output lasts, only for instants as shares: all speeds are multiplied by one
    ///     number. Nil takes the speeds as they are.
    /// - Throws: ``CurveError`` when shares and seconds are mixed, when one at a share cuts or a cut leaves the source,
    ///   when three keyframes are at one instant, when
    ///   every speed is 0, when a speed isn't within -1000 to 1000, when the source ends before the last
    ///   keyframe, or when the output would last longer than ``longestOutput``.
    public init(
        keyframes: [Keyframe], sourceDuration: RationalTime, lasting: RationalTime? = nil
    ) throws(CurveError) {
        guard sourceDuration > .zero else {
            throw CurveError(
                .invalidParameter, value: sourceDuration.seconds,
                "a clip must last longer than 0 s")
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
                    "keyframes in seconds already determine how long the output lasts; to set a "
                        + "length for it, write the instants as shares, such as 40%")
            }
            try self.init(track, until: length, of: sourceDuration)
        }
    }

    /// A map from instants as shares. With X(t) = ∫₀ᵗ v for the speed v and the source's duration D, source
    /// time is D·(X − min X)/(max X − min X).
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

    /// A map from instants in seconds, of which the last is at `length`.
    private init(
        _ track: SpeedTrack, until length: RationalTime, of duration: RationalTime
    ) throws(CurveError) {
        let speeds = track.function.speeds
        let first = speeds.first { $0 != 0 } ?? 0
        guard first != 0 || !track.cuts.isEmpty else {
            throw SpeedTrack.nothingMoves
        }
        try track.checkCuts(within: duration)
        var run = SpeedRun(
            track: track, outputLength: length.seconds, sourceDuration: duration.seconds,
            sourceStart: first < 0 ? duration.seconds : 0, sourcePerIntegral: length.seconds)
        if length > .zero {
            let table = try track.table()
            try run.append(table)
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

/// Keyframes in order of output time, with the output scaled to [0,1].
struct SpeedTrack {
    let function: SpeedFunction
    /// The time of the last keyframe, if the instants are in seconds; nil for shares.
    let length: RationalTime?
    /// The keyframes that cut to a source time, in order of their places on [0,1].
    let cuts: [(place: Double, keyframe: Keyframe)]

    static let nothingMoves = CurveError(
        .invalidParameter, value: 0, "nothing moves: every keyframe has speed 0")

    static func impossible(length: Double) -> CurveError {
        CurveError(
            .invalidParameter, value: length, "the output can't last \(length) s")
    }

    init(_ keyframes: [Keyframe]) throws(CurveError) {
        let isInSeconds = keyframes.contains { $0.isInSeconds }
        var times: [RationalTime] = []
        for keyframe in keyframes {
            try keyframe.checkSpeed()
            times.append(try keyframe.outputTime(inSeconds: isInSeconds))
        }
        length = isInSeconds ? times.max() : nil
        let unit = length.map { $0 > .zero ? $0.seconds : 1 }
        let places = zip(keyframes, times).map { keyframe, time in
            unit.map { time.seconds / $0 } ?? keyframe.share
        }
        function = try SpeedFunction(zip(keyframes, places).map { $0.knot(at: $1) })
        cuts = zip(places, keyframes).filter { $1.source != nil }.map { ($0, $1) }
            .sorted { $0.place < $1.place }
        if let cut = cuts.first, !isInSeconds {
            throw CurveError(
                .malformed,
                "the keyframe at \(cut.keyframe.instantText) cuts to another time, so all instants must "
                    + "be in seconds, such as 6s")
        }
    }

    /// - Throws: ``CurveError`` when a keyframe cuts to a time that the source doesn't have.
    func checkCuts(within duration: RationalTime) throws(CurveError) {
        for (_, keyframe) in cuts {
            guard let source = keyframe.source, source >= .zero, source <= duration else {
                throw CurveError(
                    .invalidParameter, sourceTime: keyframe.source?.seconds,
                    "the keyframe at \(keyframe.instantText) cuts to \(keyframe.sourceText ?? ""), outside "
                        + "of the clip, which lasts \(duration.secondsText) s")
            }
        }
    }

    /// The exact line of a map that plays the whole clip at one constant speed; nil for any other map, and
    /// when the speed isn't a decimal number that gives an exact duration.
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

    fileprivate var share: Double {
        guard case .share(let share) = instant else {
            return 0
        }
        return share
    }

    /// Zero if the instants are shares.
    fileprivate func outputTime(inSeconds: Bool) throws(CurveError) -> RationalTime {
        switch instant {
        case .share(let share) where !inSeconds && (0...1).contains(share):
            return .zero
        case .share(0):
            return .zero
        case .seconds(let time) where time >= .zero:
            return time
        case .share where inSeconds:
            throw CurveError(
                .malformed,
                "the keyframe at \(instantText) is a share and others are in seconds; write all of "
                    + "them as shares or all in seconds")
        default:
            throw CurveError(
                .invalidParameter, "the keyframe at \(instantText) lies outside of the output")
        }
    }
}
