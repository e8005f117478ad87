import TimeMaps
import TimeWarp

/// Makes a composition from the objects of an OpenTimelineIO file.
struct TimelineReader {
    /// The newest supported version of each schema.
    private static let versions = [
        "Timeline": 1, "Stack": 1, "Track": 1, "Clip": 2, "Gap": 1, "Transition": 1,
        "SerializableCollection": 1,
    ]

    var notes = TimelineNotes()
    /// Names of clips whose files are said to be missing.
    var placeholders: Set<String> = []
    var itemCount = 0
    let lengths: MediaLengths

    init(_ lengths: MediaLengths) {
        self.lengths = lengths
    }

    mutating func composition(_ root: OTIOObject) throws -> Composition {
        try check(root)
        switch root.kindOfSchema {
        case "Timeline":
            return try timeline(root)
        case "SerializableCollection":
            return try first(of: root)
        case "Stack", "Track", "Clip":
            return try Composition(
                name: root.name ?? "", tracks: few(tracks(in: root)).map(\.track))
        default:
            throw CompositionError(
                .unsupported, "a \(root.schema) is not a timeline or a collection of timelines")
        }
    }

    private mutating func first(of collection: OTIOObject) throws -> Composition {
        let timelines = (collection.children ?? []).filter { $0.kindOfSchema == "Timeline" }
        guard let first = timelines.first else {
            throw CompositionError(.unsupported, "the collection holds no timeline")
        }
        let others = (collection.children?.count ?? 1) - 1
        if others > 0 {
            notes.add(
                "Only the timeline \"\(first.name ?? "")\" of the collection was read; "
                    + "\(others) more " + (others == 1 ? "object was not." : "objects were not."))
        }
        return try timeline(first)
    }

    private mutating func timeline(_ timeline: OTIOObject) throws -> Composition {
        guard let stack = timeline.tracks else {
            throw CompositionError(.malformed, "tracks: the timeline has none")
        }
        if let start = try timeline.globalStartTime?.time, start != .zero {
            notes.add(
                "The timeline starts at timecode \(start.secondsText) s; here it starts at 0.")
        }
        noteExtras(of: timeline, called: "the timeline")
        var composition = Composition(name: timeline.name ?? "")
        if let format = timeline.ours?.format?.format {
            composition.format = format
        } else {
            composition.format.frameRate = timeline.frameRate
        }
        composition.tracks = merged(try few(tracks(in: stack)))
        return composition
    }

    /// - Throws: ``CompositionError`` if there are more tracks than can be worked with.
    private func few(_ tracks: [ReadTrack]) throws -> [ReadTrack] {
        guard tracks.count <= ReaderBounds.mostTracks else {
            throw CompositionError(
                .unsupported, "the timeline has more than \(ReaderBounds.mostTracks) tracks")
        }
        return tracks
    }

    /// Throws if the file is newer or larger than supported. (A file that is nested too deeply was refused
    /// while it was parsed.)
    private mutating func check(_ object: OTIOObject) throws {
        itemCount += 1
        guard itemCount <= Composition.mostSegments else {
            throw CompositionError(
                .unsupported,
                "the timeline holds more than \(Composition.mostSegments) items")
        }
        if let newest = Self.versions[object.kindOfSchema],
            let version = Int(object.schema.split(separator: ".").last ?? ""), version > newest
        {
            throw CompositionError(
                .unsupported,
                "\(object.schema) is newer than what can be read, \(object.kindOfSchema).\(newest)")
        }
        for child in object.children ?? [] {
            try check(child)
        }
        if let stack = object.tracks {
            try check(stack)
        }
    }

    // MARK: - Tracks

    /// A track, and TimeWarp's own metadata of it.
    struct ReadTrack {
        var track: Track
        var ours: OTIOOurs?
    }

    /// The tracks of a stack, from the lowest. Any other object becomes one track.
    private mutating func tracks(in object: OTIOObject) throws -> [ReadTrack] {
        guard object.isEnabled else {
            notes.add("\(object.title) is switched off and was dropped.")
            return []
        }
        switch object.kindOfSchema {
        case "Stack":
            noteExtras(of: object, called: object.title)
            let tracks = try (object.children ?? []).flatMap { try self.tracks(in: $0) }
            guard let range = try object.sourceRange.map({ try TimeRange(reading: $0) }) else {
                return tracks
            }
            return try tracks.map { track in
                var track = track
                try track.track.trim(to: range)
                return track
            }
        case "Track":
            noteExtras(of: object, called: object.title)
            var track = try Track(
                name: object.name ?? "", carries: content(of: object),
                segments: try segments(inTrack: object))
            if let range = try object.sourceRange.map({ try TimeRange(reading: $0) }) {
                // Some programs write the timecode at which the track begins, though what is in it counts from 0.
                let isTimecode =
                    range.duration == track.duration
                    && (range.start >= track.duration || range.end <= .zero)
                if isTimecode {
                    notes.add("The range of \(object.title) is outside of it and was ignored.")
                } else {
                    try track.trim(to: range)
                }
            }
            return [ReadTrack(track: track, ours: object.ours)]
        default:
            let segments = try self.segments(of: object, in: object.name ?? "")
            return [try ReadTrack(track: Track(carries: .video, segments: segments))]
        }
    }

