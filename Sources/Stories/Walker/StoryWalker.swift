import TimeMaps

/// Plays a story without a screen: every way once, or at random.
public struct StoryWalker: Sendable {
    private let runtime: StoryRuntime
    private let mostStates: Int

    /// - Parameter mostStates: segments with values of variables that ``walk()`` looks at, at most.
    /// - Throws: ``StoryError`` when a name in the manifest means nothing.
    public init(_ manifest: StoryManifest, mostStates: Int = 100_000) throws(StoryError) {
        runtime = try StoryRuntime(manifest)
        self.mostStates = mostStates
    }

    /// Takes every edge that a viewer can take, by the runtime, and keeps the shortest way to each;
    /// of edges that it doesn't take it says why.
    ///
    /// States differ in the segment and in those variables that conditions depend on; where there
    /// are no more of them than allowed, nothing that can be done is left out.
    /// - Complexity: O(n) in the states and their choices. Ends as soon as all edges are taken.
    public func walk() -> StoryCoverage {
        let graph = StoryGraph(runtime.manifest)
        var search = WalkSearch(runtime, graph, mostStates: mostStates)
        search.run()
        return StoryCoverage(search, graph)
    }

    /// Walks of a viewer who does anything at any time, also what means nothing then.
    ///
    /// Equal seeds give equal walks.
    /// - Parameters:
    ///   - count: how many walks.
    ///   - steps: the inputs of each, `start` included; at most so many.
    public func randomWalks(
        _ count: Int, seed: UInt64, steps: Int = 60
    ) -> [[StoryTraceStep]] {
        (0..<max(0, count)).map { randomWalk($0, seed: seed, steps: steps) }
    }

    /// The walk with that number, as ``randomWalks(_:seed:steps:)`` has it.
    public func randomWalk(_ number: Int, seed: UInt64, steps: Int = 60) -> [StoryTraceStep] {
        var viewer = RandomViewer(runtime, seed: seed &+ UInt64(number) &* 0x9e37_79b9_7f4a_7c15)
        return (0..<max(0, steps)).map { viewer.step($0) }
    }
}

/// A viewer who does anything.
private struct RandomViewer {
    private var runtime: StoryRuntime
    private var random: SplitMix64
    private var clock = 0.0

    init(_ runtime: StoryRuntime, seed: UInt64) {
        self.runtime = runtime
        random = SplitMix64(seed: seed)
    }

    mutating func step(_ number: Int) -> StoryTraceStep {
        let input = number == 0 ? .start : nextInput()
        let actions = runtime.handle(input)
        if actions.contains(where: \.beginsSegment) {
            clock = 0
        }
        return StoryTraceStep(input: input, actions: actions, state: runtime.state)
    }

    private mutating func nextInput() -> StoryInput {
        let state = runtime.state
        if !state.available.isEmpty, random.share() < 0.5 {
            return .chose(state.available[random.below(state.available.count)])
        }
        switch random.share() {
        case ..<0.55: return .reached(nextTime())
        case ..<0.80: return .finished
        case ..<0.88: return .chose(random.below(runtime.segment.choices.count + 1))
        case ..<0.97: return .back
        default: return .restart
        }
    }

    /// The next event's time exactly, or some milliseconds on, or a time that was before.
    private mutating func nextTime() -> Double {
        let events = runtime.segment.events
        let place = random.share()
        if place < 0.5, runtime.state.fired < events.count {
            clock = max(clock, events[runtime.state.fired].at)
        } else if place < 0.9 {
            clock += Double(random.below(2000)) / 1000
        } else {
            return Double(random.below(1000)) / 1000 * clock
        }
        return clock
    }
}

extension StoryAction {
    fileprivate var beginsSegment: Bool {
        switch self {
        case .play, .jump: true
        default: false
        }
    }
}
