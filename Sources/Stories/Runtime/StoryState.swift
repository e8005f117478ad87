/// Where a viewer is in a story: all of it, to be saved as JSON and restored.
public struct StoryState: Hashable, Sendable {
    /// What a segment can be doing.
    public enum Phase: String, Hashable, Sendable, Codable {
        /// It plays without controls.
        case playing
        /// Its choices are shown.
        case choosing
        /// What follows is decided.
        case locked
        /// It is over and waits for a choice on its last picture.
        case waiting
        /// The story is over, or hasn't begun.
        case ended
    }

    /// A decision to come back to.
    public struct Visit: Hashable, Sendable, Codable {
        /// The segment that asked.
        public var segment: String
        /// As they were before the choice.
        public var variables: [String: Double]

        /// A decision in a segment.
        public init(segment: String, variables: [String: Double]) {
            self.segment = segment
            self.variables = variables
        }
    }

    /// The name of the segment that plays.
    public var segment: String
    /// The variables' present values.
    public var variables: [String: Double]
    /// What the segment is doing.
    public var phase: Phase
    /// Indices of the choices that are offered.
    public var available: [Int]
    /// What follows, where that is decided.
    public var next: String?
    /// How many of the segment's events have fired.
    public var fired: Int
    /// The latest decision last.
    public var history: [Visit]

    /// A state from its parts.
    public init(
        segment: String, variables: [String: Double], phase: Phase = .playing,
        available: [Int] = [], next: String? = nil, fired: Int = 0, history: [Visit] = []
    ) {
        self.segment = segment
        self.variables = variables
        self.phase = phase
        self.available = available
        self.next = next
        self.fired = fired
        self.history = history
    }
}

extension StoryState: Codable {
    private enum Key: String, CodingKey {
        case segment, variables, phase, available, next, fired, history
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        self.init(
            segment: try container.decode(String.self, forKey: .segment),
            variables: try container.decode([String: Double].self, forKey: .variables),
            phase: try container.decode(Phase.self, forKey: .phase),
            available: try container.decode([Int].self, forKey: .available),
            next: try container.decodeIfPresent(String.self, forKey: .next),
            fired: try container.decode(Int.self, forKey: .fired),
            history: try container.decode([Visit].self, forKey: .history))
    }

    /// `next` is null where nothing is decided.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(segment, forKey: .segment)
        try container.encode(variables, forKey: .variables)
        try container.encode(phase, forKey: .phase)
        try container.encode(available, forKey: .available)
        try container.encode(next, forKey: .next)
        try container.encode(fired, forKey: .fired)
        try container.encode(history, forKey: .history)
    }
}
