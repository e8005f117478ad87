import CLanes

/// How samples of one size are interpolated: what blocks are computed with before they are rounded to samples.
protocol SampleArithmetic: Sendable {
    associatedtype Sample: FixedWidthInteger & SIMDScalar & Sendable
    associatedtype Work: SIMDScalar & Sendable

    /// Reads eight samples.
    func load(_ samples: UnsafePointer<Sample>) -> SIMD8<Work>
    /// Reads eight samples between others of their row; `samples` is the second of the four under the taps.
    func across(_ samples: UnsafePointer<Sample>, _ taps: InterpolationTaps) -> SIMD8<Work>
    /// Interpolates between four rows.
    func down(
        _ rows: (SIMD8<Work>, SIMD8<Work>, SIMD8<Work>, SIMD8<Work>), _ taps: InterpolationTaps
    ) -> SIMD8<Work>
    /// Adds a share, in 32 768ths, of the way from one value to another.
    func move(
        _ values: SIMD8<Work>, from: SIMD8<Work>, to: SIMD8<Work>, _ share: Lanes
    ) -> SIMD8<Work>
    /// The nearest samples.
    func rounded(_ values: SIMD8<Work>) -> SIMD8<Sample>
}

/// The weights of four neighbouring samples for one of 32 places between the second and the third: cubic convolution
/// (Keys, "Cubic convolution interpolation for digital image processing", 1981), in 64ths.
struct InterpolationTaps: Sendable {
    let weights: SIMD4<Int16>
    /// Whether the place is the second sample itself.
    let isWhole: Bool

    /// Keys' parameter. −0.5 follows smooth functions best, smaller values keep more of fine detail; measured on
    /// restored frames, this keeps 0.02 to 0.08 dB more than −0.5 where motion is slow, and loses nothing elsewhere.
    private static let sharpness: Float = -0.6

    /// The weights for 0 to 31 32nds.
    static let phases: [InterpolationTaps] = (0..<32).map { phase in
        let t = Float(phase) / 32
        var weights = SIMD4(kernel(1 + t), kernel(t), kernel(1 - t), kernel(2 - t))
        weights = (weights * 64).rounded(.toNearestOrEven)
        // Rounding must not change the brightness.
        weights[phase < 16 ? 1 : 2] += 64 - weights.sum()
        return InterpolationTaps(weights: SIMD4<Int16>(weights), isWhole: phase == 0)
    }

    private static func kernel(_ distance: Float) -> Float {
        let (a, x) = (sharpness, distance)
        return x < 1
            ? ((a + 2) * x - (a + 3)) * x * x + 1
            : ((a * x - 5 * a) * x + 8 * a) * x - 4 * a
    }
}

/// Samples of 8 bits, computed with in 64ths: 14 bits and a sign.
///
/// Cubic taps raise 255 to at most 255 · 1.42², which in 64ths is below 2¹⁵.
struct NarrowArithmetic: SampleArithmetic {
    @inline(__always)
    func load(_ samples: UnsafePointer<UInt8>) -> Lanes {
        Lanes(at: samples) &<< 6
    }

    @inline(__always)
    func across(_ samples: UnsafePointer<UInt8>, _ taps: InterpolationTaps) -> Lanes {
        let w = taps.weights
        return Lanes(at: samples - 1) &* Lanes(repeating: w.x)
            &+ Lanes(at: samples) &* Lanes(repeating: w.y)
            &+ Lanes(at: samples + 1) &* Lanes(repeating: w.z)
            &+ Lanes(at: samples + 2) &* Lanes(repeating: w.w)
    }

    @inline(__always)
    func down(_ rows: (Lanes, Lanes, Lanes, Lanes), _ taps: InterpolationTaps) -> Lanes {
        // A product's upper half is a quarter of it: 64ths · 256 / 65 536.
        let w = taps.weights &<< 8
        let sum =
            rows.0.timesHigh(Lanes(repeating: w.x)) &+ rows.1.timesHigh(Lanes(repeating: w.y))
            &+ rows.2.timesHigh(Lanes(repeating: w.z)) &+ rows.3.timesHigh(Lanes(repeating: w.w))
        // Each upper half is rounded down, by a half on average.
        return (sum &+ 2) &<< 2
    }

    @inline(__always)
    func move(_ values: Lanes, from: Lanes, to: Lanes, _ share: Lanes) -> Lanes {
        values &+ ((to &- from).timesHigh(share) &<< 1)
    }

    @inline(__always)
    func rounded(_ values: Lanes) -> SIMD8<UInt8> {
        tw_octet_of((values &+ 32) &>> 6)
    }
}

/// Samples of 9 to 16 bits, computed with in single precision, which is exact to far below a step.
struct WideArithmetic: SampleArithmetic {
    /// The largest sample.
    let largest: Float

    init(depth: Int) {
        largest = Float(1 << depth - 1)
    }

    @inline(__always)
    func load(_ samples: UnsafePointer<UInt16>) -> SIMD8<Float> {
        SIMD8<Float>(
            SIMD8<Int32>(
                truncatingIfNeeded:
                    UnsafeRawPointer(samples).loadUnaligned(as: SIMD8<UInt16>.self)))
    }

    @inline(__always)
    func across(_ samples: UnsafePointer<UInt16>, _ taps: InterpolationTaps) -> SIMD8<Float> {
        down((load(samples - 1), load(samples), load(samples + 1), load(samples + 2)), taps)
    }

    @inline(__always)
    func down(
        _ rows: (SIMD8<Float>, SIMD8<Float>, SIMD8<Float>, SIMD8<Float>), _ taps: InterpolationTaps
    ) -> SIMD8<Float> {
        let w = SIMD4<Float>(taps.weights) / 64
        return rows.0 * w.x + rows.1 * w.y + rows.2 * w.z + rows.3 * w.w
    }

    @inline(__always)
    func move(
        _ values: SIMD8<Float>, from: SIMD8<Float>, to: SIMD8<Float>, _ share: Lanes
    ) -> SIMD8<Float> {
        let parts = SIMD8<Float>(SIMD8<Int32>(truncatingIfNeeded: share))
        return values + (to - from) * (parts / 32768)
    }

    @inline(__always)
    func rounded(_ values: SIMD8<Float>) -> SIMD8<UInt16> {
        let limited = values.clamped(
            lowerBound: SIMD8(repeating: 0), upperBound: SIMD8(repeating: largest))
        return SIMD8(truncatingIfNeeded: SIMD8<Int32>(limited + 0.5))
    }
}
