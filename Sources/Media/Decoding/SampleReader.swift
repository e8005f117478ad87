import CLibAV
import TimeMaps

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

/// Decodes the sound of one stream in order, as planar Float samples without encoder delay.
///
/// Blocks never overlap. A gap between two blocks counts as silence. Used on one thread.
package final class SampleReader {
    /// The sample rate of every block, in Hz, even if the stream changes to another one.
    package let sampleRate: Int
    /// The number of channels in every block.
    package let channelCount: Int
    private let layout: ChannelLayout
    private let origin: RationalTime
    private let path: String
    private let decoder: StreamDecoder
    private let resyncSeconds: Double
    private let snapSeconds: Double
    private var expected: Int64?
    private var blockCount = 0
    private var converter: SampleConverter?
    private var wantedStart: Int64
    /// A frame that was decoded ahead.
    private var ahead: DecodedSound?

    /// The samples of a frame, and when the file says that they begin.
    private struct DecodedSound {
        var channels: [[Float]]
        /// In asset time; nil if unknown.
        let stamped: Double?

        var count: Int { channels.first?.count ?? 0 }
    }

    /// Shorter gaps come from the container's rounding. A lost audio frame leaves a longer gap with every codec.
    private static let noticedHoleSeconds = 0.01

    /// - Parameter start: the asset time before which no samples are needed; some earlier ones may be returned,
    ///   too.
    /// - Throws: ``MediaError`` when the stream can't be decoded.
    package init(
        of asset: Asset, stream: Asset.Stream, from start: RationalTime = .zero
    ) throws {
        guard let format = stream.audioFormat else {
            preconditionFailure("stream \(stream.index) carries no sound")
        }
        sampleRate = format.sampleRate
        channelCount = format.channelCount
        layout = format.layout
        origin = asset.origin
        path = asset.path
        decoder = try StreamDecoder(of: asset, stream: stream, threads: 1)
        // Rounded timestamps jitter by one or two ticks; a real gap is at least as long as an audio frame.
        resyncSeconds = max(2.5 * stream.timeBase.seconds, 0.003)
        // Only short ticks are a rounding; AVI has ticks of a whole packet.
        snapSeconds = (1e-4...0.002).contains(stream.timeBase.seconds) ? stream.timeBase.seconds : 0
        wantedStart = Int64.min
        if start.seconds > 2 {
            // Half a second early, for codecs that need a few frames until their output is right.
            let seconds = start.seconds + origin.seconds - 0.5
            _ = decoder.seek(to: Int64(nearest: seconds / av_q2d(decoder.timeBase)))
            wantedStart = Int64(nearest: (start.seconds - 0.25) * Double(sampleRate))
        }
    }

    /// What couldn't be read or decoded so far.
    package var damage: StreamDamage { decoder.damage }

    /// Returns the next block, or nil after the last.
    package func next() throws -> SampleBlock? {
        while let decoded = try decodeNext() {
            let block = try block(from: decoded)
            if block.count > 0 && block.end > wantedStart {
                return block
            }
        }
        return nil
    }

    private func decodeNext() throws -> DecodedSound? {
        if let decoded = ahead {
            ahead = nil
            return decoded
        }
        return try decoder.next { frame in
            let stamped = RationalTime(frame.pointee.best_effort_timestamp, in: decoder.timeBase)?
                .relative(to: origin).seconds
            return DecodedSound(
                channels: converted(frame),
                stamped: stamped.flatMap { abs($0) < 1e9 ? $0 : nil })
        }
    }

    private func block(from decoded: DecodedSound) throws -> SampleBlock {
        var channels = decoded.channels
        let start = try place(decoded)
        // Writers that can't state an encoder's delay stretch the first packet, which holds only that.
        let isAfterFirst = blockCount == 1
        blockCount += 1
        if let expected, !isAfterFirst,
            Double(start - expected) > Self.noticedHoleSeconds * Double(sampleRate)
        {
            decoder.noteHole(at: expected, count: start - expected, sampleRate: sampleRate)
        }
        let overlap = expected.map { max(0, $0 - start) } ?? 0
        if overlap > 0 {
            let dropped = Int(min(overlap, Int64(channels.first?.count ?? 0)))
            channels = channels.map { Array($0.dropFirst(dropped)) }
        }
        let block = SampleBlock(start: start + overlap, channels: channels)
        expected = max(expected ?? Int64.min, block.end)
        return block
    }

    /// The frame's samples; empty channels if they can't be converted to the stream's rate and layout.
    private func converted(_ frame: UnsafeMutablePointer<AVFrame>) -> [[Float]] {
        do {
            if converter?.accepts(frame) != true {
                converter = try SampleConverter(
                    from: frame, toRate: sampleRate, layout: layout, path: path)
            }
            if let converter {
                return try converter.convert(frame)
            }
        } catch {
            converter = nil
            decoder.noteUnusable()
        }
        return Array(repeating: [], count: channelCount)
    }

    /// The index of the frame's first sample: right after the previous frame, unless its timestamp clearly
    /// differs, and so does that of the next frame.
    private func place(_ decoded: DecodedSound) throws -> Int64 {
        guard let stamped = decoded.stamped else {
            return expected ?? 0
        }
        guard let expected else {
            return abs(stamped) <= snapSeconds ? 0 : Int64(nearest: stamped * Double(sampleRate))
        }
        guard !follows(stamped, expected) else {
            return expected
        }
        // libav works out the times inside a page of Ogg, and may be wrong about a frame of Vorbis of another length.
        ahead = try decodeNext()
        if let next = ahead?.stamped, follows(next, expected + Int64(decoded.count)) {
            return expected
        }
        return Int64(nearest: stamped * Double(sampleRate))
    }

    /// Whether a timestamp is that of a sample, but for rounding.
    private func follows(_ stamped: Double, _ sample: Int64) -> Bool {
        abs(stamped - Double(sample) / Double(sampleRate)) <= resyncSeconds
    }
}
