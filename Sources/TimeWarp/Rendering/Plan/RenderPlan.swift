import Media
import TimeMaps

/// Everything about a render, decided, checked and predicted, before anything is written.
///
/// ```
///  clip, composition ─► video tracks: segments, one after another ─► one encoder a track
///                       audio tracks: segments, faded and mixed    ─► one encoder a track
///                       subtitles:    segments, one after another
/// ```
/// A clip is a timeline with one clip: its tracks have one segment each. Making a plan opens the inputs and
/// decodes one frame of each; it touches nothing else.
public struct RenderPlan: Sendable {
    /// What is rendered.
    public let timeline: Timeline
    /// The file to be written.
    public let destination: String
    /// The kind of file.
    public let container: Container
    /// What the render was asked for.
    public let settings: RenderSettings
    /// The video tracks that obey the timeline's maps.
    public internal(set) var video: [VideoTrack]
    /// Streams whose packets are passed on at their own times.
    public let copied: [CopiedTrack]
    /// The audio tracks.
    public let audio: [AudioTrack]
    /// Subtitles that obey the timeline's maps.
    public let subtitles: [SubtitleTrack]
    /// Streams that are passed on as they are: cover art, fonts.
    public let attachments: [CopiedTrack]
    /// Named ranges, retimed.
    public let chapters: [Asset.Chapter]
    /// What the file says of itself: title, artist, …
    public let tags: [String: String]
    /// How long the output will last, in seconds.
    public let outputDuration: Double
    /// What cannot be kept, and what is remarkable.
    public let warnings: [String]

    /// No output lasts as long: three years.
    package static let longestSeconds = 1e8

    /// What a plan renders.
    public enum Timeline: Sendable {
        /// One clip of one file.
        case clip(Clip)
        /// Clips on tracks.
        case composition(Composition)
        /// A file whose packets are all passed on.
        case copy(of: Asset)
    }

    /// The clip, where there is only one.
    public var clip: Clip? {
        guard case .clip(let clip) = timeline else {
            return nil
        }
        return clip
    }

    /// The file, or the composition, as a report names it.
    public var sourceName: String {
        switch timeline {
        case .clip(let clip): clip.asset.path
        case .composition(let composition):
            composition.name.isEmpty ? "a composition" : composition.name
        case .copy(let asset): asset.path
        }
    }

    /// How long the source lasts, in seconds.
    public var sourceDuration: Double {
        switch timeline {
        case .clip(let clip): clip.range.duration.seconds
        case .composition: outputDuration
        case .copy(let asset): asset.duration.seconds
        }
    }

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

    /// Frames to be written.
    public struct VideoTrack: Sendable {
        /// The stream whose rotation, tags and disposition the track keeps; nil where it has several sources.
        public let model: Asset.Stream?
        /// How its frames are made.
        public let making: Making
        /// What the encoder takes: for one source, what its first decoded frame is; what the file says, where
        /// none is decoded.
        public let format: VideoFormat
        /// When its frames are shown.
        public let timing: Timing
        /// The encoder's rate, or the average of a variable one; nil where unknown.
        public let frameRate: FrameRate?
        /// Frames of each chunk, about, where the track is encoded in chunks; nil for one.
        public let chunkLength: Int64?
        /// Clips and gaps, one after another.
        package internal(set) var segments: [VideoSegment]

        /// How many clips and gaps follow one another.
        public var segmentCount: Int { segments.count }

        /// How pixels will be stored; nil where nothing is encoded.
        public var pixelFormat: PixelFormat? {
            guard case .encoded(_, let format) = making else {
                return nil
            }
            return format
        }
    }

    /// How a track's frames come about.
    public enum Making: Sendable {
        /// Decoded, and encoded anew with pixels stored so.
        case encoded(VideoCodec, PixelFormat)
        /// Compressed as they are, at new times; so many packets.
        case restamped(packetCount: Int)
    }

    /// Sound to be written.
    public struct AudioTrack: Sendable {
        /// The stream whose tags and disposition the track keeps; nil where it has several sources.
        public let model: Asset.Stream?
        /// The codec that encodes it.
        public let codec: AudioCodec
        /// Its sample rate and loudspeakers.
        public let format: AudioFormat
        /// Samples a second of the output.
        public let sampleRate: Int
        /// Samples a channel of the output.
        public let sampleCount: Int64
        /// The segments of each layer, in order; layers are mixed.
        package let layers: [[AudioSegment]]

        /// How many clips are heard.
        public var segmentCount: Int { layers.reduce(0) { $0 + $1.count } }
    }

    /// Subtitles to be written.
    public struct SubtitleTrack: Sendable {
        /// The stream whose tags and disposition the track keeps.
        public let model: Asset.Stream
        /// How text is stored.
        let form: CueReader.Form
        /// Clips one after another.
        let segments: [SubtitleSegment]
    }

    /// A stream that is passed on, and the file it is in.
    public struct CopiedTrack: Sendable {
        /// The file.
        public let asset: Asset
        /// The stream.
        public let stream: Asset.Stream
        /// The file's time at which the output starts.
        let origin: RationalTime
    }

    /// The files that are read, each once, in the order of the tracks.
    public var inputs: [Asset] {
        var known: Set<String> = []
        let timelineAssets: [Asset]
        switch timeline {
        case .clip(let clip): timelineAssets = [clip.asset]
        case .composition: timelineAssets = []
        case .copy(let asset): timelineAssets = [asset]
        }
        let all =
            timelineAssets + video.flatMap { $0.segments.compactMap(\.clip?.asset) }
            + (copied + attachments).map(\.asset)
            + audio.flatMap { $0.layers.joined().map(\.sound.clip.asset) }
            + subtitles.flatMap { $0.segments.map(\.clip.asset) }
        return all.filter { known.insert($0.path).inserted }
    }

    /// How many tracks are written packet by packet.
    var trackCount: Int { video.count + copied.count + audio.count + subtitles.count }

    /// Whether frames that are to be encoded could get their times without it, all of them:
    /// ``RenderSettings/Video/restamped``.
    public var couldBeRestamped: Bool {
        guard let clip, clip.map.isRising, settings.frames == .hold,
            settings.shutterDegrees == nil
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

    /// How many frames will be written, where that is known beforehand.
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
            guard let clip, clip.range.duration == clip.asset.duration else {
                return nil
            }
            return track.model?.frameCount.map(Int64.init)
        }
    }
}
