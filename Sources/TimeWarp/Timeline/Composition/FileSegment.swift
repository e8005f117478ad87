import Documents
import Foundation
import TimeMaps

/// A segment of an edit file.
package struct FileSegment: Codable {
    enum Content {
        case gap(RationalTime)
        case clip(FileClip)
    }

    let content: Content

    private enum Key: String, CodingKey {
        case gap
    }

    package init(_ segment: Segment) {
        guard let clip = segment.clip else {
            content = .gap(segment.duration)
            return
        }
        content = .clip(FileClip(clip, of: segment))
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        guard container.contains(.gap) else {
            content = .clip(try FileClip(from: decoder))
            return
        }
        content = .gap(try container.decode(FileTime.self, forKey: .gap).time)
    }

    package func encode(to encoder: any Encoder) throws {
        switch content {
        case .clip(let clip):
            try clip.encode(to: encoder)
        case .gap(let duration):
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(FileTime(time: duration), forKey: .gap)
        }
    }

    /// Reads a segment from a JSON text that holds nothing else.
    package init(text: String) throws {
        self = try JSONDocument(
            Data(text.utf8), kind: "segment", largest: Composition.largestFile
        ).decode(FileSegment.self)
    }

    /// The segment as a JSON text in one line.
    package func text() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }

    /// The segment of a track.
    ///
    /// - Parameters:
    ///   - path: the path of this segment in the JSON of its file, for error messages.
    ///   - carried: what its track carries.
    ///   - mediaDuration: returns the duration of a media file; called if the segment has no range.
    package func segment(
        at path: DocumentPath = DocumentPath(), carrying carried: Track.Content = .both,
        mediaDuration: (String) throws -> RationalTime
    ) throws -> Segment {
        switch content {
        case .clip(let clip):
            return try clip.segment(
                at: path, carrying: carried, mediaDuration: mediaDuration)
        case .gap(let duration):
            return try about(path.key("gap")) { try .gap(lasting: duration) }
        }
    }
}

/// A clip of an edit file.
struct FileClip: Codable {
    let media: String
    let name: String?
    let range: [RationalTime]?
    let retiming: Retiming
    let window: [RationalTime]?
    let duration: RationalTime?
    let blending: Blending
    var markers: [Marker]

    private enum Key: String, CodingKey {
        case media, name, range, play, freeze, warp, timeMap, thereAndBack, window, duration,
            markers
        case dissolve, fadeOut, gain
    }

    private enum Play: String, Codable, CaseIterable {
        case forward, reversed
    }

    init(_ clip: PlacedClip, of segment: Segment) {
        media = clip.media
        name = clip.name
        range = [clip.range.start, clip.range.end]
        retiming = clip.retiming
        window = clip.isWhole ? nil : [clip.window.start, clip.window.end]
        let saysItself = segment.duration == clip.window.duration && !clip.retiming.isFrozen
        duration = saysItself ? nil : segment.duration
        markers = segment.markers
        blending = segment.blending
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        media = try container.decode(String.self, forKey: .media)
        name = try container.decodeIfPresent(String.self, forKey: .name)
        range = try container.decodeIfPresent([SignedFileTime].self, forKey: .range)
            .map { try Self.ends($0.map(\.time), .range, container) }
        window = try Self.ends(.window, container)
        duration = try container.decodeIfPresent(FileTime.self, forKey: .duration)?.time
        markers =
            try container.decodeIfPresent([FileMarker].self, forKey: .markers)?.map(\.marker) ?? []
        retiming = try Self.thereAndBack(container, Self.retiming(container))
        blending = try Self.blending(container)
        guard !retiming.isFrozen || duration != nil else {
            throw CompositionError(.malformed, "a freeze needs \"duration\": how long it holds")
        }
    }

    private static func ends(
        _ key: Key, _ container: KeyedDecodingContainer<Key>
    ) throws -> [RationalTime]? {
        try container.decodeIfPresent([FileTime].self, forKey: key)
            .map { try ends($0.map(\.time), key, container) }
    }

