import CLanes

/// The vectors that a frame at an instant between two others is made with.
///
/// Both fields are moved to the instant; each cell tries the vectors that arrive near it and keeps the one along
/// which both frames are most alike. Motion is symmetric then: a sample at x comes from x − u·v in the earlier frame
/// and from x + (1 − u)·v in the later one. Where both frames are alike without motion, something small that passes
/// between them is still looked for, since neither of them shows it there. Without a good vector the cell stays at zero, which is a blend.
struct VectorChoice {
    /// Differences in sum below which no motion is accepted untried.
    private static let noise: Float = 64 * 2
    /// A patch with this share of another one's contrast is even beside it.
    private static let evenShare: Float = 0.25
    private let pair: MotionPair
    private let earlier: PlaneSamples<Int16>
    private let later: PlaneSamples<Int16>
    private let u: Float
    /// The vectors that arrive at each cell, and how well their patches match.
    private let arrivals: [Arrivals]

    private struct Arrivals {
        var forward = SIMD2<Float>.zero
        var forwardCost = Float.infinity
        var backward = SIMD2<Float>.zero
        var backwardCost = Float.infinity
        /// The vector of the patch that moves most clearly.
        var mover = SIMD2<Float>.zero
        var moverGain: Float = 0

        mutating func addForward(_ vector: SIMD2<Float>, cost: Float, gain: Float) {
            if cost < forwardCost {
                (forward, forwardCost) = (vector, cost)
            }
            addMover(vector, gain)
        }

        mutating func addBackward(_ vector: SIMD2<Float>, cost: Float, gain: Float) {
            if cost < backwardCost {
                (backward, backwardCost) = (vector, cost)
            }
            addMover(vector, gain)
        }

        private mutating func addMover(_ vector: SIMD2<Float>, _ gain: Float) {
            if gain > moverGain {
                (mover, moverGain) = (vector, gain)
            }
        }
    }

    /// The vectors from the earlier frame to the later one, for the cells of the frame at instant `u`, between 0 and 1.
    static func field(at u: Float, of pair: MotionPair, in bands: Bands) -> MotionField {
        let choice = VectorChoice(pair, u)
        let field = MotionField(columns: pair.forward.columns, rows: pair.forward.rows)
        bands.run(rows: field.rows, of: 4) { band in
            for y in band {
                for x in 0..<field.columns {
                    let (vector, cost) = choice.choose(x, y)
                    field[x, y] = vector
                    field.setCost(x, y, cost)
                }
            }
        }
        return field
    }

    private init(_ pair: MotionPair, _ u: Float) {
        self.pair = pair
        (earlier, later) = (pair.earlier.samples, pair.later.samples)
        self.u = u
        let (columns, rows) = (pair.forward.columns, pair.forward.rows)
        var arrivals = [Arrivals](repeating: Arrivals(), count: columns * rows)
        func arrival(of vector: SIMD2<Float>, from x: Int, _ y: Int) -> Int? {
            let column = x + SamplePlace.rounded(vector.x / Float(MotionField.cell))
            let row = y + SamplePlace.rounded(vector.y / Float(MotionField.cell))
            guard column >= 0, row >= 0, column < columns, row < rows else {
                return nil
            }
            return row * columns + column
        }
        for y in 0..<rows {
            for x in 0..<columns {
                let forward = pair.forward[x, y]
                if let cell = arrival(of: forward * u, from: x, y) {
                    arrivals[cell].addForward(
                        forward, cost: pair.forward.cost(x, y), gain: pair.forward.gain(x, y))
                }
                let backward = pair.backward[x, y]
                if let cell = arrival(of: backward * (1 - u), from: x, y) {
                    arrivals[cell].addBackward(
                        -backward, cost: pair.backward.cost(x, y), gain: pair.backward.gain(x, y))
                }
            }
        }
        self.arrivals = arrivals
    }

    private func choose(_ x: Int, _ y: Int) -> (vector: SIMD2<Float>, cost: Float) {
        let corner = SIMD2(Float(x * MotionField.cell), Float(y * MotionField.cell))
        let still = difference(along: .zero, at: corner, still: 0)
        guard still > Self.noise else {
            return mover(x, y, corner, still) ?? (.zero, still)
        }
        var trial = VectorTrial(at: corner, still: still)
        attempt(pair.forward[x, y], &trial)
        attempt(-pair.backward[x, y], &trial)
        attemptArrivals(x, y, &trial)
        if x > 0 { attemptArrivals(x - 1, y, &trial) }
        if x + 1 < pair.forward.columns { attemptArrivals(x + 1, y, &trial) }
        if y > 0 { attemptArrivals(x, y - 1, &trial) }
        if y + 1 < pair.forward.rows { attemptArrivals(x, y + 1, &trial) }
        return loses(trial.best, x, y, corner) ? (.zero, still) : (trial.best, trial.least)
    }

    /// Whether a vector leads from an even place to another past something that one of the frames shows here and that has no
    /// match: text that appears doesn't come from anywhere.
    private func loses(
        _ vector: SIMD2<Float>, _ x: Int, _ y: Int, _ corner: SIMD2<Float>
    ) -> Bool {
        guard vector != .zero else {
            return false
        }
        let here: Float
        if pair.backward.isNew(x, y, beside: pair.forward) {
            here = contrast(later, at: corner)
        } else if pair.forward.isNew(x, y, beside: pair.backward) {
            here = contrast(earlier, at: corner)
        } else {
            return false
        }
        let along = max(
            contrast(earlier, at: corner - u * vector),
            contrast(later, at: corner + (1 - u) * vector))
        return along < Self.evenShare * here
    }

