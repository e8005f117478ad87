import Media

/// The source's sound around the place that is being rendered.
///
/// What is needed is brought into a window that is never longer than that takes, so memory doesn't
/// grow with length.
package struct SourceSound {
    private enum Origin {
        /// Blocks that come in order, once.
        case stream(_ read: () throws -> SampleBlock?)
        /// Any samples, at any time.
        case store(StoredSound)
    }
    package private(set) var window: SampleWindow
    private let origin: Origin
    private let channelCount: Int
    private var ahead: SampleBlock?
    private var hasEnded = false
    private var loaded: Range<Int64> = 0..<0
    /// Samples taken so far, a channel.
    private(set) var samplesIn: Int64 = 0

    /// Sound that is only ever asked for further on.
    ///
    /// - Parameter read: hands over the next block, nil at the end.
    package init(channelCount: Int, reading read: @escaping () throws -> SampleBlock?) {
        self.channelCount = channelCount
        window = SampleWindow(channelCount: channelCount)
        origin = .stream(read)
    }

    /// Sound that is asked for here and there.
    package init(channelCount: Int, in store: StoredSound) {
        self.channelCount = channelCount
        window = SampleWindow(channelCount: channelCount)
        origin = .store(store)
    }

    /// Brings the samples of a span into the window, as far as the source has them. Of a stream
    /// those before it are forgotten.
    package mutating func load(_ span: Range<Int64>) throws {
        switch origin {
        case .stream(let read): try advance(to: span, read)
        case .store(let store): try fetch(span, from: store)
        }
    }

    private mutating func advance(
        to span: Range<Int64>, _ read: () throws -> SampleBlock?
    ) throws {
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
                // A hole is silence, filled only where it is asked for.
                let start = min(block.start, max(window.end, span.lowerBound))
                window.skip(to: start)
                window.append(silence: Int(min(block.start, span.upperBound) - start))
                continue
            }
            window.append(block)
            samplesIn += Int64(block.count)
            ahead = nil
            // Where the map skips, what is skipped only passes through.
            window.discard(before: span.lowerBound)
        }
    }

    private mutating func fetch(_ span: Range<Int64>, from store: StoredSound) throws {
        guard span.lowerBound < loaded.lowerBound || span.upperBound > loaded.upperBound else {
            return
        }
        // What comes next lies on either side, most often.
        let margin = Int64(min(max(span.count, 1 << 14), 1 << 16))
        loaded = span.lowerBound - margin..<span.upperBound + margin
        window = SampleWindow(channelCount: channelCount)
        let block = try store.read(loaded)
        if block.count > 0 {
            window.append(block)
        }
        samplesIn = Int64(store.range.count)
    }
}
