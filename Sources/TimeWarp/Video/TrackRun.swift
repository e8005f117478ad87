/// The chunk of a video track that one encoder makes.
struct TrackRun: Sendable {
    /// The ticks of a fixed rate; empty for a variable rate.
    let ticks: Range<Int64>
    /// Whether it is the first chunk. It begins at its first frame; any other chunk begins where the one before
    /// ends.
    let isFirst: Bool
    /// The start of the next chunk, in ticks of a variable rate; nil for the last chunk.
    let endTick: Int64?
    let isLast: Bool
    /// The presentations that start in this range, in output seconds, belong to the chunk. Others are decoded
    /// only as neighbours.
    let own: Range<Double>
}
