import Media

/// The source's sound around the place that is being rendered.
///
/// Blocks are asked for as the place moves on, and dropped once it is past, so memory doesn't grow
/// with length.
struct SourceSound {
    private(set) var window: SampleWindow
    private let read: () throws -> SampleBlock?
    private var ahead: SampleBlock?
    private var hasEnded = false
    /// Samples taken so far, a channel.
    private(set) var samplesIn: Int64 = 0

    /// - Parameter read: hands over the next block, nil at the end.
    init(channelCount: Int, reading read: @escaping () throws -> SampleBlock?) {
        window = SampleWindow(channelCount: channelCount)
        self.read = read
    }

    /// Brings the samples of a span into the window, as far as the source has them, and forgets
    /// those before it.
    mutating func load(_ span: Range<Int64>) throws {
        window.discard(before: span.lowerBound)
        while window.end < span.upperBound {
            if ahead == nil && !hasEnded {
                ahead = try read()
                hasEnded = ahead == nil
            }
            guard let block = ahead else {
                return
            }
            if !window.isEmpty && block.start > window.end {
                // A hole is silence, filled only as far as it is reached.
                window.append(silence: Int(min(block.start, span.upperBound) - window.end))
                continue
            }
            window.append(block)
            samplesIn += Int64(block.count)
            ahead = nil
        }
    }
}
