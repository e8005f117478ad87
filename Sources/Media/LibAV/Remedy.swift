/// What to do about an error: a sentence in which settings are placeholders, so that each program can name them as
/// its users know them.
///
/// Write one as a string literal: `"Choose another \(.videoCodec)"`.
public struct Remedy: Hashable, Sendable {
    fileprivate enum Part: Hashable, Sendable {
        case text(String)
        case setting(Setting)
    }
    private let parts: [Part]

    /// Returns the sentence with each setting named by `name`; there is no full stop at its end.
    public func worded(_ name: (Setting) -> String) -> String {
        parts.map {
            switch $0 {
            case .text(let text): text
            case .setting(let setting): name(setting)
            }
        }.joined()
    }
}

extension Remedy: CustomStringConvertible {
    /// The sentence, with settings named in plain words.
    public var description: String { worded(\.description) }
}

extension Remedy: ExpressibleByStringInterpolation {
    /// Collects the parts of a literal.
    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var parts: [Part] = []

        /// Creates an empty collection; the capacities are not used.
        public init(literalCapacity: Int, interpolationCount: Int) {}

        /// Appends text.
        public mutating func appendLiteral(_ literal: String) {
            parts.append(.text(literal))
        }

        /// Appends a setting, which the program names.
        public mutating func appendInterpolation(_ setting: Setting) {
            parts.append(.setting(setting))
        }

        /// Appends any other value as its description.
        public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            parts.append(.text(value.description))
        }
    }

    /// Creates a remedy from a literal with interpolations.
    public init(stringInterpolation: StringInterpolation) {
        parts = stringInterpolation.parts
    }

    /// Creates a remedy from a literal without interpolations.
    public init(stringLiteral value: String) {
        parts = [.text(value)]
    }
}

/// A setting of a program that a ``Remedy`` may name, such as an option or an input field.
public enum Setting: Hashable, Sendable, CustomStringConvertible {
    /// Whether an existing output may be replaced.
    case overwriting
    /// The part of the source that is used.
    case range
    /// The codec of the output's video.
    case videoCodec
    /// The codec of the output's audio.
    case audioCodec
    /// The pixel format of the output's frames.
    case pixelFormat
    /// The quality of the encoded video: the constant rate factor (CRF).
    case quality
    /// The bits a second of the encoded video.
    case bitRate
    /// Whether hardware encodes the video.
    case hardware
    /// Whether hardware decodes the video.
    case hardwareDecoding
    /// The preset of the video encoder: its speed against its compression.
    case preset
    /// That video packets are copied with new times instead of being encoded again.
    case copiedVideo
    /// That the sound stays as it was, at its own speed.
    case keptSound
    /// That the output has no audio.
    case muting
    /// An output without a constant frame rate, in which each frame keeps its own time.
    case anyRate
    /// How frames between those of the source are made.
    case frameSynthesis
    /// For how long each output frame is exposed (motion blur).
    case shutter
    /// How much memory may be used, in bytes.
    case memory
    /// How many chunks of the output may be rendered at a time.
    case jobs
    /// The reference recording that another recording is aligned to, by its path.
    case match(String)
    /// The length that sound is stretched to, in seconds.
    case length(Double)
    /// The folder in which a studio keeps its data.
    case workspace
    /// A folder in which media files are looked for that aren't where a project says.
    case mediaFolder
    /// The kind of file, where its name doesn't say it.
    case container
    /// A constant frame rate.
    case frameRate

    /// The setting in plain words, to be used inside a sentence.
    public var description: String {
        switch self {
        case .overwriting: "allow overwriting"
        case .range: "range"
        case .videoCodec: "video codec"
        case .audioCodec: "audio codec"
        case .pixelFormat: "pixel format"
        case .quality: "quality"
        case .bitRate: "bit rate"
        case .hardware: "hardware"
        case .hardwareDecoding: "hardware decoding"
        case .preset: "preset"
        case .copiedVideo: "the copying of video packets"
        case .keptSound: "the keeping of its sound"
        case .muting: "the muting"
        case .anyRate: "a rate of \"any\""
        case .frameSynthesis: "frame synthesis"
        case .shutter: "shutter"
        case .memory: "memory"
        case .jobs: "the number of jobs"
        case .match(let path): "its match with \(path)"
        case .length(let seconds): "a length of \(seconds) s"
        case .workspace: "workspace"
        case .mediaFolder: "media folders"
        case .container: "a container"
        case .frameRate: "a constant frame rate"
        }
    }
}
