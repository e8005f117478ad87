/// A small object, cut out of both frames.
struct CutObject: Sendable {
    /// What the object hides of the ground in one frame, the other frame shows.
    struct Ground: Sendable {
        /// Around the object, in luma samples of the frame.
        let box: SampleBox
        /// From the earlier frame to the later one.
        let motion: SIMD2<Float>
        /// At which instant the ground is in the box: 0 in the earlier frame, 1 in the later one.
        let instant: Float
    }

    let earlier: Matte
    let later: Matte
    /// In luma samples of the frame.
    let vector: SIMD2<Float>
    /// Around its place in the earlier frame, and in the later one.
    let grounds: (earlier: Ground, later: Ground)

    /// Around an object the motion of cells, whose blocks overlap, isn't that of the ground.
    private static let margin = 12

    init<Sample>(
        _ object: SmallObject, _ earlier: PlaneSamples<Sample>, _ later: PlaneSamples<Sample>,
        reduction: Int, depth: Int
    ) {
        self.earlier = Matte(
            of: object.earlier, in: earlier, beside: later, reduction: reduction, depth: depth)
        self.later = Matte(
            of: object.later, in: later, beside: earlier, reduction: reduction, depth: depth)
        vector = object.vector * Float(reduction)
        let margin = Self.margin * reduction
        grounds = (
            Ground(
                box: self.earlier.box.expanded(by: margin),
                motion: object.earlier.ground * Float(reduction), instant: 0),
            Ground(
                box: self.later.box.expanded(by: margin),
                motion: -object.later.ground * Float(reduction), instant: 1)
        )
    }

    /// Where it is at an instant.
    func box(at u: Float) -> SampleBox {
        earlier.box.movedBy(vector * u).union(later.box.movedBy(vector * (u - 1)))
    }
}

/// Puts small objects where they are at an instant, in a plane of a frame that was made from the other motion.
///
/// ```
///   earlier frame   ●            The ground that an object hides in one frame comes from the other one; that removes what
///   at u                 ●       the plane shows at both of its places. Then it is laid over the ground where it is at the
///   later frame               ●  instant, as it is in both frames, mixed by distance.
/// ```
struct ObjectRenderer<Sample: FixedWidthInteger & Sendable> {
    /// Over this many luma samples the ground passes into what the plane showed.
    private static var softness: Float { 4 }

    private let earlier: PlaneSamples<Sample>
    private let later: PlaneSamples<Sample>
    /// Luma samples for one sample of this plane.
    private let scale: SIMD2<Float>
    private let u: Float
    private let largest: Float

    /// - Parameters:
    ///   - earlier: the plane in the earlier frame, which must exist as long as this; and so must `later`.
    ///   - scale: luma samples for one sample of the plane.
    init(
        between earlier: PaddedPlane<Sample>, and later: PaddedPlane<Sample>,
        scale: SIMD2<Float>, depth: Int, at u: Float
    ) {
        (self.earlier, self.later) = (earlier.samples, later.samples)
        self.scale = scale
        self.u = u
        largest = Float(1 << depth - 1)
    }

    func render(_ objects: [CutObject], into target: PaddedPlane<Sample>) {
        for object in objects {
            restore(object.grounds.earlier, of: object, target)
            restore(object.grounds.later, of: object, target)
        }
        for object in objects {
            draw(object, target)
        }
    }

    /// Shows only the ground around one of an object's places, as the frames show it that don't hide it.
    private func restore(
        _ ground: CutObject.Ground, of object: CutObject, _ target: PaddedPlane<Sample>
    ) {
        let motion = ground.motion
        let shift = motion * (u - ground.instant)
        change(target, in: ground.box.movedBy(shift)) { place, old in
            let (from, to) = (place - u * motion, place + (1 - u) * motion)
            let weights = SIMD2(
                object.earlier.hides(from) ? 0 : 1 - u, object.later.hides(to) ? 0 : u)
            guard weights.sum() > 0 else {
                return old
            }
            let value =
                (weights.x * sample(earlier, from) + weights.y * sample(later, to)) / weights.sum()
            let inside = ground.box.depth(of: place - shift)
            return old + (value - old) * min(max(inside / Self.softness, 0), 1)
        }
    }

    private func draw(_ object: CutObject, _ target: PaddedPlane<Sample>) {
        let (there, back) = (u * object.vector, (u - 1) * object.vector)
        change(target, in: object.box(at: u)) { place, old in
            let (from, to) = (place - there, place - back)
            let shares = SIMD2(object.earlier.share(at: from), object.later.share(at: to))
            // What of a sample isn't the object is the ground, which the other frame shows.
            let own = SIMD2(
                shares.x == 0
                    ? 0
                    : sample(earlier, from)
                        - (1 - shares.x) * sample(later, from + object.grounds.earlier.motion),
                shares.y == 0
                    ? 0
                    : sample(later, to)
                        - (1 - shares.y) * sample(earlier, to - object.grounds.later.motion))
            let weights = SIMD2(1 - u, u)
            return old * (1 - (weights * shares).sum()) + (weights * own).sum()
        }
    }

    /// Changes the samples of a plane in a box.
    ///
    /// - Parameter change: a sample's value, from its place in luma and its old value.
    private func change(
        _ target: PaddedPlane<Sample>, in box: SampleBox,
        _ change: (_ place: SIMD2<Float>, _ old: Float) -> Float
    ) {
        let low = SIMD2(Float(box.left), Float(box.top)) / scale
        let high = SIMD2(Float(box.left + box.width), Float(box.top + box.height)) / scale
        let columns = max(0, Int(low.x))..<max(0, min(target.width, Int(high.x) + 1))
        let rows = max(0, Int(low.y))..<max(0, min(target.height, Int(high.y) + 1))
        for y in rows {
            let row = target.row(y)
            for x in columns {
                let place = (SIMD2(Float(x), Float(y)) + 0.5) * scale - 0.5
                row[x] = Sample(min(max(change(place, Float(row[x])), 0), largest) + 0.5)
            }
        }
    }

    /// A plane's sample at a place in luma.
    private func sample(_ plane: PlaneSamples<Sample>, _ place: SIMD2<Float>) -> Float {
        plane.cubic(at: (place + 0.5) / scale - 0.5)
    }
}

extension PlaneSamples {
    /// The sample at a place, interpolated by cubic convolution; beyond the edges that of the edge.
    fileprivate func cubic(at place: SIMD2<Float>) -> Float {
        let limited = place.limited(
            from: .zero, to: SIMD2(Float(width - 1), Float(height - 1)))
        let spot = SamplePlace(limited)
        let across = SIMD4<Float>(InterpolationTaps.phases[spot.fractionX].weights) / 64
        let down = SIMD4<Float>(InterpolationTaps.phases[spot.fractionY].weights) / 64
        var sum: Float = 0
        for y in 0..<4 {
            let row = row(spot.y + y - 1) + spot.x
            let samples = SIMD4(
                Float(row[-1]), Float(row[0]), Float(row[1]), Float(row[2]))
            sum += (samples * across).sum() * down[y]
        }
        return sum
    }
}
