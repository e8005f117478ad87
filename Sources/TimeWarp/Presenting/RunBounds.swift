/// The part of a segment's frames that one encoder makes, and how it joins what comes before and after.
struct RunBounds: Sendable {
    /// The ticks of a fixed rate; empty for a variable one.
    let ticks: Range<Int64>
    /// Whether the track starts with its first frame. Any other run starts where the run before it ends.
    let isFirst: Bool
    /// The tick at which the next run starts, for a variable rate; nil for the last run.
    let endTick: Int64?
    /// Presentations that start in this range, in output seconds, belong to the run. Others are only neighbours for
    /// blending.
    let own: Range<Double>
}
