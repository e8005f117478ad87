/// What happens to a story from outside.
public enum StoryInput: Hashable, Sendable {
    /// The viewer begins.
    case start
    /// A picture with that time in the segment was presented, in seconds.
    case reached(Double)
    /// The time of the segment's last picture is over.
    case finished
    /// The viewer took the choice with that index.
    case chose(Int)
    /// Back to the last decision.
    case back
    /// From the beginning, with all variables as they were.
    case restart
}

/// What a player has to do.
public enum StoryAction: Hashable, Sendable {
    /// Begin a segment from its start at once, dropping what plays.
    case play(String)
    /// Offer these choices.
    case show([Int])
    /// Offer none.
    case hide
    /// It is decided which segment follows: append it now.
    case lock(String)
    /// The segment's end has come; the appended one plays on.
    case jump(String)
    /// A named event.
    case event(String)
    /// The viewer made a choice in a segment.
    case choice(segment: String, index: Int)
    /// The story is over.
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
        case play, show, hide, lock, jump, event, choice, end
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        func segment() throws -> String { try container.decode(String.self, forKey: .segment) }
        switch try container.decode(Verb.self, forKey: .verb) {
        case .play: self = .play(try segment())
        case .show: self = .show(try container.decode([Int].self, forKey: .choices))
        case .hide: self = .hide
        case .lock: self = .lock(try segment())
        case .jump: self = .jump(try segment())
        case .event: self = .event(try container.decode(String.self, forKey: .name))
        case .choice:
            self = .choice(
                segment: try segment(), index: try container.decode(Int.self, forKey: .choice))
        case .end: self = .end
        }
    }

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

/// One step of a recorded walk: what came in, what went out, and where the story was then.
public struct StoryTraceStep: Hashable, Sendable, Codable {
    /// What came in.
    public var input: StoryInput
    /// What the runtime asked the player to do.
    public var actions: [StoryAction]
    /// The state after that.
    public var state: StoryState

    /// A recorded step.
    public init(input: StoryInput, actions: [StoryAction], state: StoryState) {
        self.input = input
        self.actions = actions
        self.state = state
    }
}
