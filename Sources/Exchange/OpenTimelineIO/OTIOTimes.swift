import Media
import TimeMaps
import TimeWarp

extension OTIOTime {
    /// 2⁵³: a `Double` represents all whole numbers up to this one.
    private static let largestWhole: Int64 = 1 << 53

    /// The time as a whole number of frames if it is one, else in ticks of its own time scale. It is exact
    /// below 2⁵³ ticks.
    init(_ time: RationalTime, frames: FrameRate?) {
        if let exact = frames.flatMap({ Self.wholeFrames(time, $0) }) {
            self = exact
            return
        }
        let common = gcd(Int128(time.value), Int128(time.timescale))
        self.init(
            value: Double(Int128(time.value) / common),
            rate: Double(Int128(time.timescale) / common))
    }

    private static func wholeFrames(_ time: RationalTime, _ rate: FrameRate) -> OTIOTime? {
        let frames = ExactFraction(time)
            .times(ExactFraction(RationalTime(Int64(rate.numerator), over: rate.denominator)))
        guard let frames, frames.bottom == 1, frames.top.magnitude < UInt128(largestWhole) else {
            return nil
        }
        let perSecond = Double(rate.numerator) / Double(rate.denominator)
        return OTIOTime(value: Double(frames.top), rate: perSecond)
    }

    /// Both times in ticks of a common rate; nil if these don't fit.
    private static func both(
        _ first: RationalTime, _ second: RationalTime
    ) -> (OTIOTime, OTIOTime)? {
        let scales = (Int128(first.timescale), Int128(second.timescale))
        let common = scales.0 / gcd(scales.0, scales.1) * scales.1
        guard common <= Int128(Int32.max) else {
            return nil
        }
        let values = [first, second].map { Int128($0.value) * (common / Int128($0.timescale)) }
        guard values.allSatisfy({ $0.magnitude < UInt128(largestWhole) }) else {
            return nil
        }
        let times = values.map { OTIOTime(value: Double($0), rate: Double(common)) }
        return (times[0], times[1])
    }

    /// Two times in the same rate if both are whole numbers in it.
    static func pair(
        _ first: RationalTime, _ second: RationalTime, frames: FrameRate?
    ) -> (OTIOTime, OTIOTime) {
        if let frames, let a = wholeFrames(first, frames), let b = wholeFrames(second, frames) {
            return (a, b)
        }
        let reduced = [first, second].map { (try? $0.multiplied(by: 1, over: 1)) ?? $0 }
        return both(reduced[0], reduced[1])
            ?? (OTIOTime(first, frames: frames), OTIOTime(second, frames: frames))
    }

    /// The exact rate that is meant: 30000/1001 for 29.97.
    private var exactRate: RationalTime? {
        let named = FrameRate.rounded.first { Double($0.text) == rate }?.rate
        if let named {
            return RationalTime(Int64(named.numerator), over: named.denominator)
        }
        return RationalTime.simplestFraction(of: rate)
    }

    /// The frame rate that it counts in; nil if nobody edits at such a rate, as for samples or milliseconds.
    var frameRate: FrameRate? {
        guard (10...240).contains(rate), let exactRate, let top = Int32(exactly: exactRate.value)
        else {
            return nil
        }
        return FrameRate(known: top, over: exactRate.timescale)
    }

    /// Whether the rate is a rounded one, for which the exact rate is taken.
    var hasRoundedRate: Bool {
        FrameRate.rounded.contains { Double($0.text) == rate }
    }

    /// The exact time if value and rate are simple fractions, else the time to the nearest half nanosecond.
    ///
    /// - Throws: ``CompositionError`` if it isn't a time, ``TimeError`` if it can't be represented.
    var time: RationalTime {
        get throws {
            guard value.isFinite, rate.isFinite, rate > 0,
                abs(value / rate) <= ReaderBounds.furthestTime
            else {
                throw CompositionError(.malformed, "\(value) ticks of 1/\(rate) s are not a time")
            }
            if let value = RationalTime.simplestFraction(of: value), let rate = exactRate,
                let inverse = ExactFraction(rate).reciprocal,
                let time = ExactFraction(value).times(inverse)?.time
            {
                return time
            }
            return try RationalTime(fine: value / rate)
        }
    }
}

extension OTIOObject {
    /// The frame rate of a timeline: the one that most of its items on video tracks count in; else that of its start.
    var frameRate: FrameRate? {
        var counts: [FrameRate: Int] = [:]
        tracks?.count(ratesOfItems: &counts)
        // Of two that are as usual the faster one places everything.
        let usual = counts.max {
            ($0.value, $0.key.framesPerSecond) < ($1.value, $1.key.framesPerSecond)
        }
        return usual?.key ?? globalStartTime?.frameRate
    }

    private func count(ratesOfItems counts: inout [FrameRate: Int]) {
        if kindOfSchema != "Track", kindOfSchema != "Stack", let range = sourceRange,
            let rate = range.duration.frameRate
        {
            counts[rate, default: 0] += 1
        }
        for child in children ?? [] where child.kind != "Audio" {
            child.count(ratesOfItems: &counts)
        }
    }
}

extension OTIORange {
    /// A range whose times are whole numbers of frames where that is possible.
    ///
    /// - Parameter frames: the frame rate; nil if there is none.
    init(_ start: RationalTime, lasting duration: RationalTime, frames: FrameRate?) {
        let pair = OTIOTime.pair(start, duration, frames: frames)
        self.init(start: pair.0, duration: pair.1)
    }
}
