import CLibAV
import TimeMaps

/// A media file as it was found: what it holds, without a decoder open.
///
/// All times are seconds from ``Asset/origin``, the first instant at which anything of the file
/// is seen or heard, so that every stream lies on one clock that starts at zero.
public struct Asset: Sendable {
    /// The file, as the caller named it.
    public let path: String
    /// libav's name of the container (`mov,mp4,m4a,3gp,3g2,mj2`, …).
    public let formatName: String
    /// The container's own time of the asset's zero.
    public let origin: RationalTime
    /// From zero to the end of the last picture or sample.
    public let duration: RationalTime
    /// Everything that the container carries, in its order.
    public let streams: [Stream]
    /// Named ranges.
    public let chapters: [Chapter]
    /// The container's tags.
    public let tags: [String: String]
    /// What is wrong with the file as a whole, as far as that shows without decoding: a sentence each.
    public let warnings: [String]

    /// A named range of the asset.
    public struct Chapter: Hashable, Sendable {
        /// When it is shown, in asset time.
        public let range: TimeRange
        /// Its tags, such as `title`.
        public let tags: [String: String]

        /// A chapter over a range of asset time.
        public init(range: TimeRange, tags: [String: String]) {
            self.range = range
            self.tags = tags
        }
    }

    /// One stream of the container.
    public struct Stream: Sendable {
        /// Its place in the file.
        public let index: Int
        /// What it carries.
        public let content: Content
        /// libav's name of the codec (`h264`, `aac`, …).
        public let codecName: String
        /// When it starts, in asset time; nil where the file doesn't say.
        public let start: RationalTime?
        /// When it ends, in asset time; nil where the file doesn't say.
        public let end: RationalTime?
        /// How many packets or frames the file says it has; nil where it doesn't.
        public let frameCount: Int?
        /// The longest time in which no packet starts, if that is over a minute.
        public let longestGap: Gap?
        /// Its tags: language, title, …
        public let tags: [String: String]
        /// What it is for: `default`, `forced`, `attached_pic`, …
        public let disposition: Disposition
        /// Data for the stream as a whole, kept as libav made it: rotation, HDR metadata, …
        public let sideData: [SideData]
        /// The length of a tick of its timestamps.
        let timeBase: TimeBase
    }

    /// Time that a stream has nothing for, in asset time.
    public struct Gap: Hashable, Sendable {
        /// Where the gap begins, in seconds.
        public let startSeconds: Double
        /// Where the gap ends, in seconds.
        public let endSeconds: Double
        /// How long the stream has something, all in all.
        public let presentSeconds: Double

        /// How long the gap lasts, in seconds.
        public var seconds: Double { endSeconds - startSeconds }
    }

    /// What a stream carries.
    public enum Content: Sendable {
        /// Frames.
        case video(VideoFormat)
        /// Sound.
        case audio(AudioFormat)
        /// Subtitles.
        case subtitle(SubtitleKind)
        /// A font or another file.
        case attachment
        /// A picture that belongs to the whole file: cover art.
        case cover
        /// Time code, telemetry, or what the linked FFmpeg doesn't know.
        case other
    }

    /// Whether cues are text, that can be written anew, or pictures, that can only be passed on.
    public enum SubtitleKind: Sendable {
        /// Text, which can be written anew.
        case text
        /// Bitmaps, which can only be passed on.
        case pictures
    }

    /// libav's disposition bits, passed on as they are.
    public struct Disposition: Hashable, Sendable {
        let bits: CInt
    }

    /// libav's side data, passed on as it is.
    public struct SideData: Hashable, Sendable {
        let type: UInt32
        let bytes: [UInt8]
    }

    /// The streams that carry moving pictures.
    public var videoStreams: [Stream] { streams.filter { $0.videoFormat != nil } }
    /// The streams that carry sound.
    public var audioStreams: [Stream] { streams.filter { $0.audioFormat != nil } }
}

