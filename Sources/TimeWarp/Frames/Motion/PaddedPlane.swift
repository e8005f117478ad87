/// A plane of samples with a border that repeats the samples at the edges, so that blocks may be read from outside.
///
/// One thread writes a row, and rows are read only after all were written; this makes `Sendable` right.
final class PaddedPlane<Sample: FixedWidthInteger & Sendable>: @unchecked Sendable {
    let samples: PlaneSamples<Sample>
    private let memory: UnsafeMutablePointer<Sample>

    /// The border's width on each side, in samples.
    static var border: Int { 32 }

    init(width: Int, height: Int) {
        // A row more than the border: eight samples are read at a time.
        let stride = (width + 2 * Self.border + 15) & ~15
        let count = stride * (height + 2 * Self.border + 1)
        memory = .allocate(capacity: count)
        memory.initialize(repeating: 0, count: count)
        samples = PlaneSamples(
            width: width, height: height, stride: stride,
            origin: memory + Self.border * stride + Self.border)
    }

    deinit {
        memory.deallocate()
    }

    var width: Int { samples.width }
    var height: Int { samples.height }
    var stride: Int { samples.stride }

    /// The first sample of a row, which may lie in the border.
    @inline(__always)
    func row(_ y: Int) -> UnsafeMutablePointer<Sample> {
        samples.row(y)
    }

    /// Repeats the samples at the left and right edges of a row, and of the first and the last row upward and
    /// downward.
    func extend(row y: Int) {
        let samples = row(y)
        (samples - Self.border).update(repeating: samples[0], count: Self.border)
        let right = stride - Self.border - width
        (samples + width).update(repeating: samples[width - 1], count: right)
        if y == 0 {
            for above in 1...Self.border {
                (row(-above) - Self.border).update(from: samples - Self.border, count: stride)
            }
        }
        if y == height - 1 {
            for below in 1...Self.border {
                (row(y + below) - Self.border).update(from: samples - Self.border, count: stride)
            }
        }
    }
}

/// Where the samples of a ``PaddedPlane`` lie. Copies of it are free; a reference to a plane that is passed on for each
/// cell would have its count changed by all threads at a time, and they would wait for each other.
///
/// Valid as long as its plane exists.
struct PlaneSamples<Sample: FixedWidthInteger & Sendable>: @unchecked Sendable {
    let width: Int
    let height: Int
    /// Samples from one row to the next.
    let stride: Int
    /// The sample at the upper left corner.
    let origin: UnsafeMutablePointer<Sample>

    /// The first sample of a row, which may lie in the border.
    @inline(__always)
    func row(_ y: Int) -> UnsafeMutablePointer<Sample> {
        origin + y * stride
    }

    /// A position at which a block of `size` by `size` samples and two more around it can be read.
    ///
    /// Outside the plane all samples of a row, or of a column, are the same, so moving a block there changes nothing.
    @inline(__always)
    func readable(_ position: SIMD2<Float>, size: Int) -> SIMD2<Float> {
        position.limited(
            from: SIMD2(repeating: Float(2 - PaddedPlane<Sample>.border)),
            to: SIMD2(
                Float(width + PaddedPlane<Sample>.border - 4 - size),
                Float(height + PaddedPlane<Sample>.border - 4 - size)))
    }

    /// Whether all samples of a block lie in the plane.
    @inline(__always)
    func contains(_ corner: SIMD2<Float>, _ size: SIMD2<Float>) -> Bool {
        corner.x >= 0 && corner.y >= 0 && corner.x + size.x <= Float(width)
            && corner.y + size.y <= Float(height)
    }

    /// How far a patch must be moved so that it lies inside the plane.
    @inline(__always)
    func inset(_ corner: SIMD2<Float>, size: Int) -> SIMD2<Float> {
        corner.limited(
            from: .zero, to: SIMD2(Float(max(width - size, 0)), Float(max(height - size, 0))))
            - corner
    }
}

/// A position in a plane: a sample, and 32nds of the way to the next one.
struct SamplePlace {
    let x: Int
    let y: Int
    let fractionX: Int
    let fractionY: Int

    /// - Parameter position: at most a border's width outside the plane.
    @inline(__always)
    init(_ position: SIMD2<Float>) {
        let (x, y) = (Self.rounded(position.x * 32), Self.rounded(position.y * 32))
        self.x = x >> 5
        self.y = y >> 5
        fractionX = x & 31
        fractionY = y & 31
    }

    /// The nearest whole number. This is quicker than `rounded()`, which is a call on processors from before 2008,
    /// for which Swift builds.
    @inline(__always)
    static func rounded(_ value: Float) -> Int {
        Int(value + 262144.5) &- 262144
    }
}
