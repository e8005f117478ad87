import TimeMaps

/// Playback at one rate from one place to an end of the media: where it is at an instant of the
/// host clock, and when it will be where.
///
/// ```
///  media   entry ────────────────────► end      entry ──── …    (next lap)
///          │◄── position − entry ──►│
///  host    start + offset / rate ···· asked
/// ```
/// Positions lie on a grid of ticks counted from the entry and are rounded towards it: the entry is
/// met exactly, and an instant between two ticks is reached with the second. A tick is at most
/// 5 ns; it is 1 ns where the entry's timescale divides 10⁹. Each position follows from the start
/// alone: nothing is added up, and a lap begins at the exact fraction of a nanosecond at which the
/// one before ended.
///
/// Everything is exact in 128 bits, as the notes of bits show: timescales and rates have 31,
/// instants of the host 63, and media lasts at most 2³¹ s.
struct PlaybackLap {
    let rate: PlaybackRate
    let direction: PlaybackDirection
    /// Where the lap begins.
    let entry: RationalTime
    /// When the first lap began, in nanoseconds of the host.
    private let start: Int64
    private let duration: RationalTime
    /// Ticks a second; a multiple of the entry's timescale.
    private let tickRate: Int128
    /// What was travelled in the laps before, in `1 / offsetScale` s.
    private let offset: Int128
    private let offsetScale: Int128

    /// The first lap after a start, a seek or a change of rate; nil for a rate of 0.
    init?(
        from position: RationalTime, rate: PlaybackRate, start: Int64, duration: RationalTime
    ) {
        guard let direction = rate.direction else {
            return nil
        }
        self.init(
            rate: rate, direction: direction, entry: position, start: start, duration: duration,
            offset: 0, offsetScale: Int128(position.timescale) * Int128(duration.timescale))
    }

    private init(
        rate: PlaybackRate, direction: PlaybackDirection, entry: RationalTime, start: Int64,
        duration: RationalTime, offset: Int128, offsetScale: Int128
    ) {
        self.rate = rate
        self.direction = direction
        self.entry = entry
        self.start = start
        self.duration = duration
        self.offset = offset
        self.offsetScale = offsetScale
        tickRate = Self.tickRate(for: entry.timescale)
    }

    /// Where the lap ends.
    var end: RationalTime {
        direction == .forwards ? duration : .zero
    }

    /// The one after it, from the other end.
    var next: PlaybackLap {
        let from = Int128(entry.value) * (offsetScale / Int128(entry.timescale))
        let to = Int128(end.value) * (offsetScale / Int128(end.timescale))
        return PlaybackLap(
            rate: rate, direction: direction, entry: direction == .forwards ? .zero : duration,
            start: start, duration: duration, offset: offset + Int128((to - from).magnitude),
            offsetScale: offsetScale)
    }

    /// Where playback is at an instant of the host, once the lap has begun; the end, from when it
    /// is reached.
    func position(at host: Int64) -> RationalTime {
        let travelled = ticks(at: host)
        guard travelled < ticks(to: end) else {
            return end
        }
        let origin = Int128(entry.value) * (tickRate / Int128(entry.timescale))
        let value = direction == .forwards ? origin + travelled : origin - travelled
        let position = RationalTime(Int64(value), over: Int32(tickRate))
        // In lowest terms it reads better, and leaves room for the next grid.
        return (try? position.multiplied(by: 1, over: 1)) ?? position
    }

    /// The first instant of the host, in nanoseconds, at which playback has reached an instant of
    /// this lap; nil in more than 292 years.
    func due(_ instant: RationalTime) -> Int64? {
        let slowness = Int128(rate.denominator) * 1_000_000_000  // 61 bits
        let speed = Int128(rate.numerator.magnitude)
        // (offset / offsetScale + ticks / tickRate) × slowness / speed, whole and rest apart.
        let (seconds, rest) = offset.quotientAndRemainder(dividingBy: offsetScale)
        let a = (seconds * slowness).quotientAndRemainder(dividingBy: speed)
        let b = (rest * slowness).quotientAndRemainder(dividingBy: offsetScale * speed)
        let c = (ticks(to: instant) * slowness)
            .quotientAndRemainder(dividingBy: tickRate * speed)
        let bottom = offsetScale * tickRate * speed  // 124 bits
        let top =
            a.remainder * offsetScale * tickRate + b.remainder * tickRate
            + c.remainder * offsetScale  // less than three times the bottom
        let wait = a.quotient + b.quotient + c.quotient + (top + bottom - 1) / bottom
        return Int64(exactly: Int128(start) + wait)
    }

    /// Whole ticks travelled in this lap at an instant of the host.
    private func ticks(at host: Int64) -> Int128 {
        let slowness = Int128(rate.denominator) * 1_000_000_000
        let speed = Int128(rate.numerator.magnitude)
        let all = (tickRate * speed * (Int128(host) - Int128(start)))  // 125 bits
            .quotientAndRemainder(dividingBy: slowness)
        let (seconds, rest) = offset.quotientAndRemainder(dividingBy: offsetScale)
        let before = (tickRate * rest).quotientAndRemainder(dividingBy: offsetScale)
        let isShort = all.remainder * offsetScale < before.remainder * slowness  // 123 bits
        return all.quotient - tickRate * seconds - before.quotient - (isShort ? 1 : 0)
    }

    /// The first tick at or beyond an instant ahead of the entry.
    private func ticks(to instant: RationalTime) -> Int128 {
        let from = Int128(entry.value) * Int128(instant.timescale)
        let to = Int128(instant.value) * Int128(entry.timescale)
        let distance = Int128((to - from).magnitude) * (tickRate / Int128(entry.timescale))
        return (distance + Int128(instant.timescale) - 1) / Int128(instant.timescale)
    }

    /// The grid for an entry: nanoseconds where its timescale allows, else its own ticks split by
    /// the greatest power of ten, so that milliseconds and most often microseconds lie on it.
    private static func tickRate(for timescale: Int32) -> Int128 {
        let limit = Int128(Int32.max)
        let scale = Int128(timescale)
        var (a, b) = (scale, Int128(1_000_000_000))
        while b != 0 {
            (a, b) = (b, a % b)
        }
        let common = scale / a * 1_000_000_000
        if common <= limit {
            return common
        }
        var rate = scale
        while rate * 10 <= limit {
            rate *= 10
        }
        return rate
    }
}
