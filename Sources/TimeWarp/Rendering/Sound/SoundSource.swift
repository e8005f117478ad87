import Foundation
import Media
import TimeMaps

/// The sound of a clip, which is decoded and retimed on its own threads and returned in blocks.
struct SoundSource: Sendable {
    private let sound: ClipSound
    private let settings: RenderSettings
    private let stages: StageGroup
    private let progress: ProgressMeter?
    private let spill: SpillSpace
    private let tally: Tally<AudioTally>
    /// Output samples in order, one array for each channel.
    let blocks = BoundedChannel<[[Float]]>(capacity: Self.waitingBytes)

    /// How many bytes of samples may wait between two threads.
    private static let waitingBytes = 1 << 20
    /// How many output samples are made at a time: many enough to be efficient, few enough to stay in the
    /// cache.
    static let blockSize = 4096

    /// Starts to decode and retime.
    ///
    /// - Parameters:
    ///   - settings: how the sound is retimed.
    ///   - progress: nil if video or another segment reports the progress.
    ///   - tally: counts the samples that are decoded and used.
    init(
        retiming sound: ClipSound, settings: RenderSettings, stages: StageGroup,
        progress: ProgressMeter?, spill: SpillSpace, tally: Tally<AudioTally>
    ) {
        self.sound = sound
        self.settings = settings
        self.stages = stages
        self.progress = progress
        self.spill = spill
        self.tally = tally
        stages.register(blocks)
        startRetiming(into: blocks)
    }

    private func startRetiming(into retimed: BoundedChannel<[[Float]]>) {
        guard sound.map.playsForward else {
            startInAnyOrder(into: retimed)
            return
        }
        let blocks = BoundedChannel<SampleBlock>(capacity: Self.waitingBytes)
        stages.register(blocks)
        stages.start("decode-sound") {
            try decode { try blocks.send($0, cost: $0.count * sound.format.channelCount * 4) }
            blocks.finish()
        }
        stages.start("retime-sound") {
            try retime(
                SourceSound(channelCount: sound.format.channelCount, reading: blocks.receive),
                into: retimed)
            // Sound after the end of the map isn't needed, but it is received, so that the decoder can end.
            while try blocks.receive() != nil {}
        }
    }

    /// Decodes all of the sound first, only once, so that every sample is the same as when it is played
    /// forward.
    private func startInAnyOrder(into retimed: BoundedChannel<[[Float]]>) {
        stages.start("sound") {
            let store = try StoredSound(channelCount: sound.format.channelCount, space: spill)
            let rate = Double(sound.format.sampleRate)
            let range = sound.clip.range
            try decode { block in
                try stages.checkStopped()
                try store.append(block)
                let share =
                    (Double(block.end) / rate - range.start.seconds) / range.duration.seconds
                progress?.prepared(min(max(share, 0), 1) * sound.clip.map.outputDuration)
            }
            try retime(
                SourceSound(channelCount: sound.format.channelCount, in: store), into: retimed)
        }
    }

    private func decode(_ take: (SampleBlock) throws -> Void) throws {
        let range = sound.clip.range
        let reader = try SampleReader(
            of: sound.clip.asset, stream: sound.stream, from: range.start)
        // The kernel reaches a little past the range, and reads the real sound there.
        let last = min(range.end.seconds, range.start.seconds + sound.map.latestSourceTime)
        let end = Int64(nearest: ((last + 1) * Double(reader.sampleRate)).rounded(.up))
        var gathered: SampleBlock?
        // Some codecs return tiny blocks. They are joined, because each block that is sent wakes a thread.
        while let block = try reader.next(), block.start < end {
            if gathered?.append(block, upTo: Self.blockSize) != true {
                try gathered.map(take)
                gathered = block
            }
        }
        try gathered.map(take)
        let counts = DecodingTally(of: reader)
        tally.update { $0.decoding.add(counts) }
    }

    private func retime(
        _ source: SourceSound, into retimed: BoundedChannel<[[Float]]>
    ) throws {
        var retimer = try makeRetimer(from: source)
        while let block = try retimer.next(limit: Self.blockSize) {
            try stages.checkStopped()
            try retimed.send(block, cost: block.count * block[0].count * 4)
        }
        retimed.finish()
        let samplesIn = retimer.samplesIn
        tally.update { $0.samplesIn += samplesIn }
    }

    private func makeRetimer(from source: SourceSound) throws -> any AudioRetimer {
        let format = sound.format
        let retiming = AudioRetiming(
            map: sound.map, sourceStart: sound.clip.range.start.seconds,
            channelCount: format.channelCount, sourceRate: Double(format.sampleRate),
            outputRate: Double(sound.sampleRate), sampleCount: sound.sampleCount)
        switch settings.audio.mode {
        case .keepPitch:
            return try PitchKeepingRetimer(
                retiming, tune: settings.audio.tune, freezes: settings.audio.freeze, source: source)
        case .varispeed, .keep, .mute:
            return VarispeedRetimer(
                retiming, interpolation: settings.audio.interpolation, source: source)
        }
    }
}
