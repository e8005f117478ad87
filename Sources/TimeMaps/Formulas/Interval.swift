import Foundation

/// All numbers from `low` to `high`, rounded outwards, for interval arithmetic (R. E. Moore, Interval Analysis,
/// 1966): the result of an operation contains every result for numbers of its operands.
///
/// Sums, products, quotients and roots are rounded to the neighbouring number in the right direction, and not
/// at all if they are exact. Results of the C library's functions are widened by 4 ulp, which is more than
/// the errors that glibc and Apple's libm state for the functions used here.
struct Interval: Equatable {
    var low: Double
    var high: Double
    /// Whether no operand can be NaN. If it is false, the value may be anything.
    var isDefined = true

    /// Every number, and NaN.
    static let undefined = Interval(low: -.infinity, high: .infinity, isDefined: false)
    static let all = Interval(low: -.infinity, high: .infinity)

    init(low: Double, high: Double, isDefined: Bool = true) {
        (self.low, self.high, self.isDefined) = (low, high, isDefined)
    }

    init(_ number: Double) {
        self.init(low: number, high: number, isDefined: !number.isNaN)
    }

    var isFinite: Bool { isDefined && low.isFinite && high.isFinite }
    var isPoint: Bool { isDefined && low == high }
    var magnitude: Double { max(low.magnitude, high.magnitude) }
    /// The smallest magnitude of its numbers.
    var mignitude: Double { contains(0) ? 0 : min(low.magnitude, high.magnitude) }
    var middle: Double { low + (high - low) / 2 }
    /// An upper bound of the distance from the middle to the ends.
    var radius: Double { max(high - middle, middle - low).nextUp }

    func contains(_ number: Double) -> Bool {
        low <= number && number <= high
    }

    /// The numbers in both, for two intervals that contain the same numbers. Where arguments were snapped to the edge
    /// of a function's domain there may be none; then it is the interval around both.
    func intersection(_ other: Interval) -> Interval {
        let (low, high) = (max(low, other.low), min(high, other.high))
        guard isDefined, other.isDefined else {
            return self
        }
        return low <= high ? Interval(low: low, high: high) : hull(other)
    }

    /// The smallest interval around both.
    func hull(_ other: Interval) -> Interval {
        guard isDefined, other.isDefined else {
            return .undefined
        }
        return Interval(low: min(low, other.low), high: max(high, other.high))
    }

    /// An interval from the lowest to the highest of computed numbers, widened by 4 ulp at both ends.
    static func computed(_ numbers: Double...) -> Interval {
        guard !numbers.contains(where: \.isNaN), let low = numbers.min(), let high = numbers.max()
        else {
            return .undefined
        }
        let largest = Double.greatestFiniteMagnitude
        let (start, end) = (min(low, largest), max(high, -largest))
        return Interval(
            low: start - 4 * start.magnitude * .ulpOfOne - .leastNonzeroMagnitude,
            high: end + 4 * end.magnitude * .ulpOfOne + .leastNonzeroMagnitude)
    }

    static prefix func - (a: Interval) -> Interval {
        Interval(low: -a.high, high: -a.low, isDefined: a.isDefined)
    }

    static func + (a: Interval, b: Interval) -> Interval {
        let cancels =
            (a.high == .infinity && b.low == -.infinity)
            || (a.low == -.infinity && b.high == .infinity)
        guard a.isDefined, b.isDefined, !cancels else {
            return .undefined
        }
        return Interval(
            low: sum(a.low, b.low).rounded(down: true),
            high: sum(a.high, b.high).rounded(down: false))
    }

    static func - (a: Interval, b: Interval) -> Interval {
        a + -b
    }

