import Documents

/// Plays a story as a pure state machine: each input changes the state and returns actions.
///
/// ```
///              showControls            chose, decide
///   playing ─────────────▶ choosing ─────────────▶ locked ──finished──▶ (next segment)
///      ▲  ◀───hideControls─┘  │                       ▲
///      └── back, restart      └finished▶ waiting ─chose┘     nothing follows: ended
/// ```
/// An input that isn't valid in a state changes nothing and gives no actions. The player's page implements the
/// same rules.
public struct StoryRuntime: Sendable {
    /// The story that is played.
    public let manifest: StoryManifest
    /// The current state. Before the first `start`, the phase is `ended` and the segment is the first one.
    public private(set) var state: StoryState

    /// A runtime at the beginning of a story.
    ///
    /// - Throws: ``StoryError`` if the manifest contains a name that doesn't exist; see
    ///   ``StoryManifest/check()``.
    public init(_ manifest: StoryManifest) throws(StoryError) {
        try manifest.check()
        self.init(checked: manifest)
    }

    /// A runtime in a saved state. A player that continues from it calls ``resume()`` next.
    ///
    /// - Throws: ``StoryError`` if the manifest is invalid, or the state names a segment, a variable or a
    ///   choice that the manifest doesn't have.
    public init(_ manifest: StoryManifest, restoring state: StoryState) throws(StoryError) {
        try manifest.check()
        try state.check(against: manifest)
        self.init(checked: manifest)
        self.state = state
    }

    private init(checked manifest: StoryManifest) {
        self.manifest = manifest
        state = StoryState(
            segment: manifest.start, variables: manifest.variables, phase: .ended)
    }

    /// The current segment.
    public var segment: StoryManifest.Segment {
        guard let segment = manifest.segments[state.segment] else {
            preconditionFailure("states are checked against the manifest")
        }
        return segment
    }

    /// Handles one input and returns the actions for the player, in order. O(n) in the segment's events and
    /// choices.
    public mutating func handle(_ input: StoryInput) -> [StoryAction] {
        switch input {
        case .start, .restart:
            let hiding = hideIfShown()
            state = StoryState(segment: manifest.start, variables: manifest.variables)
            return hiding + [.play(manifest.start)] + enter(manifest.start)
        case .reached(let time): return fireEvents(until: time)
        case .finished: return finish()
        case .chose(let index): return choose(index)
        case .back: return goBack()
        }
    }

    /// Plays the segment of a restored state from its start, with the saved variables and history. Returns the
    /// actions for the player.
    ///
    /// If the story has ended, it does nothing and returns no actions.
    public mutating func resume() -> [StoryAction] {
        guard state.phase != .ended else {
            return []
        }
        return [.play(state.segment)] + enter(state.segment)
    }

    /// Moves to the start of a segment, with no history.
    mutating func stand(at segment: String, with variables: [String: Double]) {
        state = StoryState(segment: segment, variables: variables)
        _ = enter(segment)
    }
}

// MARK: - The rules

extension StoryRuntime {
    private var isShowing: Bool {
        state.phase == .choosing || state.phase == .waiting
    }

    private func hideIfShown() -> [StoryAction] {
        isShowing ? [.hide] : []
    }

    /// The indices of the choices whose conditions are true.
    private func offered() -> [Int] {
        segment.choices.indices.filter { index in
            segment.choices[index].condition?.holds(state.variables) ?? true
        }
    }

    fileprivate mutating func enter(_ name: String) -> [StoryAction] {
        state.segment = name
        state.phase = .playing
        state.available = []
        state.next = nil
        state.fired = 0
        guard segment.choices.isEmpty, let next = segment.next else {
            return []
        }
        return lock(next)
    }

    private mutating func lock(_ name: String) -> [StoryAction] {
        state.phase = .locked
        state.available = []
        state.next = name
        return [.lock(name)]
    }

    private mutating func jump() -> [StoryAction] {
        guard let next = state.next else {
            return []
        }
        return [.jump(next)] + enter(next)
    }

    private mutating func fireEvents(until time: Double) -> [StoryAction] {
        guard state.phase != .ended else {
            return []
        }
        let events = segment.events
        var actions: [StoryAction] = []
        while state.fired < events.count, events[state.fired].at <= time {
            let cue = events[state.fired].cue
            state.fired += 1
            actions += fire(cue)
        }
        return actions
    }

