/// What a segment is in a story.
public enum StoryRole: String, CaseIterable, Hashable, Sendable, Codable {
    /// The beginning.
    case prologue
    /// On the way that the author means.
    case winning
    /// Neither won nor lost.
    case intermediate
    /// Off that way.
    case losing
    /// An end.
    case epilogue
}

/// What happens at an instant of a segment.
public enum StoryCue: Hashable, Sendable, CustomStringConvertible {
    /// The choices are offered.
    case showControls
    /// They are taken away.
    case hideControls
    /// Where none was taken, the default is.
    case decide
    /// Handed on to whoever listens to the page.
    case named(String)

    /// Any name that isn't one of the three is the author's own.
    public init(_ name: String) {
        switch name {
        case "showControls": self = .showControls
        case "hideControls": self = .hideControls
        case "decide": self = .decide
        default: self = .named(name)
        }
    }

    /// As it is written in the file.
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
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(String.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

/// A part of the picture, in shares of its width and height from the upper left corner.
public struct StoryArea: Hashable, Sendable {
    /// The left edge, 0 to 1.
    public let x: Double
    /// The upper edge, 0 to 1.
    public let y: Double
    /// Above 0; `x + width` is at most 1.
    public let width: Double
    /// Above 0; `y + height` is at most 1.
    public let height: Double

    /// Nil unless it lies in the picture and isn't empty. A millionth outside is forgiven, for
    /// programs that add shares up.
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
    /// From `[x, y, width, height]`.
    public init(from decoder: any Decoder) throws {
        let shares = try decoder.singleValueContainer().decode([Double].self)
        guard shares.count == 4,
            let area = StoryArea(x: shares[0], y: shares[1], width: shares[2], height: shares[3])
        else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: decoder.codingPath, debugDescription: "it is no part of the picture"
                ))
        }
        self = area
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode([x, y, width, height])
    }
}

/// Captions of a segment in one language, as a WebVTT file.
public struct StoryCaptions: Hashable, Sendable, Codable {
    /// The path as it is written.
    public var file: String
    /// A BCP 47 tag such as `en` or `pt-BR`.
    public var language: String
    /// What a viewer reads in the menu.
    public var label: String

    /// Captions in a WebVTT file, in the media file's own time.
    public init(file: String, language: String, label: String) {
        self.file = file
        self.language = language
        self.label = label
    }
}
