import Documents
import TimeMaps

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

    func segment(
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
