import Foundation
import Media
import TimeMaps

/// The counts of an audio track's stages.
struct AudioTally: Sendable, Codable {
    var samplesIn: Int64 = 0
    var samplesOut: Int64 = 0
    /// How many are heard of packets that are kept.
    var samplesKept: Int64 = 0
    var decoding = DecodingTally()
}

/// The stages of one audio track. Each segment is decoded and retimed on its own threads. One more thread fades
/// the segments, converts them to the track's channels, mixes them with those of other layers, and encodes the
/// result.
struct AudioStages: Sendable {
    let plan: RenderPlan
    let track: RenderPlan.AudioTrack
    let site: RenderSite
    /// Where the packets go.
    let sink: PacketSink
    /// Whether this track reports the render's progress, because there is no video.
    let leads: Bool
    let tally = Tally(AudioTally())

    func start() {
        if let splicing = track.splicing {
            let sound = SplicedSound(
                plan: plan, track: track, splicing: splicing, site: site, sink: sink,
                progress: leads ? site.progress : nil, tally: tally)
            site.stages.start("splice-sound", sound.run)
            return
        }
        let encoding = SoundEncoding(
            track: track, sink: sink, progress: leads ? site.progress : nil)
        guard let only = track.onlySegment else {
            site.stages.start("encode-sound") {
                var mixing = try SoundMixing(
                    track, samples: 0..<track.sampleCount, settings: plan.settings, site: site,
                    tally: tally)
                try encode(encoding) { try mixing.next() }
            }
            return
        }
        let source = SoundSource(
            retiming: only.sound, settings: plan.settings, stages: site.stages,
            progress: leads ? site.progress : nil, spill: site.spill, tally: tally)
        site.stages.start("encode-sound") { try encode(encoding, source.blocks.receive) }
    }

    /// Encodes what is heard from an output time on, in the coded frames of the whole track, and two of them before: a decoder
    /// needs these to come to the right samples, and where two streams meet, frames are the same.
    func start(from time: RationalTime) {
        site.stages.start("encode-sound") {
            let sample = try time.converted(to: Int32(track.sampleRate), rounding: .down).value
            let coded = SoundPackets.frameCount
            let first = min(max(0, sample / coded - 2) * coded, track.sampleCount)
            // Sound that keeps its pitch, and filters, begin a little before.
            var early = min(first, Int64(track.sampleRate) / 2)
            var mixing = try SoundMixing(
                track, samples: first - early..<track.sampleCount, settings: plan.settings,
                site: site, tally: tally)
            let encoding = SoundEncoding(track: track, sink: sink, progress: nil, first: first)
            try encode(encoding) {
                while let block = try mixing.next() {
                    let dropped = min(early, Int64(block[0].count))
                    early -= dropped
                    if dropped < block[0].count {
                        return block.map { Array($0.dropFirst(Int(dropped))) }
                    }
                }
                return nil
            }
        }
    }

    private func encode(
        _ encoding: SoundEncoding, _ next: () throws -> [[Float]]?
    ) throws {
        let written = try encoding.run(for: plan, next)
        tally.update { $0.samplesOut = written }
    }
}

extension RenderPlan.AudioTrack {
    /// The only segment of the track, if it needs no fades and no mixing.
    fileprivate var onlySegment: AudioSegment? {
        guard layers.count == 1, layers[0].count == 1, let segment = layers[0].first,
            segment.samples == 0..<sampleCount, segment.fades == .none, segment.envelopes.isEmpty,
            segment.mix.isUnchanged
        else {
            return nil
        }
        return segment
    }
}

/// Encodes sound into a track of the file, on one thread.
struct SoundEncoding: Sendable {
    let track: RenderPlan.AudioTrack
    let sink: PacketSink
    /// Nil if another track reports the progress.
    let progress: ProgressMeter?
    /// The number of the first sample on the track.
    var first: Int64 = 0

    /// Encodes all blocks.
    ///
    /// - Parameter next: returns the next block of samples, one array for each channel; nil after the last.
    /// - Returns: the number of samples for each channel.
    func run(for plan: RenderPlan, _ next: () throws -> [[Float]]?) throws -> Int64 {
        let encoder = try AudioEncoder(track, for: plan)
        try sink.open(try encoder.encodedFormat())
        var written: Int64 = 0
        let start = RationalTime(first, over: Int32(encoder.sampleRate))
        func send(_ packet: Packet) throws {
            try packet.move(earlierBy: .zero - start)
            try sink.send(packet)
        }
        while let block = try next() {
            try encoder.encode(block, send)
            written += Int64(block[0].count)
            progress?.reached(Double(written) / Double(encoder.sampleRate), frames: 0)
        }
        try encoder.finish(send)
        sink.finish()
        return written
    }
}

extension AudioEncoder {
    /// Opens the encoder of a plan's track.
    convenience init(_ track: RenderPlan.AudioTrack, for plan: RenderPlan) throws {
        try self.init(
            track.codec, format: track.format,
            bitRate: plan.settings.audio.bitRate ?? track.splicing?.bitRate, for: plan.container,
            path: plan.destination)
    }
}
