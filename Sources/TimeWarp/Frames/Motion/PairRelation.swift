/// Whether frames between two others can be made.
enum PairRelation: Sendable {
    /// The later frame shows what the earlier one shows, elsewhere: frames between them can be made.
    case moving
    /// Nothing moves: at most noise changes, which would lose half of its strength if frames were mixed.
    case still
    /// The later frame shows something else: a scene cut or a flash lies between them.
    case unrelated

    /// Less than this share of cells moves in a still scene.
    private static let movingInStill = 0.001
    /// In a still scene no cell changes by this many times as much as the mean.
    private static let changeInStill = 3.0
    /// More than this share of cells must find no match in frames that have nothing in common.
    private static let unmatchedInUnrelated = 0.8
    /// The differences that remain along the vectors, compared to those within the cells. Two scenes without
    /// relation have 0.85 to 1.0 (cuts in films and made ones); the worst of moving frames had 0.5 (fireworks, every
    /// fourth frame).
    private static let remainderInUnrelated = 0.75

    /// Compares two frames along the vectors found from one to the other.
    init(_ a: PlaneSamples<Int16>, _ b: PlaneSamples<Int16>, _ field: MotionField) {
        var sums = CellSums()
        for y in 0..<field.rows {
            for x in 0..<field.columns {
                let corner = SIMD2(Float(x * MotionField.cell), Float(y * MotionField.cell))
                let outside = b.inset(corner + field[x, y], size: MotionField.cell)
                // Of what leaves the frame nothing can be compared.
                if max(abs(outside.x), abs(outside.y)) <= Float(MotionField.cell / 2) {
                    sums.add(CellComparison(a, b, corner, field[x, y]))
                }
            }
        }
        let cells = max(Double(sums.cells), 1)
        let remainder = sums.remainder / (sums.contrast + Double(cells) / 2)
        if Double(sums.unmatched) > Self.unmatchedInUnrelated * cells
            || Double(sums.unmatchedDetails) > Self.unmatchedInUnrelated
                * max(Double(sums.details), 1)
                && remainder > Self.remainderInUnrelated
        {
            self = .unrelated
        } else if Double(sums.moving) < Self.movingInStill * cells, sums.meanShift < cells,
            sums.largestChange < Self.changeInStill * (sums.change / cells + 1)
        {
            self = .still
        } else {
            self = .moving
        }
    }
}

/// How a cell of one frame compares to the other frame. All are means of the cell's samples, in steps of 8 bits.
private struct CellComparison {
    /// The difference to the samples along the vector.
    let matched: Double
    /// The difference to the samples at the same place.
    let still: Double
    /// The difference along the vector apart from brightness: with both means subtracted.
    let remainder: Double
    /// The difference of the cell's samples to their own mean.
    let contrast: Double
    /// The difference of the means at the same place.
    let meanShift: Double

    init(
        _ a: PlaneSamples<Int16>, _ b: PlaneSamples<Int16>, _ corner: SIMD2<Float>,
        _ vector: SIMD2<Float>
    ) {
        let place = b.readable(corner + vector, size: MotionField.cell)
        let (left, top) = (Int(corner.x), Int(corner.y))
        let start = (own: UnsafePointer(a.row(top) + left), same: UnsafePointer(b.row(top) + left))
        var moved = LinearSampler(b, at: place)
        var (ownSum, movedSum, sameSum) = (Lanes.zero, Lanes.zero, Lanes.zero)
        var (alongVector, inPlace) = (Lanes.zero, Lanes.zero)
        for row in 0..<MotionField.cell {
            // 10 bits: sums of eight fit.
            let (p, q) = (Lanes(at: start.own + row * a.stride), moved.next() &>> 5)
            let r = Lanes(at: start.same + row * b.stride)
            ownSum &+= p
            movedSum &+= q
            sameSum &+= r
            alongVector &+= p.distance(to: q)
            inPlace &+= p.distance(to: r)
        }
        let ownMean = Lanes(repeating: Int16(ownSum.sum() / 64))
        let movedMean = Lanes(repeating: Int16(movedSum.sum() / 64))
        moved = LinearSampler(b, at: place)
        var (apart, within) = (Lanes.zero, Lanes.zero)
        for row in 0..<MotionField.cell {
            let p = Lanes(at: start.own + row * a.stride) &- ownMean
            apart &+= p.distance(to: (moved.next() &>> 5) &- movedMean)
            within &+= p.distance(to: .zero)
        }
        // Sums of 64 samples of 10 bits become means of 8 bits.
        matched = Double(alongVector.sum()) / 256
        still = Double(inPlace.sum()) / 256
        remainder = Double(apart.sum()) / 256
        contrast = Double(within.sum()) / 256
        meanShift = Double(abs(ownSum.sum() - sameSum.sum())) / 256
    }
}

private struct CellSums {
    var cells = 0
    /// Cells whose brightness or contents are far from what is along their vector. A fade that takes a fifth of a
    /// second or longer isn't: it changes by less than 24 steps from frame to frame.
    var unmatched = 0
    /// Cells with details, and those of them that found no match.
    var details = 0
    var unmatchedDetails = 0
    /// Cells that match much better along their vector than at the same place.
    var moving = 0
    var remainder = 0.0
    var contrast = 0.0
    var meanShift = 0.0
    /// How much cells differ at the same place.
    var change = 0.0
    var largestChange = 0.0

    mutating func add(_ cell: CellComparison) {
        cells += 1
        unmatched += cell.matched > 24 + cell.contrast / 2 ? 1 : 0
        if cell.contrast > 3 {
            details += 1
            unmatchedDetails += cell.matched > cell.contrast / 2 ? 1 : 0
        }
        moving += cell.still > 0.75 && cell.matched < 0.7 * cell.still ? 1 : 0
        remainder += cell.remainder
        contrast += cell.contrast
        meanShift += cell.meanShift
        change += cell.still
        largestChange = max(largestChange, cell.still)
    }
}
