/// A random number generator that gives the same numbers on every system for the same seed. Source: Steele, Lea
/// and Flood, "Fast Splittable Pseudorandom Number Generators", 2014.
package struct SplitMix64: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64) {
        state = seed
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xbf58_476d_1ce4_e5b9
        bits = (bits ^ (bits >> 27)) &* 0x94d0_49bb_1331_11eb
        return bits ^ (bits >> 31)
    }

    /// A random number from 0 up to, but not including, 1.
    package mutating func share() -> Double {
        Double(next() >> 11) / Double(1 << 53)
    }

    /// A random integer from 0 up to, but not including, `bound`; 0 when `bound` is below 1.
    package mutating func below(_ bound: Int) -> Int {
        Int(next() % UInt64(max(bound, 1)))
    }
}
