import Foundation
import Media
import TimeMaps

/// The settings of a render, apart from the time map.
///
/// The defaults suit most people: the source's frame rate, repeated frames, sound whose pitch follows the speed, and the
/// container's usual codecs.
public struct RenderSettings: Sendable {
    /// The output's frame rate: fixed or variable.
    public enum OutputRate: Hashable, Sendable {
        /// The source's frame rate.
        case source
        /// A fixed frame rate; frames are repeated or skipped.
        case fixed(FrameRate)
        /// A variable frame rate: every source frame once, at exactly its retimed time.
        case any
    }

    /// What an output frame between two source frames shows.
    public enum FrameSynthesis: String, CaseIterable, Sendable, Codable {
        /// The earlier source frame.
        case hold
        /// A mixture of both, weighted by distance. The stored values are mixed.
        case blend
        /// The frame that would have been taken at exactly that instant, made from the motion between both (motion
        /// interpolation). At a scene cut or a flash, and where nothing moves, it is the nearer source frame; parts
        /// whose motion can't be found are mixed.
        case motion

        /// Whether a frame between two source frames is made of both.
        package var usesNeighbours: Bool {
            switch self {
            case .hold: false
            case .blend, .motion: true
            }
        }

        /// The work of making a frame, in units of decoding one: measured with 720p on one thread, and rounded.
        var cost: Int64 {
            switch self {
            case .hold: 0
            case .blend: 1
            case .motion: 60
            }
        }

        /// How many frames' memory is needed to make one.
        var framesInMemory: Int {
            switch self {
            case .hold: 0
            case .blend: 1
            case .motion: 4
            }
        }
    }

    /// What happens to video, and to the subtitles and chapters that belong to it.
    public enum Video: Sendable {
        /// Frames follow the clip's time map: they are decoded and encoded again.
        case retimed
        /// Frames keep their own times, while sound follows the time map.
        case unretimed
        /// Frames follow the time map without being decoded: their packets get a new PTS and DTS.
        case restamped
        /// There is no video.
        case dropped
        /// The video of a file is copied at its own times, without being decoded.
        case copied(from: Asset)
    }

    /// Whether ``video`` is ``Video/unretimed``.
    package var keepsVideoTimes: Bool {
        if case .unretimed = video { true } else { false }
    }

    /// What happens to audio.
    public enum Sound: String, CaseIterable, Sendable, Codable {
        /// The pitch follows the speed, as on a tape.
        case varispeed
        /// The pitch is kept at any speed.
        case keepPitch = "keep-pitch"
        /// The sound plays at normal speed, whatever the time map does to the video, and ends with the output.
        case keep
        /// No sound.
        case mute
    }

    /// What sound that keeps its pitch is tuned for. Formants, which make a voice that of a child or of a man, stay where
    /// they are with both.
    public enum PitchTune: String, CaseIterable, Sendable, Codable {
        /// Every partial goes on without a break: right for music, and for anything mixed.
        case music
        /// The pulses of one voice stay sharp: right for speech alone. Chords waver.
        case speech
    }

    /// What is heard while a frame is frozen and the pitch is kept.
    public enum FreezeSound: String, CaseIterable, Sendable, Codable {
        /// The sound fades out, and in again afterwards, within 10 ms.
        case silence
        /// The sound of that instant, held: tones go on, an attack doesn't repeat.
        case hold
    }

