/// Decoded sound in a file without a name, to be read wherever it is wanted.
///
/// Many codecs carry something on from the first packet to the last (noise that fills bands, adapted
/// filters), so that decoding from the middle gives other samples. Decoded once from the start and
/// kept, sound is the same backwards as forwards, bit for bit. It takes 4 bytes a sample and channel.
///
/// Used on one thread at a time: filled by one, and then handed over.
// @unchecked: whoever fills it lets go of it before another reads.
package final class StoredSound: @unchecked Sendable {
    private let channelCount: Int
    private let file: SpillFile
    /// The samples that are there, as their reader counts them.
    package private(set) var range: Range<Int64> = 0..<0
    private var scratch: [Float] = []

    /// - Throws: ``MediaError`` when no temporary file can be made.
    package init(channelCount: Int, space: SpillSpace) throws {
        self.channelCount = channelCount
        file = try SpillFile(in: space)
    }

    /// Takes in a block that follows those before; a hole between them is silence.
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

    /// The samples of a span, as far as there are any.
    ///
    /// - Throws: ``MediaError`` when they can't be read back.
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
