/// Which edges a viewer can ever take, given the values that the variables can have.
///
/// This is abstract interpretation over the graph: it follows the initial values along every edge that may be
/// open, until nothing new is found. It keeps every combination of values while a segment has at most
/// ``SegmentStates/mostCombinations``, and beyond that an interval for each variable, whose bounds widen up to
/// infinity. Whatever it rules out never happens; what it doesn't rule out may still be impossible. For
/// intervals it computes + − · / comparisons ?: min max clamp abs floor ceil sqrt; for the other functions it
/// computes single values only. It doesn't follow variables that no condition depends on.
struct VariableAnalysis {
    /// For each segment, whether it may be entered.
    private(set) var isReached: [Bool]
    /// For each edge, whether it may be taken.
    private(set) var isOpen: [Bool]
    /// For each segment, whether no choice is offered for some combination of values that certainly occurs.
    private(set) var runsOut: [Bool]

    /// - Parameter isOffered: for each segment, whether its choices are ever shown.
    init(_ story: Story, _ graph: NumberedGraph, isOffered: [Bool]) {
        let count = story.segments.count
        isReached = [Bool](repeating: false, count: count)
        isOpen = [Bool](repeating: false, count: graph.to.count)
        runsOut = [Bool](repeating: false, count: count)
        guard let start = graph.number[story.start] else {
            return
        }
        var run = AnalysisRun(story, graph, isOffered: isOffered)
        guard run.isAffordable else {
            isOpen = [Bool](repeating: true, count: graph.to.count)
            isReached = graph.reachable(from: start) { _ in true }
            return
        }
        run.start(at: start)
        isReached = run.states.map { !$0.isEmpty }
        isOpen = run.isOpen
        runsOut = (0..<count).map { run.runsOut(of: $0) }
    }
}

/// The running analysis.
private struct AnalysisRun {
    private struct Move {
        /// Nil if the edge is always open.
        var condition: NumberedFormula?
        var assignments: [(variable: Int, formula: NumberedFormula)] = []
        /// Whether the story has all variables that the formulas read.
        var isKnown = true
    }
    private let graph: NumberedGraph
    private let first: [Double]
    /// For each edge; nil if it can't be taken at all.
    private var moves: [Move?] = []
    /// For each segment, whether a viewer would be stuck there if no choice is offered.
    private let mayWait: [Bool]
    private let widening: Widening
    private(set) var states: [SegmentStates]
    private(set) var isOpen: [Bool]
    /// For each segment, the combinations that haven't been followed yet.
    private var fresh: [[[Double]]]
    private var queue: [Int] = []
    private var isQueued: [Bool]
    private var growth: [Int]
    private var budget: Int

    init(_ story: Story, _ graph: NumberedGraph, isOffered: [Bool]) {
        let count = story.segments.count
        self.graph = graph
        var numbers: [String: Int] = [:]
        var first: [Double] = []
        let deciding = VariableUse(story).deciding
        for name in story.variables.keys where deciding.contains(name) {
            numbers[name] = first.count
            first.append(story.variables[name] ?? 0)
        }
        self.first = first
        states = [SegmentStates](repeating: .none, count: count)
        fresh = [[[Double]]](repeating: [], count: count)
        isQueued = [Bool](repeating: false, count: count)
        growth = [Int](repeating: 0, count: count)
        isOpen = [Bool](repeating: false, count: graph.to.count)
        budget = 200_000 + 20 * graph.to.count
        var constants = Set(first)
        for (index, segment) in story.segments.values.enumerated() {
            for (choice, edge) in zip(segment.choices, graph.leaving[index]) {
                moves.append(
                    isOffered[index] && edge >= 0
                        ? Self.move(choice, numbers, &constants) : nil)
            }
            let others = graph.leaving[index].count - segment.choices.count
            moves += [Move?](repeating: Move(), count: others)
        }
        mayWait = story.segments.values.map { segment in
            !segment.choices.isEmpty && !segment.loops && segment.defaultTarget == nil
        }
        widening = Widening(numbers: constants)
    }

    /// Whether the story is small enough: beyond this the analysis would use too much memory.
    var isAffordable: Bool {
        states.count * first.count <= 4_000_000
    }

