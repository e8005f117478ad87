/// Something small that one frame shows before a ground, where the other frame shows only that ground.
struct Figure: Sendable {
    /// Where it is, in samples of the level that motion is searched at.
    let box: SampleBox
    /// Which samples of the box it covers, row by row.
    let mask: [Bool]
    let area: Int
    let centre: SIMD2<Float>
    /// By how much it differs from the ground behind it, on average.
    let contrast: Float
    /// Where the ground around it is in the other frame, relative to this one.
    let ground: SIMD2<Float>

    func covers(_ x: Int, _ y: Int) -> Bool { box.contains(x, y) && mask[box.index(x, y)] }

    /// Whether it covers a sample and those beside it.
    func isWithin(_ x: Int, _ y: Int) -> Bool {
        covers(x, y) && covers(x - 1, y) && covers(x + 1, y) && covers(x, y - 1)
            && covers(x, y + 1)
    }

    /// Whether it covers a sample in a square around another one.
    func isNear(_ x: Int, _ y: Int, _ distance: Int) -> Bool {
        (y - distance...y + distance).contains { row in
            (x - distance...x + distance).contains { covers($0, row) }
        }
    }

    /// The mean of the samples around it.
    ///
    /// - Parameter samples: those of a box, row by row.
    func mean(around samples: [Float], in area: SampleBox) -> Float {
        var (sum, count) = (Float(0), 0)
        // The nearest are its soft edge.
        for place in box.expanded(by: 3).places
        where area.contains(place.x, place.y) && isNear(place.x, place.y, 3)
            && !isNear(place.x, place.y, 1)
        {
            sum += samples[area.index(place.x, place.y)]
            count += 1
        }
        return sum / Float(max(count, 1))
    }
}

/// Finds the figures of a frame: what the search for motion found nowhere in the other frame.
///
/// Something that moves by more than its own size is lost at the coarse levels, where it is smaller than a sample. But the
/// ground around it is known, and so is what it hides: where both frames, laid upon each other by the ground's motion, differ,
/// one of them shows a figure.
struct FigureSearch {
    /// In a frame with more than this share of unexplained cells there is no ground to rely on.
    private static let mostUnexplained = 0.15
    /// Of a group of cells that is larger in one direction, the motion is found as usual, or isn't that of something small.
    private static let largestGroup = 8
    /// How many cells around a group are looked at, and which share of them must move alike, to within a sample.
    private static let ring = 2
    private static let leastAlike = 0.6
    /// The samples of a figure differ from the ground by at least this, and by this share of the largest difference.
    private static let leastDifference: Float = 32
    private static let leastShare: Float = 0.25
    private static let leastArea = 6
    /// Around it the ground differs by at most this share of what a figure differs by at least: otherwise something large moves
    /// there, of which it is a part.
    private static let mostUnrest: Float = 0.4
    /// At its place the other frame differs from it by this share of what sets it off from the ground.
    private static let leastChange: Float = 0.5
    /// Along this share of its outline a figure is set off more clearly in its own frame than in the other.
    private static let leastOutlined = 0.75

    private let own: PlaneSamples<Int16>
    private let other: PlaneSamples<Int16>
    private let field: MotionField
    /// Whether what moves is looked at as well: before a still ground some cells of a small thing may find their match, and others
    /// not.
    private let isGroundStill: Bool

    /// - Parameter field: the motion from the frame to the other one.
    static func figures(
        in own: PaddedPlane<Int16>, beside other: PaddedPlane<Int16>, _ field: MotionField
    ) -> [Figure] {
        let searches = [false, true].map {
            FigureSearch(
                own: own.samples, other: other.samples, field: field, isGroundStill: $0)
        }
        return searches.reduce(into: []) { figures, search in
            for figure in search.groups().flatMap(search.figures)
            where !figures.contains(where: { $0.box.contains(figure.centre) }) {
                figures.append(figure)
            }
        }
    }

