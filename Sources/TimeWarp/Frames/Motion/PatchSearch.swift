/// Finds the patches of one frame in another, from the coarsest level of a pyramid to the finest.
///
/// Each patch starts at the best of a few candidates (at the coarsest level everything near by, then the vectors of the
/// coarser level and those of patches searched before; always no motion) and then descends by inverse search: Kroeger, Timofte, Dai and Van Gool, "Fast Optical Flow using
/// Dense Inverse Search", 2016, section 2.1.
struct PatchSearch {
    /// A patch whose samples differ by less than this in sum (1 of 255 on average) hasn't moved.
    private static let noise = 64 * 4
    /// A search ends after this many steps.
    private static let mostSteps = 4
    /// A step is no longer than this in each direction, because brightness is nearly linear only nearby.
    private static let longestStep: Float = 2
    /// A step shorter than this, in samples, isn't worth another one.
    private static let leastStep: Float = 0.04

    /// How far everything is tried at the coarsest level, in its samples: a quarter of the height of the frame or more.
    private static let reach = 10
    /// What a sample of distance costs there, in sums of differences: of repeating things the nearest counts.
    private static let distanceCost = 32

    /// The motion from one frame to another, at the finest level.
    static func field(from a: LumaPyramid, to b: LumaPyramid, in bands: Bands) -> MotionField {
        var field: MotionField?
        for level in a.levels.indices.reversed() {
            let finer = MotionField(covering: a.levels[level])
            bands.run(rows: finer.rows, of: 4) { [field] band in
                var search = PatchSearch(
                    a.levels[level].samples, b.levels[level].samples, coarser: field, into: finer,
                    band: band)
                search.run()
            }
            field = finer
        }
        guard let field else {
            preconditionFailure("a pyramid has at least one level")
        }
        return field.smoothed(in: bands)
    }

    private let a: PlaneSamples<Int16>
    private let b: PlaneSamples<Int16>
    private let coarser: MotionField?
    private let field: MotionField
    private let band: Range<Int>
    private let patch: PatchTemplate

    private init(
        _ a: PlaneSamples<Int16>, _ b: PlaneSamples<Int16>, coarser: MotionField?,
        into field: MotionField, band: Range<Int>
    ) {
        self.a = a
        self.b = b
        self.coarser = coarser
        self.field = field
        self.band = band
        patch = PatchTemplate()
    }

    private mutating func run() {
        for y in band {
            for x in 0..<field.columns {
                search(x, y)
            }
        }
    }

    private func search(_ x: Int, _ y: Int) {
        let corner = SIMD2(Float(x * MotionField.cell), Float(y * MotionField.cell))
        var attempt = Attempt(a, b, corner: corner)
        guard attempt.least > Self.noise else {
            field.setCost(x, y, Float(attempt.least))
            return
        }
        tryCandidates(x, y, &attempt)
        field.setGain(x, y, Float(attempt.still - attempt.least))
        patch.fill(from: a, at: corner)
        let outside = b.inset(corner + attempt.best, size: MotionField.cell)
        guard max(abs(outside.x), abs(outside.y)) <= Float(MotionField.cell / 2) else {
            let mean = Float(attempt.least) / 8
            field[x, y] = attempt.best
            field.setCost(x, y, mean * mean)
            return
        }
        let (vector, cost) = descend(from: attempt.best, corner)
        field[x, y] = vector
        field.setCost(x, y, cost)
    }

    private func tryCandidates(_ x: Int, _ y: Int, _ attempt: inout Attempt) {
        if let coarser {
            // The cell of the coarser level that the patch lies in, and the three that are next to its corner.
            let (column, row) = (x / 2, y / 2)
            let (nextColumn, nextRow) = (column + (x & 1) * 2 - 1, row + (y & 1) * 2 - 1)
            attempt.attempt(coarser.nearest(column, row) * 2)
            attempt.attempt(coarser.nearest(nextColumn, row) * 2)
            attempt.attempt(coarser.nearest(column, nextRow) * 2)
            attempt.attempt(coarser.nearest(nextColumn, nextRow) * 2)
        } else {
            attempt.attemptAll(within: Self.reach, costOfDistance: Self.distanceCost)
        }
        if x > 0 {
            attempt.attempt(field[x - 1, y])
        }
        // Rows of another band may not be searched yet.
        if y > band.lowerBound {
            attempt.attempt(field[x, y - 1])
            if x + 1 < field.columns {
                attempt.attempt(field[x + 1, y - 1])
            }
        }
    }

