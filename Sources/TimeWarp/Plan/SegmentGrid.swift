import Media
import TimeMaps

/// Assigns output frames, or ticks, to the segments of a composition.
struct SegmentGrid {
    private let timing: RenderPlan.Timing
    private let end: RationalTime

    /// Makes a grid.
    ///
    /// - Parameter end: the end of the composition.
    init(_ timing: RenderPlan.Timing, end: RationalTime) {
        self.timing = timing
        self.end = end
    }

    /// The fixed frame rate; nil for a variable one.
    var rate: FrameRate? { timing.rate }

    /// The frames (or ticks) of a segment. A frame belongs to the segment in which its start lies; the last
    /// segment gets the rest.
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

    /// The first frame that doesn't start before a time.
    private static func firstTick(at time: RationalTime, _ rate: FrameRate) throws -> Int64 {
        let (ticks, rest) = (Int128(time.value) * Int128(rate.numerator)).quotientAndRemainder(
            dividingBy: Int128(time.timescale) * Int128(rate.denominator))
        guard let first = Int64(exactly: rest > 0 ? ticks + 1 : ticks) else {
            throw CompositionError(.invalid, "\(time.secondsText) s have too many frames")
        }
        return first
    }

    /// The timing of a segment on its own.
    func timing(of ticks: Range<Int64>) -> RenderPlan.Timing {
        switch timing {
        case .fixed(let rate, _): .fixed(rate, frameCount: Int64(ticks.count))
        case .variable: timing
        }
    }

    /// The time from the start of the segment to its first frame, in seconds; nil for a variable rate.
    func phase(of ticks: Range<Int64>, in range: TimeRange) throws -> Double? {
        guard let rate else {
            return nil
        }
        let start = try rate.frameDuration.multiplied(by: ticks.lowerBound, over: 1)
        return start.relative(to: range.start).seconds
    }
}
