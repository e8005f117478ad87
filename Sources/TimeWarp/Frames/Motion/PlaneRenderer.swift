/// Makes one plane of a frame between two others, from the vectors chosen for its cells.
///
/// ```
///   ·────────┼────────·      A block lies between the centres (·) of four cells. Where their vectors agree it is one
///   │        │        │      prediction: the block of the earlier frame and that of the later one, each at its place
///   ┼── cell ┼────────┼      along the vector, mixed by distance. Where they differ, a prediction along each vector
///   │        │        │      counts the more, the nearer a sample is to that vector's cell: blocks overlap, so no
///   ·────────┼────────·      edge of a cell is seen.
/// ```
struct PlaneRenderer<Arithmetic: SampleArithmetic> {
    typealias Sample = Arithmetic.Sample
    private typealias Work = Arithmetic.Work

    /// Vectors that differ by less, in samples of the plane, are taken for one.
    private static var sameVector: Float { 0.5 }

    private let arithmetic: Arithmetic
    private let earlier: PlaneSamples<Sample>
    private let later: PlaneSamples<Sample>
    private let field: MotionField
    /// Samples of this plane for one sample of the field.
    private let scale: SIMD2<Float>
    private let u: Float
    /// The later frame's share of a sample that both frames have.
    private let share: Lanes
    private let cellWidth: Int
    private let cellHeight: Int
    private let weights: BlockWeights
    private let taps = InterpolationTaps.phases

    /// - Parameters:
    ///   - earlier: must exist as long as this; and so must `later`.
    ///   - field: the vectors at `u`, a share between 0 (the earlier frame) and 1.
    ///   - scale: samples of this plane for one sample of the field: 2, 1 or ½ in each direction.
    init(
        _ arithmetic: Arithmetic, between earlier: PaddedPlane<Sample>,
        and later: PaddedPlane<Sample>, along field: MotionField, scale: SIMD2<Float>, at u: Float
    ) {
        self.arithmetic = arithmetic
        self.earlier = earlier.samples
        self.later = later.samples
        self.field = field
        self.scale = scale
        self.u = u
        share = Lanes(repeating: Int16((u * 32767).rounded()))
        cellWidth = Int(Float(MotionField.cell) * scale.x)
        cellHeight = Int(Float(MotionField.cell) * scale.y)
        weights = BlockWeights(width: cellWidth, height: cellHeight)
    }

    /// Renders the plane into another one of its size.
    func render(into target: PaddedPlane<Sample>, in bands: Bands) {
        let target = target.samples
        bands.run(rows: field.rows + 1, of: 4) { band in
            let buffers = Buffers(width: cellWidth, height: cellHeight)
            for row in band {
                for column in 0...field.columns {
                    renderBlock(column, row, buffers, target)
                }
            }
        }
    }

    /// Room for predictions of one block, in rows of `width` samples.
    private final class Buffers {
        let width: Int
        /// The prediction along the first vector, to which the others are compared.
        let first: UnsafeMutablePointer<SIMD8<Work>>
        let sum: UnsafeMutablePointer<SIMD8<Work>>
        let prediction: UnsafeMutablePointer<SIMD8<Work>>
        init(width: Int, height: Int) {
            self.width = (width + 7) / 8
            let count = self.width * height
            first = .allocate(capacity: count)
            sum = .allocate(capacity: count)
            prediction = .allocate(capacity: count)
        }
        deinit {
            first.deallocate()
            sum.deallocate()
            prediction.deallocate()
        }
    }

    /// A block's place in the plane, which at the edges is smaller than a cell.
    private struct Block {
        let x: Int
        let y: Int
        let width: Int
        let height: Int
        /// The block's place among the weights of a whole one.
        let inset: (x: Int, y: Int)
        var corner: SIMD2<Float> { SIMD2(Float(x), Float(y)) }
        var size: SIMD2<Float> { SIMD2(Float(width), Float(height)) }
    }

    private func block(_ column: Int, _ row: Int) -> Block? {
        let (left, top) = (column * cellWidth - cellWidth / 2, row * cellHeight - cellHeight / 2)
        let (x, y) = (max(left, 0), max(top, 0))
        let right = min(left + cellWidth, earlier.width)
        let bottom = min(top + cellHeight, earlier.height)
        guard x < right, y < bottom else {
            return nil
        }
        return Block(
            x: x, y: y, width: right - x, height: bottom - y, inset: (x - left, y - top))
    }

    private func renderBlock(
        _ column: Int, _ row: Int, _ buffers: Buffers, _ output: PlaneSamples<Sample>
    ) {
        guard let block = block(column, row) else {
            return
        }
        let groups = VectorGroups(
            field.nearest(column - 1, row - 1) * scale, field.nearest(column, row - 1) * scale,
            field.nearest(column - 1, row) * scale, field.nearest(column, row) * scale,
            within: Self.sameVector)
        predict(block, along: groups.vector(0), into: buffers.first, buffers.width)
        guard groups.count > 1 else {
            write(block, buffers.first, buffers.width, output)
            return
        }
        buffers.sum.update(from: buffers.first, count: buffers.width * block.height)
        for group in 1..<groups.count {
            predict(block, along: groups.vector(group), into: buffers.prediction, buffers.width)
            weigh(block, groups.corners(group), buffers)
        }
        write(block, buffers.sum, buffers.width, output)
    }

