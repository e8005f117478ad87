/// Bounds of a function from its enclosures on the pieces of [0,1]. They are never too narrow. They are too wide by
/// no more than the errors of the enclosures and of rounding.
struct ScaleBounds {
    /// How often a piece is halved to find its extremes.
    private static let deepest = 20

    private var lowest = Double.infinity
    private var highest = -Double.infinity

    /// The bounds of all that was included; nil if there was nothing.
    var range: ClosedRange<Double>? { lowest <= highest ? lowest...highest : nil }

    /// Includes what an enclosure encloses.
    mutating func include(_ value: Enclosure) {
        include(value.terms, error: value.error, within: value.range, depth: 0)
    }

    private mutating func include(
        _ terms: SIMD8<Double>, error: Double, within range: Interval, depth: Int
    ) {
        let size = Enclosure.sum(of: terms, from: 0)
        let spread = Enclosure.sum(of: terms, from: 1) + error + 16 * Enclosure.rounding * size
        let low = max(terms[0] - spread, range.low)
        let high = min(terms[0] + spread, range.high)
        guard low < lowest || high > highest else {
            return
        }
        let margin = error + 64 * Enclosure.rounding * size
        if let extremes = terms.extremes {
            widen(
                max(extremes.lowerBound - margin, range.low),
                min(extremes.upperBound + margin, range.high))
        } else if depth < Self.deepest, spread > 4 * margin {
            // The rounding of `half`.
            let error = error + 16 * Enclosure.rounding * size
            include(terms.half(around: -0.5), error: error, within: range, depth: depth + 1)
            include(terms.half(around: 0.5), error: error, within: range, depth: depth + 1)
        } else {
            widen(low, high)
        }
    }

    private mutating func widen(_ low: Double, _ high: Double) {
        lowest = min(lowest, low)
        highest = max(highest, high)
    }
}

extension SIMD8<Double> {
    /// The smallest and the largest value of the polynomial for z from −1 to 1, if it is monotonic there or bends
    /// one way only; else nil.
    fileprivate var extremes: ClosedRange<Double>? {
        let (start, end) = (value(at: -1), value(at: 1))
        let (low, high) = (Swift.min(start, end), Swift.max(start, end))
        let slope = derivative
        guard slope[0].magnitude < Enclosure.sum(of: slope, from: 1) else {
            return low...high
        }
        let bend = slope.derivative
        guard bend[0].magnitude > Enclosure.sum(of: bend, from: 1) else {
            return nil
        }
        let isConvex = bend[0] > 0
        var (left, right) = (-1.0, 1.0)
        for _ in 0..<50 {
            let middle = (left + right) / 2
            (left, right) =
                (slope.value(at: middle) > 0) == isConvex ? (left, middle) : (middle, right)
        }
        // The polynomial lies on one side of its tangent, which z leaves by at most 2.
        let top = value(at: left)
        let slack = 2 * slope.value(at: left).magnitude
        return isConvex
            ? Swift.min(low, top - slack)...high : low...Swift.max(high, top + slack)
    }

    private var derivative: SIMD8<Double> {
        var result = SIMD8<Double>()
        for power in 1..<8 {
            result[power - 1] = Double(power) * self[power]
        }
        return result
    }

    func value(at z: Double) -> Double {
        var sum = 0.0
        for power in (0..<8).reversed() {
            sum = sum * z + self[power]
        }
        return sum
    }

    /// The polynomial of z in p(around + z/2), by repeated application of Horner's rule.
    fileprivate func half(around: Double) -> SIMD8<Double> {
        var terms = self
        for first in 0..<7 {
            for term in (first..<7).reversed() {
                terms[term] += around * terms[term + 1]
            }
        }
        var scale = 1.0
        for power in 0..<8 {
            terms[power] *= scale
            scale /= 2
        }
        return terms
    }
}
