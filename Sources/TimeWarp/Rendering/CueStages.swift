import Media
import TimeMaps

/// One subtitle track: each cue moved to its new time.
struct CueStages: Sendable {
    let plan: RenderPlan
    let stream: Asset.Stream
    let trackNumber: Int
    let interleaver: Interleaver
    let stages: StageGroup

    private static let ticksPerSecond: Int32 = 1000

    func start() {
        stages.start("subtitles") { try run() }
    }

    private func run() throws {
        guard
            let reader = try CueReader(
                of: plan.clip.asset, stream: stream, for: plan.container)
        else {
            preconditionFailure("the plan keeps only subtitles that the container holds")
        }
        interleaver.open(trackNumber, as: try reader.encodedFormat())
        let range = plan.clip.range
        while let cue = try reader.next(), cue.start < range.end {
            try stages.checkStopped()
            guard cue.end > range.start || cue.start >= range.start else {
                continue
            }
            let start = try tick(of: max(cue.start, range.start))
            let end = try tick(of: max(cue.start, min(cue.end, range.end)))
            cue.packet.retime(
                start: start, duration: end - start, timescale: Self.ticksPerSecond)
            try interleaver.send(cue.packet, to: trackNumber)
        }
        interleaver.finish(trackNumber)
    }

    private func tick(of assetTime: RationalTime) throws -> Int64 {
        try plan.clip.map.outputTime(
            of: assetTime.relative(to: plan.clip.range.start), timescale: Self.ticksPerSecond,
            rounding: .nearest
        ).value
    }
}
