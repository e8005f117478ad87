/// Two frames and the motion between them, which serves all instants in between.
struct MotionPair: Sendable {
    /// The finest level of each, the later one as bright as the earlier one.
    let earlier: PaddedPlane<Int16>
    let later: PaddedPlane<Int16>
    let forward: MotionField
    let backward: MotionField
    /// How many luma samples of the frame one sample of the fields covers in each direction.
    let reduction: Int
    let relation: PairRelation
    /// What is small and moves by more than its own size, which the fields don't tell.
    let objects: [SmallObject]

    init(_ earlier: LumaPyramid, _ later: LumaPyramid, in bands: Bands) {
        let exposure = ExposureChange(from: earlier, to: later)
        let undone = exposure?.undone(in: later, bands) ?? later
        self.earlier = earlier.levels[0]
        self.later = undone.levels[0]
        reduction = earlier.reduction
        let seen = (earlier.levels[0].samples, later.levels[0].samples)
        let (onward, back) = bands.both(
            (from: earlier, to: undone, seen: seen),
            (from: undone, to: earlier, seen: (seen.1, seen.0))
        ) { frames, bands in
            let field = PatchSearch.field(from: frames.from, to: frames.to, in: bands)
            return (
                field: field, relation: PairRelation(frames.seen.0, frames.seen.1, field)
            )
        }
        (forward, backward) = (onward.field, back.field)
        relation = onward.relation == .moving ? back.relation : onward.relation
        // Small objects are cut out of frames that are equally bright.
        objects =
            relation == .moving && exposure == nil
            ? SmallObject.all(
                FigureSearch.figures(in: self.earlier, beside: self.later, forward),
                in: self.earlier,
                FigureSearch.figures(in: self.later, beside: self.earlier, backward),
                in: self.later)
            : []
    }

    /// Makes a plane of the frame at an instant.
    ///
    /// - Parameters:
    ///   - earlier: the plane in the earlier frame, and `later` in the later one.
    ///   - vectors: those at `u`, see ``VectorChoice``.
    ///   - objects: the small ones, with their mattes.
    ///   - coverage: luma samples of the frame for one sample of the plane.
    ///   - depth: how many bits a sample has.
    func render<Arithmetic: SampleArithmetic>(
        _ arithmetic: Arithmetic, between earlier: PaddedPlane<Arithmetic.Sample>,
        and later: PaddedPlane<Arithmetic.Sample>, along vectors: MotionField,
        _ objects: [CutObject], coverage: SIMD2<Float>, depth: Int, at u: Float,
        into plane: PaddedPlane<Arithmetic.Sample>, in bands: Bands
    ) {
        PlaneRenderer(
            arithmetic, between: earlier, and: later, along: vectors,
            scale: Float(reduction) / coverage, at: u
        ).render(into: plane, in: bands)
        ObjectRenderer(
            between: earlier, and: later, scale: coverage, depth: depth, at: u
        ).render(objects, into: plane)
    }

    /// The small objects as they are cut out of the lumas of both frames.
    func cutObjects<Sample>(
        from earlier: PaddedPlane<Sample>, to later: PaddedPlane<Sample>, depth: Int
    ) -> [CutObject] {
        objects.map {
            CutObject($0, earlier.samples, later.samples, reduction: reduction, depth: depth)
        }
    }
}