    private mutating func fire(_ cue: StoryCue) -> [StoryAction] {
        switch cue {
        case .showControls where state.phase == .playing:
            let available = offered()
            guard !available.isEmpty else {
                return []
            }
            state.phase = .choosing
            state.available = available
            return [.show(available)]
        case .hideControls where state.phase == .choosing:
            state.phase = .playing
            state.available = []
            return [.hide]
        case .decide where !segment.choices.isEmpty:
            return takeDefault()
        case .showControls, .hideControls, .decide:
            return []
        case .named(let name):
            return [.event(name)]
        }
    }

    private mutating func takeDefault() -> [StoryAction] {
        guard state.phase == .playing || state.phase == .choosing else {
            return []
        }
        let hiding = hideIfShown()
        if segment.loops {
            return hiding + lock(state.segment)
        }
        guard let target = segment.defaultTarget else {
            return []
        }
        remember()
        return hiding + lock(target)
    }

    private mutating func remember() {
        state.history.append(
            StoryState.Visit(segment: state.segment, variables: state.variables))
    }

    private mutating func choose(_ index: Int) -> [StoryAction] {
        guard isShowing, state.available.contains(index) else {
            return []
        }
        let isOver = state.phase == .waiting
        let choice = segment.choices[index]
        remember()
        let before = state.variables
        for assignment in choice.assignments {
            let value = assignment.formula.value(before)
            // A state is saved as JSON, which has no NaN and no infinity.
            if value.isFinite {
                // Adding 0 turns −0 into 0, because not every JSON reader keeps the sign.
                state.variables[assignment.variable] = value + 0
            }
        }
        let made = StoryAction.choice(segment: state.segment, index: index)
        guard !isOver else {
            return [made, .hide] + lock(choice.target) + jump()
        }
        guard choice.isImmediate else {
            return [made, .hide] + lock(choice.target)
        }
        // What the segment still had is never reached.
        state.fired = segment.events.count
        return [made, .hide, .leave] + lock(choice.target)
    }

    private mutating func finish() -> [StoryAction] {
        guard state.phase != .ended, state.phase != .waiting else {
            return []
        }
        var actions = fireEvents(until: .infinity)
        if state.phase != .locked, !segment.choices.isEmpty {
            actions += takeDefault()
        }
        guard state.phase != .locked else {
            return actions + jump()
        }
        return actions + stop()
    }

    /// Handles the end of a segment that nothing follows automatically.
    private mutating func stop() -> [StoryAction] {
        let wasShown = state.phase == .choosing
        state.available = offered()
        guard !state.available.isEmpty else {
            state.phase = .ended
            return [.end]
        }
        state.phase = .waiting
        return wasShown ? [] : [.show(state.available)]
    }

    private mutating func goBack() -> [StoryAction] {
        let hiding = hideIfShown()
        guard let visit = state.history.popLast() else {
            return []
        }
        state.variables = visit.variables
        return hiding + [.play(visit.segment)] + enter(visit.segment)
    }
}

extension StoryState {
    /// - Throws: ``StoryError`` if the state names anything that the manifest doesn't have.
    func check(against manifest: StoryManifest) throws(StoryError) {
        func wrong(_ key: String, _ message: String) -> StoryError {
            StoryError(DocumentPath([.key(key)]), message)
        }
        guard let current = manifest.segments[segment] else {
            throw wrong("segment", "there is no segment \"\(segment)\"")
        }
        if let next, manifest.segments[next] == nil {
            throw wrong("next", "there is no segment \"\(next)\"")
        }
        guard phase != .locked || next != nil else {
            throw wrong("next", "it is missing, but the phase \"locked\" needs it")
        }
        guard (0...current.events.count).contains(fired) else {
            throw wrong("fired", "the segment has \(current.events.count) events, not \(fired)")
        }
        guard available.allSatisfy({ current.choices.indices.contains($0) }) else {
            throw wrong("available", "the segment has \(current.choices.count) choices")
        }
        for visit in history where manifest.segments[visit.segment] == nil {
            throw wrong("history", "there is no segment \"\(visit.segment)\"")
        }
        let names = Set(manifest.variables.keys)
        for variables in [variables] + history.map(\.variables) {
            guard Set(variables.keys) == names else {
                throw wrong("variables", "they aren't the variables of the story")
            }
            guard variables.values.allSatisfy(\.isFinite) else {
                throw wrong("variables", "one of them isn't a finite number")
            }
        }
    }
}