    static func * (a: Interval, b: Interval) -> Interval {
        let meetsInfinity =
            (a.contains(0) && b.magnitude == .infinity)
            || (b.contains(0) && a.magnitude == .infinity)
        guard a.isDefined, b.isDefined, !meetsInfinity else {
            return .undefined
        }
        var result = Interval(low: .infinity, high: -.infinity)
        for (x, y) in [(a.low, b.low), (a.low, b.high), (a.high, b.low), (a.high, b.high)] {
            let product = product(x, y)
            result.low = min(result.low, product.rounded(down: true))
            result.high = max(result.high, product.rounded(down: false))
        }
        return result
    }

    static func / (a: Interval, b: Interval) -> Interval {
        guard a.isDefined, b.isDefined, !(a.contains(0) && b.contains(0)),
            !(a.magnitude == .infinity && b.magnitude == .infinity)
        else {
            return .undefined
        }
        guard !b.contains(0) else {
            guard b.low == 0 || b.high == 0, b.low < b.high else {
                return .all
            }
            // The quotient goes to one infinity, because b is on one side of 0.
            let nearest = a.mignitude / b.magnitude
            let isPositive = (a.low > 0) == (b.low == 0)
            return isPositive
                ? Interval(low: nearest.nextDown, high: .infinity)
                : Interval(low: -.infinity, high: (-nearest).nextUp)
        }
        var result = Interval(low: .infinity, high: -.infinity)
        for (x, y) in [(a.low, b.low), (a.low, b.high), (a.high, b.low), (a.high, b.high)] {
            let quotient = quotient(x, y)
            result.low = min(result.low, quotient.rounded(down: true))
            result.high = max(result.high, quotient.rounded(down: false))
        }
        return result
    }
}

/// The result of an operation and the sign of what rounding left out.
private struct Rounded {
    let value: Double
    let rest: Double
    /// Near the smallest numbers the rest itself is rounded, so it isn't trusted.
    var isTrusted = true

    @inline(__always)
    func rounded(down: Bool) -> Double {
        guard value.isFinite else {
            // An overflow: the largest number bounds it on the side of 0.
            let largest = Double.greatestFiniteMagnitude
            return rest.isInfinite ? value : down ? min(value, largest) : max(value, -largest)
        }
        guard isTrusted, value.magnitude > Self.trusted || (value == 0 && rest == 0) else {
            return down ? value.nextDown : value.nextUp
        }
        guard rest != 0 else {
            return value
        }
        return down
            ? (rest > 0 ? value : value.nextDown) : (rest < 0 ? value : value.nextUp)
    }

    /// Rests of larger numbers are exact.
    static let trusted = 1e-270
}

/// A sum and its rounding error (Knuth's TwoSum).
@inline(__always)
private func sum(_ a: Double, _ b: Double) -> Rounded {
    let value = a + b
    guard value.isFinite else {
        return Rounded(value: value, rest: a.isFinite && b.isFinite ? 1 : .infinity)
    }
    let share = value - a
    return Rounded(value: value, rest: (a - (value - share)) + (b - share))
}

@inline(__always)
private func product(_ a: Double, _ b: Double) -> Rounded {
    let value = a * b
    guard value.isFinite else {
        return Rounded(value: value, rest: a.isFinite && b.isFinite ? 1 : .infinity)
    }
    guard a != 0, b != 0 else {
        return Rounded(value: 0, rest: 0)
    }
    let rest = (-value).addingProduct(a, b)
    return Rounded(value: value, rest: value == 0 ? 1 : rest)
}

@inline(__always)
private func quotient(_ a: Double, _ b: Double) -> Rounded {
    let value = a / b
    guard value.isFinite, b.isFinite else {
        return Rounded(value: value, rest: a.isFinite && b.isFinite ? 1 : .infinity)
    }
    guard a != 0 else {
        return Rounded(value: 0, rest: 0)
    }
    let rest = a.addingProduct(-value, b)
    return Rounded(
        value: value,
        rest: value == 0 ? 1 : (rest > 0) == (b > 0) ? rest.magnitude : -rest.magnitude,
        isTrusted: value != 0 && a.magnitude > Rounded.trusted)
}
