import TimeMaps

/// The exact instants of a constant frame rate, for containers that round them.
///
/// Matroska keeps milliseconds: the frames of 30 a second lie at 0, 33, 67, 100 ms. A time that
/// is within one tick of the grid that the stream declares is taken to be on it.
struct FrameGrid {
    private let rate: FrameRate
    private let toleranceSeconds: Double

    /// Nil where the stream declares no constant rate, where frames fall on whole ticks anyway, or where
    /// ticks are too coarse to tell frames apart.
    init?(of stream: Asset.Stream) {
        guard let rate = stream.videoFormat?.nominalRate,
            let average = stream.videoFormat?.frameRate,
            // A variable rate's "nominal" one is a guess.
            abs(rate.framesPerSecond / average.framesPerSecond - 1) < 1e-4
        else {
            return nil
        }
        let ticksPerFrame = 1 / (rate.framesPerSecond * stream.timeBase.seconds)
        // Whole ticks need no rounding: what is off the grid there is meant to be.
        let isRounded = abs(ticksPerFrame - ticksPerFrame.rounded()) > 1e-9
        guard ticksPerFrame >= 4, isRounded else {
            return nil
        }
        self.rate = rate
        toleranceSeconds = stream.timeBase.seconds * 1.01
    }

    func snapped(_ time: RationalTime) -> RationalTime {
        let index = (time.seconds * rate.framesPerSecond).rounded()
        guard abs(index / rate.framesPerSecond - time.seconds) <= toleranceSeconds,
            abs(index) < 1e15
        else {
            return time
        }
        let (value, overflow) = Int64(index).multipliedReportingOverflow(
            by: Int64(rate.denominator))
        return overflow ? time : RationalTime(value, over: rate.numerator)
    }

    func duration(nearest duration: RationalTime) -> RationalTime {
        snapped(duration)
    }
}
