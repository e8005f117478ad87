/// Which edges a viewer may ever take, judged by the values that variables may have.
///
/// Abstract interpretation over the graph: from the first values along every edge that may be open,
/// until nothing new comes. It keeps every combination of values while a segment has at most
/// ``SegmentStates/mostCombinations``, then an interval for each variable, whose bounds widen to
/// infinity. What it rules out never happens; what it doesn't may still be impossible. It knows
/// exactly + − · / comparisons ?: min max clamp abs floor ceil sqrt of intervals, of the other
/// functions only single values. Variables that no condition depends on aren't followed.
struct VariableAnalysis {
    /// By segment: whether it may be entered.
    private(set) var isReached: [Bool]
    /// By edge: whether it may be taken.
    private(set) var isOpen: [Bool]
    /// By segment: whether for certain values, which are really had, no choice is offered.
    private(set) var runsOut: [Bool]

    /// - Parameter isOffered: by segment, whether its choices are ever shown.
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

/// The analysis while it runs.
private struct AnalysisRun {
    private struct Move {
        /// Nil leaves the choice always open.
        var condition: NumberedFormula?
        var assignments: [(variable: Int, formula: NumberedFormula)] = []
        /// Whether all variables that it reads are known.
        var isKnown = true
    }
    private let graph: NumberedGraph
    private let first: [Double]
    /// By edge; nil for those that can't be taken at all.
    private var moves: [Move?] = []
    /// By segment: whether a viewer may be left with nothing to choose.
    private let mayWait: [Bool]
    private let widening: Widening
    private(set) var states: [SegmentStates]
    private(set) var isOpen: [Bool]
    /// By segment: combinations that weren't looked at yet.
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

    /// Beyond this the memory would be.
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
            take(edge, values.map { Interval($0) })
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

    private mutating func take(_ edge: Int, _ intervals: [Interval]) {
        budget -= 1
        guard let move = moves[edge], move.condition?.value(intervals).mayHold ?? true else {
            return
        }
        isOpen[edge] = true
        var after = intervals
        for (variable, formula) in move.assignments {
            var value = formula.value(intervals)
            // What isn't finite isn't assigned.
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
            enter(segment, values.map { Interval($0) })
            return
        }
        // Otherwise the set would be copied.
        states[segment] = .none
        let isNew = all.insert(values).inserted
        states[segment] = .combinations(all)
        guard isNew else {
            return
        }
        guard all.count <= SegmentStates.mostCombinations, budget > 0 else {
            enter(segment, values.map { Interval($0) })
            return
        }
        fresh[segment].append(values)
        enqueue(segment)
    }

    private mutating func enter(_ segment: Int, _ intervals: [Interval]) {
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

    // MARK: Asking

    /// Only of combinations, which are all really had as long as no interval came before them.
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
