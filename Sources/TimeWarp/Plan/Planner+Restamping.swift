import Media
import TimeMaps

/// Plans tracks of compressed frames that get new times and are never decoded.
extension Planner {
    mutating func planRestamped(_ number: Int) throws -> RenderPlan.VideoTrack? {
        guard let file = wholeFile else {
            return try planRestampedSpans(number)
        }
        guard let stream = video(number, of: file.asset), let format = stream.videoFormat else {
            return nil
        }
        try requireRestampable(stream, in: file)
        try requireHeld([stream], of: file.asset)
        let ticks = ticksPerSecond(for: format, in: file)
        let packets = try packets(of: stream, in: file, ticksPerSecond: ticks)
        try noteReferences(of: packets)
        return RenderPlan.VideoTrack(
            model: stream, making: .restamped(packetCount: packets.timetable.entries.count),
            format: format, timing: .variable(ticksPerSecond: ticks),
            retimedRate: file.averageRate(of: stream, format),
            segments: [VideoSegment(ticks: nil, source: .packets(packets))])
    }

    private mutating func planRestampedSpans(_ number: Int) throws -> RenderPlan.VideoTrack? {
        let spans = try visibleSpans(number)
        guard spans.contains(where: { !$0.layers.isEmpty }) else {
            return nil
        }
        let ticks = max(1, try ticksPerSecond(of: spans.filter { $0.clip != nil }, number))
        let clips = try spans.map { try packets(of: $0, number, ticksPerSecond: ticks) }
        try requireOneHeader(clips)
        try requireCleanCuts(clips)
        let grid = SegmentGrid(.variable(ticksPerSecond: ticks), end: duration)
        let places = try spans.map { try grid.ticks(of: $0.range) }
        let tables = PacketTimetable.joined(
            zip(clips, places).map { ($0.timetable, $1.lowerBound) },
            end: places.last?.upperBound ?? 0)
        let count = tables.reduce(0) { $0 + $1.entries.count }
        guard let model = clips.first?.stream, let format = model.videoFormat else {
            return nil
        }
        return RenderPlan.VideoTrack(
            model: model, making: .restamped(packetCount: count), format: format,
            timing: .variable(ticksPerSecond: ticks),
            retimedRate: FrameRate(average: Double(count) / duration.seconds),
            segments: zip(zip(clips, tables), places).map { clip, ticks in
                VideoSegment(
                    ticks: ticks,
                    source: .packets(
                        ClipPackets(clip: clip.0.clip, stream: clip.0.stream, timetable: clip.1)))
            })
    }

    private func packets(
        of span: VisibleSpan, _ number: Int, ticksPerSecond: Int32
    ) throws -> ClipPackets {
        guard span.clip != nil || span.layers.isEmpty else {
            throw refusal(
                "clips are seen through from \(span.range.start.secondsText) s to "
                    + "\(span.range.end.secondsText) s, and that has to be encoded",
                "Leave out the dissolve or fade, or \(.copiedVideo)")
        }
        guard let resolved = span.clip, let layer = span.layers.first,
            let stream = video(number, of: resolved.asset)
        else {
            throw refusal(
                "there is no video from \(span.range.start.secondsText) s to "
                    + "\(span.range.end.secondsText) s, and black has to be encoded",
                "Close the gap, or leave out \(.copiedVideo)")
        }
        try Task.checkCancellation()
        let clip = try resolved.shown(layer.window)
        try requireRestampable(stream, in: clip)
        return try packets(of: stream, in: clip, ticksPerSecond: ticksPerSecond)
    }

    // MARK: - Requirements

    /// Throws if the settings need decoding or encoding.
    func requireNothingToEncode() throws {
        guard settings.video.rate == .any else {
            throw refusal(
                "packets can't be repeated or dropped, so each frame keeps its own time",
                "Choose \(.anyRate)")
        }
        let isEncoded =
            settings.video.quality != nil || settings.video.preset != nil
            || settings.video.codec != nil || settings.video.bitRate != nil
            || settings.video.hardware != .off
        let isMixed = settings.video.mixesFrames
        guard !isEncoded, !isMixed else {
            throw refusal(
                "frames that aren't decoded can't be \(isMixed ? "mixed" : "encoded again")",
                isMixed
                    ? "Leave out \(.frameSynthesis) and \(.shutter)"
                    : "Leave out \(.quality) and \(.preset)")
        }
    }

    /// Throws if the container can't hold the stream's packets, or the map doesn't play forward throughout.
    func requireRestampable(_ stream: Asset.Stream, in clip: AssetClip) throws {
        guard clip.map.isRising else {
            throw refusal(
                "video can keep its encoding only if it always plays forward",
                "Leave out \(.copiedVideo)")
        }
        guard container.holdsPackets(of: stream) else {
            throw refusal(
                "a .\(container.rawValue) file can't hold \(stream.codecName) video",
                "Write .mkv, which can hold nearly everything, or encode the video again")
        }
    }

