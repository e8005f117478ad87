import CLibAV
import TimeMaps

/// What a media file holds: its streams, their formats and times, its chapters and tags.
///
/// A value; no file stays open and no decoder is running. All times are asset time: seconds from ``origin``,
/// the first instant at which anything of the file is seen or heard. All streams thus share one clock that
/// starts at zero.
public struct Asset: Sendable, Codable {
    /// The path of the file, as the caller gave it.
    public package(set) var path: String
    /// libav's name for the container, such as `mov,mp4,m4a,3gp,3g2,mj2`.
    public let formatName: String
    /// The container's own time at which asset time is zero.
    public let origin: RationalTime
    /// The time from zero to the end of the last frame or audio sample; always above zero.
    public internal(set) var duration: RationalTime
    /// All streams of the container, in the container's order.
    public internal(set) var streams: [Stream]
    /// The chapters, in the container's order; those outside the asset's duration are absent.
    public let chapters: [Chapter]
    /// The container's tags, such as `title`, by their names.
    public let tags: [String: String]
    /// What is wrong with the file, as far as that can be seen without decoding: one sentence for each problem.
    public let warnings: [String]
    /// What the file held when it was looked at, if that is compared with what is read of it.
    var fingerprint: FileFingerprint?
    /// What libav knows of the streams, for opening the file again; nil if it must look again.
    var knownStreams: KnownStreams?
    /// Where the file's times start again; nil if they don't.
    let restarts: TimeRestarts?
    /// The images, if it is a sequence of them.
    let images: ImageSequence?

    private enum CodingKeys: CodingKey {
        case path, formatName, origin, duration, streams, chapters, tags, warnings, restarts, images
    }

    /// A chapter: a named range of the asset.
    public struct Chapter: Hashable, Sendable, Codable {
        /// When the chapter is played, in asset time.
        public let range: TimeRange
        /// The chapter's tags, such as `title`, by their names.
        public let tags: [String: String]

        /// Creates a chapter that covers a range of asset time.
        package init(range: TimeRange, tags: [String: String]) {
            self.range = range
            self.tags = tags
        }
    }

    /// One stream of the container.
    public struct Stream: Sendable, Codable {
        /// The stream's index in the file, from 0.
        public let index: Int
        /// What the stream carries, and its format.
        public let content: Content
        /// libav's name for the codec, such as `h264` or `aac`.
        public let codecName: String
        /// When the stream starts, in asset time; nil where the file doesn't say.
        public let start: RationalTime?
        /// When the stream ends, in asset time; nil where the file doesn't say.
        public internal(set) var end: RationalTime?
        /// How many packets the stream has: counted, or as the header of an MP4 or MOV states; nil if unknown.
        public let frameCount: Int?
        /// The longest time in which no packet starts; nil if that is a minute or less.
        public let longestGap: Gap?
        /// The stream's tags, such as `language` and `title`, by their names.
        public internal(set) var tags: [String: String]
        /// The purpose of the stream, such as `default`, `forced` or `attached_pic`.
        package let disposition: Disposition
        /// Data that applies to the whole stream, in libav's form: rotation, HDR metadata and others.
        package internal(set) var sideData: [SideData]
        /// Whether an edit list hides some of its packets.
        package let hidesPackets: Bool
        /// The time base: the length of one tick of the stream's timestamps.
        let timeBase: TimeBase
        /// What the times of frames are rounded to, in seconds: a tick, or a millisecond of a file that was made from
        /// one with coarser ticks.
        let timeRounding: Double
    }

    /// A stretch of asset time for which a stream has no packets.
    public struct Gap: Hashable, Sendable, Codable {
        /// Where the gap begins, in seconds.
        public let startSeconds: Double
        /// Where the gap ends, in seconds.
        public let endSeconds: Double
        /// How long the stream has packets, in seconds, summed over the whole file.
        public let presentSeconds: Double

        /// How long the gap lasts, in seconds.
        public var seconds: Double { endSeconds - startSeconds }
    }

    /// What a stream carries.
    public enum Content: Sendable, Codable {
        /// A video track.
        case video(VideoFormat)
        /// An audio track.
        case audio(AudioFormat)
        /// Subtitles.
        case subtitle(SubtitleKind)
        /// A font or another attached file.
        case attachment
        /// Cover art: one picture for the whole file.
        case cover
        /// Anything else: a time code, telemetry, an encrypted stream, or data that the linked FFmpeg doesn't
        /// know.
        case other
    }

