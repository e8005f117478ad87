import Media
import TimeMaps

/// A complete plan of a render: everything is decided, checked and predicted before anything is written.
///
/// ```
///  clip, composition ─► video tracks: segments, one after another ─► one encoder a track
///                       audio tracks: segments, faded and mixed    ─► one encoder a track
///                       subtitles:    segments, one after another
/// ```
/// A clip is a timeline with one clip: its tracks have one segment each. Making a plan opens the input files
/// and decodes one frame of each. It changes nothing.
public struct RenderPlan: Sendable {
    /// What is rendered: a file or a composition.
    public let source: MediaSource
    /// How the source is retimed as a whole; nil if a composition plays as it is, or a file's packets are copied.
    public let clip: Clip?
    /// The path of the output file.
    public let destination: String
    /// Whether it is written into a pipe; see ``Renderer/run(_:writing:)``.
    package var isPiped: Bool { destination == RenderSettings.Output.pipe }
    /// The container format of the output file.
    public let container: Container
    /// The settings that the plan was made for.
    public let settings: RenderSettings
    /// The video tracks that are retimed by the timeline's maps.
    public internal(set) var video: [VideoTrack]
    /// Streams whose packets are copied at their own times.
    public let copied: [CopiedTrack]
    /// The audio tracks.
    public let audio: [AudioTrack]
    /// Subtitle tracks that are retimed by the timeline's maps.
    public let subtitles: [SubtitleTrack]
    /// Streams that are copied without times: cover art, fonts.
    public let attachments: [CopiedTrack]
    /// The chapters, retimed.
    public let chapters: [Asset.Chapter]
    /// The tags of the file: title, artist, …
    public let tags: [String: String]
    /// The planned duration of the output, in seconds.
    public let outputDuration: Double
    /// The exact planned duration of the output; nil where it is no fraction, as with most curves.
    public let exactOutputDuration: RationalTime?
    /// Warnings (sentences) on what can't be kept or is unusual.
    public let warnings: [String]

    /// The limit for the duration of an output: about three years.
    package static let longestSeconds = 1e8

    /// The name of the source in reports: the path of the file, or the name of the composition.
    public var sourceName: String { source.path }

    /// The duration of the source, or of the range of it that is used, in seconds.
    public var sourceDuration: Double { exactSourceDuration.seconds }

    /// The exact duration of the source, or of the range of it that is used.
    public var exactSourceDuration: RationalTime { clip?.range.duration ?? source.duration }

    /// When output frames are presented.
    public enum Timing: Hashable, Sendable {
        /// A number of frames at a fixed rate.
        case fixed(FrameRate, frameCount: Int64)
        /// Each source frame once, at a time in ticks.
        case variable(ticksPerSecond: Int32)

        /// The fixed rate; nil for a variable one.
        var rate: FrameRate? {
            guard case .fixed(let rate, _) = self else {
                return nil
            }
            return rate
        }

        /// The ticks of a second of a variable rate; nil for a fixed rate.
        var ticksPerSecond: Int32? {
            guard case .variable(let ticks) = self else {
                return nil
            }
            return ticks
        }
    }

    /// A video track of the output.
    public struct VideoTrack: Sendable {
        /// The stream whose rotation, tags and disposition the track keeps; of a composition's clips upright, and with tags only
        /// if they agree.
        public let model: Asset.Stream?
        /// How the track's frames are made.
        public internal(set) var making: Making
        /// The encoder on hardware that was asked for and works; nil for the codec's software.
        public internal(set) var encoder: EncoderDescription?
        /// The format that the encoder gets. For one source, it is that of the first decoded frame, or what the
        /// file says if no frame is decoded.
        public let format: VideoFormat
        /// When the track's frames are presented.
        public let timing: Timing
        /// When tick 0 of a fixed rate is, in output time: not 0 where the video begins between two ticks, because the sound
        /// begins earlier. Up to half a frame before or after 0.
        public internal(set) var offset = RationalTime.zero
        /// The average rate at which the source's frames come after retiming; nil if unknown.
        public let retimedRate: FrameRate?
        /// How the track is cut into pieces that are encoded on their own; nil if it is encoded in one go.
        public internal(set) var cutting: PieceCutting?
        /// What of the track is kept as the source has it; nil if that wasn't asked for.
        public internal(set) var keeping: TrackKeeping?
        /// The clips and gaps, one after another.
        package internal(set) var segments: [VideoSegment]

