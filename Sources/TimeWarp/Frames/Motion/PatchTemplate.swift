/// A patch of 8×8 samples with its gradients, for comparing it with another frame.
///
/// Samples have 10 bits, so all sums fit into 32 bits: a gradient is at most 2046, a difference at most 8184.
final class PatchTemplate {
    private static let size = MotionField.cell
    /// How much of the difference of the means is forgiven: a cloud's shadow or a lamp changes the brightness of what
    /// moves. All of it would make flat patches equal to anything, so it is 1 − (1 − ¾)² of it.
    private static let forgiven: Float = 15.0 / 16 / 64
    /// Added to the diagonal of the Hessian, so that noise in a patch without details moves it by little.
    private static let stiffness: Float = 64 * 16

    /// 64 samples, 64 horizontal and 64 vertical gradients (the differences of the two neighbours).
    private let memory: UnsafeMutablePointer<Int16>
    private var gradientSum = SIMD2<Float>.zero
    private var hessian = SIMD4<Float>.zero

    init() {
        memory = .allocate(capacity: 3 * Self.size * Self.size)
    }

    deinit {
        memory.deallocate()
    }

    /// Takes the patch at a corner.
    func fill(from plane: PlaneSamples<Int16>, at corner: SIMD2<Float>) {
        let stride = plane.stride
        var samples = UnsafePointer(plane.row(Int(corner.y)) + Int(corner.x))
        var (xx, xy, yy) = (SIMD4<Int32>.zero, SIMD4<Int32>.zero, SIMD4<Int32>.zero)
        var (sumX, sumY) = (Lanes.zero, Lanes.zero)
        for row in 0..<Self.size {
            let target = memory + row * Self.size
            let x = Lanes(at: samples + 1) &- Lanes(at: samples - 1)
            let y = Lanes(at: samples + stride) &- Lanes(at: samples - stride)
            Lanes(at: samples).store(to: target)
            x.store(to: target + 64)
            y.store(to: target + 128)
            xx &+= x.timesPairs(x)
            xy &+= x.timesPairs(y)
            yy &+= y.timesPairs(y)
            sumX &+= x
            sumY &+= y
            samples += stride
        }
        let (x, y) = (Float(sumX.sum()), Float(sumY.sum()))
        gradientSum = SIMD2(x, y)
        hessian = SIMD4(
            Float(xx.wrappedSum()) - Self.forgiven * x * x + Self.stiffness,
            Float(xy.wrappedSum()) - Self.forgiven * x * y,
            Float(xy.wrappedSum()) - Self.forgiven * x * y,
            Float(yy.wrappedSum()) - Self.forgiven * y * y + Self.stiffness)
    }

    /// Compares the patch with the samples at a position, which are interpolated linearly in 32nds of a sample.
    ///
    /// - Returns: the mean square of the differences (in eighths), and the step to subtract from the position
    ///   so that they become smaller.
    @inline(__always)
    func compare(
        with plane: PlaneSamples<Int16>, at position: SIMD2<Float>
    ) -> (cost: Float, step: SIMD2<Float>) {
        var sampler = LinearSampler(plane, at: position)
        var (x, y, squares) = (SIMD4<Int32>.zero, SIMD4<Int32>.zero, SIMD4<Int32>.zero)
        var sum = Lanes.zero
        for row in 0..<Self.size {
            let own = memory + row * Self.size
            let difference = (sampler.next() &>> 2) &- (Lanes(at: own) &<< 3)
            x &+= difference.timesPairs(Lanes(at: own + 64))
            y &+= difference.timesPairs(Lanes(at: own + 128))
            let half = difference &>> 1
            squares &+= half.timesPairs(half)
            sum &+= difference &>> 3
        }
        let mean = Float(sum.sum()) * 8
        let descent =
            SIMD2(Float(x.wrappedSum()), Float(y.wrappedSum()))
            - Self.forgiven * mean * gradientSum
        let cost = (Float(squares.wrappedSum()) * 4 - Self.forgiven * mean * mean) / 64
        let determinant = hessian.x * hessian.w - hessian.y * hessian.z
        let step = SIMD2(
            hessian.w * descent.x - hessian.y * descent.y,
            hessian.x * descent.y - hessian.z * descent.x)
        // Gradients are doubled, differences are eighths: together 4.
        return (max(cost, 0), step / (4 * determinant))
    }
}

/// Reads rows of eight samples at a fractional position, interpolated linearly.
struct LinearSampler {
    private var samples: UnsafePointer<Int16>
    private let stride: Int
    private let left: Lanes
    private let right: Lanes
    private let lower: Lanes
    private var upperRow: Lanes

    @inline(__always)
    init(_ plane: PlaneSamples<Int16>, at position: SIMD2<Float>) {
        let place = SamplePlace(position)
        stride = plane.stride
        samples = UnsafePointer(plane.row(place.y) + place.x)
        right = Lanes(repeating: Int16(truncatingIfNeeded: place.fractionX))
        left = 32 &- right
        lower = Lanes(repeating: Int16(truncatingIfNeeded: place.fractionY) &<< 10)
        upperRow = Lanes(at: samples) &* left &+ Lanes(at: samples + 1) &* right
    }

    /// The next row, in 32nds of a sample's step: 15 bits.
    @inline(__always)
    mutating func next() -> Lanes {
        samples += stride
        let row = Lanes(at: samples) &* left &+ Lanes(at: samples + 1) &* right
        defer { upperRow = row }
        return upperRow &+ ((row &- upperRow).timesHigh(lower) &<< 1)
    }
}
