import TimeMaps

/// Segments one after another, without a hole: where nothing plays lies a segment without a clip.
///
/// ```
///  ├── clip ──┼─ gap ─┼──── clip ────┼ clip ┤
///  0                                         duration
/// ```
/// Two gaps are never neighbours. Every place on a track is an exact ``RationalTime``.
public struct Track: Sendable {
    /// What of its clips is seen or heard.
    public enum Content: String, CaseIterable, Hashable, Sendable, Codable {
        /// Frames and sound.
        case both
        /// Frames alone.
        case picture
        /// Sound alone.
        case sound
    }

    /// What people call it; may be empty.
    public var name: String
    /// What of its clips is seen or heard.
    public var carries: Content
    /// In order; change them by ``insert(_:at:)`` and its like.
    public private(set) var segments: [Segment] = []
    /// Where each segment ends.
    private(set) var ends: [RationalTime] = []

    /// An empty track.
    public init(name: String = "", carries: Content = .both) {
        self.name = name
        self.carries = carries
    }

    /// A track of segments; neighbouring gaps become one.
    ///
    /// - Throws: ``TimeError`` when a place on the track has no form in 64 over 32 bits.
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

    /// How long it lasts; 0 without segments.
    public var duration: RationalTime { ends.last ?? .zero }

    /// Adds a segment at the end. O(1).
    ///
    /// - Throws: ``TimeError`` when the track would grow past 64 over 32 bits; it stays as it was.
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

    /// Adds, at the end, a range of a file, played as it is.
    ///
    /// - Throws: ``CompositionError`` when the range is no part of a file, ``TimeError``.
    public mutating func append(_ range: TimeRange, of media: String) throws {
        try append(Segment(PlacedClip(media, range: range)))
    }

    /// Puts other segments in the place of all there are.
    mutating func replaceSegments(_ segments: [Segment]) throws {
        self = try Track(name: name, carries: carries, segments: segments)
    }

    /// Gives a segment other markers.
    ///
    /// - Throws: ``CompositionError`` when there is no such segment, or it is a gap.
    public mutating func setMarkers(_ markers: [Marker], ofSegment index: Int) throws {
        guard segments.indices.contains(index) else {
            throw CompositionError.outside(
                "there is no segment \(index); the track has \(segments.count), counted from 0")
        }
        guard !segments[index].isGap || markers.isEmpty else {
            throw CompositionError.invalid("a gap has no asset whose instants could be marked")
        }
        segments[index].markers = markers
    }
}

extension Track: Hashable {
    /// Whether two tracks have the same name, carry the same and have equal segments.
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

// MARK: - Asking

extension Track {
    /// A segment and the stretch of the track that it takes.
    public struct Placed: Hashable, Sendable {
        /// The segment.
        public let segment: Segment
        /// The stretch of the track that it takes.
        public let range: TimeRange
    }

    /// Every segment with its place, in order. O(n).
    public var placed: [Placed] {
        segments.indices.map { Placed(segment: segments[$0], range: range(of: $0)) }
    }

    /// The stretch that a segment takes. O(1).
    public func range(of index: Int) -> TimeRange {
        let start = index > 0 ? ends[index - 1] : .zero
        guard let range = try? TimeRange(start: start, end: ends[index]) else {
            preconditionFailure("a segment's place was exact when it was appended")
        }
        return range
    }

    /// The segment that lies at an instant; nil before 0, and from the track's end on. O(log n).
    public func segmentIndex(at time: RationalTime) -> Int? {
        guard time >= .zero, time < duration else {
            return nil
        }
        return segments.indices.partitionPoint { ends[$0] > time }
    }
}
