import Documents
import Foundation
import TimeMaps

extension StoryManifest: Codable {
    private enum Key: String, CodingKey {
        case timewarp, id, title, language, controls, analytics, start, variables, media, segments
    }

    /// The largest manifest that can be read, in bytes.
    public static let largestFile = 64 << 20

    /// Reads a manifest from JSON and checks it as ``check()`` does.
    ///
    /// - Throws: ``StoryError`` if the data is larger than ``largestFile``, isn't a manifest, or fails the
    ///   check.
    public init(json: Data) throws(StoryError) {
        self = try StoryError.reading { () throws(DocumentError) in
            try JSONDocument(json, kind: "manifest", largest: Self.largestFile)
                .decode(StoryManifest.self, unknownKeys: .ignored)
        }
        try check()
    }

    /// The manifest as JSON with sorted keys, ending in a newline.
    ///
    /// - Throws: `EncodingError` if a number isn't finite.
    public func json() throws -> Data { try JSONDocument.data(of: self) }

    /// Decodes a manifest without checking its names; see ``check()``.
    ///
    /// - Throws: `DecodingError`, also for another version.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        try container.requireVersion(Self.version, forKey: .timewarp)
        self.init(
            id: try container.decode(String.self, forKey: .id),
            title: try container.decode(String.self, forKey: .title),
            language: try container.decode(String.self, forKey: .language),
            controls: try container.decodeIfPresent(StoryControls.self, forKey: .controls)
                ?? StoryControls(),
            analytics: try container.decodeIfPresent(String.self, forKey: .analytics),
            start: try container.decode(String.self, forKey: .start),
            variables: try container.decode([String: Double].self, forKey: .variables),
            media: try container.decode(Media.self, forKey: .media),
            segments: try container.decode([String: Segment].self, forKey: .segments))
    }

    /// Encodes the manifest with the current version.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(Self.version, forKey: .timewarp)
        try container.encode(id, forKey: .id)
        try container.encode(title, forKey: .title)
        try container.encode(language, forKey: .language)
        try container.encode(controls, forKey: .controls)
        try container.encode(analytics, forKey: .analytics)
        try container.encode(start, forKey: .start)
        try container.encode(variables, forKey: .variables)
        try container.encode(media, forKey: .media)
        try container.encode(segments, forKey: .segments)
    }
}

extension StoryManifest.Assignment: Codable {
    /// Decodes a pair of a variable's name and a postfix formula: `["courage", [{"v": "courage"}, 1, "+"]]`.
    public init(from decoder: any Decoder) throws {
        var pair = try decoder.unkeyedContainer()
        self.init(
            variable: try pair.decode(String.self), formula: try pair.decode(StoryFormula.self))
    }

    /// Encodes a pair of the variable's name and its formula.
    public func encode(to encoder: any Encoder) throws {
        var pair = encoder.unkeyedContainer()
        try pair.encode(variable)
        try pair.encode(formula)
    }
}

// Absent values are written as null, so that readers find every key.

extension StoryManifest.Choice: Codable {
    private enum Key: String, CodingKey {
        case label, key, goto, when, set, area, immediately
    }

    /// Decodes an object with the keys `label`, `goto` and `set`, and optionally `key`, `when`, `area` and
    /// `immediately`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        self.init(
            label: try container.decode(String.self, forKey: .label),
            key: try container.decodeIfPresent(String.self, forKey: .key),
            target: try container.decode(String.self, forKey: .goto),
            condition: try container.decodeIfPresent(StoryFormula.self, forKey: .when),
            assignments: try container.decode([StoryManifest.Assignment].self, forKey: .set),
            area: try container.decodeIfPresent(StoryArea.self, forKey: .area),
            immediately: try container.decodeIfPresent(Bool.self, forKey: .immediately) ?? false)
    }

    /// Encodes all keys; absent values are null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(label, forKey: .label)
        try container.encode(key, forKey: .key)
        try container.encode(target, forKey: .goto)
        try container.encode(condition, forKey: .when)
        try container.encode(assignments, forKey: .set)
        try container.encode(area, forKey: .area)
        try container.encode(isImmediate, forKey: .immediately)
    }
}

extension StoryManifest.Segment: Codable {
    private enum Key: String, CodingKey {
        case title, role, file, start, duration, frames, dissolve, captions, events, choices
        case defaultTarget = "default"
        case loop, then
    }

    /// Decodes a segment object of the manifest; `title`, `dissolve`, `default` and `then` are optional.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        self.init(
            title: try container.decodeIfPresent(String.self, forKey: .title),
            role: try container.decode(StoryRole.self, forKey: .role),
            file: try container.decode(String.self, forKey: .file),
            start: try container.decode(Double.self, forKey: .start),
            duration: try container.decode(Double.self, forKey: .duration),
            frames: try container.decode(Int.self, forKey: .frames),
            dissolve: try container.decodeIfPresent(StoryManifest.Dissolve.self, forKey: .dissolve),
            captions: try container.decode([StoryCaptions].self, forKey: .captions),
            events: try container.decode([StoryManifest.Event].self, forKey: .events),
            choices: try container.decode([StoryManifest.Choice].self, forKey: .choices),
            defaultTarget: try container.decodeIfPresent(String.self, forKey: .defaultTarget),
            loops: try container.decode(Bool.self, forKey: .loop),
            next: try container.decodeIfPresent(String.self, forKey: .then))
    }

    /// Encodes all keys; absent values are null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(title, forKey: .title)
        try container.encode(role, forKey: .role)
        try container.encode(file, forKey: .file)
        try container.encode(start, forKey: .start)
        try container.encode(duration, forKey: .duration)
        try container.encode(frames, forKey: .frames)
        try container.encode(dissolve, forKey: .dissolve)
        try container.encode(captions, forKey: .captions)
        try container.encode(events, forKey: .events)
        try container.encode(choices, forKey: .choices)
        try container.encode(defaultTarget, forKey: .defaultTarget)
        try container.encode(loops, forKey: .loop)
        try container.encode(next, forKey: .then)
    }
}
