/// What the player's page shows besides the film and the usual controls.
public struct StoryControls: Hashable, Sendable {
    /// Whether it shows time and progress of the scene that plays. How long a scene lasts may tell too much.
    public var showsProgress: Bool
    /// Whether it offers a map of the scenes that the viewer has seen, and of how many there are.
    public var showsMap: Bool

    /// By default there is progress, and no map.
    public init(showsProgress: Bool = true, showsMap: Bool = false) {
        self.showsProgress = showsProgress
        self.showsMap = showsMap
    }
}

extension StoryControls: Codable {
    private enum Key: String, CodingKey {
        case progress, map
    }

    /// Decodes an object with the keys `progress` and `map`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        self.init(
            showsProgress: try container.decode(Bool.self, forKey: .progress),
            showsMap: try container.decode(Bool.self, forKey: .map))
    }

    /// Encodes an object with the keys `progress` and `map`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(showsProgress, forKey: .progress)
        try container.encode(showsMap, forKey: .map)
    }
}