extension Asset.Stream {
    /// What it carries, in a word.
    public var kindName: String {
        switch content {
        case .video: "video"
        case .audio: "audio"
        case .subtitle: "subtitles"
        case .attachment: "attachment"
        case .cover: "cover"
        case .other: "data"
        }
    }

    /// The picture format, if it carries moving pictures.
    public var videoFormat: VideoFormat? {
        guard case .video(let format) = content else {
            return nil
        }
        return format
    }

    /// The sound format, if it carries sound.
    public var audioFormat: AudioFormat? {
        guard case .audio(let format) = content else {
            return nil
        }
        return format
    }

    /// Degrees clockwise that a player turns the picture by: 0, 90, 180, 270 or between.
    public var rotation: Double {
        Self.rotation(in: sideData)
    }
}

/// A length of time as a fraction of a second that may be longer than a second.
struct TimeBase: Hashable, Sendable {
    let numerator: Int32
    let denominator: Int32

    var seconds: Double {
        Double(numerator) / Double(denominator)
    }

    var rational: AVRational {
        AVRational(num: numerator, den: denominator)
    }
}

/// Frames a second as an exact fraction.
public struct FrameRate: Hashable, Sendable, CustomStringConvertible {
    /// Frames in ``denominator`` seconds; positive.
    public let numerator: Int32
    /// Seconds in which ``numerator`` frames pass; positive.
    public let denominator: Int32

    /// Both must be positive.
    public init(_ numerator: Int32, over denominator: Int32 = 1) {
        precondition(numerator > 0 && denominator > 0, "a frame rate is positive")
        self.numerator = numerator
        self.denominator = denominator
    }

    /// How long a frame is shown.
    public var frameDuration: RationalTime { RationalTime(Int64(denominator), over: numerator) }
    /// Frames a second.
    public var framesPerSecond: Double { Double(numerator) / Double(denominator) }

    public var description: String {
        denominator == 1 ? "\(numerator)" : "\(numerator)/\(denominator)"
    }
}

/// How pictures are stored.
public struct VideoFormat: Hashable, Sendable {
    /// In pixels, as stored: before rotation and before the sample aspect ratio.
    public var width: Int
    /// In pixels, as stored.
    public var height: Int
    /// How the samples of a frame are laid out.
    public var pixelFormat: PixelFormat
    /// The rate the file declares; for a variable rate the average. Nil where unknown.
    public var frameRate: FrameRate?
    /// The smallest rate on whose grid all declared frame times lie; nil where unknown.
    public var nominalRate: FrameRate?
    /// Width over height of a pixel; nil where unknown (square, most likely).
    public var sampleAspectRatio: Ratio?
    /// How its numbers mean colours.
    public var color: ColorDescription
    /// Whether the stream says that its frames are interlaced.
    public var fieldOrder: FieldOrder

    /// A format of frames; `width` and `height` are in pixels.
    public init(
        width: Int, height: Int, pixelFormat: PixelFormat, frameRate: FrameRate?,
        nominalRate: FrameRate?, sampleAspectRatio: Ratio?, color: ColorDescription,
        fieldOrder: FieldOrder
    ) {
        self.width = width
        self.height = height
        self.pixelFormat = pixelFormat
        self.frameRate = frameRate
        self.nominalRate = nominalRate
        self.sampleAspectRatio = sampleAspectRatio
        self.color = color
        self.fieldOrder = fieldOrder
    }

    /// Bytes that a decoded picture takes, in its own pixel format.
    public var byteCount: Int {
        max(0, Int(av_image_get_buffer_size(pixelFormat.raw, CInt(width), CInt(height), 1)))
    }

    /// A ratio of whole numbers.
    public struct Ratio: Hashable, Sendable {
        /// The width.
        public let numerator: Int32
        /// The height.
        public let denominator: Int32

        /// `numerator` over `denominator`.
        public init(_ numerator: Int32, over denominator: Int32) {
            self.numerator = numerator
            self.denominator = denominator
        }
    }

