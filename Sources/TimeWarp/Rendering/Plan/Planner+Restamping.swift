import Media
import TimeMaps

/// Plans compressed frames that get new times and are never decoded.
extension Planner {
    /// Throws if the settings need decoding or encoding.
    func requireNothingToEncode() throws {
        guard settings.rate == .any else {
            throw refusal(
                "packets can't be repeated or left out, so each frame keeps its own time",
                "Choose \(.anyRate)")
        }
        let isEncoded =
            settings.quality != nil || settings.preset != nil || settings.videoCodec != nil
        let isMixed = settings.mixesFrames
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
        } catch PacketTimetable.Refusal.unstated {
            throw refusal(
                "not every \(stream.codecName) packet of stream \(stream.index) says when its "
                    + "frame is presented",
                "Leave out \(.copiedVideo)")
        } catch PacketTimetable.Refusal.collision(let seconds) {
            let place = (seconds * 1000).rounded() / 1000
            throw refusal(
                "the frame at \(place) s and the one before it would be presented within "
                    + "1/\(ticksPerSecond) s, and packets can't be left out",
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
            note(
                "\(timetable.overhang) frames after the end are kept because others refer to "
                    + "them, and are presented")
        }
    }

    /// The nearest times at which a clip could start: `1.0 s or 2.0 s`.
    func keyframes(around time: RationalTime, of packets: ClipPackets) throws -> String {
        let index = try indices.index(of: packets.stream, in: packets.clip.asset)
        let keys = index.groups.map { index.times.start(of: $0.frames.lowerBound) }
        let places = [keys.last { $0 <= time }, keys.first { $0 > time }]
        return places.compactMap { $0.map { "\($0.seconds) s" } }.joined(separator: " or ")
    }

    func refusal(_ reason: String, _ remedy: Remedy) -> MediaError {
        MediaError(.incompatible, file: destination, reason: reason, remedy: remedy)
    }
}
