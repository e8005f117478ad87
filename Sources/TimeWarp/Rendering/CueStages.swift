import Media
import TimeMaps

/// One subtitle track: the cues of each segment moved to their new times.
struct CueStages: Sendable {
    let track: RenderPlan.SubtitleTrack
    let container: Container
    let trackNumber: Int
    let site: RenderSite

    private static let ticksPerSecond: Int32 = 1000

    func start() {
        site.stages.start("subtitles") { try run() }
    }

    private func run() throws {
        for (number, segment) in track.segments.enumerated() {
            guard
                let reader = try CueReader(
                    of: segment.clip.asset, stream: segment.stream, for: container)
            else {
                preconditionFailure("the plan keeps only subtitles that the container holds")
            }
            if number == 0 {
                site.interleaver.open(trackNumber, as: try reader.encodedFormat())
            }
            if segment.clip.map.isRising {
                try eachCue(of: reader, in: segment) {
                    try send($0.packet, try ticks(of: $0, in: segment.clip), in: segment)
                }
            } else {
                try sendInAnyOrder(reader, in: segment)
            }
        }
        site.interleaver.finish(trackNumber)
    }

    private func eachCue(
        of reader: CueReader, in segment: SubtitleSegment, _ body: (Cue) throws -> Void
    ) throws {
        let range = segment.clip.range
        while let cue = try reader.next(), cue.start < range.end {
            try site.stages.checkStopped()
            if cue.end > range.start || cue.start >= range.start {
                try body(cue)
            }
        }
    }

    /// Each cue as often as its time comes round. They are gathered first: the last may be the first.
    private func sendInAnyOrder(_ reader: CueReader, in segment: SubtitleSegment) throws {
        var placed: [(packet: Packet, ticks: Range<Int64>)] = []
        try eachCue(of: reader, in: segment) { cue in
            for range in try segment.clip.outputRanges(of: cue.start, to: cue.end) {
                let ends = try [range.lowerBound, range.upperBound].map {
                    try RationalTime(seconds: $0, timescale: Self.ticksPerSecond).value
                }
                placed.append((try cue.packet.copy(), ends[0]..<ends[1]))
            }
        }
        placed.sort { $0.ticks.lowerBound < $1.ticks.lowerBound }
        for (packet, ticks) in placed {
            try send(packet, ticks, in: segment)
        }
    }

    private func send(
        _ packet: Packet, _ ticks: Range<Int64>, in segment: SubtitleSegment
    ) throws {
        var ticks = ticks
        if let window = segment.window {
            let start = Int64(nearest: window.lowerBound * Double(Self.ticksPerSecond))
            let end = Int64(nearest: window.upperBound * Double(Self.ticksPerSecond))
            guard start + ticks.lowerBound < end else {
                return
            }
            ticks = start + ticks.lowerBound..<min(start + ticks.upperBound, end)
        }
        packet.retime(
            start: ticks.lowerBound, duration: ticks.upperBound - ticks.lowerBound,
            timescale: Self.ticksPerSecond)
        try site.interleaver.send(packet, to: trackNumber)
    }

    private func ticks(of cue: Cue, in clip: Clip) throws -> Range<Int64> {
        let range = clip.range
        let start = try tick(of: max(cue.start, range.start), in: clip)
        let end = try tick(of: max(cue.start, min(cue.end, range.end)), in: clip)
        return start..<max(start, end)
    }

    private func tick(of assetTime: RationalTime, in clip: Clip) throws -> Int64 {
        try clip.map.outputTime(
            of: assetTime.relative(to: clip.range.start), timescale: Self.ticksPerSecond,
            rounding: .nearest
        ).value
    }
}
