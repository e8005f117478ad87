import TimeMaps
import TimeWarp

/// Reads the timeline of an OpenTimelineIO file.
///
/// Items stand in rows, one after the other, with transitions between them. A row is a track, and whatever holds items may
/// be one itself.
struct OTIOReader {
    /// The newest supported version of each schema.
    private static let versions = [
        "Timeline": 1, "Stack": 1, "Track": 1, "Clip": 2, "Gap": 1, "Transition": 1,
        "SerializableCollection": 1,
    ]

    let media: ProjectMedia
    var notes = TimelineNotes()
    var bounds = ReaderBounds()
    private var itemCount = 0
    /// Names of clips whose files are said to be missing.
    var placeholders: Set<String> = []
    /// How long files last, by their paths, as far as the timeline says it.
    var mediaDurations: [String: RationalTime] = [:]

    init(_ media: ProjectMedia) {
        self.media = media
    }

    mutating func timeline(_ root: OTIOObject) throws -> ExchangeTimeline {
        try check(root)
        switch root.kindOfSchema {
        case "Timeline":
            return try timeline(of: root)
        case "SerializableCollection":
            return try first(of: root)
        case "Stack", "Track", "Clip":
            return ExchangeTimeline(name: root.name ?? "", tracks: try tracks(of: root))
        default:
            throw CompositionError(
                .unsupported, "a \(root.schema) is not a timeline or a collection of timelines")
        }
    }

    private mutating func first(of collection: OTIOObject) throws -> ExchangeTimeline {
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
        return try timeline(of: first)
    }

    private mutating func timeline(of object: OTIOObject) throws -> ExchangeTimeline {
        guard let stack = object.tracks else {
            throw CompositionError(.malformed, "tracks: the timeline has none")
        }
        if let start = try object.globalStartTime?.time, start != .zero {
            notes.add(
                "The timeline starts at timecode \(start.secondsText) s; here it starts at 0.")
        }
        noteExtras(of: object, called: "the timeline")
        var timeline = ExchangeTimeline(name: object.name ?? "")
        if let format = object.ours?.format?.format {
            timeline.format = format
        } else {
            timeline.format.frameRate = object.frameRate
        }
        timeline.tracks = try tracks(of: stack)
        return timeline
    }

    /// Throws if the file is newer or larger than supported. (A file that is nested too deeply was refused
    /// while it was parsed.)
    private mutating func check(_ object: OTIOObject) throws {
        itemCount += 1
        guard itemCount <= Composition.mostSegments else {
            throw CompositionError(
                .unsupported, "the timeline holds more than \(Composition.mostSegments) items")
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

    /// The tracks of an object, from the lowest, as far as its range shows them: those of a stack, or else one.
    mutating func tracks(of object: OTIOObject) throws -> [ExchangeTrack] {
        guard object.isEnabled else {
            notes.add("\(object.title) is switched off and was dropped.")
            return []
        }
        let tracks: [ExchangeTrack]
        switch object.kindOfSchema {
        case "Stack":
            tracks = try (object.children ?? []).flatMap { try self.tracks(of: $0) }
        case "Track":
            tracks = try row(object.children ?? [], on: track(object))
        default:
            return try row([object], on: ExchangeTrack())
        }
        let (speed, others) = try object.timing
        for effect in others {
            notes.add("The effect \(effect) of \(object.title) was dropped.")
        }
        noteExtras(of: object, called: object.title)
        let length = tracks.map(\.length).max() ?? .zero
        let range = try range(of: object, lasting: length)
        guard range != nil || speed != 1 else {
            return tracks
        }
        let shown = try range ?? TimeRange(start: .zero, duration: length)
        return try tracks.map { try played($0, shown, speed) }
    }

    private mutating func track(_ object: OTIOObject) -> ExchangeTrack {
        let carries: Track.Content
        switch object.kind {
        case "Video", nil: carries = .video
        case "Audio": carries = .sound
        case let kind?:
            notes.add("\(object.title) is of kind \"\(kind)\"; it was read as video and sound.")
            carries = .both
        }
        return ExchangeTrack(name: object.name ?? "", carries: carries, number: object.ours?.track)
    }

    /// The range of an object's own time that is shown; nil for all of it.
    private mutating func range(
        of object: OTIOObject, lasting length: RationalTime
    ) throws -> TimeRange? {
        guard let range = try object.sourceRange.map({ try TimeRange(reading: $0) }) else {
            return nil
        }
        // Some programs write the timecode at which a track begins, though what is in it counts from 0.
        if object.kindOfSchema == "Track", range.duration == length,
            range.start >= length || range.end <= .zero
        {
            notes.add("The range of \(object.title) is outside of it and was ignored.")
            return nil
        }
        return range
    }

    /// A track as a range of it plays at a speed.
    private mutating func played(
        _ track: ExchangeTrack, _ range: TimeRange, _ speed: Double
    ) throws -> ExchangeTrack {
        var played = track
        let points = try OTIOClip.points(from: range.start, lasting: range.duration, at: speed)
        played.length = range.duration
        played.clips =
            range.duration > .zero
            ? try NestedTrack(track).played(along: points, at: .zero, &bounds) : []
        return played
    }

    // MARK: - Notes

    /// Adds notes on what a composition can't represent of an object.
    mutating func noteExtras(of object: OTIOObject, called name: String) {
        if object.kindOfSchema != "Clip", let count = object.markers?.count, count > 0 {
            let markers = count == 1 ? "1 marker" : "\(count) markers"
            notes.add("\(markers) of \(name) \(count == 1 ? "was" : "were") dropped.")
        }
        if !["Clip", "Track", "Stack"].contains(object.kindOfSchema) {
            for effect in object.effects ?? [] where effect.isEnabled {
                notes.add("The effect \(effect.described) of \(name) was dropped.")
            }
        }
        if object.metadata?.hasForeignParts == true {
            notes.add("Metadata of other programs was dropped.")
        }
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
