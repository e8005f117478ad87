/// The part of a picture track that one encoder makes.
struct TrackRun: Sendable {
    /// Of a fixed rate; empty for a variable one.
    let ticks: Range<Int64>
    /// The first part begins where its first picture is shown, any other where the one before ends.
    let isFirst: Bool
    /// When the next part begins, in ticks of a variable rate; nil for the last part.
    let endTick: Int64?
    let isLast: Bool
    /// Turns that begin then, in output seconds, belong to it; others are there as neighbours.
    let own: Range<Double>
}
