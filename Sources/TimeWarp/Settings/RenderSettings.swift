import Foundation
import Media
import TimeMaps

/// What a render should make, apart from the timing itself.
///
/// Every default is what most people want: the source's frame rate, repeated frames, sound that
/// follows the picture, and the container's usual codecs.
public struct RenderSettings: Sendable {
    /// Which frames come out, and when.
    public enum OutputRate: Hashable, Sendable {
        /// The source's own rate.
        case source
        /// So many a second: frames are repeated or skipped.
        case fixed(FrameRate)
        /// Every source frame once, at exactly its retimed time.
        case any
    }

    /// What is shown between two source frames.
    public enum FrameSynthesis: String, CaseIterable, Sendable, Codable {
        /// The earlier one.
        case hold
        /// A mixture of both by distance, of their stored values.
        case blend

        /// Whether such a frame is made of both.
        package var usesNeighbours: Bool {
            switch self {
            case .hold: false
            case .blend: true
            }
        }
    }

    /// What happens to pictures, and to the subtitles and chapters that go with them.
    public enum Video: Sendable {
        /// They obey the clip's map.
        case retimed
        /// They obey it by new times on their packets, which are never decoded.
        case restamped
        /// There are none.
        case dropped
        /// Those of a file, in their own time: packets are passed on and never decoded.
        case copied(from: Asset)
    }

    /// What happens to sound.
    public enum Sound: String, CaseIterable, Sendable, Codable {
        /// Pitch follows speed, as a tape does.
        case varispeed
        /// Pitch stays, whatever the speed.
        case keepPitch = "keep-pitch"
        /// As it was, at normal speed, whatever pictures do; it ends with the output.
        case keep
        /// No sound.
        case mute
    }

    /// Which frames come out, and when.
    public var rate: OutputRate = .source
    /// What is shown between two source frames.
    public var frames: FrameSynthesis = .hold
    /// How long a shutter is open, in degrees of a frame's time (360 for all of it), to average what a
    /// frame of a fixed rate shows where pictures go by faster than that; nil shows the first of them.
    public var shutterDegrees: Double?
    /// Whether an output frame may be made of several of the source's.
    var mixesFrames: Bool { frames.usesNeighbours || shutterDegrees != nil }
    /// What happens to video tracks.
    public var video: Video = .retimed
    /// What happens to audio tracks.
    public var sound: Sound = .varispeed
    /// How sound is interpolated between samples, where it is resampled.
    public var interpolation: Interpolation = .sinc
    /// Nil takes the container's usual codec.
    public var videoCodec: VideoCodec?
    /// Nil takes the container's usual codec.
    public var audioCodec: AudioCodec?
    /// Constant rate factor; nil takes the codec's default.
    public var quality: Double?
    /// The encoder's preset; nil takes the codec's default.
    public var preset: String?
    /// Bits a second of each sound track; nil takes the codec's default.
    public var audioBitRate: Int?
    /// Threads for each codec; 0 takes one a core.
    public var threads: Int = 0
    /// Into how many pieces at a time a picture track is cut, to be rendered side by side and joined
    /// without encoding again; 1 for one piece.
    ///
    /// Frames and their times are the same for any number. The same input and number give the same bytes,
    /// with x264 only in a process whose allocator hands out zeros (glibc's with `MALLOC_PERTURB_=255`): it
    /// reads memory that it never wrote.
    public var jobs = 1
    /// Decoded pictures that may be held at a time, in bytes, where a map plays them in another order
    /// than they are stored in; what goes beyond waits on the disk.
    public var memoryBytes = 256 << 20
    /// Where it waits; nil takes `TMPDIR`, or `/var/tmp`.
    public var temporaryFolder: String?
    /// What to do when there is a file of that name.
    public var existing: Muxer.Existing = .refuse
    /// How often a small picture of the frame being written is handed out; nil for never.
    public var secondsBetweenPreviews: Double?

    /// The defaults: the source's rate, repeated frames, sound that follows.
    public init() {}

    /// Threads of a codec of which several work side by side: one a core. libav and x264 would take half as
    /// many again, which gains nothing beside the other stages and costs some pictures' memory each.
    func threadsOfCodec(sharedBy jobs: Int = 1) -> Int {
        threads == 0 ? max(1, ProcessInfo.processInfo.activeProcessorCount / jobs) : threads
    }

    /// The defaults, or other settings, with these changed.
    public init(
        _ base: RenderSettings = RenderSettings(), _ change: (inout RenderSettings) -> Void
    ) {
        self = base
        change(&self)
    }
}
