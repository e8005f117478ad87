/// How much of each sample of a frame's luma something covers: 1 within it, less at a soft edge.
struct Matte: Sendable {
    /// In luma samples of the frame.
    let box: SampleBox
    private let shares: [Float]

    /// A share below this is noise.
    private static let least: Float = 0.1
    /// How far the soft edge of a figure goes, in samples of the level that motion is searched at.
    private static let edge = 2

    /// The matte of a figure. A sample that it covers in part lies between the figure and the ground, and the other frame shows
    /// that ground.
    ///
    /// - Parameters:
    ///   - own: the luma of the frame that shows the figure; `other` that of the other frame.
    ///   - reduction: luma samples for one sample of the level that motion is searched at.
    ///   - depth: how many bits a luma sample has.
    init<Sample>(
        of figure: Figure, in own: PlaneSamples<Sample>, beside other: PlaneSamples<Sample>,
        reduction: Int, depth: Int
    ) {
        let box = figure.box.expanded(by: Self.edge).times(reduction)
        let ground = figure.ground * Float(reduction)
        let contrast = figure.contrast * Float(1 << depth) / 1024
        self.box = box
        shares = box.places.map { place in
            let (x, y) = (place.x.floored(reduction), place.y.floored(reduction))
            guard !figure.isWithin(x, y) else {
                return 1
            }
            guard figure.isNear(x, y, Self.edge) else {
                return 0
            }
            let point = SIMD2<Float>(place)
            let share = abs(own.linear(at: point) - other.linear(at: point + ground)) / contrast
            return share < Self.least ? 0 : min(share, 1)
        }
    }

    /// Whether the ground isn't seen at a place, or only through the soft edge.
    func hides(_ place: SIMD2<Float>) -> Bool {
        let around = SampleBox(
            left: SamplePlace.rounded(place.x) - 1, top: SamplePlace.rounded(place.y) - 1, width: 3,
            height: 3)
        return around.places.contains {
            box.contains($0.x, $0.y) && shares[box.index($0.x, $0.y)] > 0
        }
    }

    /// The share at a place in the frame's luma, interpolated linearly.
    func share(at place: SIMD2<Float>) -> Float {
        let (left, top) = (Int(place.x.rounded(.down)), Int(place.y.rounded(.down)))
        let part = place - SIMD2(Float(left), Float(top))
        func at(_ x: Int, _ y: Int) -> Float { box.contains(x, y) ? shares[box.index(x, y)] : 0 }
        let above = at(left, top) * (1 - part.x) + at(left + 1, top) * part.x
        let below = at(left, top + 1) * (1 - part.x) + at(left + 1, top + 1) * part.x
        return above * (1 - part.y) + below * part.y
    }
}

extension Int {
    /// The quotient, rounded down.
    fileprivate func floored(_ divisor: Int) -> Int {
        (self >= 0 ? self : self - divisor + 1) / divisor
    }
}
