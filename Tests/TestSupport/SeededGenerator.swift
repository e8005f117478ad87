/// Numbers that look random and are the same for the same seed (Steele, Lea & Flood 2014).
public struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    public init(seed: UInt64) { state = seed }

    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Evenly from 0 to 1.
    public mutating func unit() -> Float { Float(next() >> 40) * 0x1p-24 }

    /// Around 0 with standard deviation 1: three even numbers, near enough to normal.
    public mutating func bell() -> Float { 2 * (unit() + unit() + unit()) - 3 }
}
