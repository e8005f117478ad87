/// The role of a segment in a story.
public enum StoryRole: String, CaseIterable, Hashable, Sendable, Codable {
    /// The beginning of the story.
    case prologue
    /// On the path that the author regards as success.
    case winning
    /// On neither path.
    case intermediate
    /// On the path that the author regards as failure.
    case losing
    /// An end of the story.
    case epilogue
}

/// What the player does at the time of an event.
public enum StoryCue: Hashable, Sendable, CustomStringConvertible {
    /// Show the choices.
    case showControls
    /// Hide the choices.
    case hideControls
    /// Jump: to the choice that was taken, or else to the default, or back to the segment's start if it loops.
    case decide
    /// An event of the author's own, which the player passes on to listeners.
    case named(String)

    /// A cue from its name in the file. Any name other than `showControls`, `hideControls` and `decide` gives
    /// ``named(_:)``.
    public init(_ name: String) {
        switch name {
        case "showControls": self = .showControls
        case "hideControls": self = .hideControls
        case "decide": self = .decide
        default: self = .named(name)
        }
    }

    /// The name as written in the file.
    public var description: String {
        switch self {
        case .showControls: "showControls"
        case .hideControls: "hideControls"
        case .decide: "decide"
        case .named(let name): name
        }
    }
}

extension StoryCue: Codable {
    /// Decodes the name of a cue.
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(String.self))
    }

    /// Encodes the name of the cue.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

/// A rectangle of the frame, in fractions of its width and height, from the upper left corner.
public struct StoryArea: Hashable, Sendable {
    /// The left edge, 0 to 1.
    public let x: Double
    /// The upper edge, 0 to 1.
    public let y: Double
    /// The width, more than 0; `x + width` is at most 1.
    public let width: Double
    /// The height, more than 0; `y + height` is at most 1.
    public let height: Double

    /// Nil unless the rectangle lies within the frame and isn't empty. It may extend a millionth beyond the
    /// frame, to allow for rounding errors.
    public init?(x: Double, y: Double, width: Double, height: Double) {
        let grace = 1e-6
        guard x >= 0, y >= 0, width > 0, height > 0, x + width <= 1 + grace, y + height <= 1 + grace
        else {
            return nil
        }
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }
}

extension StoryArea: Codable {
    /// Decodes a list `[x, y, width, height]`.
    public init(from decoder: any Decoder) throws {
        let shares = try decoder.singleValueContainer().decode([Double].self)
        guard shares.count == 4,
            let area = StoryArea(x: shares[0], y: shares[1], width: shares[2], height: shares[3])
        else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: decoder.codingPath,
                    debugDescription: "the area must be four numbers and lie within the frame"))
        }
        self = area
    }

    /// Encodes a list `[x, y, width, height]`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode([x, y, width, height])
    }
}

/// The captions of a segment in one language, as a WebVTT file.
public struct StoryCaptions: Hashable, Sendable, Codable {
    /// The path of the file as written in the story or manifest.
    public var file: String
    /// The language, a BCP 47 tag such as `en` or `pt-BR`.
    public var language: String
    /// The name of the captions in the player's menu.
    public var label: String

    /// Captions in a WebVTT file. In a story, their times are in the media file's own time.
    public init(file: String, language: String, label: String) {
        self.file = file
        self.language = language
        self.label = label
    }
}
