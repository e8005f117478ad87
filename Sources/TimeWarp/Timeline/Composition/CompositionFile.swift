import Documents
import Foundation
import TimeMaps

extension Composition {
    /// The size of the largest edit file that is read, in bytes.
    public static let largestFile = 16 << 20
    /// The largest number of segments in a file.
    public static let mostSegments = 100_000
    /// The largest number of tracks in a file.
    public static let mostTracks = 1000

    /// Reads an edit file (JSON).
    ///
    /// ```json
    /// { "timewarp": "composition/1",
    ///   "format": { "size": [1280, 720], "rate": "30000/1001", "crossfade": "5ms" },
    ///   "tracks": [ { "name": "V1", "carries": "both", "segments": [
    ///     { "media": "a.mp4", "range": ["2", "10"], "warp": { "curve": "ramp" }, "duration": "6" },
    ///     { "gap": "1.5" },
    ///     { "media": "b.mp4", "play": "reversed", "thereAndBack": true },
    ///     { "media": "b.mp4", "freeze": "3", "duration": "2" } ] } ] }
    /// ```
    /// A segment may play a timeline that the file contains, by its name: `"media": "intro"` with
    /// `"timelines": [ { "name": "intro", "tracks": […] } ]`.
    /// Times are either texts that ``RationalTime/init(parsing:)`` reads, or numbers of seconds, which are
    /// rounded to the nanosecond. Without `range`, a clip is the whole file. Without `duration`, a clip is as
    /// long as its retiming makes it.
    ///
    /// - Parameters:
    ///   - json: the content of the file, at most ``largestFile`` bytes.
    ///   - mediaDuration: returns the duration of a media file. It is called once for each file that is used
    ///     without a range.
    /// - Throws: ``DocumentError`` with line, column and path, such as `tracks[0].segments[2].warp`; what
    ///   `mediaDuration` throws.
    /// - Complexity: O(size), and integrating the curves.
    public init(
        json: Data, mediaDuration: (String) throws -> RationalTime
    ) throws {
        let document = try JSONDocument(json, kind: "edit file", largest: Self.largestFile)
        let file = try document.decode(EditFile.self)
        var known: [String: RationalTime] = [:]
        do {
            self = try file.composition { media, _ in
                if let duration = known[media] {
                    return duration
                }
                let duration = try mediaDuration(media)
                known[media] = duration
                return duration
            }
        } catch let error as DocumentError {
            throw document.locating(error)
        }
    }

    /// The composition as an edit file (JSON) with sorted keys and a newline at the end. Reading the file gives
    /// an equal composition.
    public func json() throws -> Data { try JSONDocument.data(of: EditFile(self)) }
}

extension Composition {
    /// What an edit file says that it is.
    package static let fileVersion = "composition/1"
}

/// The content of an edit file, or of the timeline of a job.
struct EditFile: Codable, Sendable, SchemaNaming {
    static let schemaName = "timeline"

    private let name: String
    private let stated: FileFormat?
    private var tracks: [FileTrack]
    private let timelines: [EditFile]

    /// What it is rendered as.
    var format: Composition.Format { stated?.format ?? Composition.Format() }

    private enum Key: String, CodingKey {
        case timewarp, name, format, tracks, timelines
    }

    /// The only clip, if there is one segment that plays media; nil otherwise.
    var clip: FileClip? {
        get {
            guard timelines.isEmpty, tracks.count == 1, tracks[0].segments.count == 1,
                case .clip(let clip) = tracks[0].segments[0].content
            else {
                return nil
            }
            return clip
        }
        set {
            if clip != nil, let newValue {
                tracks[0].segments[0].content = .clip(newValue)
            }
        }
    }

    /// What the only track carries; nil if there are several.
    var carries: Track.Content? { tracks.count == 1 ? tracks[0].carries ?? .both : nil }

