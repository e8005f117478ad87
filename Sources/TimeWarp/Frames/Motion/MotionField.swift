/// The motion from one frame to another: a vector for each cell of a grid, in samples of the level that was searched.
///
/// One thread writes a cell, and cells are read only after all were written, or by the thread that wrote them; this
/// makes `Sendable` right.
final class MotionField: @unchecked Sendable {
    /// The width and height of a cell, in samples.
    static let cell = 8
    /// A cell has no match if its differences, in eighths of 10 bits, have a larger mean square: 8 of 255.
    static let unexplained: Float = 65536
    /// A patch moves clearly if motion lessens its sum of differences by this much (6 of 255 on average).
    static let clearGain: Float = 64 * 24
    /// How many cells around one are looked at, to tell whether what it shows is new.
    private static let ring = 2

    let columns: Int
    let rows: Int
    private let vectors: UnsafeMutablePointer<SIMD2<Float>>
    private let costs: UnsafeMutablePointer<Float>
    private let gains: UnsafeMutablePointer<Float>

    /// A field without motion.
    init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
        vectors = .allocate(capacity: columns * rows)
        costs = .allocate(capacity: columns * rows)
        gains = .allocate(capacity: columns * rows)
        vectors.initialize(repeating: .zero, count: columns * rows)
        gains.initialize(repeating: 0, count: columns * rows)
        costs.initialize(repeating: 0, count: columns * rows)
    }

    /// A field of the cells that cover a plane.
    convenience init<Sample>(covering plane: PaddedPlane<Sample>) {
        self.init(
            columns: (plane.width + Self.cell - 1) / Self.cell,
            rows: (plane.height + Self.cell - 1) / Self.cell)
    }

    deinit {
        vectors.deallocate()
        costs.deallocate()
        gains.deallocate()
    }

    /// Where the sample at a cell's centre has moved to, relative to the cell.
    @inline(__always)
    subscript(x: Int, y: Int) -> SIMD2<Float> {
        get { vectors[y * columns + x] }
        set { vectors[y * columns + x] = newValue }
    }

    /// How badly the frames match along a cell's vector: 0 if they are alike.
    @inline(__always)
    func cost(_ x: Int, _ y: Int) -> Float {
        costs[y * columns + x]
    }

    @inline(__always)
    func setCost(_ x: Int, _ y: Int, _ cost: Float) {
        costs[y * columns + x] = cost
    }

    /// By how much a cell's patch matches better along its vector than without motion, in sums of differences.
    @inline(__always)
    func gain(_ x: Int, _ y: Int) -> Float {
        gains[y * columns + x]
    }

    @inline(__always)
    func setGain(_ x: Int, _ y: Int, _ gain: Float) {
        gains[y * columns + x] = gain
    }

    /// Whether a cell has no match, while around it nothing clearly moves and the other frame shows nothing without a match:
    /// what it shows is new, and comes from nowhere. At the edge things come into view.
    ///
    /// - Parameter other: the motion from the other frame to this one.
    func isNew(_ x: Int, _ y: Int, beside other: MotionField) -> Bool {
        let ring = Self.ring
        guard cost(x, y) > Self.unexplained,
            x >= ring, y >= ring, x + ring < columns, y + ring < rows
        else {
            return false
        }
        for row in y - ring...y + ring {
            for column in x - ring...x + ring {
                let moves =
                    cost(column, row) <= Self.unexplained && gain(column, row) > Self.clearGain
                if moves || other.cost(column, row) > Self.unexplained {
                    return false
                }
            }
        }
        return true
    }

    /// The vector of the cell that is nearest to a place, which may lie outside.
    @inline(__always)
    func nearest(_ x: Int, _ y: Int) -> SIMD2<Float> {
        self[min(max(x, 0), columns - 1), min(max(y, 0), rows - 1)]
    }

    /// Averages each vector with its eight neighbours, by how well they match and how alike they are.
    func smoothed(in bands: Bands) -> MotionField {
        let result = MotionField(columns: columns, rows: rows)
        bands.run(rows: rows) { band in
            for y in band {
                for x in 0..<columns {
                    result[x, y] = average(around: x, y)
                    result.setCost(x, y, cost(x, y))
                    result.setGain(x, y, gain(x, y))
                }
            }
        }
        return result
    }

    private func average(around x: Int, _ y: Int) -> SIMD2<Float> {
        let own = self[x, y]
        var sum = SIMD2<Float>.zero
        var total: Float = 0
        for row in max(y - 1, 0)...min(y + 1, rows - 1) {
            for column in max(x - 1, 0)...min(x + 1, columns - 1) {
                let vector = self[column, row]
                let difference = vector - own
                let unlike = (difference * difference).sum()
                let weight = 1 / ((1 + 8 * unlike) * (cost(column, row) + 16))
                sum += vector * weight
                total += weight
            }
        }
        return sum / total
    }
}
