import Media
import TimeMaps

/// Clips on tracks, as a value type: what is seen and heard at which time.
///
/// ```
///  tracks[1]   ├─ gap ─────┼─ title ─┤                  the upper track covers the lower
///  tracks[0]   ├── a.mp4 ──┼── b.mp4 ──────┼─ a.mp4 ─┤
///              0                                     duration
/// ```
public struct Composition: Hashable, Sendable {
    /// The composition's name for people; may be empty.
    public var name: String
    /// What it is rendered as: the size, rates and channels, or its source's own format.
    public var format: Format
    /// The tracks, from the lowest to the topmost.
    public var tracks: [Track]
    /// Timelines that this one contains. A segment plays one if its media is the timeline's name, which goes before a file's.
    public var timelines: [Composition]

    /// A composition of tracks, from the lowest to the topmost.
    public init(
        name: String = "", format: Format = Format(), tracks: [Track] = [],
        timelines: [Composition] = []
    ) {
        self.name = name
        self.format = format
        self.tracks = tracks
        self.timelines = timelines
    }

    /// The duration of the longest track. O(tracks).
    public var duration: RationalTime {
        tracks.map(\.duration).max() ?? .zero
    }

    /// The media files that it names, also in the timelines that it contains.
    package var mediaFiles: Set<String> {
        let names = Set(tracks.flatMap(\.segments).compactMap(\.clip?.media))
        return timelines.reduce(into: names.subtracting(timelines.map(\.name))) {
            $0.formUnion($1.mediaFiles)
        }
    }

    /// A timeline that it contains; nil if none has the name.
    func contained(_ name: String) -> Composition? { timelines.first { $0.name == name } }
}

extension Composition {
    /// What a composition is rendered as.
    @dynamicMemberLookup
    public enum Format: Hashable, Sendable {
        /// All clips are converted to one format.
        case conformed(Conformed)
        /// Its only clip keeps its source's own format: every track, rotation, tags, attachments.
        case asSource
        /// Every packet of its only clip is passed on, undecoded and at its own time.
        case packets

        /// A format to which clips are converted; what is nil is taken from the first clip. `sampleRate` is in samples a second.
        public init(
            size: Size? = nil, frameRate: FrameRate? = nil, sampleRate: Int? = nil,
            channels: String? = nil, crossfade: RationalTime = usualCrossfade
        ) {
            self = .conformed(
                Conformed(
                    size: size, frameRate: frameRate, sampleRate: sampleRate, channels: channels,
                    crossfade: crossfade))
        }

        /// 5 ms: long enough that cuts don't click, and too short to be heard as a fade.
        public static let usualCrossfade = RationalTime(1, over: 200)

        /// Whether clips are converted to one format.
        var isConformed: Bool {
            if case .conformed = self { true } else { false }
        }

        /// A property of the format to which clips are converted; setting one makes it such a format.
        public subscript<Value>(dynamicMember property: WritableKeyPath<Conformed, Value>) -> Value
        {
            get { conformed[keyPath: property] }
            set {
                var changed = conformed
                changed[keyPath: property] = newValue
                self = .conformed(changed)
            }
        }

        private var conformed: Conformed {
            guard case .conformed(let format) = self else {
                return Conformed(crossfade: Self.usualCrossfade)
            }
            return format
        }
    }

    /// The format to which clips are converted. A property that is nil is taken from the first clip.
    public struct Conformed: Hashable, Sendable {
        /// The size of frames; nil takes the first clip's.
        public var size: Size?
        /// The frame rate; nil takes the first clip's.
        public var frameRate: FrameRate?
        /// The sample rate, in samples a second; above 0. If it is nil, the first clip's is taken.
        public var sampleRate: Int?
        /// The channel layout, as libav names it: `stereo`, `5.1`. If it is nil, the first clip's is taken.
        public var channels: String?
        /// The duration of the crossfade of the sound at a cut.
        public var crossfade: RationalTime
    }

    /// The size of a frame, in pixels.
    public struct Size: Hashable, Sendable {
        /// The width, in pixels; positive.
        public let width: Int
        /// The height, in pixels; positive.
        public let height: Int

        /// A size.
        ///
        /// - Throws: ``CompositionError`` if a number isn't above 0.
        public init(width: Int, height: Int) throws(CompositionError) {
            guard width > 0, height > 0 else {
                throw .invalid("a frame of \(width) by \(height) pixels has no picture")
            }
            self.init(known: width, height: height)
        }

        /// A size that is known to be positive.
        package init(known width: Int, height: Int) {
            precondition(width > 0 && height > 0, "a frame has a positive width and height")
            self.width = width
            self.height = height
        }
    }
}

// MARK: - Editing

/// These methods do what those of the same name do on a ``Track``. They also throw ``CompositionError`` if
/// there is no such track. Tracks are counted from 0.
extension Composition {
    /// Inserts a range of a file into a track; see ``Track/insert(_:of:at:)``.
    public mutating func insert(
        _ range: TimeRange, of media: String, at time: RationalTime, onTrack index: Int
    ) throws {
        try edit(index) { try $0.insert(range, of: media, at: time) }
    }

    /// Inserts a segment into a track; see ``Track/insert(_:at:)``.
    public mutating func insert(
        _ segment: Segment, at time: RationalTime, onTrack index: Int
    ) throws {
        try edit(index) { try $0.insert(segment, at: time) }
    }

    /// Appends a range of a file to a track; see ``Track/append(_:of:)``.
    public mutating func append(
        _ range: TimeRange, of media: String, toTrack index: Int
    ) throws {
        try edit(index) { try $0.append(range, of: media) }
    }

    /// Appends a segment to a track; see ``Track/append(_:)``.
    public mutating func append(_ segment: Segment, toTrack index: Int) throws {
        try edit(index) { try $0.append(segment) }
    }

    /// Inserts a gap into a track; see ``Track/insertEmpty(_:)``.
    public mutating func insertEmpty(_ range: TimeRange, onTrack index: Int) throws {
        try edit(index) { try $0.insertEmpty(range) }
    }

    /// Removes a range from a track; see ``Track/remove(_:)``.
    public mutating func remove(_ range: TimeRange, fromTrack index: Int) throws {
        try edit(index) { try $0.remove(range) }
    }

    /// Makes a range of a track longer or shorter; see ``Track/scale(_:to:)``.
    public mutating func scale(
        _ range: TimeRange, to duration: RationalTime, onTrack index: Int
    ) throws {
        try edit(index) { try $0.scale(range, to: duration) }
    }

    private mutating func edit(_ index: Int, _ change: (inout Track) throws -> Void) throws {
        guard tracks.indices.contains(index) else {
            throw CompositionError.outside(
                "there is no track \(index); the composition has \(tracks.count), counted from 0")
        }
        try change(&tracks[index])
    }
}
