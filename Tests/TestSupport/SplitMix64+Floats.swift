import TimeMaps

extension SplitMix64 {
    /// Evenly from 0 to 1.
    package mutating func unit() -> Float { Float(next() >> 40) * 0x1p-24 }

    /// Around 0 with standard deviation 1: three even numbers, near enough to normal.
    package mutating func bell() -> Float { 2 * (unit() + unit() + unit()) - 3 }
}
