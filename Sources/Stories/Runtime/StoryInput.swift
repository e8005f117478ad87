/// An input to the runtime of a story.
public enum StoryInput: Hashable, Sendable {
    /// The viewer starts the story.
    case start
    /// A frame was presented whose time in the segment is this many seconds.
    case reached(Double)
    /// The presentation of the segment's last frame has ended.
    case finished
    /// The viewer took the choice with this index, counted from 0.
    case chose(Int)
    /// The viewer goes back to the last decision.
    case back
    /// The viewer starts again from the beginning, with the initial values of all variables.
    case restart
}

/// An action that the runtime asks of a player.
public enum StoryAction: Hashable, Sendable {
    /// Play this segment from its start at once, and drop the current one.
    case play(String)
    /// Show the choices with these indices, counted from 0.
    case show([Int])
    /// Hide the choices.
    case hide
    /// This segment follows for certain: append it now.
    case lock(String)
    /// Leave the current segment within a few frames. The segment that follows is locked next.
    case leave
    /// The current segment has ended; the appended one plays without a gap.
    case jump(String)
    /// A named event of the story happened.
    case event(String)
    /// The viewer took a choice of this segment; the index counts from 0.
    case choice(segment: String, index: Int)
    /// The story has ended.
    case end
}

extension StoryInput: Codable {
    private enum Key: String, CodingKey {
        case name = "do"
        case time, choice
    }

    private enum Name: String, Codable {
        case start, reached, finished, chose, back, restart
    }

    /// Decodes an object such as `{"do": "reached", "time": 1.5}` or `{"do": "chose", "choice": 0}`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        switch try container.decode(Name.self, forKey: .name) {
        case .start: self = .start
        case .reached: self = .reached(try container.decode(Double.self, forKey: .time))
        case .finished: self = .finished
        case .chose: self = .chose(try container.decode(Int.self, forKey: .choice))
        case .back: self = .back
        case .restart: self = .restart
        }
    }

    /// Encodes an object with the key `do`, and `time` or `choice` if the input has one.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        switch self {
        case .start: try container.encode(Name.start, forKey: .name)
        case .reached(let time):
            try container.encode(Name.reached, forKey: .name)
            try container.encode(time, forKey: .time)
        case .finished: try container.encode(Name.finished, forKey: .name)
        case .chose(let index):
            try container.encode(Name.chose, forKey: .name)
            try container.encode(index, forKey: .choice)
        case .back: try container.encode(Name.back, forKey: .name)
        case .restart: try container.encode(Name.restart, forKey: .name)
        }
    }
}

extension StoryAction: Codable {
    private enum Key: String, CodingKey {
        case verb = "do"
        case segment, choices, choice, name
    }

    private enum Verb: String, Codable {
        case play, show, hide, lock, leave, jump, event, choice, end
    }

    /// Decodes an object such as `{"do": "play", "segment": "hall"}`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        func segment() throws -> String { try container.decode(String.self, forKey: .segment) }
        switch try container.decode(Verb.self, forKey: .verb) {
        case .play: self = .play(try segment())
        case .show: self = .show(try container.decode([Int].self, forKey: .choices))
        case .hide: self = .hide
        case .lock: self = .lock(try segment())
        case .leave: self = .leave
        case .jump: self = .jump(try segment())
        case .event: self = .event(try container.decode(String.self, forKey: .name))
        case .choice:
            self = .choice(
                segment: try segment(), index: try container.decode(Int.self, forKey: .choice))
        case .end: self = .end
        }
    }

    /// Encodes an object with the key `do`, and `segment`, `choices`, `choice` or `name` if the action has them.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        func encode(_ verb: Verb, _ segment: String? = nil) throws {
            try container.encode(verb, forKey: .verb)
            try container.encodeIfPresent(segment, forKey: .segment)
        }
        switch self {
        case .play(let segment): try encode(.play, segment)
        case .show(let choices):
            try encode(.show)
            try container.encode(choices, forKey: .choices)
        case .hide: try encode(.hide)
        case .lock(let segment): try encode(.lock, segment)
        case .leave: try encode(.leave)
        case .jump(let segment): try encode(.jump, segment)
        case .event(let name):
            try encode(.event)
            try container.encode(name, forKey: .name)
        case .choice(let segment, let index):
            try encode(.choice, segment)
            try container.encode(index, forKey: .choice)
        case .end: try encode(.end)
        }
    }
}

/// One step of a recorded walk: the input, the actions, and the state after it.
public struct StoryTraceStep: Hashable, Sendable, Codable {
    /// The input to the runtime.
    public var input: StoryInput
    /// The actions that the runtime asked of the player.
    public var actions: [StoryAction]
    /// The state after the input.
    public var state: StoryState

    /// A recorded step.
    public init(input: StoryInput, actions: [StoryAction], state: StoryState) {
        self.input = input
        self.actions = actions
        self.state = state
    }
}
