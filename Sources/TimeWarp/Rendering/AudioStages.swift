import Foundation
import Media
import TimeMaps

/// What a track's stages counted.
struct AudioTally: Sendable {
    var samplesIn: Int64 = 0
    var samplesOut: Int64 = 0
    var decoding = DecodingTally()
}

/// One sound track: decoded, retimed and encoded on a thread each; decoded before it is retimed where it
/// doesn't only play forward.
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

    /// Samples that may wait between two threads, in bytes.
    private static let waitingBytes = 1 << 20
    /// Output samples made at a time: long enough to be cheap, short enough to stay in the cache.
    private static let blockSize = 4096

    func start() {
        let retimed = BoundedChannel<[[Float]]>(capacity: Self.waitingBytes)
        stages.register(retimed)
        stages.start("encode-sound") { try encode(retimed) }
        startRetiming(into: retimed)
    }

    private func startRetiming(into retimed: BoundedChannel<[[Float]]>) {
        guard plan.soundMap.playsForward else {
            startInAnyOrder(into: retimed)
            return
        }
        let blocks = BoundedChannel<SampleBlock>(capacity: Self.waitingBytes)
        stages.register(blocks)
        stages.start("decode-sound") {
            try decode { try blocks.send($0, cost: $0.count * track.format.channelCount * 4) }
            blocks.finish()
        }
        stages.start("retime-sound") {
            try retime(
                SourceSound(channelCount: track.format.channelCount, reading: blocks.receive),
                into: retimed)
            // Sound past the end of the map is not needed; let the decoder stop.
            while try blocks.receive() != nil {}
        }
    }

    /// Decodes all of it first, once, so that every sample is what it is when played forward.
    private func startInAnyOrder(into retimed: BoundedChannel<[[Float]]>) {
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
            try retime(
                SourceSound(channelCount: track.format.channelCount, in: store), into: retimed)
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

    private func retime(
        _ source: SourceSound, into retimed: BoundedChannel<[[Float]]>
    ) throws {
        var retimer = makeRetimer(from: source)
        while let block = try retimer.next(limit: Self.blockSize) {
            try stages.checkStopped()
            try retimed.send(block, cost: block.count * block[0].count * 4)
        }
        retimed.finish()
        let samplesIn = retimer.samplesIn
        tally.update { $0.samplesIn = samplesIn }
    }

    private func encode(_ retimed: BoundedChannel<[[Float]]>) throws {
        let encoder = try AudioEncoder(
            track.codec, format: track.format, bitRate: plan.settings.audioBitRate,
            for: plan.container, path: plan.destination)
        interleaver.open(trackNumber, as: try encoder.encodedFormat())
        var written: Int64 = 0
        while let block = try retimed.receive() {
            try encoder.encode(block) { try interleaver.send($0, to: trackNumber) }
            written += Int64(block[0].count)
            progress?.reached(Double(written) / Double(encoder.sampleRate), frames: 0)
        }
        try encoder.finish { try interleaver.send($0, to: trackNumber) }
        interleaver.finish(trackNumber)
        let samplesOut = written
        tally.update { $0.samplesOut = samplesOut }
    }

    private func makeRetimer(from source: SourceSound) -> any AudioRetimer {
        let format = track.format
        let retiming = AudioRetiming(
            map: plan.soundMap, sourceStart: plan.clip.range.start.seconds,
            channelCount: format.channelCount, sourceRate: Double(format.sampleRate),
            outputRate: Double(track.sampleRate), sampleCount: track.sampleCount)
        switch plan.settings.sound {
        case .keepPitch:
            return PitchKeepingRetimer(retiming, source: source)
        case .varispeed, .keep, .mute:
            return VarispeedRetimer(
                retiming, interpolation: plan.settings.interpolation, source: source)
        }
    }
}