    init(_ composition: Composition) {
        name = composition.name
        stated = FileFormat(composition.format)
        tracks = composition.tracks.map(FileTrack.init)
        timelines = composition.timelines.map(EditFile.init)
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        // A timeline inside of another document has no version of its own.
        if decoder.codingPath.isEmpty {
            try container.requireVersion(Composition.fileVersion, forKey: .timewarp)
        }
        name = try container.decodeIfPresent(String.self, forKey: .name) ?? ""
        stated = try container.decodeIfPresent(FileFormat.self, forKey: .format)
        tracks = try Self.tracks(container)
        timelines =
            try container.decodeIfPresent([EditFile].self, forKey: .timelines) { timelines in
                var names: Set<String> = []
                for timeline in timelines where !names.insert(timeline.name).inserted {
                    throw CompositionError(
                        .malformed, "two timelines have the name \"\(timeline.name)\"")
                }
                return timelines
            } ?? []
    }

    /// Decodes the tracks one by one, so that no more is read than allowed.
    private static func tracks(_ container: KeyedDecodingContainer<Key>) throws -> [FileTrack] {
        var list = try container.nestedUnkeyedContainer(forKey: .tracks)
        guard list.count ?? 0 <= Composition.mostTracks else {
            throw container.wrong(
                .tracks, "there are \(list.count ?? 0); \(Composition.mostTracks) is the most")
        }
        var tracks: [FileTrack] = []
        var count = 0
        while !list.isAtEnd {
            tracks.append(try list.decode(FileTrack.self))
            count += tracks[tracks.count - 1].segments.count
            guard count <= Composition.mostSegments else {
                throw container.wrong(
                    .tracks, "there are more than \(Composition.mostSegments) segments")
            }
        }
        return tracks
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        if encoder.codingPath.isEmpty {
            try container.encode(Composition.fileVersion, forKey: .timewarp)
        }
        if !name.isEmpty {
            try container.encode(name, forKey: .name)
        }
        try container.encodeIfPresent(stated, forKey: .format)
        try container.encode(tracks, forKey: .tracks)
        if !timelines.isEmpty {
            try container.encode(timelines, forKey: .timelines)
        }
    }

    /// - Parameters:
    ///   - path: the path of this timeline in its document, for error messages.
    ///   - mediaEnd: returns where a media file ends for what a track carries; called if that decides what is played.
    func composition(
        at path: DocumentPath = DocumentPath(),
        mediaEnd: (String, Track.Content) throws -> RationalTime
    ) throws -> Composition {
        var composition = Composition(name: name, format: format)
        for (index, timeline) in timelines.enumerated() {
            composition.timelines.append(
                try timeline.composition(
                    at: path.key("timelines").index(index), mediaEnd: mediaEnd))
        }
        for (index, track) in tracks.enumerated() {
            composition.tracks.append(
                try track.track(at: path.key("tracks").index(index)) { media, carried in
                    try composition.contained(media)?.duration ?? mediaEnd(media, carried)
                })
        }
        return composition
    }
}

/// A track of an edit file.
private struct FileTrack: Codable, Sendable {
    let name: String?
    let carries: Track.Content?
    var segments: [FileSegment]

    private enum Key: String, CodingKey {
        case name, carries, segments
    }

    init(_ track: Track) {
        name = track.name
        carries = track.carries
        segments = track.segments.map(FileSegment.init)
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        name = try container.decodeIfPresent(String.self, forKey: .name)
        carries = try container.decodeIfPresent(String.self, forKey: .carries) { word in
            guard let carries = Track.Content(named: word) else {
                throw CompositionError(
                    .malformed, "a track carries both, video or sound, not \"\(word)\"")
            }
            return carries
        }
        segments = try container.decode(
            listOf: FileSegment.self, forKey: .segments, atMost: Composition.mostSegments)
    }

    func track(
        at path: DocumentPath, mediaEnd: (String, Track.Content) throws -> RationalTime
    ) throws -> Track {
        var track = Track(name: name ?? "", carries: carries ?? .both)
        for (index, segment) in segments.enumerated() {
            let place = path.key("segments").index(index)
            let segment = try segment.segment(
                at: place, carrying: track.carries, mediaEnd: mediaEnd)
            do {
                try track.append(segment)
            } catch let error as TimeError {
                throw DocumentError(error, at: place)
            }
        }
        return track
    }
}
