/// Decoded sound in an unlinked temporary file, which can be read from any place.
///
/// Many codecs carry a state from the first packet to the last (noise that fills bands, adaptive filters), so
/// decoding from the middle gives other samples. If sound is decoded once from the start and stored, it is the
/// same backwards and forwards, bit for bit. It takes 4 bytes for each sample of each channel.
///
/// Used on one thread at a time: one thread fills it and then passes it on.
// @unchecked: the thread that fills it no longer uses it when another reads.
package final class StoredSound: @unchecked Sendable {
    private let channelCount: Int
    private let file: SpillFile
    /// The stored samples, by their indices as in ``SampleBlock``.
    package private(set) var range: Range<Int64> = 0..<0
    private var scratch: [Float] = []

    /// - Throws: ``MediaError`` when the temporary file can't be created.
    package init(channelCount: Int, space: SpillSpace) throws {
        self.channelCount = channelCount
        file = try SpillFile(in: space)
    }

    /// Appends a block, which must come after the previous ones; a gap before it is filled with silence.
    ///
    /// - Throws: ``MediaError`` when the disk is full.
    package func append(_ block: SampleBlock) throws {
        if range.isEmpty {
            range = block.start..<block.start
        }
        try append(silence: block.start - range.upperBound)
        scratch.removeAll(keepingCapacity: true)
        scratch.reserveCapacity(block.count * channelCount)
        for index in 0..<block.count {
            for channel in block.channels {
                scratch.append(channel[index])
            }
        }
        try write()
        range = range.lowerBound..<block.end
    }

    private func append(silence count: Int64) throws {
        if count > 0 {
            try file.append(zeros: count * Int64(4 * channelCount))
        }
    }

    private func write() throws {
        _ = try scratch.withUnsafeBytes { try file.append($0) }
    }

    /// Returns the samples of a span, as far as they are stored.
    ///
    /// - Throws: ``MediaError`` when they can't be read.
    package func read(_ span: Range<Int64>) throws -> SampleBlock {
        let inside = span.clamped(to: range)
        let count = inside.count * channelCount
        let bytesPerSample = Int64(4 * channelCount)
        let samples = try [Float](unsafeUninitializedCapacity: count) { buffer, filled in
            if count > 0 {
                try file.read(
                    into: UnsafeMutableRawBufferPointer(buffer),
                    from: (inside.lowerBound - range.lowerBound) * bytesPerSample)
            }
            filled = count
        }
        let channels = (0..<channelCount).map { channel in
            [Float](unsafeUninitializedCapacity: inside.count) { plane, filled in
                var place = channel
                for index in 0..<inside.count {
                    plane[index] = samples[place]
                    place += channelCount
                }
                filled = inside.count
            }
        }
        return SampleBlock(start: inside.lowerBound, channels: channels)
    }
}
