import Media
import TimeMaps

/// The stage of one subtitle track, which moves the cues of each segment to their new times.
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
        var isOpen = false
        for segments in track.segments.groupedByOverlap() {
            let readers = try segments.map { (try reader(of: $0), $0) }
            if !isOpen, let (first, _) = readers.first {
                site.interleaver.open(trackNumber, as: try first.encodedFormat())
                isOpen = true
            }
            if let (reader, segment) = readers.first, readers.count == 1,
                segment.clip.map.isRising
            {
                try eachCue(of: reader, in: segment) {
                    try send($0.packet, try ticks(of: $0, in: segment.clip), in: segment)
                }
            } else {
                try sendInOrder(readers)
            }
        }
        site.interleaver.finish(trackNumber)
    }

    private func reader(of segment: SubtitleSegment) throws -> CueReader {
        guard
            let reader = try CueReader(
                of: segment.clip.asset, stream: segment.stream, as: track.form, for: container)
        else {
            preconditionFailure("the plan keeps only subtitles that the container can hold")
        }
        return reader
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

    /// Sends each cue once for each time that it is presented. All are collected and sorted first, because the
    /// last cue of a clip may come first.
    private func sendInOrder(_ readers: [(CueReader, SubtitleSegment)]) throws {
        var placed: [(packet: Packet, ticks: Range<Int64>)] = []
        for (reader, segment) in readers {
            try eachCue(of: reader, in: segment) { cue in
                for range in try segment.clip.shownRanges(of: cue.start, to: cue.end) {
                    let ends = try [range.lowerBound, range.upperBound].map {
                        try RationalTime(seconds: $0, timescale: Self.ticksPerSecond).value
                    }
                    if let ticks = onTrack(ends[0]..<ends[1], of: segment) {
                        placed.append((try cue.packet.copy(), ticks))
                    }
                }
            }
        }
        placed.sort { $0.ticks.lowerBound < $1.ticks.lowerBound }
        for (packet, ticks) in placed {
            try send(packet, ticks)
        }
    }

    private func send(
        _ packet: Packet, _ ticks: Range<Int64>, in segment: SubtitleSegment
    ) throws {
        if let ticks = onTrack(ticks, of: segment) {
            try send(packet, ticks)
        }
    }

    /// Converts ticks of a segment to ticks of the track; nil after the segment's end.
    private func onTrack(_ ticks: Range<Int64>, of segment: SubtitleSegment) -> Range<Int64>? {
        guard let window = segment.window else {
            return ticks
        }
        let start = Int64(nearest: window.lowerBound * Double(Self.ticksPerSecond))
        let end = Int64(nearest: window.upperBound * Double(Self.ticksPerSecond))
        let first = start + ticks.lowerBound
        return first < end ? first..<max(first, min(start + ticks.upperBound, end)) : nil
    }

    private func send(_ packet: Packet, _ ticks: Range<Int64>) throws {
        packet.retime(
            start: ticks.lowerBound, duration: ticks.upperBound - ticks.lowerBound,
            timescale: Self.ticksPerSecond)
        try site.interleaver.send(packet, to: trackNumber)
    }

    private func ticks(of cue: Cue, in clip: AssetClip) throws -> Range<Int64> {
        let range = clip.range
        let start = try tick(of: max(cue.start, range.start), in: clip)
        let end = try tick(of: max(cue.start, min(cue.end, range.end)), in: clip)
        return start..<max(start, end)
    }

    private func tick(of assetTime: RationalTime, in clip: AssetClip) throws -> Int64 {
        try clip.map.outputTime(
            of: assetTime.relative(to: clip.range.start), timescale: Self.ticksPerSecond,
            rounding: .nearest
        ).value
    }
}

extension [SubtitleSegment] {
    /// Groups of segments. The segments of a group overlap, and each group begins after the one before has
    /// ended.
    fileprivate func groupedByOverlap() -> [[SubtitleSegment]] {
        var groups: [[SubtitleSegment]] = []
        var end = -Double.infinity
        for segment in sorted(by: { $0.start < $1.start }) {
            if segment.start >= end {
                groups.append([segment])
            } else {
                groups[groups.count - 1].append(segment)
            }
            end = Swift.max(end, segment.window?.upperBound ?? .infinity)
        }
        return groups
    }
}

extension SubtitleSegment {
    fileprivate var start: Double { window?.lowerBound ?? 0 }
}
