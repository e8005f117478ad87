import Media
import TimeMaps

/// How a track of AAC is put together of a source's packets and of those of our encoder.
///
/// Packets follow each other every 1024 samples. So a source's packets can be kept where it is heard at its own speed, and all
/// that are kept are the same part of 1024 samples away from where they are in the source. The track begins earlier than it
/// is heard, so that its packets are where the kept ones are:
/// ```
/// packets       ├──┬──┬──┬──┬──┬──┬──┤
/// heard            ·│────────────────│
///               └──┘ padding: 1024 to 2047 samples
/// ```
struct SoundSplicing: Sendable {
    /// How many samples come before the first one that is heard: 1024 to 2047. What is heard in the first frame isn't all in
    /// the first packet, so it lies before.
    let padding: Int64
    /// How many samples are heard.
    let sampleCount: Int64
    /// Runs of packets, one after another.
    let runs: [Run]
    /// That of what is kept, in bits per second: what is encoded between shouldn't sound worse.
    let bitRate: Int

    struct Run: Sendable {
        /// The numbers of the packets in the track.
        let packets: Range<Int64>
        /// Where they come from, and the number of the first one there; nil for our encoder.
        let source: (packets: SoundPackets, first: Int)?
    }

    /// Our encoder is ahead by this many packets, which aren't used, so that it has heard what comes before.
    static let lead: Int64 = 3

    /// The samples of the track whose frames begin with some packets.
    func samples(of packets: Range<Int64>) -> Range<Int64> {
        let (frame, count) = (SoundPackets.frameCount, Int64(packets.count))
        let start = packets.lowerBound * frame - padding
        return start..<start + count * frame
    }

    /// Those of them that are heard.
    func heard(of packets: Range<Int64>) -> Range<Int64> {
        samples(of: packets).clamped(to: 0..<sampleCount)
    }

    /// The number of samples that are heard of packets that are kept.
    var keptSampleCount: Int64 {
        runs.reduce(0) { $0 + ($1.source == nil ? 0 : Int64(heard(of: $1.packets).count)) }
    }
}

/// A part of a track in which one source is heard as it is.
struct PlainSound {
    /// The samples of the track.
    let samples: Range<Int64>
    let source: SoundPackets
    /// The sample of the track at which the source's first packet's frame begins, to the nearest: by half a sample at most
    /// it is heard earlier or later than the map says.
    let start: Int64

    /// How many samples come before the first one that is heard in a track with these packets.
    var padding: Int64 {
        let frame = SoundPackets.frameCount
        let phase = start % frame
        return frame + (phase > 0 ? frame - phase : -phase)
    }
}

extension SoundSplicing {
    /// Fewer packets aren't worth a change of encoders: half a second.
    private static let shortest: Int64 = 24

    /// Keeps as many packets as possible.
    ///
    /// - Parameters:
    ///   - parts: in order.
    ///   - sampleCount: how many samples are heard.
    /// - Returns: nil if nothing can be kept.
    init?(_ parts: [PlainSound], sampleCount: Int64) {
        let lengths = Dictionary(
            parts.map { ($0.padding, $0.samples.count) }, uniquingKeysWith: +)
        // If two would keep as much, the less counts, so that the same plan is made each time.
        let longest = lengths.max { ($0.value, $1.key) < ($1.value, $0.key) }
        guard let padding = longest?.key else {
            return nil
        }
        let frame = SoundPackets.frameCount
        let end = (sampleCount + padding + frame - 1) / frame
        var runs: [Run] = []
        var next: Int64 = 0
        for part in parts where part.padding == padding {
            let first = (part.start + padding) / frame
            guard
                let kept = Self.packets(
                    of: part, first, padding, from: next, to: end,
                    isLast: part.samples.upperBound == sampleCount)
            else {
                continue
            }
            if kept.lowerBound > next {
                runs.append(Run(packets: next..<kept.lowerBound, source: nil))
            }
            runs.append(
                Run(packets: kept, source: (part.source, Int(kept.lowerBound - first))))
            next = kept.upperBound
        }
        guard !runs.isEmpty else {
            return nil
        }
        if next < end {
            runs.append(Run(packets: next..<end, source: nil))
        }
        (self.padding, self.sampleCount, self.runs) = (padding, sampleCount, runs)
        bitRate = runs.compactMap { $0.source?.packets.bitRate }.max() ?? 0
    }

    /// The packets that are kept of a part.
    ///
    /// - Parameters:
    ///   - first: the number in the track of the source's first packet.
    ///   - isLast: whether nothing is heard after it.
    private static func packets(
        of part: PlainSound, _ first: Int64, _ padding: Int64, from start: Int64, to end: Int64,
        isLast: Bool
    ) -> Range<Int64>? {
        let frame = SoundPackets.frameCount
        // A packet's window is over its own frame and the next one.
        let from =
            part.samples.lowerBound == 0
            ? 0 : (part.samples.lowerBound + padding + frame - 1) / frame
        let until = isLast ? end : (part.samples.upperBound + padding) / frame - 1
        var low = max(from, first, start)
        var high = min(until, first + Int64(part.source.count))
        while low < high, low > 0, !part.source.canBegin(at: Int(low - first)) {
            low += 1
        }
        while low < high, high < end, !part.source.canBegin(at: Int(high - first)) {
            high -= 1
        }
        return high - low >= shortest ? low..<high : nil
    }
}
