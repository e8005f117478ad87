import TimeMaps

/// Segments one after another. Where nothing plays, there is a segment without a clip (a gap).
///
/// ```
///  ├── clip ──┼─ gap ─┼──── clip ────┼ clip ┤
///  0                                         duration
/// ```
/// Two gaps are never neighbours. Every position on a track is an exact ``RationalTime``.
public struct Track: Sendable {
    /// Whether the clips of the track are seen, heard or both.
    public enum Content: String, CaseIterable, Hashable, Sendable, Codable {
        /// Video and audio.
        case both
        /// Video only.
        case video
        /// Audio only.
        case sound
    }

    /// The track's name for people; may be empty.
    public var name: String
    /// Whether the clips of the track are seen, heard or both.
    public var carries: Content
    /// The segments in order. Change them with ``insert(_:at:)`` and similar methods.
    public private(set) var segments: [Segment] = []
    /// The end of each segment, in track time.
    private(set) var ends: [RationalTime] = []

    /// An empty track.
    public init(name: String = "", carries: Content = .both) {
        self.name = name
        self.carries = carries
    }

    /// A track with these segments. Neighbouring gaps become one.
    ///
    /// - Throws: ``TimeError`` if a position on the track can't be represented as a 64-bit value over a 32-bit
    ///   time scale.
    /// - Complexity: O(n).
    public init(
        name: String = "", carries: Content = .both, segments: [Segment]
    ) throws {
        self.init(name: name, carries: carries)
        self.segments.reserveCapacity(segments.count)
        ends.reserveCapacity(segments.count)
        for segment in segments {
            try append(segment)
        }
    }

    /// The duration; 0 without segments.
    public var duration: RationalTime { ends.last ?? .zero }

    /// Appends a segment. O(1).
    ///
    /// - Throws: ``TimeError`` if the new end can't be represented as a 64-bit value over a 32-bit time scale;
    ///   the track is then unchanged.
    public mutating func append(_ segment: Segment) throws {
        let end = try duration + segment.duration
        if segment.isGap, let last = segments.last, let both = last.joined(with: segment),
            last.isGap
        {
            segments[segments.count - 1] = both
            ends[ends.count - 1] = end
            return
        }
        segments.append(segment)
        ends.append(end)
    }

    /// Appends a range of a file, at normal speed.
    ///
    /// - Throws: ``CompositionError`` if the range isn't a range of a file, ``TimeError`` if the new end can't
    ///   be represented.
    public mutating func append(_ range: TimeRange, of media: String) throws {
        try append(Segment(PlacedClip(media, range: range)))
    }

    /// Replaces all segments.
    mutating func replaceSegments(_ segments: [Segment]) throws {
        self = try Track(name: name, carries: carries, segments: segments)
    }

    /// Replaces the markers of a segment, which is counted from 0.
    ///
    /// - Throws: ``CompositionError`` if there is no such segment, or it is a gap.
    public mutating func setMarkers(_ markers: [Marker], ofSegment index: Int) throws {
        guard segments.indices.contains(index) else {
            throw CompositionError.outside(
                "there is no segment \(index); the track has \(segments.count), counted from 0")
        }
        guard !segments[index].isGap || markers.isEmpty else {
            throw CompositionError.invalid("a gap has no asset, so it can't have markers")
        }
        segments[index].markers = markers
    }
}

extension Track: Hashable {
    /// Whether two tracks have equal names, contents and segments.
    public static func == (a: Track, b: Track) -> Bool {
        a.name == b.name && a.carries == b.carries && a.segments == b.segments
    }

    /// Hashes what `==` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(carries)
        hasher.combine(segments)
    }
}

extension Track.Content {
    /// What a word in a file means; nil if that is nothing. Older files say `picture` for video.
    init?(named word: String) {
        self.init(rawValue: word == "picture" ? Self.video.rawValue : word)
    }

    /// Decodes a word.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let content = Self(named: try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "a track carries both, video or sound")
        }
        self = content
    }
}

// MARK: - Queries

extension Track {
    /// A segment and its range on the track.
    public struct Placed: Hashable, Sendable {
        /// The segment.
        public let segment: Segment
        /// The segment's range, in track time.
        public let range: TimeRange
    }

    /// All segments with their ranges, in order. O(n).
    public var placed: [Placed] {
        segments.indices.map { Placed(segment: segments[$0], range: range(of: $0)) }
    }

    /// The range of a segment on the track. O(1).
    ///
    /// - Parameter index: of an existing segment, counted from 0.
    public func range(of index: Int) -> TimeRange {
        let start = index > 0 ? ends[index - 1] : .zero
        guard let range = try? TimeRange(start: start, end: ends[index]) else {
            preconditionFailure("a segment's range was exact when the segment was appended")
        }
        return range
    }

    /// The index of the segment at an instant, counted from 0. It is nil before 0 and from the track's end on.
    /// O(log n).
    public func segmentIndex(at time: RationalTime) -> Int? {
        guard time >= .zero, time < duration else {
            return nil
        }
        return segments.indices.partitionPoint { ends[$0] > time }
    }
}
