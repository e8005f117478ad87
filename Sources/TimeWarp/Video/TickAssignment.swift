import Media

/// Assigns the ticks of a fixed rate to presentations, in output order.
///
/// With blending, the end of a tick decides backwards and its start decides forwards, so that the one result is
/// the mirror image of the other.
struct TickAssignment {
    private let blends: Bool
    private let hasShutter: Bool
    private let secondsPerTick: Double
    private var selector: FixedRateSelector

    /// The ticks of one presentation.
    struct Turn {
        let ticks: Range<Int64>
        /// Whether there is a shutter and the presentation is shorter than a tick.
        let isFast: Bool
    }

    /// - Parameters:
    ///   - tickCount: the last frame is presented until this tick.
    ///   - offset: the time of tick 0 from the output's start, in seconds.
    ///   - firstTick: the first tick; nil for the one at which the first frame starts.
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

    /// The ticks of the next presentation.
    ///
    /// - Parameter end: the start of the following presentation, in output seconds; nil for the last one.
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