    /// By how much a patch's samples differ from their mean, in sum.
    private func contrast(_ plane: PlaneSamples<Int16>, at place: SIMD2<Float>) -> Float {
        let place = plane.readable(place, size: MotionField.cell)
        var sampler = LinearSampler(plane, at: place)
        var sum = Lanes.zero
        for _ in 0..<MotionField.cell {
            sum &+= sampler.next() &>> 5
        }
        let mean = Lanes(repeating: Int16(sum.sum() / 64))
        sampler = LinearSampler(plane, at: place)
        var differences = Lanes.zero
        for _ in 0..<MotionField.cell {
            differences &+= (sampler.next() &>> 5).distance(to: mean)
        }
        return Float(differences.sum())
    }

    private func attempt(_ vector: SIMD2<Float>, _ trial: inout VectorTrial) {
        if trial.isNew(vector) {
            trial.note(vector, difference(along: vector, at: trial.corner, still: trial.still))
        }
    }

    private func attemptArrivals(_ x: Int, _ y: Int, _ trial: inout VectorTrial) {
        let arrivals = arrivals[y * pair.forward.columns + x]
        if arrivals.forwardCost < .infinity {
            attempt(arrivals.forward, &trial)
        }
        if arrivals.backwardCost < .infinity {
            attempt(arrivals.backward, &trial)
        }
        if arrivals.moverGain > MotionField.clearGain {
            attempt(arrivals.mover, &trial)
        }
    }

    /// What moves clearly and arrives at a cell where both frames are alike: it was not yet there in the earlier frame,
    /// and is there no more in the later one.
    private func mover(
        _ x: Int, _ y: Int, _ corner: SIMD2<Float>, _ still: Float
    ) -> (vector: SIMD2<Float>, cost: Float)? {
        var best: (vector: SIMD2<Float>, cost: Float)?
        for row in max(y - 1, 0)...min(y + 1, pair.forward.rows - 1) {
            for column in max(x - 1, 0)...min(x + 1, pair.forward.columns - 1) {
                let arrivals = arrivals[row * pair.forward.columns + column]
                guard arrivals.moverGain > MotionField.clearGain else {
                    continue
                }
                let cost = difference(along: arrivals.mover, at: corner, still: still)
                if cost < min(best?.cost ?? .infinity, arrivals.moverGain / 8) {
                    best = (arrivals.mover, cost)
                }
            }
        }
        return best
    }

    /// The sum of the differences between the two frames along a vector.
    ///
    /// What is outside of one frame moves like what is beside it: both patches are moved inward. That explains only as much of
    /// what changes here as changes there; see ``PatchSearch``.
    ///
    /// - Parameter still: the sum without motion.
    @inline(__always)
    private func difference(
        along vector: SIMD2<Float>, at corner: SIMD2<Float>, still: Float
    ) -> Float {
        let (from, to) = (corner - u * vector, corner + (1 - u) * vector)
        let inward =
            earlier.inset(from, size: MotionField.cell) + later.inset(to, size: MotionField.cell)
        let along = difference(from + inward, to + inward)
        guard inward != .zero else {
            return along
        }
        return max(along, still - difference(corner + inward, corner + inward) + along)
    }

    /// The sum of the differences between a patch of the earlier frame and one of the later frame.
    @inline(__always)
    private func difference(_ place: SIMD2<Float>, _ other: SIMD2<Float>) -> Float {
        let (a, b) = (earlier, later)
        let from = a.readable(place, size: MotionField.cell)
        let to = b.readable(other, size: MotionField.cell)
        var p = LinearSampler(a, at: from)
        var q = LinearSampler(b, at: to)
        var sum = Lanes.zero
        for _ in 0..<MotionField.cell {
            sum &+= p.next().distance(to: q.next()) &>> 3
        }
        return Float(sum.sum()) / 4
    }
}

/// The best of the vectors that were tried for a cell.
private struct VectorTrial {
    let corner: SIMD2<Float>
    /// The cost without motion.
    let still: Float
    private(set) var best = SIMD2<Float>.zero
    private(set) var least: Float
    /// The vectors tried, in eighths of a sample. Only the latest eight are remembered.
    private var tried = (SIMD4<Int32>.zero, SIMD4<Int32>.zero)
    private var count = 0

    init(at corner: SIMD2<Float>, still: Float) {
        (self.corner, self.still) = (corner, still)
        least = still
    }

    /// Whether no vector like this one was tried, and remembers it.
    @inline(__always)
    mutating func isNew(_ vector: SIMD2<Float>) -> Bool {
        let (x, y) = (SamplePlace.rounded(vector.x * 8), SamplePlace.rounded(vector.y * 8))
        let key = Int32(truncatingIfNeeded: y << 16 | x & 0xFFFF)
        guard tw_holds(tried.0, key) | tw_holds(tried.1, key) == 0 else {
            return false
        }
        if count & 4 == 0 {
            tried.0[count & 3] = key
        } else {
            tried.1[count & 3] = key
        }
        count += 1
        return true
    }

    mutating func note(_ vector: SIMD2<Float>, _ cost: Float) {
        if cost < least {
            least = cost
            best = vector
        }
    }
}