    /// Whether subtitles are text, which can be converted to another form, or bitmaps, which can only be copied.
    public enum SubtitleKind: Sendable, Codable {
        /// Text, which can be converted to another form.
        case text
        /// Bitmaps, which can only be copied.
        case bitmap
    }

    /// libav's disposition flags, which are copied unchanged.
    package struct Disposition: Hashable, Sendable, Codable {
        let bits: CInt
    }

    /// One piece of libav's side data, which is copied unchanged.
    package struct SideData: Hashable, Sendable, Codable {
        let type: UInt32
        let bytes: [UInt8]
    }

    /// The video tracks that can be decoded, in the order of ``streams``; cover art isn't one.
    public var videoStreams: [Stream] {
        streams.filter { $0.videoFormat != nil && $0.isDecodable }
    }
    /// The video track that is shown where only one is: of those that last at least half as long as the longest, which a
    /// still doesn't, the first that is marked as default, else the one with the largest frames.
    package var mainVideo: Stream? { films.first }

    /// The video tracks that last at least half as long as the longest, the main one first: no stills.
    package var films: [Stream] {
        let videos = videoStreams
        let longest = videos.map(\.seconds).max() ?? 0
        var films = videos.filter { $0.seconds >= longest / 2 }
        if let best = films.indices.max(by: { films[$0].rank < films[$1].rank }) {
            films.insert(films.remove(at: best), at: 0)
        }
        return films
    }

    /// Whether it is raw video, which has no times: libav counts its packets, in the order in which they are decoded.
    var isRawVideo: Bool {
        ["mpegvideo", "h264", "hevc", "m4v", "h261", "h263", "vc1", "cavsvideo", "dirac", "mjpeg"]
            .contains(formatName)
    }
    /// The audio tracks that can be decoded, in the order of ``streams``.
    public var audioStreams: [Stream] {
        streams.filter { $0.audioFormat != nil && $0.isDecodable }
    }
    /// The warnings, and a sentence on each video and audio track that the linked FFmpeg can't decode, or not all of it.
    package var decodingWarnings: [String] {
        let tracks = streams.filter { $0.videoFormat != nil || $0.audioFormat != nil }
        return warnings + tracks.compactMap(\.undecoded)
    }
}

extension Asset.Stream {
    /// How long it lasts, in seconds; 0 if that is unknown.
    fileprivate var seconds: Double { (end ?? .zero).seconds - (start ?? .zero).seconds }

    /// How many pixels its frames have; more than any if it is marked as default.
    fileprivate var rank: Int {
        disposition.bits & AV_DISPOSITION_DEFAULT != 0
            ? .max : videoFormat.map { $0.width * $0.height } ?? 0
    }

    /// Whether the linked FFmpeg has a decoder for its codec.
    package var isDecodable: Bool { decoder != nil }

    /// The decoder that sees most of it; nil if the linked FFmpeg has none.
    var decoder: UnsafePointer<AVCodec>? {
        alphaDecoder
            ?? avcodec_descriptor_get_by_name(codecName).flatMap {
                avcodec_find_decoder($0.pointee.id)
            }
    }

    /// The decoder that sees transparency beside the packets, as in WebM, which FFmpeg's own don't; nil if it isn't needed or
    /// isn't there.
    private var alphaDecoder: UnsafePointer<AVCodec>? {
        hasAlphaBeside
            ? avcodec_find_decoder_by_name(codecName == "vp8" ? "libvpx" : "libvpx-vp9") : nil
    }

    /// Whether its transparency is a second picture beside each packet.
    private var hasAlphaBeside: Bool {
        ["vp8", "vp9"].contains(codecName)
            && tags.contains { $0.key.lowercased() == "alpha_mode" && $0.value == "1" }
    }

    /// What the linked FFmpeg can't decode of it; nil if it decodes everything.
    fileprivate var undecoded: String? {
        let name = "stream \(index) (\(kindName), \(codecName))"
        guard isDecodable else {
            return "\(name) is dropped: this FFmpeg has no decoder for it"
        }
        return hasAlphaBeside && alphaDecoder == nil
            ? "\(name): transparency is dropped: this FFmpeg was built without libvpx" : nil
    }

