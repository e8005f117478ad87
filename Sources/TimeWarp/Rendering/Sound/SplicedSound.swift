import Media
import TimeMaps

/// Writes a track of the source's packets and of our encoder's between them, on one thread.
struct SplicedSound {
    let plan: RenderPlan
    let track: RenderPlan.AudioTrack
    let splicing: SoundSplicing
    let site: RenderSite
    let sink: PacketSink
    /// Nil if another track reports the progress.
    let progress: ProgressMeter?
    let tally: Tally<AudioTally>

    func run() throws {
        try sink.open(try track.encodedFormat(for: plan))
        for run in splicing.runs {
            if let (source, first) = run.source {
                try keep(run.packets, of: source, from: first)
            } else {
                try encode(run.packets)
            }
        }
        sink.finish()
    }

    private func keep(
        _ packets: Range<Int64>, of source: SoundPackets, from first: Int
    ) throws {
        var number = packets.lowerBound
        try source.read(first..<first + packets.count) { packet in
            try send(packet, number: number)
            number += 1
        }
        let kept = splicing.heard(of: packets).count
        tally.update { $0.samplesKept += Int64(kept) }
    }

    private func encode(_ packets: Range<Int64>) throws {
        let frame = SoundPackets.frameCount
        let encoder = try AudioEncoder(track, for: plan)
        let lead = packets.lowerBound - SoundSplicing.lead
        // The window of the last packet is over the frame after it, and sound that keeps its pitch is the source's own only
        // where enough of it is to come.
        let tail = packets.upperBound + 1 + Int64(track.sampleRate) / 5 / frame + 1
        let all = splicing.samples(of: lead..<tail)
        let heard = splicing.heard(of: lead..<tail)
        func take(_ packet: Packet) throws {
            let number = ((packet.pts ?? 0) + all.lowerBound + splicing.padding) / frame
            if packets.contains(number) {
                try send(packet, number: number)
            }
        }
        try encoder.encode(silence(heard.lowerBound - all.lowerBound), take)
        var mixing = try SoundMixing(
            track, samples: heard, settings: plan.settings, site: site, tally: tally)
        while let block = try mixing.next() {
            try encoder.encode(block, take)
        }
        try encoder.encode(silence(all.upperBound - heard.upperBound), take)
        try encoder.finish(take)
    }

    private func silence(_ count: Int64) -> [[Float]] {
        Array(
            repeating: [Float](repeating: 0, count: Int(count)), count: track.format.channelCount)
    }

    private func send(_ packet: Packet, number: Int64) throws {
        try site.stages.checkStopped()
        let samples = splicing.samples(of: number..<number + 1)
        let end = min(samples.upperBound, track.sampleCount)
        packet.retime(
            start: samples.lowerBound, duration: end - samples.lowerBound,
            timescale: Int32(track.sampleRate))
        packet.forgetSideData()
        try sink.send(packet)
        let heard = splicing.heard(of: number..<number + 1).count
        tally.update { $0.samplesOut += Int64(heard) }
        progress?.reached(Double(end) / Double(track.sampleRate), frames: 0)
    }
}

extension RenderPlan.AudioTrack {
    /// What its packets are.
    func encodedFormat(for plan: RenderPlan) throws -> EncodedFormat {
        let format = try AudioEncoder(self, for: plan).encodedFormat()
        guard let splicing else {
            return format
        }
        return try EncodedFormat(
            format, padding: Int(splicing.padding), path: plan.destination)
    }
}

extension AudioSegment {
    /// The part of the segment that lies between two samples of the track; nil if none does.
    func part(_ range: Range<Int64>) throws -> AudioSegment? {
        let part = samples.clamped(to: range)
        guard !part.isEmpty else {
            return nil
        }
        guard part != samples else {
            return self
        }
        let rate = Int32(sound.sampleRate)
        let from = RationalTime(part.lowerBound - samples.lowerBound, over: rate)
        let to = RationalTime(part.upperBound - samples.lowerBound, over: rate)
        let clip = try AssetClip(
            of: sound.clip.asset, through: sound.map, from: sound.clip.range.start,
            window: (from, to))
        return AudioSegment(
            samples: part, fades: fades, envelopes: envelopes, mix: mix,
            sound: ClipSound(
                clip: clip, stream: sound.stream, format: sound.format, map: clip.map,
                sampleRate: sound.sampleRate, sampleCount: Int64(part.count)))
    }
}
