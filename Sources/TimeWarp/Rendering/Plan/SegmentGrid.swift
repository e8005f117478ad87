import Media
import TimeMaps

/// Which output frames, or ticks, belong to which segment of a composition.
struct SegmentGrid {
    private let timing: RenderPlan.Timing
    private let end: RationalTime

    /// - Parameter end: of the composition.
    init(_ timing: RenderPlan.Timing, end: RationalTime) {
        self.timing = timing
        self.end = end
    }

    /// Nil for a variable one.
    var rate: FrameRate? {
        guard case .fixed(let rate, _) = timing else {
            return nil
        }
        return rate
    }

    /// A frame belongs to the segment that its instant lies in; the last segment takes what is left.
    func ticks(of range: TimeRange) throws -> Range<Int64> {
        switch timing {
        case .fixed(let rate, let count):
            let first = min(try Self.firstTick(at: range.start, rate), count)
            let last = range.end < end ? min(try Self.firstTick(at: range.end, rate), count) : count
            return first..<max(first, last)
        case .variable(let ticks):
            let first = try range.start.converted(to: ticks, rounding: .nearest).value
            let last = try range.end.converted(to: ticks, rounding: .nearest).value
            return first..<max(first, last)
        }
    }

    /// The first frame whose instant isn't before a time.
    private static func firstTick(at time: RationalTime, _ rate: FrameRate) throws -> Int64 {
        let (ticks, rest) = (Int128(time.value) * Int128(rate.numerator)).quotientAndRemainder(
            dividingBy: Int128(time.timescale) * Int128(rate.denominator))
        guard let first = Int64(exactly: rest > 0 ? ticks + 1 : ticks) else {
            throw CompositionError(.invalid, "\(time.seconds) s are too many frames")
        }
        return first
    }

    /// How a segment by itself is timed.
    func timing(of ticks: Range<Int64>) -> RenderPlan.Timing {
        switch timing {
        case .fixed(let rate, _): .fixed(rate, frameCount: Int64(ticks.count))
        case .variable: timing
        }
    }

    /// How long after the segment begins its first frame is shown, in seconds; nil for a variable rate.
    func phase(of ticks: Range<Int64>, in range: TimeRange) throws -> Double? {
        guard case .fixed(let rate, _) = timing else {
            return nil
        }
        let start = try rate.frameDuration.multiplied(by: ticks.lowerBound, over: 1)
        return start.relative(to: range.start).seconds
    }
}
