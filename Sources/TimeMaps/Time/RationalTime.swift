/// How to round a time that lies between two ticks.
public enum RoundingRule: Hashable, Sendable {
    /// To the earlier tick.
    case down
    /// To the later tick.
    case up
    /// To the nearest tick; a half is rounded away from zero.
    case nearest

    /// `numerator / denominator`, rounded. The denominator must be positive.
    package func divide(_ numerator: Int128, by denominator: Int128) -> Int128 {
        let (quotient, remainder) = numerator.quotientAndRemainder(dividingBy: denominator)
        guard remainder != 0 else {
            return quotient
        }
        switch self {
        case .down: return numerator < 0 ? quotient - 1 : quotient
        case .up: return numerator < 0 ? quotient : quotient + 1
        case .nearest:
            guard remainder.magnitude * 2 >= denominator.magnitude else {
                return quotient
            }
            return numerator < 0 ? quotient - 1 : quotient + 1
        }
    }
}

/// A time in seconds as an exact fraction. Arithmetic never wraps around: it throws when a result doesn't fit.
///
/// ```
///  value 7, timescale 5:   0 ──┬──┬──┬──┬──1──┬──┬──
///                                              ▲ 7/5 s
/// ```
/// Two times are equal when they are the same instant: 1/2 equals 2/4.
public struct RationalTime: Sendable {
    /// The number of ticks.
    public let value: Int64
    /// Ticks per second; above 0.
    public let timescale: Int32

    /// A time of `value / timescale` seconds. The timescale must be above 0.
    public init(_ value: Int64, over timescale: Int32) {
        precondition(timescale > 0, "a timescale must be above 0")
        self.value = value
        self.timescale = timescale
    }

    /// 0 seconds.
    public static let zero = RationalTime(0, over: 1)

    /// A whole number of seconds.
    public static func seconds(_ seconds: Int64) -> RationalTime {
        RationalTime(seconds, over: 1)
    }

    /// A whole number of thousandths of a second: `.milliseconds(1500)` is 1.5 s.
    public static func milliseconds(_ milliseconds: Int64) -> RationalTime {
        RationalTime(milliseconds, over: 1000)
    }

    /// The time in seconds for people, rounded to microseconds: a quotient may have endless decimals.
    package var secondsText: String { "\((seconds * 1e6).rounded() / 1e6)" }

    /// The time in seconds as a `Double`, rounded.
    public var seconds: Double {
        Double(value) / Double(timescale)
    }

    /// A time from seconds, rounded to a whole tick. The timescale must be above 0.
    ///
    /// - Throws: ``TimeError`` when `seconds` isn't finite, or the number of ticks doesn't fit in 64 bits.
    public init(
        seconds: Double, timescale: Int32, rounding: RoundingRule = .nearest
    ) throws(TimeError) {
        precondition(timescale > 0, "a timescale must be above 0")
        let ticks = seconds * Double(timescale)
        let rounded: Double
        switch rounding {
        case .down: rounded = ticks.rounded(.down)
        case .up: rounded = ticks.rounded(.up)
        case .nearest: rounded = ticks.rounded(.toNearestOrAwayFromZero)
        }
        guard let value = Int64(exactly: rounded) else {
            throw TimeError(.overflow, "\(seconds) s doesn't fit in ticks of 1/\(timescale) s")
        }
        self.init(value, over: timescale)
    }

    /// The same time, rounded to ticks of another timescale, which must be above 0.
    ///
    /// - Throws: ``TimeError`` when the number of ticks doesn't fit in 64 bits.
    public func converted(
        to timescale: Int32, rounding: RoundingRule
    ) throws(TimeError) -> RationalTime {
        precondition(timescale > 0, "a timescale must be above 0")
        let ticks = rounding.divide(
            Int128(value) * Int128(timescale), by: Int128(self.timescale))
        guard let value = Int64(exactly: ticks) else {
            throw TimeError(.overflow, "\(self) s doesn't fit in ticks of 1/\(timescale) s")
        }
        return RationalTime(value, over: timescale)
    }

    /// The exact sum.
    ///
    /// - Throws: ``TimeError`` when the sum doesn't fit exactly into a 64-bit value and a 32-bit timescale.
    public static func + (a: RationalTime, b: RationalTime) throws(TimeError) -> RationalTime {
        let sum =
            Int128(a.value) * Int128(b.timescale) + Int128(b.value) * Int128(a.timescale)
        guard a.timescale != b.timescale else {
            return try Self(exactly: Int128(a.value) + Int128(b.value), over: Int128(a.timescale))
        }
        return try Self(exactly: sum, over: Int128(a.timescale) * Int128(b.timescale))
    }

