import TimeMaps

extension SplitMix64 {
    /// Uniformly distributed from 0 to 1.
    package mutating func unit() -> Float { Float(next() >> 40) * 0x1p-24 }

    /// Around 0 with standard deviation 1: the sum of three uniform numbers is close enough to normal.
    package mutating func bell() -> Float { 2 * (unit() + unit() + unit()) - 3 }
}