    /// The packets of a clip at their new times.
    ///
    /// - Throws: ``MediaError`` if two frames would fall on the same tick, or packets have no times.
    func packets(
        of stream: Asset.Stream, in clip: AssetClip, ticksPerSecond: Int32
    ) throws -> ClipPackets {
        let index = try indices.index(of: stream, in: clip.asset)
        do {
            return ClipPackets(
                clip: clip, stream: stream,
                timetable: try PacketTimetable(
                    index, map: clip.map, range: clip.range, ticksPerSecond: ticksPerSecond))
        } catch PacketTimetable.Refusal.unclear(let shortcoming) {
            throw MediaError(
                .incompatible, file: clip.asset.path,
                reason: "stream \(stream.index) (\(stream.codecName)): \(shortcoming.sentence)",
                remedy: "Leave out \(.copiedVideo)")
        } catch PacketTimetable.Refusal.collision(let seconds) {
            throw MediaError(
                .incompatible, file: clip.asset.path,
                reason: "stream \(stream.index) (\(stream.codecName)): the frame at "
                    + "\(thousandths(seconds)) s and the one before it would be presented within "
                    + "1/\(ticksPerSecond) s, and packets can't be dropped",
                remedy:
                    container.tickSeconds > 0
                    ? "Write .mp4 or .mov, which keep finer times, or leave out \(.copiedVideo)"
                    : "Leave out \(.copiedVideo)")
        }
    }

    /// Notes packets that are kept only because others refer to them. Throws if the container can't hide them.
    mutating func noteReferences(of packets: ClipPackets) throws {
        let timetable = packets.timetable
        if timetable.leadIn > 0, !container.hidesLeadIn {
            let places = try keyframes(around: packets.clip.range.start, of: packets)
            throw refusal(
                "a .\(container.rawValue) file can't hide the frames before the start that others refer "
                    + "to, and the start is not a keyframe",
                """
                Start at \(places), write .mp4 or .mov, or leave out \(.copiedVideo)
                """)
        }
        if timetable.leadIn > 0 {
            note(
                "\(timetable.leadIn) frames before the start are kept because others refer to "
                    + "them; players that follow the edit list don't present them")
        }
        if timetable.overhang > 0 {
            guard container.hidesLeadIn else {
                let places = try keyframes(around: packets.clip.range.end, of: packets)
                throw refusal(
                    "a .\(container.rawValue) file can't hide the frames after the end that others refer to",
                    """
                    End at \(places), write .mp4 or .mov, or leave out \(.copiedVideo)
                    """)
            }
            note(
                "\(timetable.overhang) frames after the end are kept because others refer to "
                    + "them; players that follow the edit list don't present them")
        }
    }

    /// The nearest times at which a clip could start: `1.0 s or 2.0 s`.
    func keyframes(around time: RationalTime, of packets: ClipPackets) throws -> String {
        let index = try indices.index(of: packets.stream, in: packets.clip.asset)
        let keys = index.groups.map { index.times.start(of: $0.frames.lowerBound) }
        let places = [keys.last { $0 <= time }, keys.first { $0 > time }]
        return places.compactMap { $0.map { "\($0.secondsText) s" } }.joined(separator: " or ")
    }

    /// Requires the same header (codec, size and encoder settings) of all clips, because a track has only one.
    private func requireOneHeader(_ clips: [ClipPackets]) throws {
        guard let first = clips.first else {
            return
        }
        try requireHeld([first.stream], of: first.clip.asset)
        let header = try first.header
        var known: Set<String> = [first.clip.asset.path]
        for clip in clips where known.insert(clip.clip.asset.path).inserted {
            guard try clip.header.hasSameHeader(as: header),
                clip.stream.rotation == first.stream.rotation
            else {
                throw refusal(
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
                let places = try keyframes(around: range.start, of: packets)
                throw refusal(
                    "\(path) is cut at \(range.start.secondsText) s, which is not a keyframe",
                    "Cut at \(places), or leave out \(.copiedVideo)")
            }
            if number < clips.count - 1, packets.timetable.overhang > 0 {
                let places = try keyframes(around: range.end, of: packets)
                throw refusal(
                    "frames of \(path) before \(range.end.secondsText) s refer to later ones",
                    "Cut at \(places), or leave out \(.copiedVideo)")
            }
        }
        if let first = clips.first, first.timetable.leadIn > 0 || clips.count == 1 {
            try noteReferences(of: first)
        }
        if clips.count > 1, let last = clips.last {
            try noteReferences(of: last)
        }
    }

    func refusal(_ reason: String, _ remedy: Remedy) -> MediaError {
        MediaError(.incompatible, file: destination, reason: reason, remedy: remedy)
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

/// Rounded to the millisecond.
private func thousandths(_ seconds: Double) -> Double {
    (seconds * 1000).rounded() / 1000
}

extension PacketIndex.Shortcoming {
    /// Why packets can't be given new times without decoding them.
    fileprivate var sentence: String {
        switch self {
        case .unstated(let packet, let after):
            "packet \(packet)" + (after.map { ", after \(thousandths($0.seconds)) s," } ?? "")
                + " doesn't say when its frame is presented"
        case .repeated(let time):
            "two packets say that their frame is presented at \(thousandths(time.seconds)) s"
        case .severalEdits:
            "an edit list plays several parts of it, and packets can't be cut between them"
        case .unusable: "its packets don't say when their frames are presented"
        }
    }
}