    /// The exact difference.
    ///
    /// - Throws: ``TimeError`` when the difference doesn't fit exactly into a 64-bit value and a 32-bit
    ///   timescale.
    public static func - (a: RationalTime, b: RationalTime) throws(TimeError) -> RationalTime {
        guard b.value != .min else {
            throw TimeError(.overflow, "\(a) − \(b) is out of range")
        }
        return try a + RationalTime(-b.value, over: b.timescale)
    }

    /// This time multiplied by `numerator / denominator`. Exact where the result fits; otherwise rounded to
    /// the nearest nanosecond, or from 2³¹ s on to the nearest second.
    ///
    /// - Throws: ``TimeError`` when the result doesn't fit in 64 bits, or when the denominator is 0.
    public func multiplied(
        by numerator: Int64, over denominator: Int64
    ) throws(TimeError) -> RationalTime {
        guard denominator != 0 else {
            throw TimeError(.overflow, "division of \(self) by zero")
        }
        let sign: Int128 = denominator < 0 ? -1 : 1
        let product = Int128(value) * Int128(numerator) * sign
        let divisor = Int128(timescale) * Int128(denominator) * sign
        let common = gcd(product, divisor)
        let (top, bottom) = (product / common, divisor / common)
        if bottom <= Int128(Int32.max) {
            return try Self(exactly: top, over: bottom)
        }
        return try Self.nearest(top, over: bottom)
    }

    /// Rounds `top / bottom` seconds, whose denominator doesn't fit in 32 bits, to a nanosecond or a second.
    static func nearest(_ top: Int128, over bottom: Int128) throws(TimeError) -> RationalTime {
        let whole = top / bottom
        let ticks = Int128(whole.magnitude < 1 << 31 ? 1_000_000_000 : 1)
        let remainder = top - whole * bottom
        let part = RoundingRule.nearest.divide(remainder * ticks, by: bottom)
        return try Self(exactly: whole * ticks + part, over: ticks)
    }

    /// Exactly `value / timescale` seconds, reduced only if it doesn't fit otherwise.
    ///
    /// - Throws: ``TimeError`` when even the reduced fraction doesn't fit.
    package init(exactly value: Int128, over timescale: Int128) throws(TimeError) {
        if let value = Int64(exactly: value), let timescale = Int32(exactly: timescale) {
            self.init(value, over: timescale)
            return
        }
        let common = gcd(value, timescale)
        guard let value = Int64(exactly: value / common),
            let timescale = Int32(exactly: timescale / common)
        else {
            throw TimeError(
                .overflow,
                "\(value)/\(timescale) s doesn't fit into a 64-bit value and a 32-bit timescale")
        }
        self.init(value, over: timescale)
    }
}

/// The greatest common divisor of both magnitudes, or 1 if both are 0.
package func gcd(_ a: Int128, _ b: Int128) -> Int128 {
    var (a, b) = (a.magnitude, b.magnitude)
    while b != 0 {
        (a, b) = (b, a % b)
    }
    return Int128(max(a, 1))
}

extension RationalTime: Codable {
    private enum Key: String, CodingKey {
        case value, timescale
    }

    /// Decodes `value` and `timescale`.
    ///
    /// - Throws: `DecodingError` when the timescale isn't above 0, or a key is missing.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        let timescale = try container.decode(Int32.self, forKey: .timescale)
        guard timescale > 0 else {
            throw DecodingError.dataCorruptedError(
                forKey: .timescale, in: container,
                debugDescription: "a timescale must be above 0, not \(timescale)")
        }
        self.init(try container.decode(Int64.self, forKey: .value), over: timescale)
    }

    /// Encodes `value` and `timescale` as they are, not reduced.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(value, forKey: .value)
        try container.encode(timescale, forKey: .timescale)
    }
}

extension RationalTime: Hashable, Comparable, CustomStringConvertible {
    /// Whether both are the same instant, whatever their timescales.
    public static func == (a: RationalTime, b: RationalTime) -> Bool {
        Int128(a.value) * Int128(b.timescale) == Int128(b.value) * Int128(a.timescale)
    }

    /// Whether `a` is earlier than `b`; exact.
    public static func < (a: RationalTime, b: RationalTime) -> Bool {
        Int128(a.value) * Int128(b.timescale) < Int128(b.value) * Int128(a.timescale)
    }

    /// Hashes the reduced fraction, so that equal instants have equal hashes.
    public func hash(into hasher: inout Hasher) {
        let common = gcd(Int128(value), Int128(timescale))
        hasher.combine(Int128(value) / common)
        hasher.combine(Int128(timescale) / common)
    }

    /// The fraction of seconds, such as `7/5`; whole seconds without a denominator when the timescale is 1.
    public var description: String {
        timescale == 1 ? "\(value)" : "\(value)/\(timescale)"
    }
}