    /// The output's frame rate: fixed or variable.
    public var rate: OutputRate = .source
    /// What an output frame between two source frames shows.
    public var frames: FrameSynthesis = .hold
    /// Whether source frames that show the same as the frame before are left out, so that frames are made between
    /// distinct ones: for animation drawn "on twos", film in a 30 Hz video, and recordings with repeated frames. A run of
    /// up to four frames becomes one. A longer run is kept, because there the scene stands still. Has no effect with
    /// ``FrameSynthesis/hold`` and with a variable rate.
    public var skipsRepeats = false
    /// The shutter angle in degrees: 360 averages over a frame's whole duration. Where source frames are shorter than
    /// an output frame of a fixed rate, an output frame averages those that the open shutter sees. Nil shows the first
    /// of them.
    public var shutterDegrees: Double?
    /// Whether an output frame may be made from several source frames.
    var mixesFrames: Bool { frames.usesNeighbours || shutterDegrees != nil }
    /// The rate of the frames that are made of a source with this format: what ``OutputRate/source`` means for it. A
    /// source with a variable rate keeps each frame at its own time, except where frames are mixed or made.
    package func outputRate(of format: VideoFormat) -> OutputRate {
        guard rate == .source else {
            return rate
        }
        return format.cadence == .variable && !mixesFrames ? .any : .fixed(format.usualRate)
    }
    /// What happens to video tracks.
    public var video: Video = .retimed
    /// What happens to audio tracks.
    public var sound: Sound = .varispeed
    /// What sound that keeps its pitch is tuned for.
    public var pitchTune: PitchTune = .music
    /// What is heard in a freeze, if the pitch is kept; with other sound a freeze is silent.
    public var freezeSound: FreezeSound = .silence
    /// How resampled sound is interpolated between samples.
    public var interpolation: Interpolation = .sinc
    /// The video codec; nil for the container's usual one.
    public var videoCodec: VideoCodec?
    /// The audio codec; nil for the container's usual one.
    public var audioCodec: AudioCodec?
    /// The constant rate factor (CRF); nil for the codec's default.
    public var quality: Double?
    /// The encoder's preset; nil for the codec's default.
    public var preset: String?
    /// The bit rate of each audio track, in bits per second; nil for the codec's default.
    public var audioBitRate: Int?
    /// The number of threads of each codec; 0 for one per core.
    public var threads: Int = 0
    /// How many pieces of a video track are encoded in parallel, to be joined without encoding them again.
    ///
    /// Frames and their times are the same for any number. Where the track is cut follows from ``pieces``; if that is
    /// nil, one job encodes the track in one go, and several cut it into pieces of a few hundred frames, the same for
    /// any number above 1.
    ///
    /// The same cuts give the same bytes. With x264 that holds only in a process whose allocator returns zeroed memory
    /// (glibc's does with `MALLOC_PERTURB_=255`), because x264 reads memory that it never wrote.
    public var jobs = 1
    /// Into how many pieces the render is cut; nil to cut it only for several ``jobs``. See ``PieceLayout``.
    public var pieces: Int?
    /// Whether video is cut into pieces.
    var isCut: Bool { jobs > 1 || pieces != nil }
    /// How much memory decoded frames may take, in bytes, if a map plays them in another order than the stored one.
    /// Further frames are spilled to the disk.
    public var memoryBytes = 256 << 20
    /// The folder of spilled frames; nil for `TMPDIR`, or `/var/tmp`.
    public var temporaryFolder: String?
    /// Whether tags are kept: titles, dates, places, the names of devices. Without them, tracks keep only their languages.
    public var keepsMetadata = true
    /// Whether the index of an MP4 or MOV comes first, so that it plays while it is loaded. Its packets are moved for that when
    /// all are written, which reads and writes the file once more.
    public var putsIndexFirst = true
    /// The pixel format in which frames are stored, such as `yuv420p`; nil for the source's, or the nearest that the codec has.
    public var pixelFormat: PixelFormat?
    /// What to do if the output exists.
    public var existing: ExistingOutput = .refuse
    /// The time between previews of the frame being written, in seconds; nil for no previews.
    public var secondsBetweenPreviews: Double? = 0.25

    /// The default settings.
    public init() {}

    /// The threads of a codec when several codecs run in parallel: one per core in all. By default libav and x264 use
    /// half as many again, which gains nothing beside the other stages and needs memory for more frames.
    func threadsOfCodec(sharedBy jobs: Int = 1) -> Int {
        threads == 0 ? max(1, ProcessInfo.processInfo.activeProcessorCount / jobs) : threads
    }

    /// How many frames may show the same, to count as repeated. In a longer run the scene itself stands still.
    static let longestRepeatedRun = 4

    /// Whether frames are made between distinct source frames.
    var bridgesRepeats: Bool { skipsRepeats && frames.usesNeighbours }

    /// How many presentations before and after those that an output frame falls into decide what it shows; 0 if it
    /// always shows one source frame.
    var neighbourCount: Int {
        guard mixesFrames else {
            return 0
        }
        return bridgesRepeats ? Self.longestRepeatedRun + 1 : 1
    }

    /// How many decoded frames' memory is needed to make one.
    var framesInMemory: Int {
        frames.framesInMemory + (bridgesRepeats ? Self.longestRepeatedRun + 1 : 0)
    }

    /// Settings that differ from others, or from the defaults, by some changes.
    public init(
        _ base: RenderSettings = RenderSettings(), _ change: (inout RenderSettings) -> Void
    ) {
        self = base
        change(&self)
    }
}