    /// What the stream carries, in one word for people: `video`, `audio`, `subtitles`, `attachment`, `cover` or
    /// `data`.
    package var kindName: String {
        switch content {
        case .video: "video"
        case .audio: "audio"
        case .subtitle: "subtitles"
        case .attachment: "attachment"
        case .cover: "cover"
        case .other: "data"
        }
    }

    /// The format of a video track; nil for other streams.
    public var videoFormat: VideoFormat? {
        guard case .video(let format) = content else {
            return nil
        }
        return format
    }

    /// The format of an audio track; nil for other streams.
    public var audioFormat: AudioFormat? {
        guard case .audio(let format) = content else {
            return nil
        }
        return format
    }

    /// By how many degrees a player rotates the frames clockwise: usually 0, 90, 180 or 270; from 0 to 360.
    public var rotation: Double {
        Self.rotation(in: sideData)
    }
}

/// The length of a timestamp's tick, in seconds, as a fraction.
struct TimeBase: Hashable, Sendable, Codable {
    let numerator: Int32
    let denominator: Int32

    init(numerator: Int32, denominator: Int32) {
        (self.numerator, self.denominator) = (numerator, denominator)
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        numerator = try values.decode(Int32.self, forKey: .numerator)
        denominator = try values.decode(Int32.self, forKey: .denominator)
        try FrameRate.requirePositive(numerator, denominator, decoder)
    }

    var seconds: Double {
        Double(numerator) / Double(denominator)
    }

    var rational: AVRational {
        AVRational(num: numerator, den: denominator)
    }
}

/// A frame rate as an exact fraction, in frames per second.
public struct FrameRate: Hashable, Sendable, Codable, CustomStringConvertible {
    /// How many frames there are in ``denominator`` seconds; above 0.
    public let numerator: Int32
    /// In how many seconds there are ``numerator`` frames; above 0.
    public let denominator: Int32

    /// Creates a rate of `numerator` frames in `denominator` seconds, such as `FrameRate(30_000, over: 1001)`.
    ///
    /// - Throws: ``TimeError`` when one of the numbers isn't above 0.
    public init(_ numerator: Int32, over denominator: Int32 = 1) throws(TimeError) {
        guard numerator > 0, denominator > 0 else {
            throw .notPositive("a frame rate of \(numerator)/\(denominator)")
        }
        self.init(known: numerator, over: denominator)
    }

    /// A rate that is known to be positive.
    package init(known numerator: Int32, over denominator: Int32 = 1) {
        precondition(numerator > 0 && denominator > 0, "a frame rate is positive")
        self.numerator = numerator
        self.denominator = denominator
    }

    /// Decodes a rate; both numbers must be above 0.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        numerator = try values.decode(Int32.self, forKey: .numerator)
        denominator = try values.decode(Int32.self, forKey: .denominator)
        try Self.requirePositive(numerator, denominator, decoder)
    }

    fileprivate static func requirePositive(
        _ numerator: Int32, _ denominator: Int32, _ decoder: any Decoder
    ) throws {
        guard numerator > 0, denominator > 0 else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "not above 0"))
        }
    }

    /// How long one frame is shown, in seconds.
    public var frameDuration: RationalTime { RationalTime(Int64(denominator), over: numerator) }
    /// The rate in frames per second.
    public var framesPerSecond: Double { Double(numerator) / Double(denominator) }

    /// The rate as text: `25`, or `30000/1001`.
    public var description: String {
        denominator == 1 ? "\(numerator)" : "\(numerator)/\(denominator)"
    }
}

/// How an audio track's samples are stored.
public struct AudioFormat: Hashable, Sendable, Codable {
    /// The sample rate in samples per second (Hz).
    public var sampleRate: Int
    /// Which loudspeaker each channel is for.
    public var layout: ChannelLayout
    /// How many bits of a sample are meaningful, such as 16, 24 or 32; nil for lossy codecs (AAC, Opus).
    public var bitsPerSample: Int?
    /// Whether samples are stored as floating-point numbers.
    public var isFloat: Bool

    /// Creates a format; `sampleRate` is in samples per second.
    package init(sampleRate: Int, layout: ChannelLayout, bitsPerSample: Int?, isFloat: Bool) {
        self.sampleRate = sampleRate
        self.layout = layout
        self.bitsPerSample = bitsPerSample
        self.isFloat = isFloat
    }

    /// The number of channels.
    public var channelCount: Int { layout.channelCount }
}
