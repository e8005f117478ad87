import Foundation
import Media
import TimeMaps

/// What a track's stages counted.
struct AudioTally: Sendable {
    var samplesIn: Int64 = 0
    var samplesOut: Int64 = 0
    var decoding = DecodingTally()
}

/// One sound track: decoded on one thread, retimed and encoded on another; on one after the other
/// where it doesn't only play forward.
struct AudioStages: Sendable {
    let plan: RenderPlan
    let track: RenderPlan.AudioTrack
    let trackNumber: Int
    let interleaver: Interleaver
    let stages: StageGroup
    /// Nil where pictures lead the progress.
    let progress: ProgressMeter?
    let spill: SpillSpace
    let tally = Tally(AudioTally())

    /// Decoded samples that may wait, in bytes.
    private static let waitingBytes = 8 << 20
    /// Output samples made at a time: long enough to be cheap, short enough to stay in the cache.
    private static let blockSize = 4096

    func start() {
        guard plan.soundMap.playsForward else {
            startInAnyOrder()
            return
        }
        let blocks = BoundedChannel<SampleBlock>(capacity: Self.waitingBytes)
        stages.register(blocks)
        stages.start("decode-sound") {
            try decode { try blocks.send($0, cost: $0.count * track.format.channelCount * 4) }
            blocks.finish()
        }
        stages.start("encode-sound") {
            try encode(
                SourceSound(channelCount: track.format.channelCount, reading: blocks.receive))
            // Sound past the end of the map is not needed; let the decoder stop.
            while try blocks.receive() != nil {}
        }
    }

    /// Decodes all of it first, once, so that every sample is what it is when played forward.
    private func startInAnyOrder() {
        stages.start("sound") {
            let store = try StoredSound(channelCount: track.format.channelCount, space: spill)
            let rate = Double(track.format.sampleRate)
            let range = plan.clip.range
            try decode { block in
                try stages.checkStopped()
                try store.append(block)
                let share =
                    (Double(block.end) / rate - range.start.seconds) / range.duration.seconds
                progress?.prepared(min(max(share, 0), 1) * plan.outputDuration)
            }
            try encode(SourceSound(channelCount: track.format.channelCount, in: store))
        }
    }

    private func decode(_ take: (SampleBlock) throws -> Void) throws {
        let range = plan.clip.range
        let reader = try SampleReader(
            of: plan.clip.asset, stream: track.source, from: range.start)
        // The kernel reaches a little past the range; what it finds there is the real sound.
        let last = min(range.end.seconds, range.start.seconds + plan.soundMap.latestSourceTime)
        let end = Int64(((last + 1) * Double(reader.sampleRate)).rounded(.up))
        var gathered: SampleBlock?
        // Some codecs hand out tiny blocks, and each one sent wakes a thread.
        while let block = try reader.next(), block.start < end {
            if gathered?.append(block, upTo: Self.blockSize) != true {
                try gathered.map(take)
                gathered = block
            }
        }
        try gathered.map(take)
        tally.update {
            $0.decoding = DecodingTally(
                damagedPackets: reader.damagedPackets, readError: reader.readError?.description)
        }
    }

    private func encode(_ source: SourceSound) throws {
        let encoder = try AudioEncoder(
            track.codec, format: track.format, bitRate: plan.settings.audioBitRate,
            for: plan.container, path: plan.destination)
        interleaver.open(trackNumber, as: try encoder.encodedFormat())
        var retimer = makeRetimer(outputRate: encoder.sampleRate, from: source)
        var written: Int64 = 0
        while let block = try retimer.next(limit: Self.blockSize) {
            try stages.checkStopped()
            try encoder.encode(block) { try interleaver.send($0, to: trackNumber) }
            written += Int64(block[0].count)
            progress?.reached(Double(written) / Double(encoder.sampleRate), frames: 0)
        }
        try encoder.finish { try interleaver.send($0, to: trackNumber) }
        interleaver.finish(trackNumber)
        let counted = (retimer.samplesIn, written)
        tally.update { ($0.samplesIn, $0.samplesOut) = counted }
    }

    private func makeRetimer(
        outputRate: Int, from source: SourceSound
    ) -> any AudioRetimer {
        let format = track.format
        let retiming = AudioRetiming(
            map: plan.soundMap, sourceStart: plan.clip.range.start.seconds,
            channelCount: format.channelCount, sourceRate: Double(format.sampleRate),
            outputRate: Double(outputRate), sampleCount: track.sampleCount)
        switch plan.settings.sound {
        case .keepPitch:
            return PitchKeepingRetimer(retiming, source: source)
        case .varispeed, .keep, .mute:
            return VarispeedRetimer(
                retiming, interpolation: plan.settings.interpolation, source: source)
        }
    }
}