    private static func ends(
        _ times: [RationalTime], _ key: Key, _ container: KeyedDecodingContainer<Key>
    ) throws -> [RationalTime] {
        guard times.count == 2 else {
            throw container.wrong(key, "it holds two times, where it starts and where it ends")
        }
        return times
    }

    private static func blending(_ container: KeyedDecodingContainer<Key>) throws -> Blending {
        func time(_ key: Key) throws -> RationalTime {
            try container.decodeIfPresent(FileTime.self, forKey: key)?.time ?? .zero
        }
        return Blending(
            dissolve: try time(.dissolve), fadeOut: try time(.fadeOut),
            gain: try container.decodeIfPresent(FileGain.self, forKey: .gain)?.gain ?? .unity)
    }

    private static func retiming(_ container: KeyedDecodingContainer<Key>) throws -> Retiming {
        let given = [Key.play, .freeze, .warp, .timeMap].filter(container.contains)
        guard given.count <= 1 else {
            throw CompositionError(
                .malformed,
                "\"\(given[0].rawValue)\" and \"\(given[1].rawValue)\" exclude each other")
        }
        switch given.first {
        case .freeze:
            return .frozen(at: try container.decode(FileTime.self, forKey: .freeze).time)
        case .warp:
            return .curve(try container.decode(Curve.self, forKey: .warp))
        case .timeMap:
            let points = try container.decode(
                listOf: FilePoint.self, forKey: .timeMap, atMost: TimeMapDocument.mostPoints)
            return .timeMap(TimeMapDocument(points: points.map(\.anchor)))
        case .play:
            return try container.decode(Play.self, forKey: .play) == .reversed
                ? .reversed : .uniform
        default:
            return .uniform
        }
    }

    /// The retiming, which may turn: at its end, or at a time.
    private static func thereAndBack(
        _ container: KeyedDecodingContainer<Key>, _ retiming: Retiming
    ) throws -> Retiming {
        guard container.contains(.thereAndBack) else {
            return retiming
        }
        guard let turns = try? container.decode(Bool.self, forKey: .thereAndBack) else {
            let turn = try container.decode(FileTime.self, forKey: .thereAndBack).time
            return .thereAndBack(retiming, turningAt: turn)
        }
        return turns ? .thereAndBack(retiming, turningAt: nil) : retiming
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(media, forKey: .media)
        try container.encodeIfPresent(name, forKey: .name)
        try container.encodeIfPresent(range?.map(SignedFileTime.init), forKey: .range)
        try container.encodeIfPresent(window?.map(FileTime.init), forKey: .window)
        try container.encodeIfPresent(duration.map(FileTime.init), forKey: .duration)
        try Self.encode(retiming, in: &container)
        if blending.dissolve > .zero {
            try container.encode(FileTime(time: blending.dissolve), forKey: .dissolve)
        }
        if blending.fadeOut > .zero {
            try container.encode(FileTime(time: blending.fadeOut), forKey: .fadeOut)
        }
        if blending.gain != .unity {
            try container.encode(FileGain(gain: blending.gain), forKey: .gain)
        }
        if !markers.isEmpty {
            try container.encode(markers.map(FileMarker.init), forKey: .markers)
        }
    }
}

extension FileClip {
    private static func encode(
        _ retiming: Retiming, in container: inout KeyedEncodingContainer<Key>
    ) throws {
        switch retiming {
        case .uniform: break
        case .reversed: try container.encode(Play.reversed, forKey: .play)
        case .frozen(let instant): try container.encode(FileTime(time: instant), forKey: .freeze)
        case .curve(let curve): try container.encode(curve, forKey: .warp)
        case .timeMap(let document):
            try container.encode(document.points.map(FilePoint.init), forKey: .timeMap)
        case .thereAndBack(let inner, let turn):
            try encode(inner, in: &container)
            if let turn {
                try container.encode(FileTime(time: turn), forKey: .thereAndBack)
            } else {
                try container.encode(true, forKey: .thereAndBack)
            }
        }
    }

