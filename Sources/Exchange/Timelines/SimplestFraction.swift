import TimeMaps

extension RationalTime {
    /// The largest denominator that is accepted. Fractions up to here are so far apart that an error in the
    /// last two bits of a `Double` can't turn one into another.
    private static let largestMeant: Int128 = 1 << 22

    /// The simplest fraction of a number: the first of its best approximations that equals this `Double` except
    /// for its last two bits, which other programs may get wrong. It is nil if the denominator would be so
    /// large that the fraction is surely not intended.
    ///
    /// A third that was written as a `Double` comes back as a third, and 29.97002997002997 as 30000/1001. The
    /// approximations are those of the continued fraction.
    static func simplestFraction(of number: Double) -> RationalTime? {
        let magnitude = abs(number)
        guard number.isFinite, magnitude < 0x1p62 else {
            return nil
        }
        guard magnitude >= 0x1p-40 else {
            return magnitude == 0 ? .zero : nil
        }
        // The fraction is exactly the number: its significand has 53 bits, so 92 bits below the point suffice.
        let scale = max(0, 52 - Int(magnitude.exponent))
        var (top, bottom) = (
            Int128(magnitude * Double(sign: .plus, exponent: scale, significand: 1)),
            Int128(1) << Int128(scale)
        )
        var (before, last) = (
            (top: Int128(0), bottom: Int128(1)), (top: Int128(1), bottom: Int128(0))
        )
        while bottom != 0 {
            let (whole, rest) = top.quotientAndRemainder(dividingBy: bottom)
            let next = (
                top: whole * last.top + before.top, bottom: whole * last.bottom + before.bottom
            )
            guard next.bottom <= largestMeant, let value = Int64(exactly: next.top) else {
                return nil
            }
            let miss = Double(value) / Double(Int64(next.bottom)) - magnitude
            if abs(miss) <= 2 * magnitude.ulp {
                return RationalTime(number < 0 ? -value : value, over: Int32(next.bottom))
            }
            (before, last) = (last, next)
            (top, bottom) = (bottom, rest)
        }
        return nil
    }
}
