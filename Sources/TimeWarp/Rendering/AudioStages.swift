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

    func start() {
        let source = SoundSource(
            retiming: track, of: plan, stages: stages, progress: progress, spill: spill,
            tally: tally)
        let encoding = SoundEncoding(
            codec: track.codec, format: track.format, trackNumber: trackNumber,
            interleaver: interleaver, progress: progress)
        stages.start("encode-sound") {
            let written = try encoding.run(for: plan, source.blocks.receive)
            tally.update { $0.samplesOut = written }
        }
    }
}

/// Encodes sound into a track of the file, on one thread.
struct SoundEncoding: Sendable {
    let codec: AudioCodec
    let format: AudioFormat
    let trackNumber: Int
    let interleaver: Interleaver
    /// Nil where pictures lead the progress.
    let progress: ProgressMeter?

    /// - Parameter next: hands out blocks of samples, one array a channel; nil after the last.
    /// - Returns: how many samples a channel came.
    func run(for plan: some RunnablePlan, _ next: () throws -> [[Float]]?) throws -> Int64 {
        let encoder = try AudioEncoder(
            codec, format: format, bitRate: plan.settings.audioBitRate, for: plan.container,
            path: plan.destination)
        interleaver.open(trackNumber, as: try encoder.encodedFormat())
        var written: Int64 = 0
        while let block = try next() {
            try encoder.encode(block) { try interleaver.send($0, to: trackNumber) }
            written += Int64(block[0].count)
            progress?.reached(Double(written) / Double(encoder.sampleRate), frames: 0)
        }
        try encoder.finish { try interleaver.send($0, to: trackNumber) }
        interleaver.finish(trackNumber)
        return written
    }
}
