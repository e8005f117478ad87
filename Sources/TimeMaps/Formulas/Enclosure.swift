/// What is certain about a function on a piece of [0,1]: it differs from a polynomial by at most ``error``, and
/// its values lie in ``range``. z goes from −1 to 1 across the piece.
///
/// This is a Taylor model (K. Makino and M. Berz, "Taylor Models and Other Validated Functional Inclusion Methods",
/// 2003) beside an interval. The interval proves bounds on wide pieces, where the polynomial is useless. The
/// polynomial is tight on narrow ones, where an interval forgets that the same t is meant everywhere.
struct Enclosure {
    /// The polynomial's degree.
    static let degree = 7

    /// The coefficients of z⁰ … z⁷.
    private(set) var terms: SIMD8<Double>
    /// The largest distance between the function and the polynomial, rounding errors included. Infinite if nothing
    /// is certain but ``range``.
    private(set) var error: Double
    /// An interval that contains every value of the function, in exact arithmetic.
    private(set) var range: Interval

    /// Half the distance from 1 to the next number: the largest relative error of one rounded operation.
    static let rounding = Double.ulpOfOne / 2
    /// What the 36 products of two polynomials lose at most where they are too small for the usual precision.
    private static let underflow = 64 * Double.leastNonzeroMagnitude
    /// Makes up for the rounding of the error terms themselves, of which there are fewer than a thousand.
    private static let margin = 1 + 1e-12

    init(_ number: Double) {
        terms = SIMD8(repeating: 0)
        terms[0] = number
        error = 0
        range = Interval(number)
    }

    /// A real number that is within 2 ulp of a computed one.
    init(approximating number: Double) {
        self.init(
            terms: SIMD8(number, 0, 0, 0, 0, 0, 0, 0), error: 2 * number.ulp,
            range: Interval(low: number - 2 * number.ulp, high: number + 2 * number.ulp))
    }

    /// The place u itself, on the piece from `low` to `high`.
    init(placeFrom low: Double, to high: Double) {
        terms = SIMD8(repeating: 0)
        terms[0] = low + (high - low) / 2
        terms[1] = (high - low) / 2
        error = 4 * Self.rounding * max(low.magnitude, high.magnitude)
        range = Interval(low: low, high: high)
    }

    /// Any function with values in an interval.
    init(_ range: Interval) {
        self.init(terms: SIMD8(repeating: 0), error: .infinity, range: range)
    }

    /// - Parameter range: the interval from interval arithmetic; the polynomial narrows it, or it replaces the
    ///   polynomial by a constant where that is closer.
    init(terms: SIMD8<Double>, error: Double, range: Interval) {
        self.terms = terms
        self.error = error * Self.margin + .leastNonzeroMagnitude
        self.range = range
        let reach = Self.sum(of: terms, from: 1) * Self.margin + self.error
        if reach.isFinite, terms[0].isFinite {
            let spread = reach + Self.rounding * 2 * terms[0].magnitude
            let narrowed = Interval(
                low: (terms[0] - spread).nextDown, high: (terms[0] + spread).nextUp)
            self.range = range.intersection(narrowed)
        } else {
            self.error = .infinity
        }
        guard self.range.isFinite, self.range.radius < self.error else {
            return
        }
        self.terms = SIMD8(repeating: 0)
        self.terms[0] = self.range.middle
        self.error = self.range.radius
    }

    /// Whether the polynomial says anything.
    var hasPolynomial: Bool { error.isFinite }

    /// An upper bound of the polynomial's magnitude.
    var magnitude: Double { Self.sum(of: terms, from: 0) * Self.margin }

    /// The sum of the magnitudes of the coefficients from z to the power `first` on.
    static func sum(of terms: SIMD8<Double>, from first: Int) -> Double {
        var sum = 0.0
        for index in first..<8 {
            sum += terms[index].magnitude
        }
        return sum
    }

    /// The function with values in a narrower interval that are known from elsewhere.
    func within(_ range: Interval) -> Enclosure {
        Enclosure(terms: terms, error: error, range: range.intersection(self.range))
    }

    static prefix func - (a: Enclosure) -> Enclosure {
        Enclosure(terms: -a.terms, error: a.error, range: -a.range)
    }

    static func + (a: Enclosure, b: Enclosure) -> Enclosure {
        let terms = a.terms + b.terms
        return Enclosure(
            terms: terms, error: a.error + b.error + rounding * sum(of: terms, from: 0),
            range: a.range + b.range)
    }

    static func - (a: Enclosure, b: Enclosure) -> Enclosure {
        a + -b
    }

    static func * (a: Enclosure, b: Enclosure) -> Enclosure {
        let range = a.range * b.range
        guard a.hasPolynomial, b.hasPolynomial else {
            return Enclosure(range)
        }
        let (terms, error) = product(a.terms, a.error, b.terms, b.error)
        return Enclosure(terms: terms, error: error, range: range)
    }

    /// The product of two polynomials with errors, cut off after z⁷. What is cut off goes into the error.
    static func product(
        _ a: SIMD8<Double>, _ aError: Double, _ b: SIMD8<Double>, _ bError: Double
    ) -> (terms: SIMD8<Double>, error: Double) {
        var terms = SIMD8<Double>(repeating: 0)
        var shifted = b
        var tail = 0.0
        var cut = 0.0
        for power in 0..<8 {
            terms += a[power] * shifted
            cut += a[power].magnitude * tail
            tail += b[7 - power].magnitude
            shifted = shifted.timesZ
        }
        let (aSize, bSize) = (sum(of: a, from: 0), sum(of: b, from: 0))
        let error =
            cut + aSize * bError + bSize * aError + aError * bError
            + 16 * rounding * aSize * bSize + underflow
        return (terms, error * margin)
    }
}

extension SIMD8<Double> {
    /// The polynomial with these coefficients times z, without the last power.
    fileprivate var timesZ: SIMD8<Double> {
        SIMD8(0, self[0], self[1], self[2], self[3], self[4], self[5], self[6])
    }
}
