import Media
import TimeMaps

/// Plans tracks of compressed frames of several clips that get new times and are never decoded.
extension CompositionPlanner {
    mutating func planRestamped() throws -> [RenderPlan.VideoTrack] {
        try planner.requireNothingToEncode()
        let spans = try visibleSpans()
        guard spans.contains(where: { !$0.layers.isEmpty }) else {
            return []
        }
        var ticks: Int32 = 1
        for clip in spans.compactMap(\.clip) {
            ticks = max(ticks, try ticksPerSecond(of: clip))
        }
        let clips = try spans.map { try packets(of: $0, ticksPerSecond: ticks) }
        try requireOneHeader(clips)
        try requireCleanCuts(clips)
        let grid = SegmentGrid(.variable(ticksPerSecond: ticks), end: duration)
        let places = try spans.map { try grid.ticks(of: $0.range) }
        let tables = PacketTimetable.joined(
            zip(clips, places).map { ($0.timetable, $1.lowerBound) },
            end: places.last?.upperBound ?? 0)
        let count = tables.reduce(0) { $0 + $1.entries.count }
        guard let model = clips.first?.stream, let format = model.videoFormat else {
            return []
        }
        return [
            RenderPlan.VideoTrack(
                model: model, making: .restamped(packetCount: count), format: format,
                timing: .variable(ticksPerSecond: ticks),
                retimedRate: FrameRate(average: Double(count) / duration.seconds),
                segments: zip(zip(clips, tables), places).map { clip, ticks in
                    VideoSegment(
                        ticks: ticks,
                        source: .packets(
                            ClipPackets(
                                clip: clip.0.clip, stream: clip.0.stream, timetable: clip.1)))
                })
        ]
    }

    private func packets(
        of span: VisibleSpan, ticksPerSecond: Int32
    ) throws -> ClipPackets {
        guard span.clip != nil || span.layers.isEmpty else {
            throw planner.refusal(
                "clips are seen through from \(span.range.start.secondsText) s to "
                    + "\(span.range.end.secondsText) s, and that has to be encoded",
                "Leave out the dissolve, or \(.copiedVideo)")
        }
        guard let flat = span.clip, let layer = span.layers.first, let stream = flat.video
        else {
            throw planner.refusal(
                "there is no video from \(span.range.start.secondsText) s to "
                    + "\(span.range.end.secondsText) s, and black has to be encoded",
                "Close the gap, or leave out \(.copiedVideo)")
        }
        try Task.checkCancellation()
        let clip = try flat.shown(layer.window)
        try planner.requireRestampable(stream, in: clip)
        return try planner.packets(of: stream, in: clip, ticksPerSecond: ticksPerSecond)
    }

    /// Requires the same header (codec, size and encoder settings) of all clips, because a track has only one.
    private func requireOneHeader(_ clips: [ClipPackets]) throws {
        guard let first = clips.first else {
            return
        }
        try planner.requireHeld([first.stream], of: first.clip.asset)
        let header = try first.header
        var known: Set<String> = [first.clip.asset.path]
        for clip in clips where known.insert(clip.clip.asset.path).inserted {
            guard try clip.header.hasSameHeader(as: header),
                clip.stream.rotation == first.stream.rotation
            else {
                throw planner.refusal(
                    "\(clip.clip.asset.path) was encoded with other settings than "
                        + "\(first.clip.asset.path), and a track has only one header",
                    "Leave out \(.copiedVideo)")
            }
        }
    }

    /// Requires that every clip but the first starts with a keyframe, and that in every clip but the last no
    /// frame refers to frames after its end.
    private mutating func requireCleanCuts(_ clips: [ClipPackets]) throws {
        for (number, packets) in clips.enumerated() {
            let (path, range) = (packets.clip.asset.path, packets.clip.range)
            if number > 0, packets.timetable.leadIn > 0 {
                let places = try planner.keyframes(around: range.start, of: packets)
                throw planner.refusal(
                    "\(path) is cut at \(range.start.secondsText) s, which is not a keyframe",
                    "Cut at \(places), or leave out \(.copiedVideo)")
            }
            if number < clips.count - 1, packets.timetable.overhang > 0 {
                let places = try planner.keyframes(around: range.end, of: packets)
                throw planner.refusal(
                    "frames of \(path) before \(range.end.secondsText) s refer to later ones",
                    "Cut at \(places), or leave out \(.copiedVideo)")
            }
        }
        if let first = clips.first, first.timetable.leadIn > 0 || clips.count == 1 {
            try planner.noteReferences(of: first)
        }
        if clips.count > 1, let last = clips.last {
            try planner.noteReferences(of: last)
        }
    }
}

extension ClipPackets {
    /// What a decoder must know before it can read the packets.
    fileprivate var header: EncodedFormat {
        get throws {
            try PacketReader(of: clip.asset, streams: [stream]).encodedFormat(of: stream)
        }
    }
}
