import Foundation
import TimeMaps
import TimeWarp

/// An object of an OpenTimelineIO file, of any schema. Properties that its schema doesn't have are nil.
///
/// The schemas are those of OpenTimelineIO's documentation, "Serialized File Format".
final class OTIOObject: Codable {
    private let label: OTIOSchema
    var name: String?
    var metadata: OTIOMetadata?
    var enabled: Bool?
    // Timeline
    var globalStartTime: OTIOTime?
    var tracks: OTIOObject?
    // Stack, Track, SerializableCollection
    var children: [OTIOObject]?
    var kind: String?
    // Clip, Gap and everything else that can be on a track
    var sourceRange: OTIORange?
    var effects: [OTIOObject]?
    var markers: [OTIOObject]?
    var mediaReference: OTIOObject?
    var mediaReferences: [String: OTIOObject]?
    var activeMediaReferenceKey: String?
    // ExternalReference
    var targetURL: String?
    var availableRange: OTIORange?
    // Effects
    var effectName: String?
    var timeScalar: Double?
    // Marker
    var markedRange: OTIORange?
    var comment: String?
    var color: OTIOColour?
    // Transition
    var transitionType: String?
    var inOffset: OTIOTime?
    var outOffset: OTIOTime?

    private enum CodingKeys: String, CodingKey {
        case label = "OTIO_SCHEMA"
        case name, metadata, enabled, tracks, children, kind, effects, markers, comment, color
        case globalStartTime = "global_start_time"
        case sourceRange = "source_range"
        case mediaReference = "media_reference"
        case mediaReferences = "media_references"
        case activeMediaReferenceKey = "active_media_reference_key"
        case targetURL = "target_url"
        case availableRange = "available_range"
        case effectName = "effect_name"
        case timeScalar = "time_scalar"
        case markedRange = "marked_range"
        case transitionType = "transition_type"
        case inOffset = "in_offset"
        case outOffset = "out_offset"
    }

    init(_ schema: String, name: String = "") {
        label = OTIOSchema(text: schema)
        self.name = name
        metadata = OTIOMetadata()
    }

    /// The schema with its version, such as `Clip.2`.
    var schema: String { label.text }

    /// The schema without its version: `Clip` for `Clip.2`.
    var kindOfSchema: String {
        String(schema.prefix { $0 != "." })
    }

    /// TimeWarp's own metadata of this object.
    var ours: OTIOOurs? { metadata?.timewarp }

    var isEnabled: Bool { enabled ?? true }

    /// An object for a track, with all keys that the format's own library writes.
    static func item(_ schema: String, name: String) -> OTIOObject {
        let item = OTIOObject(schema, name: name)
        item.enabled = true
        item.effects = []
        item.markers = []
        return item
    }
}

/// The schema of an object. Reading one counts the object.
private struct OTIOSchema: Codable {
    let text: String

    private static let mostLevels = 64

    init(text: String) {
        self.text = text
    }

    init(from decoder: any Decoder) throws {
        try (decoder.userInfo[OTIOCount.key] as? OTIOCount)?.add()
        // The path has two entries for each level of children. Each level needs stack, and a thread may have
        // little of it.
        guard decoder.codingPath.count <= 2 * Self.mostLevels else {
            throw CompositionError(
                .unsupported, "the timeline is nested more than \(Self.mostLevels) levels deep")
        }
        text = try decoder.singleValueContainer().decode(String.self)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

/// Counts the objects of a file while it is read, so that a file with too many is refused before they fill the
/// memory.
///
/// Sendable because only a decoder has it, and a decoder works on one thread.
final class OTIOCount: @unchecked Sendable {
    static let key = CodingUserInfoKey(rawValue: "objects")!

    /// Four for each item: the item, its media reference, an effect and a marker.
    private static let most = 4 * Composition.mostSegments
    private var count = 0

    fileprivate func add() throws {
        count += 1
        guard count <= Self.most else {
            throw CompositionError(
                .unsupported, "the timeline holds more than \(Self.most) objects")
        }
    }
}

/// The colour of an object. A marker's colour is a name and a clip's is an object of numbers; only names are
/// read.
struct OTIOColour: Codable {
    let name: String?

    init(_ name: String) {
        self.name = name
    }

    init(from decoder: any Decoder) throws {
        name = try? decoder.singleValueContainer().decode(String.self)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(name)
    }
}

/// A time of `value / rate` seconds.
struct OTIOTime: Codable {
    let schema: String
    let value: Double
    let rate: Double

    private enum CodingKeys: String, CodingKey {
        case schema = "OTIO_SCHEMA"
        case value, rate
    }

    init(value: Double, rate: Double) {
        schema = "RationalTime.1"
        self.value = value
        self.rate = rate
    }
}

/// A range with a start and a duration.
struct OTIORange: Codable {
    let schema: String
    let startTime: OTIOTime
    let duration: OTIOTime

    private enum CodingKeys: String, CodingKey {
        case schema = "OTIO_SCHEMA"
        case duration
        case startTime = "start_time"
    }

    init(start: OTIOTime, duration: OTIOTime) {
        schema = "TimeRange.1"
        startTime = start
        self.duration = duration
    }
}

/// The metadata that programs add to an object. Only TimeWarp's own part is read.
struct OTIOMetadata: Codable {
    var timewarp: OTIOOurs?
    /// Whether the metadata has parts that TimeWarp didn't write.
    private(set) var hasForeignParts = false

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }

        static let timewarp = Key(stringValue: "timewarp")
    }

    init() {}

    init(from decoder: any Decoder) throws {
        guard let container = try? decoder.container(keyedBy: Key.self) else {
            return
        }
        // If it can't be decoded, another program wrote it under the same name.
        timewarp = try? container.decode(OTIOOurs.self, forKey: .timewarp)
        let foreign = container.allKeys.contains { $0.stringValue != Key.timewarp.stringValue }
        hasForeignParts = foreign || (timewarp == nil && container.contains(.timewarp))
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encodeIfPresent(timewarp, forKey: .timewarp)
    }
}

/// TimeWarp's part of an object's metadata.
struct OTIOOurs: Codable {
    /// Of a timeline: the version of the edit file format, `composition/1`.
    var version: String?
    var format: FileFormat?
    /// Of a track: its index in the composition, and what it carries there.
    var track: Int?
    var carries: Track.Content?
    /// Of the first clip of a segment: the segment, without its markers, as in an edit file. It is stored as
    /// text, because other programs read and write numbers with their own precision.
    var segment: String?
    /// Of a clip: its index among the clips of its segment, counted from 0, and their number.
    var piece: Int?
    var of: Int?
    /// Of the first clip of a segment: the largest deviation of the clips from the segment, in seconds of the
    /// file.
    var error: Double?
    /// Of a clip: its values when it was written. If they differ now, another program changed it.
    var written: Written?
    /// Of a marker: whether its colour has no meaning.
    var isColourless: Bool?

    struct Written: Codable, Hashable {
        let media: String
        let start: String
        let duration: String
        let speed: Double
    }
}
