/// What to do about an error: a sentence in which settings are named, so that each program can call them as
/// its users know them. A literal does: `"Choose another \(.videoCodec)"`.
public struct Remedy: Hashable, Sendable {
    fileprivate enum Part: Hashable, Sendable {
        case text(String)
        case setting(Setting)
    }
    private let parts: [Part]

    /// The sentence, with each setting as `name` calls it; no full stop at its end.
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
    /// The sentence, with settings in plain words.
    public var description: String { worded(\.description) }
}

extension Remedy: ExpressibleByStringInterpolation {
    /// What a literal's interpolations are gathered in.
    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var parts: [Part] = []

        public init(literalCapacity: Int, interpolationCount: Int) {}

        public mutating func appendLiteral(_ literal: String) {
            parts.append(.text(literal))
        }

        /// A setting, to be called as the program calls it.
        public mutating func appendInterpolation(_ setting: Setting) {
            parts.append(.setting(setting))
        }

        /// Any other value, as its text.
        public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            parts.append(.text(value.description))
        }
    }

    public init(stringInterpolation: StringInterpolation) {
        parts = stringInterpolation.parts
    }

    public init(stringLiteral value: String) {
        parts = [.text(value)]
    }
}

/// Something that a user sets, which a remedy may name.
public enum Setting: Hashable, Sendable, CustomStringConvertible {
    /// That an output which is there already may be replaced.
    case overwriting
    /// The part of the source that is used.
    case range
    /// The codecs of the output, and how well and how thoroughly pictures are encoded.
    case videoCodec, audioCodec, quality, preset
    /// Pictures whose packets get new times instead of being encoded anew.
    case copiedVideo
    /// Sound that is copied as it is, or left out.
    case keptSound, muting
    /// An output rate at which each picture keeps its own time.
    case anyRate
    /// How pictures between those of the source are made, and for how long each is exposed.
    case frameSynthesis, shutter
    /// Bounds of the work: bytes of memory, and pieces at a time.
    case memory, jobs
    /// The recording that another is laid onto, by its path.
    case match(String)
    /// The length that a sound is stretched to, in seconds.
    case length(Double)
    /// Where a studio keeps what it knows.
    case workspace

    /// In plain words.
    public var description: String {
        switch self {
        case .overwriting: "allow overwriting"
        case .range: "range"
        case .videoCodec: "video codec"
        case .audioCodec: "audio codec"
        case .quality: "quality"
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
        }
    }
}
