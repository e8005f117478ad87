import TimeMaps

extension RationalTime {
    /// Up to here fractions are so far apart that two bits can't make one of another.
    private static let largestMeant: Int128 = 1 << 22

    /// The first of the number's best approximations that is this `Double` but for its last two bits,
    /// which other programs' readers and writers may miss; nil where its denominator is too large
    /// to be meant.
    ///
    /// A third written as a `Double` comes back as a third, and 29.97002997002997 as 30000/1001.
    /// The approximations are those of the continued fraction.
    static func simplestFraction(of number: Double) -> RationalTime? {
        let magnitude = abs(number)
        guard number.isFinite, magnitude < 0x1p62 else {
            return nil
        }
        guard magnitude >= 0x1p-40 else {
            return magnitude == 0 ? .zero : nil
        }
        // Exactly the number: its significand has 53 bits, and 92 below the point suffice.
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
