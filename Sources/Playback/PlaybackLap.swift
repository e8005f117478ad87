import TimeMaps

/// Playback at a constant rate from one position to an end of the media. It computes the position at a time of
/// the host clock, and the time at which a position is reached.
///
/// ```
///  media   entry ────────────────────► end      entry ──── …    (next lap)
///          │◄── position − entry ──►│
///  host    start + offset / rate ···· asked
/// ```
/// Positions lie on a grid of ticks counted from the entry, and are rounded towards the entry. The entry itself
/// is exact; an instant between two ticks counts as reached at the later tick. A tick is at most 5 ns; it is 1
/// ns if the entry's timescale divides 10⁹. Each position is computed from the start of the first lap, so
/// rounding errors don't add up, and a lap begins at the exact fraction of a nanosecond at which the lap before
/// it ended.
///
/// The arithmetic is exact in 128 bits. The comments in the code give the size of intermediate results:
/// timescales and rates have 31 bits, host times 63, and media lasts at most 2³¹ s.
struct PlaybackLap {
    let rate: PlaybackRate
    let direction: PlaybackDirection
    /// Where the lap begins.
    let entry: RationalTime
    /// When the first lap began, in nanoseconds of the host clock.
    private let start: Int64
    private let duration: RationalTime
    /// Ticks per second; a multiple of the entry's timescale.
    private let tickRate: Int128
    /// The media time played in earlier laps, in units of `1 / offsetScale` s.
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

    /// The lap that follows in a loop; it begins at the other end of the media.
    var next: PlaybackLap {
        let from = Int128(entry.value) * (offsetScale / Int128(entry.timescale))
        let to = Int128(end.value) * (offsetScale / Int128(end.timescale))
        return PlaybackLap(
            rate: rate, direction: direction, entry: direction == .forwards ? .zero : duration,
            start: start, duration: duration, offset: offset + Int128((to - from).magnitude),
            offsetScale: offsetScale)
    }

    /// The position at a host time, which must not be before the lap begins; after the lap ends it is the lap's
    /// end.
    func position(at host: Int64) -> RationalTime {
        let travelled = ticks(at: host)
        guard travelled < ticks(to: end) else {
            return end
        }
        let origin = Int128(entry.value) * (tickRate / Int128(entry.timescale))
        let value = direction == .forwards ? origin + travelled : origin - travelled
        let position = RationalTime(Int64(value), over: Int32(tickRate))
        // Lowest terms are easier to read, and leave room for a finer grid in the next lap.
        return (try? position.multiplied(by: 1, over: 1)) ?? position
    }

    /// The first host time, in nanoseconds, at which playback has reached an instant of this lap; nil if that
    /// is more than 292 years away.
    func due(_ instant: RationalTime) -> Int64? {
        let slowness = Int128(rate.denominator) * 1_000_000_000  // 61 bits
        let speed = Int128(rate.numerator.magnitude)
        // Computes (offset / offsetScale + ticks / tickRate) × slowness / speed, with quotients and remainders
        // apart.
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

    /// The whole ticks played in this lap up to a host time.
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

    /// The first tick at or after an instant, which must lie in the direction of playback.
    private func ticks(to instant: RationalTime) -> Int128 {
        let from = Int128(entry.value) * Int128(instant.timescale)
        let to = Int128(instant.value) * Int128(entry.timescale)
        let distance = Int128((to - from).magnitude) * (tickRate / Int128(entry.timescale))
        return (distance + Int128(instant.timescale) - 1) / Int128(instant.timescale)
    }

    /// Ticks per second for an entry: nanoseconds if its timescale allows, otherwise the timescale multiplied
    /// by the largest power of ten that fits, so that milliseconds and mostly also microseconds lie on the
    /// grid.
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
