import Media

/// A range of planar source samples in memory. Outside of the range is silence.
package struct SampleWindow {
    private(set) var channels: [[Float]]
    /// The index of the first sample in memory; nil until something is appended.
    private var first: Int64?
    private var dropped = 0

    package init(channelCount: Int) {
        channels = Array(repeating: [], count: channelCount)
    }

    /// Whether nothing was ever appended.
    package var isEmpty: Bool { first == nil }

    /// The index after the last sample; a very low number while there are no samples.
    package var end: Int64 {
        first.map { $0 + Int64(channels[0].count - dropped) } ?? Int64.min / 2
    }

    /// The index of the first sample; 0 while there are no samples.
    package var start: Int64 { first ?? 0 }

    /// Appends samples, which must start at ``end`` unless they are the first.
    package mutating func append(_ block: SampleBlock) {
        precondition(first == nil || block.start == end, "samples follow each other")
        first = first ?? block.start
        for index in channels.indices {
            channels[index].append(contentsOf: block.channels[index])
        }
    }

    /// Appends `count` silent samples.
    package mutating func append(silence count: Int) {
        for index in channels.indices {
            channels[index].append(contentsOf: repeatElement(0, count: count))
        }
    }

    /// Continues at a later index. Everything in memory must have been discarded.
    package mutating func skip(to index: Int64) {
        guard index > end else {
            return
        }
        precondition(start == end, "samples follow each other")
        first = index
    }

    /// Discards the samples before an index. Amortised O(1) for each sample.
    package mutating func discard(before index: Int64) {
        guard let first, index > first else {
            return
        }
        let count = Int(min(index, end) - first)
        dropped += count
        self.first = first + Int64(count)
        // Moving the rest is worth it only once most of the storage is unused.
        guard dropped > channels[0].count / 2 else {
            return
        }
        for index in channels.indices {
            channels[index].removeFirst(dropped)
        }
        dropped = 0
    }

    /// The samples of a range, one array for each channel.
    func samples(_ range: Range<Int64>) -> [[Float]] {
        let (first, last) = (max(range.lowerBound, start), min(range.upperBound, end))
        return withChannels { channels in
            channels.map { samples in
                var values = [Float](repeating: 0, count: range.count)
                if first < last {
                    let part = samples[Int(first - start)..<Int(last - start)]
                    values.replaceSubrange(
                        Int(first - range.lowerBound)..<Int(last - range.lowerBound), with: part)
                }
                return values
            }
        }
    }

    /// Calls `body` with the samples of all channels. The first sample of each has the index ``start``.
    package func withChannels<Result>(_ body: ([UnsafeBufferPointer<Float>]) -> Result) -> Result {
        withChannels(after: [], body)
    }

    private func withChannels<Result>(
        after views: [UnsafeBufferPointer<Float>],
        _ body: ([UnsafeBufferPointer<Float>]) -> Result
    ) -> Result {
        guard views.count < channels.count else {
            return body(views)
        }
        return channels[views.count].withUnsafeBufferPointer { samples in
            withChannels(after: views + [UnsafeBufferPointer(rebasing: samples[dropped...])], body)
        }
    }
}
