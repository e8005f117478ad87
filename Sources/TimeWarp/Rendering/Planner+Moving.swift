import Media
import TimeMaps

/// Compressed pictures that get new times and are never decoded.
extension Planner {
    mutating func planMoved() throws -> [RenderPlan.VideoTrack] {
        try requireNothingToEncode()
        return try clip.asset.videoStreams.compactMap { stream in
            guard let format = stream.videoFormat else {
                return nil
            }
            guard container.holdsPackets(of: stream) else {
                throw refusal(
                    "a .\(container.rawValue) file can't hold \(stream.codecName) pictures as they are",
                    "Write .mkv, which holds nearly everything, or encode them anew")
            }
            return try planMoved(stream, format)
        }
    }

    private func requireNothingToEncode() throws {
        guard settings.rate == .any else {
            throw refusal(
                "packets can't be repeated or left out, so each picture keeps its own time",
                "Choose \(.anyRate)")
        }
        guard clip.map.isRising else {
            throw refusal(
                "only what always plays forward can be shown without decoding",
                "Leave out \(.copiedVideo)")
        }
        let isEncoded =
            settings.quality != nil || settings.preset != nil || settings.videoCodec != nil
        let isMixed = settings.mixesFrames
        guard !isEncoded, !isMixed else {
            throw refusal(
                "pictures that are never decoded can't be \(isMixed ? "mixed" : "encoded otherwise")",
                isMixed
                    ? "Leave out \(.frameSynthesis) and \(.shutter)"
                    : "Leave out \(.quality) and \(.preset)")
        }
    }

    private mutating func planMoved(
        _ stream: Asset.Stream, _ format: VideoFormat
    ) throws -> RenderPlan.VideoTrack {
        let index = try packetIndex(of: stream)
        let ticks = ticksPerSecond(for: format)
        let timetable = try timetable(of: stream, index, ticksPerSecond: ticks)
        if timetable.leadIn > 0, !container.hidesLeadIn {
            throw startRefusal(index)
        }
        if timetable.leadIn > 0 {
            warnings.append(
                "\(timetable.leadIn) pictures before the start go along because others refer to "
                    + "them; players that heed the edit list don't show them")
        }
        if timetable.overhang > 0 {
            warnings.append(
                "\(timetable.overhang) pictures after the end go along because others refer to "
                    + "them, and are shown")
        }
        return RenderPlan.VideoTrack(
            source: stream, making: .moved(RenderPlan.MovedPackets(timetable: timetable)),
            format: format, timing: .variable(ticksPerSecond: ticks),
            frameRate: averageRate(of: stream, format: format), index: nil, pieceLength: nil)
    }

    private func timetable(
        of stream: Asset.Stream, _ index: PacketIndex, ticksPerSecond: Int32
    ) throws -> PacketTimetable {
        do {
            return try PacketTimetable(
                index, map: clip.map, range: clip.range, ticksPerSecond: ticksPerSecond)
        } catch PacketTimetable.Refusal.unstated {
            throw refusal(
                "not every \(stream.codecName) packet of stream \(stream.index) states when its "
                    + "picture is shown",
                "Leave out \(.copiedVideo)")
        } catch PacketTimetable.Refusal.collision(let seconds) {
            let place = (seconds * 1000).rounded() / 1000
            throw refusal(
                "the picture at \(place) s and the one before it would be shown within "
                    + "1/\(ticksPerSecond) s, and packets can't be left out",
                container.tickSeconds > 0
                    ? "Write .mp4 or .mov, which keep finer times, or leave out \(.copiedVideo)"
                    : "Leave out \(.copiedVideo)")
        }
    }

    /// Names the nearest places at which a clip could start.
    private func startRefusal(_ index: PacketIndex) -> MediaError {
        let keys = index.groups.map { index.times.start(of: $0.pictures.lowerBound) }
        let later = keys.first { $0 > clip.range.start }
        let earlier = keys.last { $0 <= clip.range.start }
        let places = [earlier, later].compactMap { $0.map { "\($0.seconds) s" } }
        return refusal(
            "a .\(container.rawValue) file can't hide the pictures that lead up to the start, which "
                + "is no key picture",
            """
            Start at \(places.joined(separator: " or ")), write .mp4 or .mov, or leave out \
            \(.copiedVideo)
            """)
    }

    private func refusal(_ reason: String, _ remedy: Remedy) -> MediaError {
        MediaError(.incompatible, file: destination, reason: reason, remedy: remedy)
    }
}
