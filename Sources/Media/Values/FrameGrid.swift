import TimeMaps

/// The exact frame times of a constant frame rate, for containers that round them.
///
/// Matroska stores milliseconds: at 30 frames per second its frames are at 0, 33, 67 and 100 ms. A time within one
/// tick of the grid of the stream's constant frame rate is taken to be on the grid.
struct FrameGrid {
    private let rate: FrameRate
    private let toleranceSeconds: Double

    /// Nil if the stream has no constant frame rate, if its frame times are whole ticks anyway, or if ticks
    /// are too long to tell frames apart.
    init?(of stream: Asset.Stream) {
        guard let rate = stream.videoFormat?.gridRate else {
            return nil
        }
        let ticksPerFrame = 1 / (rate.framesPerSecond * stream.timeBase.seconds)
        // Whole ticks are not rounded, so a time beside the grid is intended.
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

extension VideoFormat {
    /// The rate on whose grid the frames lie. If that can't be told from their times, it is the declared rate where the
    /// average is the same.
    fileprivate var gridRate: FrameRate? {
        switch cadence {
        case .constant(let rate): return rate
        case .variable: return nil
        case .unknown:
            guard let nominalRate, let frameRate,
                abs(nominalRate.framesPerSecond / frameRate.framesPerSecond - 1) < 1e-4
            else {
                return nil
            }
            return nominalRate
        }
    }
}