    /// Moves the sum from the first prediction toward another one, by the weights of that one's corners.
    private func weigh(_ block: Block, _ corners: Int, _ buffers: Buffers) {
        for y in 0..<block.height {
            for x in 0..<(block.width + 7) / 8 {
                let place = y * buffers.width + x
                let share = weights.lanes(corners, block.inset.x + x * 8, block.inset.y + y)
                buffers.sum[place] = arithmetic.move(
                    buffers.sum[place], from: buffers.first[place],
                    to: buffers.prediction[place], share)
            }
        }
    }

    private func write(
        _ block: Block, _ values: UnsafeMutablePointer<SIMD8<Work>>, _ width: Int,
        _ output: PlaneSamples<Sample>
    ) {
        for y in 0..<block.height {
            let row = output.row(block.y + y) + block.x
            for x in 0..<(block.width + 7) / 8 {
                let samples = arithmetic.rounded(values[y * width + x])
                let count = block.width - x * 8
                if count >= 8 {
                    UnsafeMutableRawPointer(row + x * 8)
                        .storeBytes(of: samples, as: SIMD8<Sample>.self)
                } else {
                    for sample in 0..<count {
                        row[x * 8 + sample] = samples[sample]
                    }
                }
            }
        }
    }

    /// Both frames' samples along a vector, mixed by distance.
    private func predict(
        _ block: Block, along vector: SIMD2<Float>, into result: UnsafeMutablePointer<SIMD8<Work>>,
        _ stride: Int
    ) {
        let size = max(cellWidth, cellHeight)
        let from = block.corner - u * vector
        let to = block.corner + (1 - u) * vector
        let (readableFrom, readableTo) = (
            earlier.readable(from, size: size), later.readable(to, size: size)
        )
        let isInside = earlier.contains(from, block.size) && later.contains(to, block.size)
        for x in 0..<(block.width + 7) / 8 {
            read(earlier, readableFrom, block.height, column: x) { y, samples in
                result[y * stride + x] = samples
            }
            let shares = isInside ? nil : EdgeShares(self, from, to, column: x)
            read(later, readableTo, block.height, column: x) { y, samples in
                let own = result[y * stride + x]
                let share = shares?.row(y) ?? share
                result[y * stride + x] = arithmetic.move(own, from: own, to: samples, share)
            }
        }
    }

    /// The later frame's share for eight samples of each row of a block that isn't whole in both frames. A sample that one
    /// frame doesn't have comes from the other.
    private struct EdgeShares {
        /// Where a row is in the earlier frame alone, in the later one alone, in both, and in none of them.
        private let ofEarlier: Lanes
        private let ofLater: Lanes
        private let ofBoth: Lanes
        private let ofNone: Lanes
        /// The first row's place in each frame, and how many rows they have.
        private let tops: (earlier: Float, later: Float)
        private let heights: (earlier: Float, later: Float)

        init(
            _ renderer: PlaneRenderer, _ from: SIMD2<Float>, _ to: SIMD2<Float>, column: Int
        ) {
            let (earlier, later) = (renderer.earlier, renderer.later)
            let inEarlier = Self.isInside(earlier, from.x + Float(column * 8))
            let inLater = Self.isInside(later, to.x + Float(column * 8))
            tops = (from.y, to.y)
            heights = (Float(earlier.height), Float(later.height))
            ofNone = renderer.share
            ofEarlier = ofNone.replacing(with: 0, where: inEarlier)
            ofLater = ofNone.replacing(with: .max, where: inLater)
            ofBoth = ofNone.replacing(with: 0, where: inEarlier .& .!inLater)
                .replacing(with: .max, where: inLater .& .!inEarlier)
        }

        /// Which of eight samples of a row a plane has.
        private static func isInside(
            _ plane: PlaneSamples<Sample>, _ x: Float
        ) -> SIMDMask<Lanes.MaskStorage> {
            let place = Lanes(repeating: Int16(x.rounded())) &+ Lanes(0, 1, 2, 3, 4, 5, 6, 7)
            return (place .>= 0) .& (place .< Int16(plane.width))
        }

        @inline(__always)
        func row(_ y: Int) -> Lanes {
            let (earlier, later) = (tops.earlier + Float(y), tops.later + Float(y))
            let isInEarlier = earlier > -1 && earlier < heights.earlier
            let isInLater = later > -1 && later < heights.later
            if isInEarlier {
                return isInLater ? ofBoth : ofEarlier
            }
            return isInLater ? ofLater : ofNone
        }
    }

