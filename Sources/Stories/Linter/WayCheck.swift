import Documents

/// Checks the paths through a story.
struct WayCheck {
    private let story: Story
    private let graph: StoryGraph
    private let numbers: NumberedGraph
    private let analysis: VariableAnalysis
    private let epilogues: [Int]

    init(
        _ story: Story, _ graph: StoryGraph, _ numbers: NumberedGraph,
        _ analysis: VariableAnalysis
    ) {
        self.story = story
        self.graph = graph
        self.numbers = numbers
        self.analysis = analysis
        epilogues = story.segments.values.enumerated()
            .filter { $0.element.role == .epilogue }.map(\.offset)
    }

    /// The finding about the story as a whole.
    var storyFinding: StoryFinding? {
        guard epilogues.isEmpty, numbers.number[story.start] != nil else {
            return nil
        }
        return StoryFinding(.noEpilogue, at: DocumentPath([.key("segments")]))
    }

    /// The findings, each with the number of its segment.
    func findings() -> [(segment: Int, finding: StoryFinding)] {
        // If the start doesn't exist, every segment would be reported as unreachable.
        guard let start = numbers.number[story.start] else {
            return []
        }
        var findings: [(Int, StoryFinding)] = []
        func note(_ kind: StoryFinding.Kind, _ segment: Int) {
            findings.append((segment, StoryFinding(kind, at: .segment(graph.segments[segment]))))
        }
        let linked = numbers.reachable(from: start) { _ in true }
        for segment in linked.indices where !analysis.isReached[segment] {
            note(linked[segment] ? .neverEntered : .unreachable, segment)
        }
        let loops = endlessLoops()
        for loop in loops {
            note(.endlessLoop(loop.map { graph.segments[$0] }), loop[0])
        }
        let looping = Set(loops.flatMap { $0 })
        // A path to a segment that doesn't exist yet may be meant to lead to an end.
        let goals = epilogues + leadingNowhere
        let leads = numbers.leading(to: goals) { analysis.isOpen[$0] }
        for segment in leads.indices where analysis.isReached[segment] {
            let isEpilogue = story.segments.values[segment].role == .epilogue
            if numbers.leaving[segment].isEmpty {
                if !isEpilogue {
                    note(.deadEnd, segment)
                }
            } else if !leads[segment], !epilogues.isEmpty, !looping.contains(segment) {
                note(.noWayToEpilogue, segment)
            }
        }
        return findings
    }

    private var leadingNowhere: [Int] {
        numbers.to.indices.filter { numbers.to[$0] == nil }.map { numbers.from[$0] }
    }

    /// Cycles of segments that never offer a choice. Each cycle begins with the segment that comes first in the
    /// file.
    private func endlessLoops() -> [[Int]] {
        let next = story.segments.values.indices.map { forcedNext(of: $0) }
        var round = [Int](repeating: 0, count: next.count)
        var loops: [[Int]] = []
        for first in next.indices {
            var segment: Int? = first
            while let here = segment, round[here] == 0 {
                round[here] = first + 1
                segment = next[here]
            }
            if let here = segment, round[here] == first + 1 {
                loops.append(ring(from: here, next))
            }
        }
        return loops
    }

    private func ring(from start: Int, _ next: [Int?]) -> [Int] {
        var ring = [start]
        while let following = next[ring[ring.count - 1]], following != start {
            ring.append(following)
        }
        let first = ring.firstIndex(of: ring.min() ?? start) ?? 0
        return Array(ring[first...] + ring[..<first])
    }

    /// The segment that follows whatever the viewer does; nil if a choice is offered or nothing follows.
    private func forcedNext(of segment: Int) -> Int? {
        guard analysis.isReached[segment] else {
            return nil
        }
        let open = numbers.leaving[segment].filter { analysis.isOpen[$0] }
        guard open.count == 1 else {
            return nil
        }
        if case .choice = graph.edges[open[0]].kind {
            return nil
        }
        return numbers.to[open[0]]
    }
}
