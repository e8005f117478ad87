import Media
import TimeMaps

/// Clips on tracks: what is seen and heard when, as a value.
///
/// ```
///  tracks[1]   ├─ gap ─────┼─ title ─┤                  the upper picture covers the lower
///  tracks[0]   ├── a.mp4 ──┼── b.mp4 ──────┼─ a.mp4 ─┤
///              0                                     duration
/// ```
public struct Composition: Hashable, Sendable {
    /// What people call it; may be empty.
    public var name: String
    /// What it is rendered as.
    public var format: Format
    /// From the lowest to the topmost.
    public var tracks: [Track]

    /// A composition of tracks, from the lowest to the topmost.
    public init(name: String = "", format: Format = Format(), tracks: [Track] = []) {
        self.name = name
        self.format = format
        self.tracks = tracks
    }

    /// How long the longest track lasts. O(tracks).
    public var duration: RationalTime {
        tracks.map(\.duration).max() ?? .zero
    }
}

extension Composition {
    /// What a composition is rendered as. What is nil is the first clip's.
    public struct Format: Hashable, Sendable {
        /// The size of frames; nil takes the first clip's.
        public var size: Size?
        /// The frame rate; nil takes the first clip's.
        public var frameRate: FrameRate?
        /// Samples a second; above 0.
        public var sampleRate: Int?
        /// The loudspeakers, as libav names them: `stereo`, `5.1`.
        public var channels: String?
        /// How long sound fades from one clip to the next at a cut.
        public var crossfade: RationalTime

        /// 5 ms: long enough that nothing clicks, too short to be heard as a fade.
        public static let usualCrossfade = RationalTime(1, over: 200)

        /// A format; nil takes what the first clip has. `sampleRate` is in samples a second.
        public init(
            size: Size? = nil, frameRate: FrameRate? = nil, sampleRate: Int? = nil,
            channels: String? = nil, crossfade: RationalTime = usualCrossfade
        ) {
            self.size = size
            self.frameRate = frameRate
            self.sampleRate = sampleRate
            self.channels = channels
            self.crossfade = crossfade
        }
    }

    /// Pixels.
    public struct Size: Hashable, Sendable {
        /// The width, in pixels; positive.
        public let width: Int
        /// The height, in pixels; positive.
        public let height: Int

        /// Both must be positive.
        public init(width: Int, height: Int) {
            precondition(width > 0 && height > 0, "a picture has some size")
            self.width = width
            self.height = height
        }
    }
}

// MARK: - Editing

/// As on a ``Track``; each throws ``CompositionError`` also when there is no such track.
extension Composition {
    /// Puts a range of a file on a track; see ``Track/insert(_:of:at:)``.
    public mutating func insert(
        _ range: TimeRange, of media: String, at time: RationalTime, onTrack index: Int
    ) throws {
        try edit(index) { try $0.insert(range, of: media, at: time) }
    }

    /// Puts a segment on a track; see ``Track/insert(_:at:)``.
    public mutating func insert(
        _ segment: Segment, at time: RationalTime, onTrack index: Int
    ) throws {
        try edit(index) { try $0.insert(segment, at: time) }
    }

    /// Adds a range of a file to a track's end.
    public mutating func append(
        _ range: TimeRange, of media: String, toTrack index: Int
    ) throws {
        try edit(index) { try $0.append(range, of: media) }
    }

    /// Adds a segment to a track's end.
    public mutating func append(_ segment: Segment, toTrack index: Int) throws {
        try edit(index) { try $0.append(segment) }
    }

    /// Opens a gap on a track; see ``Track/insertEmpty(_:)``.
    public mutating func insertEmpty(_ range: TimeRange, onTrack index: Int) throws {
        try edit(index) { try $0.insertEmpty(range) }
    }

    /// Takes a range out of a track; see ``Track/remove(_:)``.
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
