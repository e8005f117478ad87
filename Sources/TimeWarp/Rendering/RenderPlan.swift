import Media
import TimeMaps

/// Everything about a render, decided, checked and predicted, before anything is written.
///
/// Making a plan opens the input and decodes one picture of it; it touches nothing else.
public struct RenderPlan: Sendable {
    /// The clip that is rendered.
    public let clip: Clip
    /// The file to be written.
    public let destination: String
    /// The kind of file.
    public let container: Container
    /// What the render was asked for.
    public let settings: RenderSettings
    /// The pictures, one entry a track.
    public internal(set) var video: [VideoTrack]
    /// Streams whose packets are passed on at their own times.
    public let copied: [Asset.Stream]
    /// The sound, one entry a track.
    public let audio: [AudioTrack]
    /// Subtitle streams that go along.
    public let subtitles: [Asset.Stream]
    /// Streams that are passed on as they are: cover art, fonts.
    public let passedOn: [Asset.Stream]
    /// Named ranges, retimed.
    public let chapters: [Asset.Chapter]
    /// How long the output will last, in seconds.
    public let outputDuration: Double
    /// What cannot be kept, and what is remarkable.
    public let warnings: [String]
    /// Where the grid of output frames lies, in seconds from the output's start, for a clip that is a part
    /// of something longer; nil for the usual place.
    let gridPhase: Double?

    /// No output lasts as long: three years.
    package static let longestSeconds = 1e8

    /// When output frames are shown.
    public enum Timing: Hashable, Sendable {
        /// So many frames at a fixed rate.
        case fixed(FrameRate, frameCount: Int64)
        /// Each source frame once, on ticks of a second's fraction.
        case variable(ticksPerSecond: Int32)

        /// Of a variable rate; nil for a fixed one.
        var ticksPerSecond: Int32? {
            guard case .variable(let ticks) = self else {
                return nil
            }
            return ticks
        }
    }

    /// Pictures to be written.
    public struct VideoTrack: Sendable {
        /// The stream that frames come from.
        public let source: Asset.Stream
        /// How its frames are made.
        public let making: Making
        /// What the first decoded picture is; what the file says, where none is decoded.
        public let format: VideoFormat
        /// When its frames are shown.
        public let timing: Timing
        /// The encoder's rate, or the average of a variable one.
        public let frameRate: FrameRate?
        /// Where pictures lie, so that only those that are shown need be decoded, in any order; nil
        /// where all of them are decoded, from start to end.
        var index: PacketIndex?
        /// Frames of each piece, about, where it is made in pieces; nil for one.
        public let pieceLength: Int64?

        /// How pixels will be stored; nil where nothing is encoded.
        public var pixelFormat: PixelFormat? {
            guard case .encoded(_, let format) = making else {
                return nil
            }
            return format
        }
    }

    /// How a track's pictures come about.
    public enum Making: Sendable {
        /// Decoded, and encoded anew with pixels stored so.
        case encoded(VideoCodec, PixelFormat)
        /// Compressed as they are, at new times.
        case moved(MovedPackets)
    }

    /// Packets that get new times and are never decoded.
    public struct MovedPackets: Sendable {
        let timetable: PacketTimetable

        /// How many go along.
        public var count: Int { timetable.entries.count }
    }

    /// Sound to be written.
    public struct AudioTrack: Sendable {
        /// The stream that sound comes from.
        public let source: Asset.Stream
        /// The codec that encodes it.
        public let codec: AudioCodec
        /// Its sample rate and loudspeakers.
        public let format: AudioFormat
        /// Samples a second of the output.
        public let sampleRate: Int
        /// Samples a channel of the output.
        public let sampleCount: Int64
    }

    /// Decides everything.
    ///
    /// - Throws: ``MediaError`` when the container can't hold what is asked for, the destination
    ///   is taken or is the input, or nothing of the input can be decoded.
    public init(
        _ clip: Clip, to destination: String, settings: RenderSettings = RenderSettings()
    ) throws {
        var planner = try Planner(clip, to: destination, settings: settings)
        self.clip = clip
        self.destination = destination
        self.settings = settings
        container = planner.container
        try clip.asset.requireNoJumps(in: clip.range)
        video = try planner.planVideo()
        copied = try planner.planCopied()
        audio = try planner.planAudio()
        try planner.requireSomething(video, audio)
        subtitles = planner.planSubtitles()
        passedOn = planner.planPassedOn()
        chapters = planner.planChapters()
        planner.noteTitles(of: video.map(\.source) + copied + audio.map(\.source) + subtitles)
        outputDuration = clip.map.outputDuration
        warnings = clip.asset.warnings + clip.map.warnings + planner.warnings
        gridPhase = nil
    }

    /// A clip that is a part of something longer, whose tracks are decided elsewhere.
    init(
        part clip: Clip, of destination: String, _ container: Container,
        _ settings: RenderSettings, video: [VideoTrack] = [], audio: [AudioTrack] = [],
        gridPhase: Double? = nil
    ) {
        self.clip = clip
        self.destination = destination
        self.container = container
        self.settings = settings
        self.video = video
        self.audio = audio
        self.gridPhase = gridPhase
        copied = []
        subtitles = []
        passedOn = []
        chapters = []
        outputDuration = clip.map.outputDuration
        warnings = []
    }

    /// The file that pictures, covers, chapters and tags come from.
    public var pictureAsset: Asset {
        settings.pictures.asset(beside: clip)
    }

    /// Whether pictures that are to be encoded could get their times without it, all of them:
    /// ``RenderSettings/Pictures/moved``.
    public var couldBeMoved: Bool {
        guard clip.map.isRising, settings.frames == .hold, settings.shutterDegrees == nil else {
            return false
        }
        return !video.isEmpty
            && video.allSatisfy { track in
                guard case .encoded = track.making, track.timing.ticksPerSecond != nil else {
                    return false
                }
                return container.holdsPackets(of: track.source)
            }
    }

    /// The map that sound obeys.
    var soundMap: TimeMap {
        settings.sound == .keep ? .identity(clip.range.duration) : clip.map
    }

    /// How many pictures will be written, where that is known beforehand.
    public var expectedFrameCount: Int64? {
        guard let track = video.first else {
            return 0
        }
        switch track.timing {
        case .fixed(_, let count): return count
        case .variable:
            if case .moved(let packets) = track.making {
                return Int64(packets.count)
            }
            let isWhole = clip.range.duration == clip.asset.duration
            return isWhole ? track.source.frameCount.map(Int64.init) : nil
        }
    }
}
