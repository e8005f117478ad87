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
        if plan.clip.map.isRising {
            try eachCue(of: reader) { try send($0.packet, try ticks(of: $0)) }
        } else {
            try sendInAnyOrder(reader)
        }
        interleaver.finish(trackNumber)
    }

    private func eachCue(of reader: CueReader, _ body: (Cue) throws -> Void) throws {
        let range = plan.clip.range
        while let cue = try reader.next(), cue.start < range.end {
            try stages.checkStopped()
            if cue.end > range.start || cue.start >= range.start {
                try body(cue)
            }
        }
    }

    /// Each cue as often as its time comes round. They are gathered first: the last may be the first.
    private func sendInAnyOrder(_ reader: CueReader) throws {
        var placed: [(packet: Packet, ticks: Range<Int64>)] = []
        try eachCue(of: reader) { cue in
            for range in try plan.clip.outputRanges(of: cue.start, to: cue.end) {
                let ends = try [range.lowerBound, range.upperBound].map {
                    try RationalTime(seconds: $0, timescale: Self.ticksPerSecond).value
                }
                placed.append((try cue.packet.copy(), ends[0]..<ends[1]))
            }
        }
        placed.sort { $0.ticks.lowerBound < $1.ticks.lowerBound }
        for (packet, ticks) in placed {
            try send(packet, ticks)
        }
    }

    private func send(_ packet: Packet, _ ticks: Range<Int64>) throws {
        packet.retime(
            start: ticks.lowerBound, duration: ticks.upperBound - ticks.lowerBound,
            timescale: Self.ticksPerSecond)
        try interleaver.send(packet, to: trackNumber)
    }

    private func ticks(of cue: Cue) throws -> Range<Int64> {
        let range = plan.clip.range
        let start = try tick(of: max(cue.start, range.start))
        return start..<max(start, try tick(of: max(cue.start, min(cue.end, range.end))))
    }

    private func tick(of assetTime: RationalTime) throws -> Int64 {
        try plan.clip.map.outputTime(
            of: assetTime.relative(to: plan.clip.range.start), timescale: Self.ticksPerSecond,
            rounding: .nearest
        ).value
    }
}