    // MARK: Groups of cells

    private func isUnexplained(_ x: Int, _ y: Int) -> Bool {
        let vector = field[x, y]
        return field.cost(x, y) > MotionField.unexplained
            || isGroundStill && abs(vector.x) + abs(vector.y) >= SmallObject.leastMotion
    }

    /// The boxes, in cells, around unexplained cells that touch.
    private func groups() -> [SampleBox] {
        let (columns, rows) = (field.columns, field.rows)
        var isOpen = (0..<columns * rows).map { isUnexplained($0 % columns, $0 / columns) }
        let count = isOpen.count { $0 }
        guard count > 0, Double(count) < Self.mostUnexplained * Double(isOpen.count) else {
            return []
        }
        let whole = SampleBox(left: 0, top: 0, width: columns, height: rows)
        return isOpen.indices.compactMap { start in
            isOpen[start] ? whole.flood(&isOpen, from: start, diagonally: true).box : nil
        }.filter { max($0.width, $0.height) <= Self.largestGroup }
    }

    /// How the cells around a group move, if most move alike.
    private func ground(around group: SampleBox) -> SIMD2<Float>? {
        let around = group.expanded(by: Self.ring)
        var vectors: [SIMD2<Float>] = []
        for y in max(around.top, 0)..<min(around.top + around.height, field.rows) {
            for x in max(around.left, 0)..<min(around.left + around.width, field.columns)
            where !isUnexplained(x, y) {
                vectors.append(field[x, y])
            }
        }
        guard vectors.count >= 8 else {
            return nil
        }
        let middle = SIMD2(
            vectors.map(\.x).sorted()[vectors.count / 2],
            vectors.map(\.y).sorted()[vectors.count / 2])
        let alike = vectors.count { abs($0.x - middle.x) + abs($0.y - middle.y) < 1 }
        return Double(alike) >= Self.leastAlike * Double(vectors.count) ? middle : nil
    }

    // MARK: Figures of a group

    private func figures(of group: SampleBox) -> [Figure] {
        let cell = MotionField.cell
        let core = group.times(cell)
        let box = core.expanded(by: cell)
        guard let ground = ground(around: group),
            own.contains(box), other.contains(box, movedBy: ground)
        else {
            return []
        }
        let here = samples(of: own, in: box, movedBy: .zero)
        let there = samples(of: other, in: box, movedBy: ground)
        let changes = zip(here, there).map { $0 - $1 }
        let limit = max(Self.leastDifference, Self.leastShare * (changes.map(abs).max() ?? 0))
        func figures(of amounts: [Float]) -> (found: [Figure], isAnyPart: Bool) {
            let parts = Self.parts(of: box, where: amounts.map { $0 > limit })
            let found = parts.compactMap { inner, places in
                let figure = Self.figure(of: places, inner, in: box, amounts, ground)
                // Those beside it belong to other groups.
                return core.contains(figure.centre)
                    && Self.isOutlined(places, in: box, here, there)
                    && figure.mean(around: amounts, in: box) < Self.mostUnrest * limit
                    && !stays(figure) ? figure : nil
            }
            return (found, !parts.isEmpty)
        }
        let whole = figures(of: changes.map(abs))
        guard whole.found.isEmpty, whole.isAnyPart else {
            return whole.found
        }
        // Where it was and where it is may touch. If it is brighter than the ground, this frame is brighter at the one place, the
        // other frame at the other.
        return figures(of: changes.map { $0 < -limit ? 0 : abs($0) }).found
            + figures(of: changes.map { $0 > limit ? 0 : abs($0) }).found
    }

    /// Whether the other frame shows the same at the same place: a letter of a caption stays while the ground moves.
    private func stays(_ figure: Figure) -> Bool {
        figure.difference(from: own, to: other, movedBy: .zero)
            < Self.leastChange * figure.contrast * Float(figure.area)
    }