    fileprivate func segment(
        at path: DocumentPath, carrying carried: Track.Content,
        mediaDuration: (String) throws -> RationalTime
    ) throws -> Segment {
        let ends = try range ?? [.zero, mediaDuration(media)]
        let range = try about(path.key("range")) { try TimeRange(start: ends[0], end: ends[1]) }
        let window = try about(path.key("window")) {
            try self.window.map { try TimeRange(start: $0[0], end: $0[1]) }
        }
        let clip = try about(path, curve: Self.key(of: retiming)) {
            try PlacedClip(
                media, range: range, carrying: carried, retiming: retiming, window: window,
                name: name)
        }
        return try about(duration == nil ? path : path.key("duration")) {
            try Segment(clip, lasting: duration, markers: markers, blending: blending)
        }
    }

    private static func key(of retiming: Retiming) -> String? {
        switch retiming {
        case .curve: "warp"
        case .timeMap: "timeMap"
        case .thereAndBack(let inner, _): key(of: inner)
        case .uniform, .reversed, .frozen: nil
        }
    }
}

/// Runs `body`, whose errors are about the value at a path.
///
/// - Parameter curve: the key in it that errors of curves are about.
private func about<Result>(
    _ path: DocumentPath, curve: String? = nil, _ body: () throws -> Result
) throws -> Result {
    do {
        return try body()
    } catch let error as CurveError {
        throw DocumentError(error, at: curve.map(path.key) ?? path)
    } catch  where error is CompositionError || error is TimeError {
        throw DocumentError(error, at: path)
    }
}

/// A marker of an edit file.
private struct FileMarker: Codable {
    let marker: Marker

    private enum Key: String, CodingKey {
        case name, at, duration, comment, colour
    }

    init(_ marker: Marker) {
        self.marker = marker
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        let name = try container.decode(String.self, forKey: .name)
        let at = try container.decode(FileTime.self, forKey: .at).time
        let duration = try container.decodeIfPresent(FileTime.self, forKey: .duration)?.time
        let comment = try container.decodeIfPresent(String.self, forKey: .comment)
        let colour = try container.decodeIfPresent(String.self, forKey: .colour)
        marker = try Marker(
            name, at: at, lasting: duration ?? .zero, comment: comment, colour: colour)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(marker.name, forKey: .name)
        try container.encode(FileTime(time: marker.at), forKey: .at)
        if marker.duration > .zero {
            try container.encode(FileTime(time: marker.duration), forKey: .duration)
        }
        try container.encodeIfPresent(marker.comment, forKey: .comment)
        try container.encodeIfPresent(marker.colour, forKey: .colour)
    }
}

/// A gain of an edit file: a number of decibels, or a list of keyframes.
private struct FileGain: Codable {
    private struct Keyframe: Codable {
        let at: FileTime
        let decibels: Double

        private enum CodingKeys: String, CodingKey {
            case at
            case decibels = "dB"
        }

        init(_ keyframe: Gain.Keyframe) {
            at = FileTime(time: keyframe.at)
            decibels = keyframe.decibels
        }
    }

    let gain: Gain

    /// The largest number of keyframes.
    private static let most = 10_000

    init(gain: Gain) {
        self.gain = gain
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let decibels = try? container.decode(Double.self) {
            gain = try Gain(decibels: decibels)
            return
        }
        let keyframes = try container.decode([Keyframe].self)
        guard keyframes.count <= Self.most else {
            throw CompositionError.invalid("a gain has at most \(Self.most) keyframes")
        }
        gain = try Gain(keyframes.map { ($0.at.time, $0.decibels) })
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if gain.keyframes.count == 1 {
            try container.encode(gain.keyframes[0].decibels)
        } else {
            try container.encode(gain.keyframes.map(Keyframe.init))
        }
    }
}
