import TimeMaps

/// The exact frame times of a constant frame rate, for containers that round them.
///
/// Matroska stores milliseconds: at 30 frames per second its frames are at 0, 33, 67 and 100 ms. A time that lies as near
/// to the grid of the stream's constant frame rate as rounding explains is taken to be on the grid.
struct ConstantRateGrid {
    private let rate: FrameRate
    /// The asset time of one of the grid's frames.
    private let phase: RationalTime
    private let toleranceSeconds: Double

    /// Nil if the stream has no constant frame rate, or if its times aren't known well enough to tell that they are
    /// rounded.
    init?(of stream: Asset.Stream) {
        guard let format = stream.videoFormat, let rate = format.gridRate else {
            return nil
        }
        let perFrame = 1 / (rate.framesPerSecond * stream.timeBase.seconds)
        let isRounded = abs(perFrame - perFrame.rounded()) > 1e-9
        let start = stream.start ?? .zero
        switch format.cadence {
        case .constant:
            // All times are known to lie within two roundings of each other, and the first one within one of zero's grid
            // or on a grid of its own.
            let near = 1.01 * stream.timeRounding
            let fromZero = ConstantRateGrid(rate: rate, phase: .zero, toleranceSeconds: near)
            let isFromZero = fromZero.place(of: start) != nil
            self.init(
                rate: rate, phase: isFromZero ? .zero : start, toleranceSeconds: 3 * near)
        case .telecined:
            // Every other frame is late by half a field, a fifth of a frame.
            self.init(
                rate: rate, phase: start,
                toleranceSeconds: 0.201 / rate.framesPerSecond + 2 * stream.timeRounding)
        case .unknown where isRounded && perFrame >= 4:
            self.init(
                rate: rate, phase: .zero, toleranceSeconds: 1.01 * stream.timeBase.seconds)
        case .unknown, .variable:
            return nil
        }
    }

    private init(rate: FrameRate, phase: RationalTime, toleranceSeconds: Double) {
        self.rate = rate
        self.phase = phase
        self.toleranceSeconds = toleranceSeconds
    }

    func snapped(_ time: RationalTime) -> RationalTime {
        place(of: time).flatMap { place in try? phase + place } ?? time
    }

    func duration(nearest duration: RationalTime) -> RationalTime {
        let grid = ConstantRateGrid(rate: rate, phase: .zero, toleranceSeconds: toleranceSeconds)
        return grid.snapped(duration)
    }

    /// The distance from the phase to the grid's place nearest to a time; nil if the time isn't near it.
    private func place(of time: RationalTime) -> RationalTime? {
        let seconds = time.relative(to: phase).seconds
        let index = (seconds * rate.framesPerSecond).rounded()
        guard abs(index / rate.framesPerSecond - seconds) <= toleranceSeconds, abs(index) < 1e15
        else {
            return nil
        }
        let (value, overflow) = Int64(index).multipliedReportingOverflow(
            by: Int64(rate.denominator))
        return overflow ? nil : RationalTime(value, over: rate.numerator)
    }
}

extension VideoFormat {
    /// The rate on whose grid the frames lie. If that can't be told from their times, it is the declared rate where the
    /// average is the same.
    fileprivate var gridRate: FrameRate? {
        switch cadence {
        case .constant(let rate), .telecined(let rate): return rate
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