    private mutating func content(of track: OTIOObject) -> Track.Content {
        switch track.kind {
        case "Video", nil: return .video
        case "Audio": return .sound
        case let kind?:
            notes.add("\(track.title) is of kind \"\(kind)\"; it was read as video and sound.")
            return .both
        }
    }

    /// Joins the video and audio of one track again, and restores the order of tracks, if no other program
    /// changed them.
    private mutating func merged(_ tracks: [ReadTrack]) -> [Track] {
        var result: [ReadTrack] = []
        /// The video tracks that also carried sound, by their numbers.
        var partners: [Int: Int] = [:]
        for track in tracks {
            let number = track.ours?.carries == .both ? track.ours?.track : nil
            guard let number, track.track.carries == .sound,
                let partner = partners.removeValue(forKey: number)
            else {
                if let number, track.track.carries == .video {
                    partners[number] = partners[number] ?? result.count
                }
                result.append(track)
                continue
            }
            guard result[partner].track.plays(as: track.track) else {
                notes.add(
                    "Video and sound of track \"\(track.track.name)\" no longer agree; they "
                        + "became separate tracks.")
                result.append(track)
                continue
            }
            result[partner].track.carries = .both
        }
        let numbers = result.compactMap { $0.ours?.track }
        guard numbers.count == result.count, Set(numbers).count == numbers.count else {
            return result.map(\.track)
        }
        return zip(numbers, result).sorted { $0.0 < $1.0 }.map(\.1.track)
    }

    // MARK: - Notes

    /// Adds notes on what a composition can't represent of an object.
    mutating func noteExtras(of object: OTIOObject, called name: String) {
        if object.kindOfSchema != "Clip" {
            if let count = object.markers?.count, count > 0 {
                let markers = count == 1 ? "1 marker" : "\(count) markers"
                notes.add(
                    "\(markers) of \(name) \(count == 1 ? "was" : "were") dropped.")
            }
            for effect in object.effects ?? [] where effect.isEnabled {
                notes.add("The effect \(effect.described) of \(name) was dropped.")
            }
        }
        if object.metadata?.hasForeignParts == true {
            notes.add("Metadata of other programs was dropped.")
        }
    }
}

/// The durations of media files. Each file is asked for once.
final class MediaLengths {
    private let ask: (String) throws -> RationalTime
    private let find: ((String) -> RationalTime?)?
    private var known: [String: RationalTime] = [:]

    /// - Parameters:
    ///   - ask: is called where a timeline can't be read without the duration.
    ///   - find: is called where it can; nil for what `ask` returns.
    init(
        ask: @escaping (String) throws -> RationalTime, find: ((String) -> RationalTime?)? = nil
    ) {
        self.ask = ask
        self.find = find
    }

    /// How long a file lasts; nil if it can't be found.
    func find(_ media: String) -> RationalTime? {
        find.map { $0(media) } ?? (try? duration(of: media))
    }

    func duration(of media: String) throws -> RationalTime {
        if let duration = known[media] {
            return duration
        }
        let duration = try ask(media)
        known[media] = duration
        return duration
    }
}

extension OTIOObject {
    /// The object's kind and name, such as `the track "V1"`.
    var title: String {
        let kind = kindOfSchema.isEmpty ? "object" : kindOfSchema.lowercased()
        return "the \(kind) \"\(name ?? "")\""
    }
}

extension TimeRange {
    init(reading range: OTIORange) throws {
        try self.init(start: range.startTime.time, duration: range.duration.time)
    }
}

extension Track {
    /// Cuts the track to a range, which may reach outside of the track; a gap fills the rest.
    mutating func trim(to range: TimeRange) throws {
        guard range.duration > .zero else {
            self = Track(name: name, carries: carries)
            return
        }
        if range.end < duration {
            try remove(TimeRange(start: max(.zero, range.end), end: duration))
        }
        if range.end > duration {
            try append(.gap(lasting: range.end - duration))
        }
        if range.start > .zero {
            try remove(TimeRange(start: .zero, end: min(range.start, duration)))
        }
        if range.start < .zero {
            try insert(.gap(lasting: RationalTime.zero - range.start), at: .zero)
        }
    }

    /// Whether both play the same, apart from their markers.
    fileprivate func plays(as other: Track) -> Bool {
        segments.count == other.segments.count
            && zip(segments, other.segments).allSatisfy {
                $0.clip == $1.clip && $0.duration == $1.duration && $1.markers.isEmpty
            }
    }
}