    /// Which field comes first.
    public enum FieldOrder: Sendable {
        /// Whole frames, no fields.
        case progressive
        /// The field with the top line comes first.
        case topFirst
        /// The field with the second line comes first.
        case bottomFirst
    }
}

extension VideoFormat {
    /// The rate that a fixed-rate copy of the stream would have: the declared one, or the grid
    /// that frames lie on where that is close; 25 where the file says nothing.
    public var usualRate: FrameRate {
        guard let average = frameRate ?? nominalRate else {
            return FrameRate(25)
        }
        guard let nominal = nominalRate else {
            return average
        }
        let ratio = nominal.framesPerSecond / average.framesPerSecond
        return (0.98...1.5).contains(ratio) ? nominal : average
    }
}

/// How numbers in a picture mean colours: the code points of ITU-T H.273.
public struct ColorDescription: Hashable, Sendable {
    /// The colour primaries; 2 is unknown.
    public var primaries: UInt32
    /// The transfer characteristic; 2 is unknown.
    public var transfer: UInt32
    /// The matrix from RGB to luma and chroma; 2 is unknown.
    public var matrix: UInt32
    /// 0 unknown, 1 limited ("video"), 2 full.
    public var range: UInt32
    /// Where chroma samples lie; libav's code, which is H.273's plus one.
    public var chromaLocation: UInt32

    /// A description by code points.
    public init(
        primaries: UInt32, transfer: UInt32, matrix: UInt32, range: UInt32,
        chromaLocation: UInt32
    ) {
        self.primaries = primaries
        self.transfer = transfer
        self.matrix = matrix
        self.range = range
        self.chromaLocation = chromaLocation
    }

    /// Nothing said.
    public static let unknown = ColorDescription(
        primaries: 2, transfer: 2, matrix: 2, range: 0, chromaLocation: 0)
    /// BT.709 in limited range: what high definition television and the web use.
    public static let highDefinition = ColorDescription(
        primaries: 1, transfer: 1, matrix: 1, range: 1, chromaLocation: 1)

    /// This description, with what it leaves open taken from another.
    public func completed(by other: ColorDescription) -> ColorDescription {
        // 2 is H.273's "unspecified"; range and location have 0 for it.
        ColorDescription(
            primaries: primaries == 2 ? other.primaries : primaries,
            transfer: transfer == 2 ? other.transfer : transfer,
            matrix: matrix == 2 ? other.matrix : matrix,
            range: range == 0 ? other.range : range,
            chromaLocation: chromaLocation == 0 ? other.chromaLocation : chromaLocation)
    }
}

/// How sound is stored.
public struct AudioFormat: Hashable, Sendable {
    /// Samples a second.
    public var sampleRate: Int
    /// The loudspeakers that the channels belong to.
    public var layout: ChannelLayout
    /// Meaningful bits a sample: 16, 24, 32; nil for codecs that have none (AAC, Opus).
    public var bitsPerSample: Int?
    /// Whether samples are stored as floating point.
    public var isFloat: Bool

    /// A format of sound; `sampleRate` is in samples a second.
    public init(sampleRate: Int, layout: ChannelLayout, bitsPerSample: Int?, isFloat: Bool) {
        self.sampleRate = sampleRate
        self.layout = layout
        self.bitsPerSample = bitsPerSample
        self.isFloat = isFloat
    }

    /// How many channels there are.
    public var channelCount: Int { layout.channelCount }
}

extension VideoFormat {
    /// Width over height of the picture as people see it.
    package func shownRatio(turned degrees: Double) -> Double {
        let pixel = sampleAspectRatio.map { Double($0.numerator) / Double($0.denominator) } ?? 1
        let ratio = Double(width) * pixel / Double(max(height, 1))
        return Int((degrees / 90).rounded()) % 2 == 0 ? ratio : 1 / ratio
    }
}
