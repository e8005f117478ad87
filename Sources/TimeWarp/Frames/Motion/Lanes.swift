import CLanes

/// Eight 16-bit numbers. The compiler turns each of these operations into one or two instructions of every
/// 64-bit processor (`pmulhw`, `pmaddwd`, `pminsw`, … on x86).
typealias Lanes = SIMD8<Int16>

extension SIMD8<Int16> {
    /// Reads eight samples; the pointer needs no alignment.
    @inline(__always)
    init(at pointer: UnsafePointer<Int16>) {
        self = UnsafeRawPointer(pointer).loadUnaligned(as: Self.self)
    }

    /// Reads eight 8-bit samples.
    @inline(__always)
    init(at pointer: UnsafePointer<UInt8>) {
        self = tw_load_octet(pointer)
    }

    /// Writes eight samples; the pointer needs no alignment.
    @inline(__always)
    func store(to pointer: UnsafeMutablePointer<Int16>) {
        UnsafeMutableRawPointer(pointer).storeBytes(of: self, as: Self.self)
    }

    /// The upper 16 bits of each product.
    @inline(__always)
    func timesHigh(_ other: Self) -> Self {
        tw_times_high(self, other)
    }

    /// The products, neighbours added up.
    @inline(__always)
    func timesPairs(_ other: Self) -> SIMD4<Int32> {
        tw_times_pairs(self, other)
    }

    /// The absolute differences.
    @inline(__always)
    func distance(to other: Self) -> Self {
        tw_distance(self, other)
    }

    /// The sum of all eight, which may be larger than 16 bits.
    @inline(__always)
    func sum() -> Int {
        Int(timesPairs(Self(repeating: 1)).wrappedSum())
    }
}

extension SIMD2<Float> {
    /// The nearest place between two others, like `clamped`, which stays a call.
    @inline(__always)
    func limited(from low: Self, to high: Self) -> Self {
        Self(Swift.min(Swift.max(x, low.x), high.x), Swift.min(Swift.max(y, low.y), high.y))
    }
}