    /// Reads rows of eight samples at a fractional position, in 32nds of a sample.
    @inline(__always)
    private func read(
        _ plane: PlaneSamples<Sample>, _ position: SIMD2<Float>, _ height: Int, column: Int,
        _ use: (_ y: Int, _ samples: SIMD8<Work>) -> Void
    ) {
        let place = SamplePlace(position)
        let across = taps[place.fractionX]
        let down = taps[place.fractionY]
        let start = UnsafePointer(plane.row(place.y) + place.x + column * 8)
        if across.isWhole {
            read(start, plane.stride, down, height, use) { arithmetic.load($0) }
        } else {
            read(start, plane.stride, down, height, use) { arithmetic.across($0, across) }
        }
    }

    @inline(__always)
    private func read(
        _ start: UnsafePointer<Sample>, _ stride: Int, _ down: InterpolationTaps, _ height: Int,
        _ use: (_ y: Int, _ samples: SIMD8<Work>) -> Void,
        _ row: (UnsafePointer<Sample>) -> SIMD8<Work>
    ) {
        var next = start
        if down.isWhole {
            for y in 0..<height {
                use(y, row(next))
                next += stride
            }
            return
        }
        var rows = (row(next - stride), row(next), row(next + stride))
        next += 2 * stride
        for y in 0..<height {
            let below = row(next)
            use(y, arithmetic.down((rows.0, rows.1, rows.2, below), down))
            rows = (rows.1, rows.2, below)
            next += stride
        }
    }
}

/// The vectors at a block's four corners, those that agree counted as one.
struct VectorGroups {
    private(set) var count = 0
    private var vectors = (
        SIMD2<Float>.zero, SIMD2<Float>.zero, SIMD2<Float>.zero, SIMD2<Float>.zero
    )
    /// Bits of the corners: 1 upper left, 2 upper right, 4 lower left, 8 lower right.
    private var members = SIMD4<Int>.zero

    init(
        _ a: SIMD2<Float>, _ b: SIMD2<Float>, _ c: SIMD2<Float>, _ d: SIMD2<Float>,
        within tolerance: Float
    ) {
        func differ(_ p: SIMD2<Float>, _ q: SIMD2<Float>) -> Bool {
            abs(p.x - q.x) + abs(p.y - q.y) >= tolerance
        }
        guard differ(a, b) || differ(a, c) || differ(a, d) || differ(b, c) else {
            vectors.0 = (a + b + c + d) / 4
            members[0] = 15
            count = 1
            return
        }
        add(a, 1, tolerance)
        add(b, 2, tolerance)
        add(c, 4, tolerance)
        add(d, 8, tolerance)
    }

    private mutating func add(_ v: SIMD2<Float>, _ corner: Int, _ tolerance: Float) {
        for group in 0..<count {
            let other = vector(group)
            if abs(v.x - other.x) + abs(v.y - other.y) < tolerance {
                members[group] |= corner
                return
            }
        }
        switch count {
        case 0: vectors.0 = v
        case 1: vectors.1 = v
        case 2: vectors.2 = v
        default: vectors.3 = v
        }
        members[count] = corner
        count += 1
    }

    @inline(__always)
    func vector(_ group: Int) -> SIMD2<Float> {
        switch group {
        case 0: vectors.0
        case 1: vectors.1
        case 2: vectors.2
        default: vectors.3
        }
    }

    func corners(_ group: Int) -> Int {
        members[group]
    }
}

/// How much each corner's vector counts in each sample of a block: linear in both directions.
final class BlockWeights: Sendable {
    private let width: Int
    private let height: Int
    /// For each of the 16 sets of corners, `height` rows of shares of 32 768. Rows are repeated at their end, because
    /// eight shares are read at a time.
    private let shares: [Int16]

    init(width: Int, height: Int) {
        let rowWidth = width + 16
        self.width = rowWidth
        self.height = height
        shares = (0..<16).flatMap { corners in
            (0..<height).flatMap { y in
                (0..<rowWidth).map { x in
                    let across = (Float(min(x, width - 1)) + 0.5) / Float(width)
                    return Self.share(of: corners, across, (Float(y) + 0.5) / Float(height))
                }
            }
        }
    }

    private static func share(of corners: Int, _ across: Float, _ down: Float) -> Int16 {
        let each = SIMD4(
            (1 - across) * (1 - down), across * (1 - down), (1 - across) * down, across * down)
        let counts = SIMD4<Float>(
            SIMD4<Int>(corners & 1, corners >> 1 & 1, corners >> 2 & 1, corners >> 3))
        return Int16(((each * counts).sum() * 32767).rounded())
    }

    @inline(__always)
    func lanes(_ corners: Int, _ x: Int, _ y: Int) -> Lanes {
        shares.withUnsafeBufferPointer {
            Lanes(at: $0.baseAddress! + (corners * height + y) * width + x)
        }
    }
}
