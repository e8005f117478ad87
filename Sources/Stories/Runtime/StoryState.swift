/// A viewer's complete state in a story, which can be saved as JSON and restored.
public struct StoryState: Hashable, Sendable {
    /// A phase of the current segment.
    public enum Phase: String, Hashable, Sendable, Codable {
        /// The segment plays, and its choices are hidden.
        case playing
        /// The segment plays, and its choices are shown.
        case choosing
        /// The next segment is decided, and follows at the segment's end.
        case locked
        /// The segment has ended; its last frame stays until the viewer takes a choice.
        case waiting
        /// The story has ended, or hasn't begun.
        case ended
    }

    /// An earlier decision to which the viewer can go back.
    public struct Visit: Hashable, Sendable, Codable {
        /// The name of the segment in which the viewer decided.
        public var segment: String
        /// The values of the variables before the choice.
        public var variables: [String: Double]

        /// A decision in a segment.
        public init(segment: String, variables: [String: Double]) {
            self.segment = segment
            self.variables = variables
        }
    }

    /// The name of the current segment.
    public var segment: String
    /// The current values of all variables.
    public var variables: [String: Double]
    /// The phase of the current segment.
    public var phase: Phase
    /// The indices of the choices that are shown, counted from 0.
    public var available: [Int]
    /// The name of the next segment; nil if it isn't decided yet.
    public var next: String?
    /// How many of the segment's events have happened.
    public var fired: Int
    /// The decisions of the viewer, the latest last.
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

    /// Decodes a state. It isn't checked against a manifest; ``StoryRuntime/init(_:restoring:)`` does that.
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

    /// Encodes all keys; `next` is null if nothing is decided.
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
