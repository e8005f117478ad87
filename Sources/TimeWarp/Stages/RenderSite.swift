import Media

/// The objects that the tracks of one render share.
struct RenderSite: Sendable {
    let interleaver: Interleaver
    let stages: StageGroup
    let progress: ProgressMeter
    let spill: SpillSpace
    /// Where decoded frames are kept for streams that follow; nil for none.
    var cache: FrameCache?
}
