import Foundation
import Media
import TimeMaps

/// What a render should make, apart from the timing.
///
/// The defaults suit most people: the source's frame rate, repeated frames, sound that follows the speed of the
/// video, and the container's usual codecs.
public struct RenderSettings: Sendable {
    /// Which frames the output has, and when each is presented.
    public enum OutputRate: Hashable, Sendable {
        /// The source's own rate.
        case source
        /// A constant frame rate: source frames are repeated or skipped as needed.
        case fixed(FrameRate)
        /// A variable frame rate: each source frame once, at exactly its retimed time.
        case any
    }

    /// Which frame is presented between two source frames.
    public enum FrameSynthesis: String, CaseIterable, Sendable, Codable {
        /// The earlier of the two source frames.
        case hold
        /// A blend of both by their distance, made of their stored (not linear) values.
        case blend

        /// Whether a frame between two source frames is made of both.
        package var usesNeighbours: Bool {
            switch self {
            case .hold: false
            case .blend: true
            }
        }
    }

    /// What happens to video tracks, and to the subtitles and chapters that go with them.
    public enum Video: Sendable {
        /// They are decoded, retimed by the clip's time map and encoded.
        case retimed
        /// They are retimed by the clip's time map: their packets get new times and are never decoded.
        case restamped
        /// The output has none of them.
        case dropped
        /// The output gets those of a file, at their own times. Their packets are copied and never decoded.
        case copied(from: Asset)
    }

    /// What happens to audio tracks.
    public enum Sound: String, CaseIterable, Sendable, Codable {
        /// Pitch follows speed, as on a tape.
        case varispeed
        /// Pitch stays the same at every speed.
        case keepPitch = "keep-pitch"
        /// The sound keeps its own normal speed, whatever happens to the video. It ends with the output.
        case keep
        /// No sound.
        case mute
    }

    /// Which frames the output has, and when each is presented.
    public var rate: OutputRate = .source
    /// Which frame is presented between two source frames.
    public var frames: FrameSynthesis = .hold
    /// How long a virtual shutter is open, in degrees of an output frame's duration (360 for all of it), for
    /// motion blur. With a fixed frame rate, the source frames within that time are averaged where there are
    /// several; nil takes the first of them.
    public var shutterDegrees: Double?
    /// Whether an output frame may be made of several source frames.
    var mixesFrames: Bool { frames.usesNeighbours || shutterDegrees != nil }
    /// What happens to video tracks.
    public var video: Video = .retimed
    /// What happens to audio tracks.
    public var sound: Sound = .varispeed
    /// How resampled sound is interpolated between samples.
    public var interpolation: Interpolation = .sinc
    /// The codec of the video; nil takes the container's usual one.
    public var videoCodec: VideoCodec?
    /// The codec of the audio; nil takes the container's usual one.
    public var audioCodec: AudioCodec?
    /// The constant rate factor (CRF); nil takes the codec's default.
    public var quality: Double?
    /// The video encoder's preset; nil takes the codec's default.
    public var preset: String?
    /// The bit rate of each audio track, in bits a second; nil takes the codec's default.
    public var audioBitRate: Int?
    /// The number of threads for each codec; 0 takes one for each core.
    public var threads: Int = 0
    /// How many chunks of a video track are encoded in parallel. They are joined without encoding again. With
    /// 1, the track is not divided.
    ///
    /// Frames and their times are the same for any number. The same input and number give the same bytes. For
    /// x264 that is true only in a process whose allocator hands out memory with known content (glibc's with
    /// `MALLOC_PERTURB_=255` hands out zeros), because x264 reads memory that it never wrote.
    public var jobs = 1
    /// How many bytes of decoded frames may be held in memory at a time, where a time map plays frames in
    /// another order than they are stored in. Further frames are spilled to the disk.
    public var memoryBytes = 256 << 20
    /// The folder for frames that are spilled to the disk; nil takes `TMPDIR`, or else `/var/tmp`.
    public var temporaryFolder: String?
    /// What to do if the output file exists.
    public var existing: Muxer.Existing = .refuse
    /// The least time between previews, in seconds; nil for no previews. A preview is a small image of the
    /// frame that is being written.
    public var secondsBetweenPreviews: Double?

    /// The defaults: the source's frame rate, repeated frames, and sound that follows the speed.
    public init() {}

    /// The number of threads for each of `jobs` codecs that work in parallel. By default they share one thread
    /// for each core. libav and x264 would take half as many again, which isn't faster beside the other stages
    /// and needs the memory of some frames for each thread.
    func threadsOfCodec(sharedBy jobs: Int = 1) -> Int {
        threads == 0 ? max(1, ProcessInfo.processInfo.activeProcessorCount / jobs) : threads
    }

    /// The base settings, or the defaults, after a change.
    public init(
        _ base: RenderSettings = RenderSettings(), _ change: (inout RenderSettings) -> Void
    ) {
        self = base
        change(&self)
    }
}
