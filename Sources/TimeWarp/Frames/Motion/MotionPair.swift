/// Two frames and the motion between them, which serves all instants in between.
struct MotionPair: Sendable {
    /// The finest level of each.
    let earlier: PaddedPlane<Int16>
    let later: PaddedPlane<Int16>
    let forward: MotionField
    let backward: MotionField
    /// How many luma samples of the frame one sample of the fields covers in each direction.
    let reduction: Int
    let relation: PairRelation

    init(_ earlier: LumaPyramid, _ later: LumaPyramid, in bands: Bands) {
        self.earlier = earlier.levels[0]
        self.later = later.levels[0]
        reduction = earlier.reduction
        let (onward, back) = bands.both((earlier, later), (later, earlier)) { frames, bands in
            let (from, to) = frames
            let field = PatchSearch.field(from: from, to: to, in: bands)
            return (
                field: field,
                relation: PairRelation(from.levels[0].samples, to.levels[0].samples, field)
            )
        }
        (forward, backward) = (onward.field, back.field)
        relation = onward.relation == .moving ? back.relation : onward.relation
    }
}
