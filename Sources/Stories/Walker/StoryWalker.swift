import TimeMaps

/// Plays a story without a screen: takes every edge once, or takes random walks.
public struct StoryWalker: Sendable {
    private let runtime: StoryRuntime
    private let mostStates: Int

    /// A walker for a manifest.
    ///
    /// - Parameter mostStates: the largest number of states that ``walk()`` examines. A state is a segment with
    ///   values of the variables.
    /// - Throws: ``StoryError`` if the manifest contains a name that doesn't exist.
    public init(_ manifest: StoryManifest, mostStates: Int = 100_000) throws(StoryError) {
        runtime = try StoryRuntime(manifest)
        self.mostStates = mostStates
    }

    /// Takes every edge that a viewer can take, using ``StoryRuntime``, and keeps the shortest walk to each.
    /// For each edge that it doesn't take, it gives a reason.
    ///
    /// States differ in the segment and in the variables that conditions depend on. If there are no more states
    /// than allowed, the search is complete.
    /// - Complexity: O(n) in the states and their choices. The search ends as soon as all edges are taken.
    public func walk() -> StoryCoverage {
        let graph = StoryGraph(runtime.manifest)
        var search = WalkSearch(runtime, graph, mostStates: mostStates)
        search.run()
        return StoryCoverage(search, graph)
    }

    /// Random walks with any input at any time, including inputs that aren't valid then.
    ///
    /// The same seed gives the same walks.
    /// - Parameters:
    ///   - count: the number of walks.
    ///   - seed: of the random numbers.
    ///   - steps: the number of inputs of each walk, including `start`.
    public func randomWalks(
        _ count: Int, seed: UInt64, steps: Int = 60
    ) -> [[StoryTraceStep]] {
        (0..<max(0, count)).map { randomWalk($0, seed: seed, steps: steps) }
    }

    /// One of the walks of ``randomWalks(_:seed:steps:)``, by its number counted from 0.
    public func randomWalk(_ number: Int, seed: UInt64, steps: Int = 60) -> [StoryTraceStep] {
        var viewer = RandomViewer(runtime, seed: seed &+ UInt64(number) &* 0x9e37_79b9_7f4a_7c15)
        return (0..<max(0, steps)).map { viewer.step($0) }
    }
}

/// A viewer who acts at random.
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

    /// A time for a presented frame: exactly that of the next event, some milliseconds later, or an earlier
    /// time.
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
