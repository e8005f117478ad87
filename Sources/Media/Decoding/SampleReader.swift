import CLibAV
import DequeModule
import TimeMaps

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
    /// What timestamps are rounded to, where that is more than a sample; 0 if not.
    private let tickSeconds: Double
    private var offsets: SoundOffsets
    private var expected: Int64?
    private var blockCount = 0
    private var converter: SampleConverter?
    /// Follows a clock that is off; nil while there was none.
    private var stretcher: SampleConverter?
    /// The last samples that weren't stretched, in each channel.
    private var latest: [[Float]] = []
    /// More samples than libswresample looks at on either side.
    private static let resamplerReach = 64
    private var wantedStart: Int64
    /// Frames that were decoded ahead.
    private var ahead: Deque<DecodedSound> = []

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
        offsets = SoundOffsets(rounding: max(2.5 * stream.timeBase.seconds, 0.003))
        // Only short ticks are a rounding; AVI has ticks of a whole packet.
        tickSeconds = (1e-4...0.002).contains(stream.timeBase.seconds) ? stream.timeBase.seconds : 0
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
        if let decoded = ahead.popFirst() {
            return decoded
        }
        return try decodeAnother()
    }

    private func decodeAnother() throws -> DecodedSound? {
        try decoder.next { frame in
            let stamped = RationalTime(frame.pointee.best_effort_timestamp, in: decoder.timeBase)?
                .relative(to: origin).seconds
            return DecodedSound(
                channels: converted(frame),
                stamped: stamped.flatMap { abs($0) < 1e9 ? $0 : nil })
        }
    }

    private func block(from decoded: DecodedSound) throws -> SampleBlock {
        let (start, stretch) = try place(decoded)
        var channels = try stretched(decoded.channels, by: stretch)
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

    /// Samples that follow those before, made longer by a share of their duration.
    private func stretched(_ channels: [[Float]], by stretch: Double) throws -> [[Float]] {
        var known = 0
        if stretch != 0, stretcher == nil {
            // It needs the samples before, so that nothing is heard of its beginning.
            let new = try SampleConverter(stretching: layout, rate: sampleRate, path: path)
            try new.stretch(by: 0)
            known = latest[0].count - (try new.convert(latest)[0].count)
            stretcher = new
        }
        guard let stretcher else {
            latest = channels.map { Array($0.suffix(Self.resamplerReach)) }
            return channels
        }
        try stretcher.stretch(by: stretch)
        return try stretcher.convert(channels).map { Array($0.dropFirst(known)) }
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

    /// The index of the frame's first sample, and the share of its duration by which it is made longer.
    private func place(_ decoded: DecodedSound) throws -> (start: Int64, stretch: Double) {
        guard let stamped = decoded.stamped else {
            return (expected ?? 0, 0)
        }
        guard let expected else {
            return (try firstPlace(stamped, decoded), 0)
        }
        let offset = stamped - seconds(expected)
        guard offsets.isOff(offset) else {
            return (expected, 0)
        }
        let correction = offsets.correction(
            try coming(decoded, from: expected),
            frameSeconds: seconds(Int64(decoded.count)), isSecond: blockCount == 1)
        switch correction {
        case .follow(let stretch):
            return (expected, stretch)
        case .step(let step):
            stretcher = nil
            return (Int64(nearest: (seconds(expected) + step) * Double(sampleRate)), 0)
        }
    }

    /// The index of the first sample. After a seek it is where reading from the start would have come to, although
    /// timestamps are rounded or jitter.
    private func firstPlace(_ stamped: Double, _ decoded: DecodedSound) throws -> Int64 {
        let start = Int64(nearest: stamped * Double(sampleRate))
        let isAtStart = wantedStart == .min
        if isAtStart, abs(stamped) <= tickSeconds {
            return 0
        }
        guard !isAtStart || tickSeconds > 0 else {
            return start
        }
        let coming = try coming(decoded, from: start)
        if let late = SoundOffsets.lateness(coming, roundedTo: tickSeconds) {
            return Int64(nearest: (seconds(start) + late) * Double(sampleRate))
        }
        guard !isAtStart else {
            return start
        }
        return Int64(nearest: (stamped + offsets.lateness(coming)) * Double(sampleRate))
    }

    /// The offsets of a frame and those after it, if all followed each other from `start` on.
    private func coming(
        _ decoded: DecodedSound, from start: Int64
    ) throws -> [SoundOffsets.Coming] {
        var frames: [SoundOffsets.Coming] = []
        var next = decoded
        var end = start
        var used = 0
        while true {
            let begins = seconds(end - start)
            if let stamped = next.stamped {
                frames.append((stamped - seconds(end), begins))
            }
            end += Int64(next.count)
            let isEnough = begins > SoundOffsets.horizon && frames.count >= SoundOffsets.fewest
            guard !isEnough, used < SoundOffsets.most else {
                return frames
            }
            if used == ahead.count {
                guard let another = try decodeAnother() else {
                    return frames
                }
                ahead.append(another)
            }
            next = ahead[used]
            used += 1
        }
    }

    private func seconds(_ samples: Int64) -> Double {
        Double(samples) / Double(sampleRate)
    }
}