        /// The number of clips and gaps.
        public var segmentCount: Int { segments.count }

        /// The encoder's frame rate, or the average of a variable one; nil if unknown.
        public var frameRate: FrameRate? {
            guard case .fixed(let rate, _) = timing else {
                return retimedRate
            }
            return rate
        }

        /// The pixel format in which frames are stored; nil if nothing is encoded.
        public var pixelFormat: PixelFormat? {
            guard case .encoded(_, let format) = making else {
                return nil
            }
            return format
        }
    }

    /// How a track's frames are made.
    public enum Making: Sendable {
        /// Frames are decoded, and encoded with this codec and pixel format.
        case encoded(VideoCodec, PixelFormat)
        /// Packets of compressed frames get new times. The number is that of the packets.
        case restamped(packetCount: Int)
    }

    /// An audio track of the output.
    public struct AudioTrack: Sendable {
        /// The stream whose tags and disposition the track keeps; nil if it has several sources.
        public let model: Asset.Stream?
        /// The codec of the output.
        public let codec: AudioCodec
        /// The format of the sound: sample rate and channel layout.
        public let format: AudioFormat
        /// The sample rate of the output, in samples a second.
        public let sampleRate: Int
        /// The number of output samples for each channel.
        public let sampleCount: Int64
        /// What of the track is kept as the source has it; nil if that wasn't asked for.
        public internal(set) var keeping: TrackKeeping?
        /// Where the source's packets are between those of our encoder; nil if none are.
        var splicing: SoundSplicing?
        /// The segments of each layer, in order. Layers are mixed.
        package let layers: [[AudioSegment]]

        /// The number of clips that are heard.
        public var segmentCount: Int { layers.reduce(0) { $0 + $1.count } }
    }

    /// A subtitle track of the output.
    public struct SubtitleTrack: Sendable {
        /// The stream whose tags and disposition the track keeps.
        public let model: Asset.Stream
        /// How the text is stored.
        let form: CueReader.Form
        /// The clips, one after another.
        let segments: [SubtitleSegment]
    }

    /// A stream that is copied, and its file.
    public struct CopiedTrack: Sendable {
        /// The file.
        public let asset: Asset
        /// The stream.
        public let stream: Asset.Stream
        /// The time in the file at which the output starts.
        let origin: RationalTime
        /// Which of its packets are passed on.
        let kept: KeptPackets
    }

    /// The files that are read, each once, in the order of the tracks.
    public var inputs: [Asset] {
        var known: Set<String> = []
        var all = clip == nil && source.composition != nil ? [] : source.assets
        for track in video {
            all += track.segments.compactMap(\.clip?.asset) + track.sources.map(\.clip.asset)
        }
        all += (copied + attachments).map(\.asset)
        all += audio.flatMap { $0.layers.joined().map(\.sound.clip.asset) }
        all += subtitles.flatMap { $0.segments.map(\.clip.asset) }
        return all.filter { known.insert($0.path).inserted }
    }

    /// The number of tracks that are written packet by packet.
    var trackCount: Int { video.count + copied.count + audio.count + subtitles.count }

    /// Whether all frames that the plan encodes could instead get new times without encoding, with
    /// ``RenderSettings/VideoMode/restamped``.
    public var couldBeRestamped: Bool {
        guard let clip, clip.asset != nil, clip.map.isRising, clip.blending?.fades != true,
            settings.video.frames == .hold,
            settings.video.shutterDegrees == nil
        else {
            return false
        }
        return !video.isEmpty
            && video.allSatisfy { track in
                guard case .encoded = track.making, track.timing.ticksPerSecond != nil,
                    let source = track.model
                else {
                    return false
                }
                return container.holdsPackets(of: source)
            }
    }

    /// The number of frames of the first video track that will be written, 0 without video; nil if it isn't
    /// known beforehand.
    public var expectedFrameCount: Int64? {
        guard let track = video.first else {
            return 0
        }
        switch track.timing {
        case .fixed(_, let count): return count
        case .variable:
            if case .restamped(let count) = track.making {
                return Int64(count)
            }
            guard let clip, clip.asset != nil, clip.range.duration == clip.source.duration else {
                return nil
            }
            return track.model?.frameCount.map(Int64.init)
        }
    }
}
