import Documents

/// A path from one segment to another: an edge of the story's branching graph.
public struct StoryEdge: Hashable, Sendable {
    /// The kind of edge: when a viewer follows it.
    public enum Kind: Hashable, Sendable {
        /// The viewer took the choice with this index, counted from 0.
        case choice(Int)
        /// No choice was taken, so the segment's default follows.
        case otherwise
        /// No choice was taken, and the segment is played again.
        case loop
        /// The segment has no choices, and has been played to its end.
        case then
    }
    /// The name of the segment that the edge leaves.
    public let from: String
    /// The name of the segment that it leads to.
    public let to: String
    /// When a viewer follows the edge.
    public let kind: Kind

    /// An edge between two segments.
    public init(from: String, to: String, kind: Kind) {
        self.from = from
        self.to = to
        self.kind = kind
    }

    /// The path of the edge's target in the story file.
    public var path: DocumentPath {
        let path = DocumentPath.segment(from)
        switch kind {
        case .choice(let index): return path.key("choices").index(index).key("goto")
        case .otherwise: return path.key("default")
        case .loop: return path.key("loop")
        case .then: return path.key("then")
        }
    }
}

extension StoryEdge: Encodable {
    private enum Key: String, CodingKey {
        case from, to, by, choice
    }

    /// Encodes an object such as `{"from": "door", "to": "hall", "by": "choice", "choice": 0}`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(from, forKey: .from)
        try container.encode(to, forKey: .to)
        switch kind {
        case .choice(let index):
            try container.encode("choice", forKey: .by)
            try container.encode(index, forKey: .choice)
        case .otherwise: try container.encode("default", forKey: .by)
        case .loop: try container.encode("loop", forKey: .by)
        case .then: try container.encode("then", forKey: .by)
        }
    }
}

/// Which segment leads to which. Entries that the runtime ignores, such as a default in a segment that loops,
/// are not edges.
public struct StoryGraph: Sendable {
    /// The name of the first segment.
    public let start: String
    /// The names of the segments: in the order of the story file, or sorted by name for a manifest.
    public let segments: [String]
    /// The edges, segment by segment: first its choices in order, then what follows without a choice. The
    /// target segment of an edge may not exist.
    public let edges: [StoryEdge]

    /// The graph of a story.
    ///
    /// - Complexity: O(n) in segments and choices.
    public init(_ story: Story) {
        start = story.start
        segments = Array(story.segments.keys)
        edges = story.segments.flatMap { name, segment in
            Self.edges(
                from: name, choices: segment.choices.map(\.target),
                otherwise: segment.defaultTarget, loops: segment.loops, then: segment.next)
        }
    }

    /// The graph of a manifest.
    ///
    /// - Complexity: O(n log n) in segments and choices.
    public init(_ manifest: StoryManifest) {
        start = manifest.start
        segments = manifest.segments.keys.sorted()
        edges = segments.flatMap { name -> [StoryEdge] in
            guard let segment = manifest.segments[name] else {
                return []
            }
            return Self.edges(
                from: name, choices: segment.choices.map(\.target),
                otherwise: segment.defaultTarget, loops: segment.loops, then: segment.next)
        }
    }

    private static func edges(
        from name: String, choices: [String], otherwise: String?, loops: Bool, then: String?
    ) -> [StoryEdge] {
        guard !choices.isEmpty else {
            return then.map { [StoryEdge(from: name, to: $0, kind: .then)] } ?? []
        }
        var edges = choices.enumerated().map { index, target in
            StoryEdge(from: name, to: target, kind: .choice(index))
        }
        if loops {
            edges.append(StoryEdge(from: name, to: name, kind: .loop))
        } else if let otherwise {
            edges.append(StoryEdge(from: name, to: otherwise, kind: .otherwise))
        }
        return edges
    }
}

/// A graph that identifies segments by number instead of name, so that walking it is fast.
struct NumberedGraph {
    let number: [String: Int]
    /// For each edge, the segment that it leaves and the segment that it enters; the latter is nil if that
    /// segment doesn't exist.
    let from: [Int]
    let to: [Int?]
    /// For each segment, the numbers of the edges that leave it.
    let leaving: [Range<Int>]

    init(_ graph: StoryGraph) {
        var number: [String: Int] = [:]
        for (index, name) in graph.segments.enumerated() {
            number[name] = index
        }
        // The edges are grouped by segment.
        var leaving = [Range<Int>](repeating: 0..<0, count: graph.segments.count)
        var from: [Int] = []
        for (index, edge) in graph.edges.enumerated() {
            let segment = number[edge.from] ?? 0
            from.append(segment)
            leaving[segment] =
                (leaving[segment].isEmpty ? index : leaving[segment].lowerBound)..<(index + 1)
        }
        self.number = number
        self.from = from
        self.leaving = leaving
        to = graph.edges.map { number[$0.to] }
    }

    /// Which segments can be reached along the open edges.
    func reachable(from start: Int, along isOpen: (Int) -> Bool) -> [Bool] {
        var reached = [Bool](repeating: false, count: leaving.count)
        reached[start] = true
        var open = [start]
        while let segment = open.popLast() {
            for edge in leaving[segment] where isOpen(edge) {
                if let target = to[edge], !reached[target] {
                    reached[target] = true
                    open.append(target)
                }
            }
        }
        return reached
    }

    /// Which segments lead to one of the goals along the open edges.
    func leading(to goals: [Int], along isOpen: (Int) -> Bool) -> [Bool] {
        var entering = [[Int]](repeating: [], count: leaving.count)
        for edge in to.indices where isOpen(edge) {
            if let target = to[edge] {
                entering[target].append(from[edge])
            }
        }
        var leads = [Bool](repeating: false, count: leaving.count)
        var open = goals
        for goal in goals {
            leads[goal] = true
        }
        while let segment = open.popLast() {
            for source in entering[segment] where !leads[source] {
                leads[source] = true
                open.append(source)
            }
        }
        return leads
    }
}
