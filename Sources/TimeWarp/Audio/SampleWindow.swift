import Media

/// A stretch of planar source samples in memory; outside of it is silence.
package struct SampleWindow {
    private(set) var channels: [[Float]]
    /// Index of the first sample held, and one past the last; nil until something is appended.
    private var first: Int64?
    private var dropped = 0

    package init(channelCount: Int) {
        channels = Array(repeating: [], count: channelCount)
    }

    /// Whether nothing was ever appended.
    package var isEmpty: Bool { first == nil }

    /// One past the last sample; very early while there is none.
    package var end: Int64 {
        first.map { $0 + Int64(channels[0].count - dropped) } ?? Int64.min / 2
    }

    /// The first sample held.
    package var start: Int64 { first ?? 0 }

    /// Appends samples; what lies between the end and their start must have been filled.
    package mutating func append(_ block: SampleBlock) {
        precondition(first == nil || block.start == end, "samples follow each other")
        first = first ?? block.start
        for index in channels.indices {
            channels[index].append(contentsOf: block.channels[index])
        }
    }

    /// Appends silence.
    package mutating func append(silence count: Int) {
        for index in channels.indices {
            channels[index].append(contentsOf: repeatElement(0, count: count))
        }
    }

    /// Goes on further on; past its end only when everything held was forgotten.
    package mutating func skip(to index: Int64) {
        guard index > end else {
            return
        }
        precondition(start == end, "samples follow each other")
        first = index
    }

    /// Forgets samples before an index. Amortised O(1) a sample.
    package mutating func discard(before index: Int64) {
        guard let first, index > first else {
            return
        }
        let count = Int(min(index, end) - first)
        dropped += count
        self.first = first + Int64(count)
        // Moving what is left pays off once most of the storage is gone.
        guard dropped > channels[0].count / 2 else {
            return
        }
        for index in channels.indices {
            channels[index].removeFirst(dropped)
        }
        dropped = 0
    }

    /// Calls `body` with all channels' samples; the first of each is sample ``start``.
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
