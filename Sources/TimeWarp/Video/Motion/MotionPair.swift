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
        forward = PatchSearch.field(from: earlier, to: later, in: bands)
        backward = PatchSearch.field(from: later, to: earlier, in: bands)
        let onward = PairRelation(self.earlier, self.later, forward)
        relation =
            onward == .moving
            ? PairRelation(self.later, self.earlier, backward) : onward
    }
}
