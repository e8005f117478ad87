/// A run of decoded, planar samples that begins at an exact sample index.
package struct SampleBlock: Sendable {
    /// The index of the first sample, counted at the stream's sample rate from zero of asset time; negative before
    /// that.
    package let start: Int64
    /// One array for each channel, all of one length. Full scale is ±1.
    package private(set) var channels: [[Float]]

    package init(start: Int64, channels: [[Float]]) {
        self.start = start
        self.channels = channels
    }

    /// The number of samples in each channel.
    package var count: Int { channels.first?.count ?? 0 }
    /// The index after the last sample.
    package var end: Int64 { start + Int64(count) }

    /// Appends a block if it follows without a gap and both together have at most `limit` samples.
    ///
    /// - Returns: whether it was appended.
    package mutating func append(_ next: SampleBlock, upTo limit: Int) -> Bool {
        guard next.start == end, count + next.count <= limit else {
            return false
        }
        for index in channels.indices {
            channels[index].append(contentsOf: next.channels[index])
        }
        return true
    }
}
