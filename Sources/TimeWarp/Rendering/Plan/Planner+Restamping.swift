import Media
import TimeMaps

/// Compressed frames that get new times and are never decoded.
extension Planner {
    /// Refuses what would need decoding, whatever is rendered.
    func requireNothingToEncode() throws {
        guard settings.rate == .any else {
            throw refusal(
                "packets can't be repeated or left out, so each picture keeps its own time",
                "Choose \(.anyRate)")
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

    /// Refuses a stream that the container doesn't hold as it is, and a map that doesn't rise.
    func requireRestampable(_ stream: Asset.Stream, in clip: Clip) throws {
        guard clip.map.isRising else {
            throw refusal(
                "only what always plays forward can be shown without decoding",
                "Leave out \(.copiedVideo)")
        }
        guard container.holdsPackets(of: stream) else {
            throw refusal(
                "a .\(container.rawValue) file can't hold \(stream.codecName) pictures as they are",
                "Write .mkv, which holds nearly everything, or encode them anew")
        }
    }

    /// The packets of a clip at their new times.
    ///
    /// - Throws: ``MediaError`` where two frames would fall on one tick, or packets state no times.
    func packets(
        of stream: Asset.Stream, in clip: Clip, ticksPerSecond: Int32
    ) throws -> ClipPackets {
        let index = try indices.index(of: stream, in: clip.asset)
        do {
            return ClipPackets(
                clip: clip, stream: stream,
                timetable: try PacketTimetable(
                    index, map: clip.map, range: clip.range, ticksPerSecond: ticksPerSecond))
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

    /// Notes packets that others refer to, or refuses them where nothing hides them.
    mutating func noteReferences(of packets: ClipPackets) throws {
        let timetable = packets.timetable
        if timetable.leadIn > 0, !container.hidesLeadIn {
            let places = try keyframes(around: packets.clip.range.start, of: packets)
            throw refusal(
                "a .\(container.rawValue) file can't hide the pictures that lead up to the start, "
                    + "which is no key picture",
                """
                Start at \(places), write .mp4 or .mov, or leave out \(.copiedVideo)
                """)
        }
        if timetable.leadIn > 0 {
            note(
                "\(timetable.leadIn) pictures before the start go along because others refer to "
                    + "them; players that heed the edit list don't show them")
        }
        if timetable.overhang > 0 {
            note(
                "\(timetable.overhang) pictures after the end go along because others refer to "
                    + "them, and are shown")
        }
    }

    /// The nearest places at which a clip could start: `1.0 s or 2.0 s`.
    func keyframes(around time: RationalTime, of packets: ClipPackets) throws -> String {
        let index = try indices.index(of: packets.stream, in: packets.clip.asset)
        let keys = index.groups.map { index.times.start(of: $0.pictures.lowerBound) }
        let places = [keys.last { $0 <= time }, keys.first { $0 > time }]
        return places.compactMap { $0.map { "\($0.seconds) s" } }.joined(separator: " or ")
    }

    func refusal(_ reason: String, _ remedy: Remedy) -> MediaError {
        MediaError(.incompatible, file: destination, reason: reason, remedy: remedy)
    }
}
