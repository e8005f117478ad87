/// A breadth-first search through the states of a story. A state is a segment with values of the variables.
struct WalkSearch {
    private struct Place: Hashable {
        let segment: String
        /// The values of the variables that conditions depend on.
        let values: [Double]
    }

    /// A way out of a segment that the runtime took.
    private struct Move {
        let kind: StoryEdge.Kind
        let inputs: [StoryInput]
        let runtime: StoryRuntime
    }
    /// The segments that were entered.
    var entered: Set<String> { Set(visits.keys) }

    private let runtime: StoryRuntime
    private let names: [String]
    private let mostStates: Int
    private let edgeCount: Int
    private var seen: Set<Place> = []
    private(set) var steps: [WalkStep] = []
    /// For each edge, the first step that took it. Steps to states that were seen before are kept, too.
    private(set) var arrivals: [StoryEdge: Int] = [:]
    /// For each segment, the steps that entered it.
    private var visits: [String: [Int]] = [:]
    private var hasStopped = false

    init(_ runtime: StoryRuntime, _ graph: StoryGraph, mostStates: Int) {
        self.runtime = runtime
        self.mostStates = mostStates
        edgeCount = graph.edges.count
        names = VariableUse(runtime.manifest).deciding.sorted()
    }

    mutating func run() {
        let manifest = runtime.manifest
        arrive(
            WalkStep(
                segment: manifest.start, variables: manifest.variables, edge: nil, parent: nil,
                inputs: []))
        var queue = [0]
        var next = 0
        while next < queue.count, arrivals.count < edgeCount {
            guard seen.count <= mostStates else {
                hasStopped = true
                return
            }
            let step = queue[next]
            next += 1
            for move in moves(from: steps[step]) {
                let state = move.runtime.state
                let edge = StoryEdge(
                    from: steps[step].segment, to: state.segment, kind: move.kind)
                let isNew = arrive(
                    WalkStep(
                        segment: state.segment, variables: state.variables, edge: edge,
                        parent: step, inputs: move.inputs))
                if isNew {
                    queue.append(steps.count - 1)
                }
            }
        }
    }

    /// Records a step if it is the first along its edge or the first to its state.
    @discardableResult
    private mutating func arrive(_ step: WalkStep) -> Bool {
        let place = Place(
            segment: step.segment, values: names.map { step.variables[$0] ?? 0 })
        let isNew = seen.insert(place).inserted
        let isFirst = step.edge.map { arrivals[$0] == nil } ?? false
        guard isNew || isFirst else {
            return false
        }
        if let edge = step.edge, isFirst {
            arrivals[edge] = steps.count
        }
        visits[step.segment, default: []].append(steps.count)
        steps.append(step)
        return isNew
    }

    // MARK: What a viewer can do in a segment

    private func moves(from step: WalkStep) -> [Move] {
        var here = runtime
        here.stand(at: step.segment, with: step.variables)
        var moves: [Move] = []
        var tried: Set<Int> = []
        var inputs: [StoryInput] = []
        var playing = here
        for time in presentedTimes(of: here.segment) {
            _ = playing.handle(.reached(time))
            inputs.append(.reached(time))
            if playing.state.phase == .choosing {
                choose(playing, inputs, &tried, &moves)
            }
        }
        _ = here.handle(.finished)
        if here.state.phase == .waiting {
            choose(here, [.finished], &tried, &moves)
        } else if here.state.phase != .ended {
            let kind = fallback(of: step.segment)
            moves.append(Move(kind: kind, inputs: [.finished], runtime: here))
        }
        return moves
    }

    private func choose(
        _ asked: StoryRuntime, _ inputs: [StoryInput], _ tried: inout Set<Int>,
        _ moves: inout [Move]
    ) {
        for index in asked.state.available where tried.insert(index).inserted {
            var chosen = asked
            var taken = inputs + [.chose(index)]
            _ = chosen.handle(.chose(index))
            if asked.state.phase == .choosing {
                _ = chosen.handle(.finished)
                taken.append(.finished)
            }
            moves.append(Move(kind: .choice(index), inputs: taken, runtime: chosen))
        }
    }

    private func fallback(of name: String) -> StoryEdge.Kind {
        guard let segment = runtime.manifest.segments[name], !segment.choices.isEmpty else {
            return .then
        }
        return segment.loops ? .loop : .otherwise
    }

    /// The times of the frames at which events happen. An event after the start of the last frame happens when
    /// the segment ends.
    private func presentedTimes(of segment: StoryManifest.Segment) -> [Double] {
        let rate = runtime.manifest.media.frameRate
        var times: [Double] = []
        for event in segment.events {
            // The small offset keeps rounding errors from moving an event to the frame after its own.
            let time = rate > 0 ? (event.at * rate - 1e-6).rounded(.up) / rate : event.at
            let presented = max(time, event.at)
            if presented < segment.duration - 1e-9, times.last.map({ presented > $0 }) ?? true {
                times.append(presented)
            }
        }
        return times
    }

    func reason(for edge: StoryEdge) -> StoryCoverage.Reason {
        guard !hasStopped else {
            return .searchStopped
        }
        guard visits[edge.from] != nil else {
            return .segmentNeverEntered
        }
        guard case .choice(let index) = edge.kind,
            let condition = runtime.manifest.segments[edge.from]?.choices[index].condition,
            !held(condition, in: edge.from)
        else {
            return .choicesNeverShown
        }
        return .conditionNeverHeld
    }

    private func held(_ condition: StoryFormula, in segment: String) -> Bool {
        (visits[segment] ?? []).contains { condition.holds(steps[$0].variables) }
    }
}
