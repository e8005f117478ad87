import Media

/// Gives the ticks of a fixed rate to pictures' turns, in the order they come.
///
/// Blended backwards a tick is decided by its end, as forward it is by its start: the one is the other
/// mirrored.
struct TickAssignment {
    private let blends: Bool
    private let hasShutter: Bool
    private let secondsPerTick: Double
    private var selector: FixedRateSelector

    /// The ticks of a picture's turn.
    struct Turn {
        let ticks: Range<Int64>
        /// Whether there is a shutter and the turn is over before a tick's time is.
        let isFast: Bool
    }

    /// - Parameters:
    ///   - tickCount: the last picture is shown up to this tick.
    ///   - offset: seconds from the output's start to tick 0.
    ///   - firstTick: nil for the one at which the first picture comes.
    init(
        _ settings: RenderSettings, rate: FrameRate, tickCount: Int64, offset: Double,
        firstTick: Int64? = nil
    ) {
        blends = settings.frames.usesNeighbours
        hasShutter = settings.shutterDegrees != nil
        secondsPerTick = rate.frameDuration.seconds
        selector = FixedRateSelector(
            framesPerSecond: rate.framesPerSecond, tickCount: tickCount, offset: offset,
            nextTick: firstTick)
    }

    /// - Parameter end: when the next turn begins, in output seconds; nil for the last one.
    mutating func turn(
        from start: Double, until end: Double?, _ direction: PlayDirection
    ) -> Turn {
        let lasts = (end ?? .infinity) - start
        let isFast = hasShutter && lasts < secondsPerTick * (1 - 1e-6)
        let isMirrored = blends && !isFast && direction == .backward
        let ticks = selector.ticks(
            from: start, until: end, isMirrored ? .endsOfTicks : .startsOfTicks)
        return Turn(ticks: ticks, isFast: isFast)
    }
}
