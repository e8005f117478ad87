/// The result of a search for the edges that a viewer can take, with walks that take them.
public struct StoryCoverage: Sendable {
    /// Why an edge wasn't taken.
    public enum Reason: String, Hashable, Sendable, Codable, CustomStringConvertible {
        /// No walk entered the segment that the edge leaves.
        case segmentNeverEntered = "segment-never-entered"
        /// The segment never showed its choices.
        case choicesNeverShown = "choices-never-shown"
        /// The condition of the choice was false in every state.
        case conditionNeverHeld = "condition-never-held"
        /// The search stopped at its limit; a longer search might take the edge.
        case searchStopped = "search-stopped"

        /// The reason as an English clause.
        public var description: String {
            switch self {
            case .segmentNeverEntered: "no path leads to its segment"
            case .choicesNeverShown: "the segment's choices are never shown"
            case .conditionNeverHeld: "its condition was false in every state"
            case .searchStopped: "the search stopped before it had examined all states"
            }
        }
    }

    /// An edge that wasn't taken.
    public struct Miss: Hashable, Sendable, Encodable {
        /// The edge that wasn't taken.
        public let edge: StoryEdge
        /// Why it wasn't taken.
        public let reason: Reason
    }

    /// A walk from the start along some edges.
    public struct Walk: Hashable, Sendable, Encodable {
        /// The edges, in the order in which they are taken.
        public let edges: [StoryEdge]
        /// The inputs to the runtime, beginning with `start`.
        public let inputs: [StoryInput]
    }

    /// The edges that were taken, in the order of the graph.
    public let walked: [StoryEdge]
    /// The edges that weren't taken, in the order of the graph.
    public let missed: [Miss]
    /// The names of the segments that were entered.
    public let entered: Set<String>
    /// How many states were examined. A state is a segment with values of the variables.
    public let stateCount: Int

    private let steps: [WalkStep]
    private let arrivals: [StoryEdge: Int]

    init(_ search: WalkSearch, _ graph: StoryGraph) {
        steps = search.steps
        stateCount = search.steps.count
        entered = search.entered
        arrivals = search.arrivals
        let found = search.arrivals
        walked = graph.edges.filter { found[$0] != nil }
        missed = graph.edges.filter { found[$0] == nil }.map { edge in
            Miss(edge: edge, reason: search.reason(for: edge))
        }
    }

    /// The shortest walk that ends with an edge; nil if the edge wasn't taken. O(n) in the walk's length.
    public func walk(to edge: StoryEdge) -> Walk? {
        guard let arrival = arrivals[edge] else {
            return nil
        }
        return walk(endingAt: arrival)
    }

    private func walk(endingAt arrival: Int) -> Walk {
        var edges: [StoryEdge] = []
        var inputs: [[StoryInput]] = []
        var place: Int? = arrival
        while let index = place, let edge = steps[index].edge {
            edges.append(edge)
            inputs.append(steps[index].inputs)
            place = steps[index].parent
        }
        return Walk(
            edges: edges.reversed(), inputs: [.start] + inputs.reversed().flatMap { $0 })
    }

    /// Walks that together take every edge in ``walked``. Each is the shortest walk to its last edge, and walks
    /// that add no new edge are left out. O(n) in their lengths.
    public func coveringWalks() -> [Walk] {
        var open = Set(walked)
        var walks: [Walk] = []
        // The longest walks come first because they cover the edges of shorter ones.
        let latest = walked.compactMap { arrivals[$0] }.sorted(by: >)
        for arrival in latest {
            guard let edge = steps[arrival].edge, open.contains(edge) else {
                continue
            }
            let walk = walk(endingAt: arrival)
            open.subtract(walk.edges)
            walks.append(walk)
        }
        return walks.reversed()
    }
}

/// An arrival in a segment: from which step, along which edge, by which inputs.
struct WalkStep: Sendable {
    let segment: String
    let variables: [String: Double]
    /// Nil at the start.
    let edge: StoryEdge?
    let parent: Int?
    let inputs: [StoryInput]
}
