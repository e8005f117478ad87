/// Something small that moves by more than its own size: a figure of the earlier frame, and the same in the later one.
struct SmallObject: Sendable {
    let earlier: Figure
    let later: Figure
    /// From its place in the earlier frame to that in the later one.
    let vector: SIMD2<Float>

    /// How far it may move, as a share of the frame's shorter side.
    private static let reach: Float = 0.3
    /// Across the ground it moves by at least this many samples, and this share of its diameter: less is found as other motion
    /// is, and what seems to be small may be a part of something large.
    static let leastMotion: Float = 3
    private static let leastShare: Float = 0.7
    /// At most this share of what sets it off from the ground may differ between its two figures.
    private static let mostUnlike: Float = 0.35
    /// Of the samples that one of its figures covers, when they are laid upon each other, both cover this share.
    private static let leastShared: Float = 0.6
    /// Another figure that is as alike, or nearly, leaves open which of them it is.
    private static let clearness: Float = 1.5
    /// More figures aren't compared: there are snow, sparks or leaves, of which one is like the other.
    private static let mostFigures = 64

    /// Finds the figures of two frames that are one object.
    static func all(
        _ earlier: [Figure], in a: PaddedPlane<Int16>, _ later: [Figure],
        in b: PaddedPlane<Int16>
    ) -> [SmallObject] {
        guard max(earlier.count, later.count) <= mostFigures else {
            return []
        }
        let reach = reach * Float(min(a.width, a.height))
        var pairs: [(object: SmallObject, places: SIMD2<Int>, cost: Float)] = []
        for (i, figure) in earlier.enumerated() {
            for (j, other) in later.enumerated() {
                let object = SmallObject(
                    earlier: figure, later: other, vector: other.centre - figure.centre)
                let distance = object.distance
                guard distance < reach else {
                    continue
                }
                let cost = object.unlikeness(a.samples, b.samples)
                if cost < mostUnlike {
                    pairs.append((object, SIMD2(i, j), cost + mostUnlike * distance / reach))
                }
            }
        }
        return pairs.filter { pair in
            pair.object.movesAcrossGround
                && pairs.allSatisfy { other in
                    let isRival = (other.places .== pair.places) != SIMDMask(repeating: false)
                    return !isRival || other.places == pair.places
                        || other.cost > clearness * pair.cost
                }
        }.map(\.object)
    }

    private var distance: Float { (vector * vector).sum().squareRoot() }

    private var movesAcrossGround: Bool {
        let own = vector - earlier.ground
        let diameter = 2 * (Float(max(earlier.area, later.area)) / .pi).squareRoot()
        return (own * own).sum().squareRoot() >= max(Self.leastMotion, Self.leastShare * diameter)
    }

    /// How much its two figures differ, as a share of what sets them off from their grounds.
    private func unlikeness(_ a: PlaneSamples<Int16>, _ b: PlaneSamples<Int16>) -> Float {
        let areas = (Float(earlier.area), Float(later.area))
        let (x, y) = (Int(vector.x.rounded()), Int(vector.y.rounded()))
        let both = Float(
            earlier.box.places.count {
                earlier.covers($0.x, $0.y) && later.covers($0.x + x, $0.y + y)
            })
        guard both >= Self.leastShared * (areas.0 + areas.1 - both) else {
            return .infinity
        }
        let sum =
            earlier.difference(from: a, to: b, movedBy: vector)
            + later.difference(from: b, to: a, movedBy: -vector)
        return sum / (areas.0 * earlier.contrast + areas.1 * later.contrast)
    }
}

extension Figure {
    /// The sum of the differences between its samples and those of another frame along a vector.
    func difference(
        from own: PlaneSamples<Int16>, to other: PlaneSamples<Int16>, movedBy vector: SIMD2<Float>
    ) -> Float {
        mask.indices.reduce(0) { sum, place in
            guard mask[place] else {
                return sum
            }
            let (x, y) = (box.left + place % box.width, box.top + place / box.width)
            let there = other.linear(at: SIMD2(Float(x), Float(y)) + vector)
            return sum + abs(Float(own.row(y)[x]) - there)
        }
    }
}