    private func descend(
        from start: SIMD2<Float>, _ corner: SIMD2<Float>
    ) -> (vector: SIMD2<Float>, cost: Float) {
        var best = (vector: start, cost: Float.infinity)
        var position = b.readable(corner + start, size: MotionField.cell)
        for _ in 0...Self.mostSteps {
            let (cost, step) = patch.compare(with: b, at: position)
            guard cost < best.cost else {
                break
            }
            best = (position - corner, cost)
            let limited = step.limited(
                from: SIMD2(repeating: -Self.longestStep), to: SIMD2(repeating: Self.longestStep))
            guard abs(limited.x) + abs(limited.y) >= Self.leastStep else {
                break
            }
            position = b.readable(position - limited, size: MotionField.cell)
        }
        return best
    }
}

/// The best of the candidates that were tried for a patch, each at whole samples.
private struct Attempt {
    let a: PlaneSamples<Int16>
    let b: PlaneSamples<Int16>
    let corner: SIMD2<Float>
    private(set) var best = SIMD2<Float>.zero
    /// The sum of the differences along the best vector.
    private(set) var least: Int
    /// The sum of the differences without motion.
    private(set) var still: Int
    /// The best vector's samples.
    private var bestX: Int
    private var bestY: Int

    /// No motion is tried first.
    init(_ a: PlaneSamples<Int16>, _ b: PlaneSamples<Int16>, corner: SIMD2<Float>) {
        self.a = a
        self.b = b
        self.corner = corner
        (bestX, bestY) = (Int(corner.x), Int(corner.y))
        (least, still) = (0, 0)
        still = difference(at: bestX, bestY)
        least = still
    }

    mutating func attempt(_ vector: SIMD2<Float>) {
        let position = corner + vector
        let x = SamplePlace.rounded(position.x)
        let y = SamplePlace.rounded(position.y)
        guard x != bestX || y != bestY else {
            // Two vectors to the same samples: the later candidate comes from nearer.
            best = position - corner
            return
        }
        let sum = difference(at: x, y)
        if sum < least {
            least = sum
            best = position - corner
            (bestX, bestY) = (x, y)
        }
    }

    /// Tries all vectors of whole samples within a distance. The best of these is taken only if it halves the
    /// difference: in noise, and where there are no details, some vector always fits a little better.
    mutating func attemptAll(within reach: Int, costOfDistance: Int) {
        let (startX, startY) = (Int(corner.x), Int(corner.y))
        var limit = least / 2
        for y in -reach...reach {
            for x in -reach...reach {
                let cost =
                    difference(at: startX + x, startY + y) + (abs(x) + abs(y)) * costOfDistance
                if cost < limit {
                    limit = cost
                    least = cost
                    best = SIMD2(Float(x), Float(y))
                    (bestX, bestY) = (startX + x, startY + y)
                }
            }
        }
    }

    /// The sum of the differences to the patch at a place of the other frame. If that place is outside, both patches
    /// are moved inward: what leaves the frame moves like what is beside it. But that explains only as much of what
    /// changes here as changes there: even ground beside it matches ground along any vector.
    @inline(__always)
    private func difference(at x: Int, _ y: Int) -> Int {
        let right = min(max(x, 0), max(b.width - MotionField.cell, 0)) - x
        let down = min(max(y, 0), max(b.height - MotionField.cell, 0)) - y
        let (left, top) = (Int(corner.x) + right, Int(corner.y) + down)
        guard left > -24, top > -24, left < a.width + 16, top < a.height + 16 else {
            return .max / 2
        }
        let along = difference(left, top, x + right, y + down)
        guard right != 0 || down != 0 else {
            return along
        }
        return max(along, still - difference(left, top, left, top) + along)
    }

    /// The sum of the differences between a patch of one frame and one of the other.
    @inline(__always)
    private func difference(_ left: Int, _ top: Int, _ x: Int, _ y: Int) -> Int {
        var p = UnsafePointer(a.row(top) + left)
        var q = UnsafePointer(b.row(y) + x)
        var sum = Lanes.zero
        for _ in 0..<MotionField.cell {
            sum &+= Lanes(at: p).distance(to: Lanes(at: q))
            p += a.stride
            q += b.stride
        }
        return sum.sum()
    }
}
