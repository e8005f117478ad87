import Foundation

/// Functions of enclosures, each from the coefficients of its Taylor series about the middle of the piece and a
/// bound of the coefficient that follows, over the argument's whole range (Taylor's theorem with the
/// remainder of Lagrange).
extension Enclosure {
    /// The number of coefficients of a series; the next one is the remainder's.
    private static let count = degree + 1

    /// f of this enclosure.
    ///
    /// - Parameters:
    ///   - series: f⁽ᵏ⁾(c)/k! for k = 0 … 7 at c, the constant term, with a relative error of at most 32 roundings.
    ///   - remainder: an upper bound of |f⁽⁸⁾(x)|/8! for all x in the range.
    ///   - sizes: what the errors of the series are relative to; nil for the series itself.
    ///   - range: what is known about the values.
    private func composed(
        _ series: SIMD8<Double>, sizes: SIMD8<Double>? = nil, remainder: Double, range: Interval
    ) -> Enclosure {
        guard hasPolynomial, remainder.isFinite, Self.sum(of: series, from: 0).isFinite else {
            return Enclosure(range)
        }
        var inner = terms
        inner[0] = 0
        let reach = Self.sum(of: inner, from: 1) + error
        var sum = SIMD8<Double>(repeating: 0)
        sum[0] = series[Self.degree]
        var sumError = 0.0
        // Horner's rule in Taylor models.
        for power in (0..<Self.degree).reversed() {
            (sum, sumError) = Self.product(sum, sumError, inner, error)
            sum[0] += series[power]
        }
        var size = 0.0
        let coefficients = sizes ?? series
        for power in (0..<Self.count).reversed() {
            size = size * reach + coefficients[power].magnitude
        }
        let cutOff = remainder * Foundation.pow(reach, Double(Self.count)) * 1.001
        return Enclosure(
            terms: sum, error: sumError + cutOff + 64 * Self.rounding * size, range: range)
    }

    /// The argument's range around its constant term, over which a remainder is bounded.
    private var span: Interval {
        range.hull(Interval(terms[0]))
    }

    /// Coefficients, each from the one before it and its power of z.
    private static func series(
        from first: Double, next: (Double, Int) -> Double
    ) -> SIMD8<Double> {
        var series = SIMD8<Double>()
        series[0] = first
        for power in 1..<count {
            series[power] = next(series[power - 1], power)
        }
        return series
    }

    var exponential: Enclosure {
        let values = Interval.computed(exp(range.low), exp(range.high))
        let positive = values.intersection(Interval(low: 0, high: .infinity))
        let series = Self.series(from: exp(terms[0])) { $0 / Double($1) }
        return composed(
            series, remainder: exp(span.high) / 40_319,
            range: range.isDefined ? positive : .undefined)
    }

    /// sin(x + quarters·π/2), for 0 and 1 quarter: sine and cosine.
    func sine(quarters: Int) -> Enclosure {
        guard range.isFinite else {
            return Enclosure(.undefined)
        }
        let (sine, cosine) = (sin(terms[0]), cos(terms[0]))
        let cycle = SIMD4(sine, cosine, -sine, -cosine)
        var series = SIMD8<Double>()
        var factorial = 1.0
        for power in 0..<Self.count {
            series[power] = cycle[(power + quarters) % 4] / factorial
            factorial *= Double(power + 1)
        }
        return composed(
            series, remainder: 1 / 40_319, range: range.sine(quarters: quarters))
    }

    var reciprocal: Enclosure {
        power(-1, range: Interval(1) / range)
    }

    static func / (a: Enclosure, b: Enclosure) -> Enclosure {
        (a * b.reciprocal).within(a.range / b.range)
    }

    /// The natural logarithm.
    var logarithm: Enclosure {
        guard range.isDefined, range.low >= 0 else {
            return Enclosure(.undefined)
        }
        let values = Interval.computed(log(range.low), log(range.high))
        guard range.low > 0, span.low > 0 else {
            return Enclosure(values)
        }
        let middle = terms[0]
        var series = Self.series(from: -1) {
            $0 / -middle * ($1 > 1 ? Double($1 - 1) / Double($1) : 1)
        }
        series[0] = log(middle)
        return composed(
            series, remainder: Foundation.pow(span.low, -Double(Self.count)) / 7.99, range: values)
    }