    /// The parts of a box that don't reach its edge.
    private static func parts(
        of box: SampleBox, where isPart: [Bool]
    ) -> [(box: SampleBox, places: [Int])] {
        var isOpen = isPart
        return isOpen.indices.compactMap { start in
            guard isOpen[start] else {
                return nil
            }
            let part = box.flood(&isOpen, from: start, diagonally: false)
            let isWhole =
                part.box.left > box.left && part.box.top > box.top
                && part.box.left + part.box.width < box.left + box.width
                && part.box.top + part.box.height < box.top + box.height
            return isWhole && part.places.count >= leastArea ? part : nil
        }
    }

    /// The samples of a box whose width is a multiple of eight.
    private func samples(
        of plane: PlaneSamples<Int16>, in box: SampleBox, movedBy vector: SIMD2<Float>
    ) -> [Float] {
        var samples = [Float](repeating: 0, count: box.count)
        for column in stride(from: 0, to: box.width, by: 8) {
            let place = SIMD2(Float(box.left + column), Float(box.top))
            var sampler = LinearSampler(plane, at: place + vector)
            for row in 0..<box.height {
                let eight = sampler.next()
                for x in 0..<8 {
                    samples[row * box.width + column + x] = Float(eight[x]) / 32
                }
            }
        }
        return samples
    }

    private static func figure(
        of places: [Int], _ inner: SampleBox, in box: SampleBox, _ changes: [Float],
        _ ground: SIMD2<Float>
    ) -> Figure {
        var mask = [Bool](repeating: false, count: inner.width * inner.height)
        var (total, sum) = (Float(0), SIMD2<Float>.zero)
        for place in places {
            let (x, y) = (box.left + place % box.width, box.top + place / box.width)
            mask[inner.index(x, y)] = true
            total += changes[place]
            sum += SIMD2(Float(x), Float(y)) * changes[place]
        }
        return Figure(
            box: inner, mask: mask, area: places.count, centre: sum / total,
            contrast: total / Float(places.count), ground: ground)
    }

    /// Whether samples differ more across the edge of some places in one frame than in the other: all around, because what
    /// moves by less than its own size leaves two crescents, of which one side is its edge in this frame, the other in that.
    private static func isOutlined(
        _ places: [Int], in box: SampleBox, _ here: [Float], _ there: [Float]
    ) -> Bool {
        let within = Set(places)
        var (all, clear) = (0, 0)
        for place in places {
            for step in [-1, 1, -box.width, box.width] where !within.contains(place + step) {
                // What is next to it may be its own soft edge.
                let far = place + 2 * step
                guard here.indices.contains(far) else {
                    continue
                }
                all += 1
                clear += abs(here[place] - here[far]) > abs(there[place] - there[far]) ? 1 : 0
            }
        }
        return Double(clear) >= leastOutlined * Double(all)
    }
}

extension PlaneSamples {
    /// Whether a box, moved by a vector, lies in the plane.
    fileprivate func contains(_ box: SampleBox, movedBy vector: SIMD2<Float> = .zero) -> Bool {
        contains(
            SIMD2(Float(box.left), Float(box.top)) + vector,
            SIMD2(Float(box.width), Float(box.height)))
    }

    /// The sample at a place in the plane, interpolated linearly.
    func linear(at place: SIMD2<Float>) -> Float {
        let limited = place.limited(
            from: .zero, to: SIMD2(Float(width - 1), Float(height - 1)))
        let (x, y) = (Int(limited.x), Int(limited.y))
        let share = limited - SIMD2(Float(x), Float(y))
        // At the right and the bottom the border repeats the last samples.
        let (upper, lower) = (row(y) + x, row(y + 1) + x)
        let above = Float(upper[0]) * (1 - share.x) + Float(upper[1]) * share.x
        let below = Float(lower[0]) * (1 - share.x) + Float(lower[1]) * share.x
        return above * (1 - share.y) + below * share.y
    }
}
