/// A fraction of 128-bit integers. Every operation reduces its fractions first and returns nil when the
/// result doesn't fit.
package struct ExactFraction {
    /// The numerator.
    package let top: Int128
    /// The denominator; above 0.
    package let bottom: Int128

    package init(_ time: RationalTime) {
        top = Int128(time.value)
        bottom = Int128(time.timescale)
    }

    package init(_ number: Int32) {
        top = Int128(number)
        bottom = 1
    }

    /// The fraction in lowest terms.
    private init(_ top: Int128, over bottom: Int128) {
        let common = gcd(top, bottom)
        self.top = top / common
        self.bottom = bottom / common
    }

    /// The same number of seconds as a time; nil when it doesn't fit exactly.
    package var time: RationalTime? {
        try? RationalTime(exactly: top, over: bottom)
    }

    package func plus(_ other: ExactFraction) -> ExactFraction? {
        let common = gcd(bottom, other.bottom)
        guard let a = product(top, other.bottom / common),
            let b = product(other.top, bottom / common),
            let bottom = product(bottom, other.bottom / common)
        else {
            return nil
        }
        let (sum, overflow) = a.addingReportingOverflow(b)
        return overflow || sum == .min ? nil : ExactFraction(sum, over: bottom)
    }

    package func minus(_ other: ExactFraction) -> ExactFraction? {
        plus(ExactFraction(-other.top, over: other.bottom))
    }

    package func times(_ other: ExactFraction) -> ExactFraction? {
        let first = ExactFraction(top, over: other.bottom)
        let second = ExactFraction(other.top, over: bottom)
        guard let top = product(first.top, second.top),
            let bottom = product(first.bottom, second.bottom)
        else {
            return nil
        }
        return ExactFraction(top, over: bottom)
    }

    /// 1 divided by this fraction; nil for 0.
    package var reciprocal: ExactFraction? {
        guard top != 0 else {
            return nil
        }
        return top > 0 ? ExactFraction(bottom, over: top) : ExactFraction(-bottom, over: -top)
    }

    private func product(_ a: Int128, _ b: Int128) -> Int128? {
        let (product, overflow) = a.multipliedReportingOverflow(by: b)
        // Int128.min can't be negated.
        return overflow || product == .min ? nil : product
    }
}
