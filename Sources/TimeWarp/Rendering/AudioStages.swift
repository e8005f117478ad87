import Foundation
import Media
import TimeMaps

/// What a track's stages counted.
struct AudioTally: Sendable {
    var samplesIn: Int64 = 0
    var samplesOut: Int64 = 0
    var damagedPackets = 0
    var readError: String?
}

/// One sound track: decoded on one thread, retimed and encoded on another.
struct AudioStages: Sendable {
    let plan: RenderPlan
    let track: RenderPlan.AudioTrack
    let trackNumber: Int
    let interleaver: Interleaver
    let stages: StageGroup
    /// Nil where pictures lead the progress.
    let progress: ProgressMeter?
    let tally = Tally(AudioTally())

    /// Decoded samples that may wait, in bytes.
    private static let waitingBytes = 8 << 20
    /// Output samples made at a time: long enough to be cheap, short enough to stay in the cache.
    private static let blockSize = 4096

    func start() {
        let blocks = BoundedChannel<SampleBlock>(capacity: Self.waitingBytes)
        stages.register(blocks)
        stages.start("decode-sound") { try decode(into: blocks) }
        stages.start("encode-sound") { try encode(from: blocks) }
    }

    private func decode(into blocks: BoundedChannel<SampleBlock>) throws {
        let range = plan.clip.range
        let reader = try SampleReader(
            of: plan.clip.asset, stream: track.source, from: range.start)
        // The kernel reaches a little past the range; what it finds there is the real sound.
        let end = Int64(((range.end.seconds + 1) * Double(reader.sampleRate)).rounded(.up))
        var gathered: SampleBlock?
        func send() throws {
            guard let block = gathered else {
                return
            }
            try blocks.send(block, cost: block.count * reader.channelCount * 4)
        }
        // Some codecs hand out tiny blocks, and each one sent wakes a thread.
        while let block = try reader.next(), block.start < end {
            if gathered?.append(block, upTo: Self.blockSize) != true {
                try send()
                gathered = block
            }
        }
        try send()
        blocks.finish()
        tally.update {
            $0.damagedPackets = reader.damagedPackets
            $0.readError = reader.readError.map(\.description)
        }
    }

    private func encode(from blocks: BoundedChannel<SampleBlock>) throws {
        let encoder = try AudioEncoder(
            track.codec, format: track.format, bitRate: plan.settings.audioBitRate,
            for: plan.container, path: plan.destination)
        interleaver.open(trackNumber, as: try encoder.encodedFormat())
        var retimer = makeRetimer(outputRate: encoder.sampleRate, from: blocks)
        var written: Int64 = 0
        while let block = try retimer.next(limit: Self.blockSize) {
            try stages.checkStopped()
            try encoder.encode(block) { try interleaver.send($0, to: trackNumber) }
            written += Int64(block[0].count)
            progress?.reached(Double(written) / Double(encoder.sampleRate), frames: 0)
        }
        try encoder.finish { try interleaver.send($0, to: trackNumber) }
        interleaver.finish(trackNumber)
        // Sound past the end of the map is not needed; let the decoder stop.
        while try blocks.receive() != nil {}
        let counted = (retimer.samplesIn, written)
        tally.update { ($0.samplesIn, $0.samplesOut) = counted }
    }

    private func makeRetimer(
        outputRate: Int, from blocks: BoundedChannel<SampleBlock>
    ) -> any AudioRetimer {
        let format = track.format
        let source = SourceSound(channelCount: format.channelCount, reading: blocks.receive)
        let retiming = AudioRetiming(
            map: plan.clip.map, sourceStart: plan.clip.range.start.seconds,
            channelCount: format.channelCount, sourceRate: Double(format.sampleRate),
            outputRate: Double(outputRate), sampleCount: track.sampleCount)
        switch plan.settings.sound {
        case .keepPitch:
            return PitchKeepingRetimer(retiming, source: source)
        case .varispeed, .mute:
            return VarispeedRetimer(
                retiming, interpolation: plan.settings.interpolation, source: source)
        }
    }
}
