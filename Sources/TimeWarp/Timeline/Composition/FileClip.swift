import Documents
import TimeMaps

/// A clip of an edit file, as it is written there.
package struct FileClip: Codable, Sendable {
    package var media: String
    package var name: String?
    /// Where it starts and where it ends; without an end, it plays up to the end of its media.
    package var range: [RationalTime]?
    package var retiming: Retiming
    /// Instants of the sound and when they are heard: a retiming whose range depends on how long the sound is.
    package var anchors: [TimeAnchor]?
    /// Nil if it is as long as its retiming makes it.
    package var length: FileLength?
    package let window: [RationalTime]?
    package let blending: Blending
    let markers: [Marker]

    private enum Key: String, CodingKey {
        case media, name, range, play, freeze, warp, timeMap, anchors, thereAndBack, window,
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
        length = saysItself ? nil : .duration(segment.duration)
        markers = segment.markers
        blending = segment.blending
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        media = try container.decode(String.self, forKey: .media)
        name = try container.decodeIfPresent(String.self, forKey: .name)
        range = try container.decodeIfPresent([SignedFileTime].self, forKey: .range)
            .map { times in
                guard (1...2).contains(times.count) else {
                    throw container.wrong(
                        .range, "it holds where the clip starts, and then where it ends")
                }
                return times.map(\.time)
            }
        window = try container.decodeIfPresent([FileTime].self, forKey: .window).map { times in
            guard times.count == 2 else {
                throw container.wrong(
                    .window, "it holds two times, where it starts and where it ends")
            }
            return times.map(\.time)
        }
        length = try FileLength.stated(in: decoder)
        markers =
            try container.decodeIfPresent([FileMarker].self, forKey: .markers)?.map(\.marker) ?? []
        retiming = try Self.thereAndBack(container, Self.retiming(container))
        anchors = try Self.anchors(container)
        blending = try Self.blending(container)
        try requireFittingLength()
    }

    /// Throws if how long the clip lasts is said in a way that doesn't fit how it is retimed.
    private func requireFittingLength() throws {
        switch length {
        case .duration:
            return
        case .oneWay:
            guard case .thereAndBack = retiming else {
                throw CompositionError(
                    .malformed, "only what is played there and back has one way: \"thereAndBack\"")
            }
        case nil, .scale, .speed, .longerBy:
            guard !retiming.isFrozen else {
                throw CompositionError(.malformed, "a freeze needs \"duration\": how long it holds")
            }
            guard anchors == nil || length == nil else {
                throw CompositionError(.malformed, "anchors say how fast the sound plays already")
            }
        }
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
        let given = [Key.play, .freeze, .warp, .timeMap, .anchors].filter(container.contains)
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

    private static func anchors(
        _ container: KeyedDecodingContainer<Key>
    ) throws -> [TimeAnchor]? {
        guard container.contains(.anchors) else {
            return nil
        }
        for key in [Key.range, .window, .thereAndBack] where container.contains(key) {
            throw container.wrong(key, "the anchors say what is played")
        }
        return try container.decode(
            listOf: FileAnchor.self, forKey: .anchors, atMost: TimeMapDocument.mostPoints
        ).map(\.anchor)
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

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(media, forKey: .media)
        try container.encodeIfPresent(name, forKey: .name)
        try container.encodeIfPresent(range?.map(SignedFileTime.init), forKey: .range)
        try container.encodeIfPresent(window?.map(FileTime.init), forKey: .window)
        try length?.encode(to: encoder)
        try Self.encode(retiming, in: &container)
        try container.encodeIfPresent(anchors?.map(FileAnchor.init), forKey: .anchors)
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

    /// - Parameters:
    ///   - path: the path of this clip in the JSON of its file, for error messages.
    ///   - carried: what its track carries.
    ///   - mediaEnd: returns where its media end; called if that decides what is played.
    package func segment(
        at path: DocumentPath = DocumentPath(), carrying carried: Track.Content = .both,
        mediaEnd: (String, Track.Content) throws -> RationalTime
    ) throws -> Segment {
        guard anchors == nil else {
            return try anchoredSegment(at: path, carrying: carried, mediaEnd: mediaEnd)
        }
        let start = range?.first ?? .zero
        let end = try range?.dropFirst().first ?? mediaEnd(media, carried)
        let range = try about(path.key("range")) { try TimeRange(start: start, end: end) }
        let window = try about(path.key("window")) {
            try self.window.map { try TimeRange(start: $0[0], end: $0[1]) }
        }
        let clip = try about(path, curve: Self.key(of: retiming)) {
            try PlacedClip(
                media, range: range, carrying: carried, retiming: retiming, window: window,
                name: name)
        }
        return try about(length.map { path.key($0.key) } ?? path) {
            try Segment(
                clip, lasting: length?.duration(of: clip.window.duration), markers: markers,
                blending: blending)
        }
    }

    /// The segment of sound that is laid through anchors.
    private func anchoredSegment(
        at path: DocumentPath, carrying carried: Track.Content,
        mediaEnd: (String, Track.Content) throws -> RationalTime
    ) throws -> Segment {
        let end = try mediaEnd(media, carried)
        return try about(path.key("anchors"), curve: "anchors") {
            guard carried == .sound else {
                throw CompositionError.invalid("anchors are those of a track that carries sound")
            }
            let line = try AnchoredLine(anchors ?? [])
            let duration = try length?.duration(of: end) ?? line.outputTime(ofSoundEnd: end)
            let (map, range) = try line.map(lasting: duration)
            return try Segment(
                PlacedClip(
                    media, range: range, carrying: .sound,
                    retiming: .timeMap(TimeMapDocument(straight: map)), name: name),
                markers: markers, blending: blending)
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

/// An anchor of an edit file.
private struct FileAnchor: Codable {
    let anchor: TimeAnchor

    private enum Key: String, CodingKey {
        case source, output
    }

    init(_ anchor: TimeAnchor) {
        self.anchor = anchor
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        anchor = TimeAnchor(
            source: try container.decode(SignedFileTime.self, forKey: .source).time,
            output: try container.decode(SignedFileTime.self, forKey: .output).time)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(SignedFileTime(time: anchor.source), forKey: .source)
        try container.encode(SignedFileTime(time: anchor.output), forKey: .output)
    }
}
