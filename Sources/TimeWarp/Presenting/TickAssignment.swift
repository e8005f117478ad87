import Media

/// Assigns the ticks of a fixed rate to presentations, in order.
///
/// With blending, the end of a tick decides in backward playback, as its start does in forward playback, so one is
/// the mirror image of the other.
struct TickAssignment {
    private let blends: Bool
    private let hasShutter: Bool
    private let secondsPerTick: Double
    private var selector: FixedRateSelector

    /// The ticks of a presentation.
    struct PresentationTicks {
        let ticks: Range<Int64>
        /// Whether there is a shutter, and the presentation is shorter than a tick.
        let isFast: Bool
    }

    /// - Parameters:
    ///   - tickCount: the last frame is shown until this tick.
    ///   - offset: seconds from the output's start to tick 0.
    ///   - firstTick: nil for the tick at which the first frame comes.
    init(
        _ settings: RenderSettings, rate: FrameRate, tickCount: Int64, offset: Double,
        firstTick: Int64? = nil
    ) {
        blends = settings.video.frames.usesNeighbours
        hasShutter = settings.video.shutterDegrees != nil
        secondsPerTick = rate.frameDuration.seconds
        selector = FixedRateSelector(
            framesPerSecond: rate.framesPerSecond, tickCount: tickCount, offset: offset,
            nextTick: firstTick)
    }

    /// - Parameter end: when the next presentation starts, in output seconds; nil for the last one.
    mutating func assign(
        from start: Double, until end: Double?, _ direction: PlayDirection
    ) -> PresentationTicks {
        let lasts = (end ?? .infinity) - start
        let isFast = hasShutter && lasts < secondsPerTick * (1 - 1e-6)
        let isMirrored = blends && !isFast && direction == .backward
        let ticks = selector.ticks(
            from: start, until: end, isMirrored ? .endsOfTicks : .startsOfTicks)
        return PresentationTicks(ticks: ticks, isFast: isFast)
    }
}
