import Media
import TimeMaps

/// Plans compressed frames that get new times and are never decoded.
extension Planner {
    /// Throws if the settings need decoding or encoding.
    func requireNothingToEncode() throws {
        guard settings.video.rate == .any else {
            throw refusal(
                "packets can't be repeated or dropped, so each frame keeps its own time",
                "Choose \(.anyRate)")
        }
        let isEncoded =
            settings.video.quality != nil || settings.video.preset != nil
            || settings.video.codec != nil
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

    func refusal(_ reason: String, _ remedy: Remedy) -> MediaError {
        MediaError(.incompatible, file: destination, reason: reason, remedy: remedy)
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
