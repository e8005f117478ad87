import Media

/// The source's sound around the position that is being rendered.
///
/// The samples that are needed are loaded into a window that is no longer than necessary, so memory doesn't
/// grow with the length of the sound.
package struct SourceSound {
    private enum Origin {
        /// Blocks that can be read only once, in order.
        case stream(_ read: () throws -> SampleBlock?)
        /// Samples that can be read in any order.
        case store(StoredSound)
    }
    package private(set) var window: SampleWindow
    private let origin: Origin
    private let channelCount: Int
    private var ahead: SampleBlock?
    private var hasEnded = false
    private var loaded: Range<Int64> = 0..<0
    /// The number of samples for each channel that have been read.
    private(set) var samplesIn: Int64 = 0

    /// Sound that is read forward only.
    ///
    /// - Parameter read: returns the next block; nil at the end.
    package init(channelCount: Int, reading read: @escaping () throws -> SampleBlock?) {
        self.channelCount = channelCount
        window = SampleWindow(channelCount: channelCount)
        origin = .stream(read)
    }

    /// Sound that is read in any order.
    package init(channelCount: Int, in store: StoredSound) {
        self.channelCount = channelCount
        window = SampleWindow(channelCount: channelCount)
        origin = .store(store)
    }

    /// Loads the samples of a range into the window, as far as the source has them. If the source is a stream,
    /// earlier samples are discarded.
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
                // A hole in the source is silent. It is filled only where it is needed.
                let start = min(block.start, max(window.end, span.lowerBound))
                window.skip(to: start)
                window.append(silence: Int(min(block.start, span.upperBound) - start))
                continue
            }
            window.append(block)
            samplesIn += Int64(block.count)
            ahead = nil
            // Samples that the map skips are discarded right away.
            window.discard(before: span.lowerBound)
        }
    }

    private mutating func fetch(_ span: Range<Int64>, from store: StoredSound) throws {
        guard span.lowerBound < loaded.lowerBound || span.upperBound > loaded.upperBound else {
            return
        }
        // The next request is usually near, on either side.
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