    private static func move(
        _ choice: Story.Choice, _ numbers: [String: Int], _ constants: inout Set<Double>
    ) -> Move {
        let formulas = [choice.condition].compactMap { $0 } + choice.assignments.values
        for formula in formulas where constants.count < 1000 {
            for case .number(let number) in formula.formula.steps {
                constants.formUnion([number - 1, number, number + 1])
            }
        }
        var move = Move()
        move.condition = choice.condition.map { NumberedFormula($0.formula, numbers) }
        move.assignments = choice.assignments.compactMap { name, expression in
            numbers[name].map { ($0, NumberedFormula(expression.formula, numbers)) }
        }
        move.isKnown =
            move.condition?.isKnown != false && move.assignments.allSatisfy { $0.formula.isKnown }
        return move
    }

    mutating func start(at segment: Int) {
        enter(segment, first)
        var place = 0
        while place < queue.count {
            let segment = queue[place]
            place += 1
            isQueued[segment] = false
            if place > 10_000 {
                queue.removeFirst(place)
                place = 0
            }
            leave(segment)
        }
    }

    private mutating func enqueue(_ segment: Int) {
        guard !isQueued[segment] else {
            return
        }
        isQueued[segment] = true
        queue.append(segment)
    }

    // MARK: Leaving

    private mutating func leave(_ segment: Int) {
        if case .intervals(let intervals) = states[segment] {
            for edge in graph.leaving[segment] {
                take(edge, intervals)
            }
            return
        }
        let combinations = fresh[segment]
        fresh[segment] = []
        for values in combinations {
            for edge in graph.leaving[segment] {
                take(edge, values)
            }
        }
    }

    private mutating func take(_ edge: Int, _ values: [Double]) {
        budget -= 1
        guard let move = moves[edge] else {
            return
        }
        guard move.isKnown else {
            take(edge, values.map { PossibleValues($0) })
            return
        }
        let condition = move.condition?.value(values) ?? 1
        guard condition != 0, !condition.isNaN else {
            return
        }
        isOpen[edge] = true
        var after = values
        for (variable, formula) in move.assignments {
            let value = formula.value(values)
            after[variable] = value.isFinite ? value + 0 : values[variable]
        }
        if let target = graph.to[edge] {
            enter(target, after)
        }
    }

    private mutating func take(_ edge: Int, _ intervals: [PossibleValues]) {
        budget -= 1
        guard let move = moves[edge], move.condition?.value(intervals).mayHold ?? true else {
            return
        }
        isOpen[edge] = true
        var after = intervals
        for (variable, formula) in move.assignments {
            var value = formula.value(intervals)
            // The runtime doesn't assign values that aren't finite, so the old value may remain.
            if value.mayBeNaN || !value.isBounded {
                value = value.joined(intervals[variable])
                value.mayBeNaN = false
            }
            after[variable] = value
        }
        if let target = graph.to[edge] {
            enter(target, after)
        }
    }

    // MARK: Entering

    private mutating func enter(_ segment: Int, _ values: [Double]) {
        guard case .combinations(var all) = states[segment] else {
            enter(segment, values.map { PossibleValues($0) })
            return
        }
        // Without a second reference, the set isn't copied when it changes.
        states[segment] = .none
        let isNew = all.insert(values).inserted
        states[segment] = .combinations(all)
        guard isNew else {
            return
        }
        guard all.count <= SegmentStates.mostCombinations, budget > 0 else {
            enter(segment, values.map { PossibleValues($0) })
            return
        }
        fresh[segment].append(values)
        enqueue(segment)
    }

    private mutating func enter(_ segment: Int, _ intervals: [PossibleValues]) {
        let wasExact: Bool
        if case .combinations = states[segment] {
            wasExact = true
        } else {
            wasExact = false
        }
        guard let old = states[segment].hull else {
            states[segment] = .intervals(intervals)
            enqueue(segment)
            return
        }
        let joined = zip(old, intervals).map { $0.joined($1) }
        guard joined != old || wasExact else {
            return
        }
        growth[segment] += 1
        var result = joined
        if budget <= 0 {
            result = joined.map { _ in .anyFinite }
        } else if growth[segment] > 3 {
            result = zip(old, joined).map { widening.widened($0, towards: $1) }
        }
        fresh[segment] = []
        states[segment] = .intervals(result)
        enqueue(segment)
    }

    // MARK: Results

    /// Whether some combination of values leaves no choice. Only exact combinations are considered: all of them
    /// really occur as long as no interval came before them.
    func runsOut(of segment: Int) -> Bool {
        guard mayWait[segment], case .combinations(let all) = states[segment] else {
            return false
        }
        return all.contains { values in
            graph.leaving[segment].allSatisfy { edge in
                guard let condition = moves[edge]?.condition else {
                    return false
                }
                let value = condition.value(values)
                return condition.isKnown && (value == 0 || value.isNaN)
            }
        }
    }
}
