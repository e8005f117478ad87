import Documents

/// A problem in a story that its viewers would notice.
public struct StoryFinding: Hashable, Sendable, CustomStringConvertible {
    /// How severe a finding is.
    public enum Severity: String, Hashable, Sendable, Codable, CaseIterable {
        /// The story can't be built, or its viewers get stuck.
        case error
        /// The story plays, but probably not as its author intended.
        case warning
        /// Nothing is wrong, but the author should know.
        case note
    }

    /// The kind of finding.
    public enum Kind: Hashable, Sendable {
        /// The file names a segment that doesn't exist; `nearest` is the existing name with the most similar
        /// spelling.
        case targetMissing(String, nearest: String?)
        /// The segment can't be reached from the start.
        case unreachable
        /// Choices lead to the segment, but they are never available.
        case neverEntered
        /// The story ends in the segment, which isn't an epilogue.
        case deadEnd
        /// No segment of the story is an epilogue.
        case noEpilogue
        /// No path leads from the segment to an epilogue.
        case noWayToEpilogue
        /// These segments repeat forever without offering a choice.
        case endlessLoop([String])
        /// A `decide` event has no effect, because the segment has neither a default nor a loop.
        case decisionWithoutDefault
        /// Two choices with these indices, counted from 0, lead to the same segment.
        case sameTarget(String, first: Int, second: Int)
        /// The choice with this label is never offered.
        case conditionNeverHolds(String)
        /// For some values of the variables, no choice is offered, and nothing else follows.
        case choicesMayRunOut
        /// The choices of the segment are never shown.
        case choicesNeverShown
        /// A formula uses a variable that the story doesn't have; `nearest` is the existing name with the most
        /// similar spelling.
        case undefinedVariable(String, nearest: String?)
        /// No condition depends on this variable.
        case variableNeverRead(String)
        /// An event lies outside of the segment, which extends between these times of its media, in seconds.
        /// `to` is nil if the end isn't known.
        case eventOutside(from: Double, to: Double?)
        /// An event happens before the one that is listed before it.
        case eventOutOfOrder
        /// The time map skips the time of an event.
        case eventNeverReached
        /// No path leads to what follows the segment's decision; it lasts this many seconds.
        case partNeverSeen(Double)
        /// An event acts on choices, but the segment has none.
        case eventWithoutChoices(StoryCue)
        /// Two choices of a segment share this key.
        case keyTaken(Character)
        /// This key of the file has no effect, for the given reason.
        case ineffective(String, because: String)
        /// This media file doesn't exist.
        case mediaMissing(String)
        /// A media file can't be used: its path, and the reason.
        case mediaDamaged(String, String)
        /// The range doesn't lie within this media file, which lasts this many seconds.
        case rangeMissing(String, lasts: Double)
        /// The curve or time map can't be applied to the clip, for the given reason.
        case timeMapInvalid(String)
        /// The dissolve lasts as long as the segment or longer; it lasts this many seconds.
        case dissolveTooLong(Double)
        /// A captions file can't be used: its path, and the reason.
        case captionsUnusable(String, String)
        /// The player has no texts in this language, and the story names none.
        case languageWithoutStrings(String)
        /// A strings file can't be used: its path, and the reason.
        case stringsUnusable(String, String)
        /// A strings file lacks these texts, and the player has none in this language.
        case stringsMissing(String, [String], language: String)
        /// What viewers choose is sent to this address.
        case visitsAreSent(to: String)
        /// What viewers choose is sent to this address without encryption, over a network.
        case visitsUnencrypted(to: String)
    }

    /// The kind of finding, with its details.
    public let kind: Kind
    /// The path of the value in the story file.
    public let path: DocumentPath
    /// The position in the text of the story file; nil if the story wasn't read from a file.
    public let position: TextPosition?

    /// A finding at a path of the story file.
    public init(_ kind: Kind, at path: DocumentPath, position: TextPosition? = nil) {
        self.kind = kind
        self.path = path
        self.position = position
    }

    /// The name of the segment that contains the finding; nil if it concerns the whole story.
    public var segment: String? {
        guard path.steps.count >= 2, path.steps[0] == .key("segments"),
            case .key(let name) = path.steps[1]
        else {
            return nil
        }
        return name
    }

    /// Position, severity, path, sentence and remedy in one line: `31:15: error: segments.door.choices[1].goto:
    /// There is no segment "hal". …`.
    public var description: String {
        let place = position.map { "\($0): " } ?? ""
        return "\(place)\(severity.rawValue): \(path): \(sentence) \(remedy)"
    }
}

extension StoryFinding: Encodable {
    private enum Key: String, CodingKey {
        case code, severity, path, line, column, sentence, remedy
    }

    /// Encodes an object with the keys `code`, `severity`, `path`, `line`, `column`, `sentence` and `remedy`.
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