    /// This to a constant power, which isn't a whole number above 1.
    ///
    /// - Parameter range: the values' interval.
    func power(_ exponent: Double, range values: Interval) -> Enclosure {
        let around = span
        guard around.isFinite, !around.contains(0), around.low > 0 || exponent == -1 else {
            return Enclosure(values)
        }
        let base = terms[0]
        let first = exponent == -1 ? 1 / base : Foundation.pow(base, exponent)
        let series = Self.series(from: first) {
            $0 * (exponent - Double($1 - 1)) / Double($1) / base
        }
        var binomial = 1.0
        for power in 0..<Self.count {
            binomial *= (exponent - Double(power)) / Double(power + 1)
        }
        let last = exponent - Double(Self.count)
        let most = max(
            Foundation.pow(around.low.magnitude, last), Foundation.pow(around.high.magnitude, last))
        return composed(series, remainder: binomial.magnitude * most * 1.001, range: values)
    }

    /// This to the power of a whole number above 0, by repeated squaring.
    func multiplied(times exponent: Int, range values: Interval) -> Enclosure {
        var result: Enclosure?
        var square = self
        var left = exponent
        while left > 0 {
            if left & 1 == 1 {
                result = result.map { $0 * square } ?? square
            }
            left >>= 1
            square = left > 0 ? square * square : square
        }
        return (result ?? Enclosure(1)).within(values)
    }

    var squareRoot: Enclosure {
        let inside = range.snapped(toDomain: 0, .infinity)
        guard inside.isDefined else {
            return Enclosure(.undefined)
        }
        let values = Interval(
            low: max(0, inside.low.squareRoot().nextDown), high: inside.high.squareRoot().nextUp)
        let exact = values.low == 0 || inside.low > 0 ? values : Interval(low: 0, high: values.high)
        return power(0.5, range: exact)
    }

    var arcTangent: Enclosure {
        let values = Interval.computed(atan(range.low), atan(range.high))
        guard range.isDefined else {
            return Enclosure(.undefined)
        }
        let middle = terms[0]
        // The coefficients are (−1)ᵏ⁻¹ Im((middle − i)⁻ᵏ)/k, because the slope 1/(1 + x²) is Im(1/(x − i)).
        let nearest = span.mignitude
        let square = 1 + middle * middle
        let (real, imaginary) = (middle / square, 1 / square)
        var (x, y) = (1.0, 0.0)
        var (series, sizes) = (SIMD8<Double>(), SIMD8<Double>())
        (series[0], sizes[0]) = (atan(middle), 2)
        for power in 1..<Self.count {
            (x, y) = (-(x * real - y * imaginary), -(x * imaginary + y * real))
            series[power] = -y / Double(power)
            sizes[power] = x.magnitude + y.magnitude
        }
        return composed(
            series, sizes: sizes, remainder: Foundation.pow(1 + nearest * nearest, -4) / 7.99,
            range: values)
    }

    /// asin, from atan(x/√(1 − x²)).
    var arcSine: Enclosure {
        let inside = range.snapped(toDomain: -1, 1)
        guard inside.isDefined else {
            return Enclosure(.undefined)
        }
        let values = Interval.computed(asin(inside.low), asin(inside.high))
        let square = self * self
        let adjacent = (Enclosure(1) - square).squareRoot
        return (self / adjacent).arcTangent.within(values)
    }
}

extension Interval {
    /// How far an argument may lie outside of a function's domain and count as on its edge: rounding errors put
    /// `1 - sin(pi*t)^2` there, where √ would be defined in exact arithmetic.
    static let edge = 1e-14

    /// The interval as far as it lies in a function's domain; undefined if more than rounding errors lie outside.
    func snapped(toDomain low: Double, _ high: Double) -> Interval {
        guard isDefined, self.low >= low - Self.edge, self.high <= high + Self.edge else {
            return .undefined
        }
        return Interval(low: min(max(self.low, low), high), high: max(min(self.high, high), low))
    }

    /// sin(x + quarters·π/2).
    func sine(quarters: Int) -> Interval {
        let shift = Double(quarters) / 4
        // Crests are at whole numbers of these units, and troughs half a unit later.
        let turn = 2 * Double.pi
        let margin = 1e-15 * (1 + magnitude)
        let (from, to) = (
            (low - margin) / turn + shift - 0.25, (high + margin) / turn + shift - 0.25
        )
        func wave(_ x: Double) -> Double { quarters == 0 ? sin(x) : cos(x) }
        var values = Interval.computed(wave(low), wave(high))
        if from.rounded(.up) <= to {
            values.high = 1
        }
        if (from - 0.5).rounded(.up) <= to - 0.5 {
            values.low = -1
        }
        return Interval(low: max(values.low, -1), high: min(values.high, 1))
    }
}
