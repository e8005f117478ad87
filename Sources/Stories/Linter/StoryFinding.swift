/// Something in a story that its viewers would stumble over.
public struct StoryFinding: Hashable, Sendable, CustomStringConvertible {
    /// How bad it is.
    public enum Severity: String, Hashable, Sendable, Codable, CaseIterable {
        /// The story can't be built, or its viewers get stuck.
        case error
        /// It plays, and probably not as it is meant.
        case warning
    }

    /// What was found.
    public enum Kind: Hashable, Sendable {
        /// A segment is named that doesn't exist; the nearest that does.
        case targetMissing(String, nearest: String?)
        /// No way leads there at all.
        case unreachable
        /// The ways that lead there are never open.
        case neverEntered
        /// The story ends there, and it is no epilogue.
        case deadEnd
        /// No segment of the story is an epilogue.
        case noEpilogue
        /// From there no way leads to any epilogue.
        case noWayToEpilogue
        /// These segments follow each other forever, and nothing is asked.
        case endlessLoop([String])
        /// `decide` has nothing to decide for.
        case decisionWithoutDefault
        /// Two choices lead to one segment; their indices.
        case sameTarget(String, first: Int, second: Int)
        /// A choice is never offered.
        case conditionNeverHolds(String)
        /// With certain values no choice is offered, and there is nothing else.
        case choicesMayRunOut
        /// The choices are never shown.
        case choicesNeverShown
        /// A variable that the story doesn't have; the nearest that it has.
        case undefinedVariable(String, nearest: String?)
        /// No condition depends on it.
        case variableNeverRead(String)
        /// An event lies outside of the range, in seconds.
        case eventOutside(from: Double, to: Double?)
        /// An event that happens before the one listed before it.
        case eventOutOfOrder
        /// The time map leaves the event's instant out.
        case eventNeverReached
        /// An event about choices in a segment that has none.
        case eventWithoutChoices(StoryCue)
        /// Two choices of a segment have one key.
        case keyTaken(Character)
        /// Something that has no effect beside something else.
        case ineffective(String, because: String)
        /// There is no such media file.
        case mediaMissing(String)
        /// A media file can't be used; why.
        case mediaDamaged(String, String)
        /// A media file lasts only so many seconds, and the range needs more.
        case rangeMissing(String, lasts: Double)
        /// The curve or time map is none for this clip; why.
        case timeMapInvalid(String)
        /// A captions file can't be used; why.
        case captionsUnusable(String, String)
    }

    /// What was found.
    public let kind: Kind
    /// The place in the file.
    public let path: StoryPath
    /// The same in the text, where the story was read from one.
    public let position: TextPosition?

    /// A finding at a place of the file.
    public init(_ kind: Kind, at path: StoryPath, position: TextPosition? = nil) {
        self.kind = kind
        self.path = path
        self.position = position
    }

    /// The segment it is in, where it is in one.
    public var segment: String? {
        guard path.steps.count >= 2, path.steps[0] == .key("segments"),
            case .key(let name) = path.steps[1]
        else {
            return nil
        }
        return name
    }

    /// `31:15: error: segments.door.choices[1].goto: there is no segment "hal". …`.
    public var description: String {
        let place = position.map { "\($0): " } ?? ""
        return "\(place)\(severity.rawValue): \(path): \(sentence) \(remedy)"
    }
}

extension StoryFinding: Encodable {
    private enum Key: String, CodingKey {
        case code, severity, path, line, column, sentence, remedy
    }

    /// Flat, for programs: `code`, `severity`, `path`, `line`, `column`, `sentence`, `remedy`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(code, forKey: .code)
        try container.encode(severity, forKey: .severity)
        try container.encode(path.description, forKey: .path)
        try container.encodeIfPresent(position?.line, forKey: .line)
        try container.encodeIfPresent(position?.column, forKey: .column)
        try container.encode(sentence, forKey: .sentence)
        try container.encode(remedy, forKey: .remedy)
    }
}
