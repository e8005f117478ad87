/// Which ways of a story a viewer can take, and how.
public struct StoryCoverage: Sendable {
    /// Why a way wasn't taken.
    public enum Reason: String, Hashable, Sendable, Codable, CustomStringConvertible {
        /// No walk reached the segment that it leaves.
        case segmentNeverEntered = "segment-never-entered"
        /// The segment never showed its choices.
        case choicesNeverShown = "choices-never-shown"
        /// The choice's condition was false in every state.
        case conditionNeverHeld = "condition-never-held"
        /// More might be found by looking longer.
        case searchStopped = "search-stopped"

        public var description: String {
            switch self {
            case .segmentNeverEntered: "no way leads into the segment"
            case .choicesNeverShown: "the segment's choices are never shown"
            case .conditionNeverHeld: "its condition held in none of the states"
            case .searchStopped: "the search stopped before all states were seen"
            }
        }
    }

    /// A way that wasn't taken.
    public struct Miss: Hashable, Sendable, Encodable {
        /// The way that wasn't taken.
        public let edge: StoryEdge
        /// Why it wasn't taken.
        public let reason: Reason
    }

    /// From the start along some edges.
    public struct Walk: Hashable, Sendable, Encodable {
        /// One after the other.
        public let edges: [StoryEdge]
        /// What the runtime was given, beginning with `start`.
        public let inputs: [StoryInput]
    }

    /// The edges that were taken, in the order of the graph.
    public let walked: [StoryEdge]
    /// Those that weren't, in the order of the graph.
    public let missed: [Miss]
    /// The segments that were entered.
    public let entered: Set<String>
    /// How many states, each a segment with values of variables, were looked at.
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

    /// The shortest walk that ends with an edge; nil where there is none. O(n) in its length.
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

    /// Walks that together take every edge that can be taken; no more than needed of those that
    /// are shortest to their ends. O(n) in their lengths.
    public func coveringWalks() -> [Walk] {
        var open = Set(walked)
        var walks: [Walk] = []
        // The longest first: the ways to their ends cover others.
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

/// An arrival in a segment: from where, along which edge, by which inputs.
struct WalkStep: Sendable {
    let segment: String
    let variables: [String: Double]
    /// Nil at the start.
    let edge: StoryEdge?
    let parent: Int?
    let inputs: [StoryInput]
}
