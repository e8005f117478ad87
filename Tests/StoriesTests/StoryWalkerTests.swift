import Foundation
import Testing

@testable import Stories

@Suite("The walker")
struct StoryWalkerTests {
    @Test("walks every way of the example and says how")
    func example() throws {
        let story = try Sample.file(Sample.lockedRoom).story
        let manifest = try StoryManifest.outline(of: story, media: Sample.tenSeconds, frameRate: 25)
        let coverage = try StoryWalker(manifest).walk()
        #expect(coverage.missed == [])
        #expect(coverage.walked.count == 5)
        let open = StoryEdge(from: "door", to: "hall", kind: .choice(0))
        let walk = try #require(coverage.walk(to: open))
        #expect(walk.edges.map(\.to) == ["door", "hall"])
        #expect(walk.inputs.first == .start)
        #expect(Set(coverage.coveringWalks().flatMap(\.edges)) == Set(coverage.walked))
    }

    @Test("says why a way can't be taken")
    func reasons() throws {
        let manifest = try Sample.manifest(
            """
            "a": { "media": "m", "events": [ { "at": 5, "do": "decide" } ],
              "choices": [ { "label": "L", "goto": "c" } ], "default": "b" },
            "b": { "media": "m", "choices": [ { "label": "L", "goto": "b", "when": "x > 0" },
                                              { "label": "M", "goto": "c" } ] },
            "c": { "media": "m" }, "d": { "media": "m", "then": "c" }
            """, variables: #"{ "x": 0 }"#)
        let missed = try StoryWalker(manifest).walk().missed
        #expect(
            missed.map { "\($0.edge.from) \($0.reason.rawValue)" } == [
                "a choices-never-shown", "b condition-never-held", "d segment-never-entered",
            ])
    }

    @Test("a condition that needs some rounds is met, by the shortest way")
    func counting() throws {
        let manifest = try Sample.manifest(
            """
            "a": { "media": "m", "choices": [
              { "label": "up", "goto": "a", "set": { "x": "x + 1", "unread": "unread + 1" } },
              { "label": "on", "goto": "b", "when": "x == 5" } ] },
            "b": { "media": "m" }
            """, variables: #"{ "x": 0, "unread": 0 }"#)
        let coverage = try StoryWalker(manifest).walk()
        #expect(coverage.missed == [])
        let walk = try #require(coverage.walk(to: StoryEdge(from: "a", to: "b", kind: .choice(1))))
        #expect(walk.edges.count == 6)
        let short = try StoryWalker(manifest, mostStates: 3).walk()
        #expect(short.missed.map(\.reason) == [.searchStopped])
    }

    @Test("every walk does what it says", arguments: 1...60 as ClosedRange<UInt64>)
    func replay(seed: UInt64) throws {
        var maker = StoryMaker(seed: seed)
        let story = try Sample.file(maker.json(segments: 2 + Int(seed % 7), counters: false)).story
        let manifest = try StoryManifest.outline(of: story, media: Sample.tenSeconds)
        let coverage = try StoryWalker(manifest).walk()
        for edge in coverage.walked {
            let walk = try #require(coverage.walk(to: edge))
            #expect(walk.edges.last == edge)
            var runtime = try StoryRuntime(manifest)
            var visited: [String] = []
            for input in walk.inputs {
                for action in runtime.handle(input) {
                    if case .jump(let name) = action {
                        visited.append(name)
                    }
                }
            }
            #expect(visited == walk.edges.map(\.to), "seed \(seed): \(walk)")
        }
    }

    @Test("takes every way that brute force takes", arguments: 1...100 as ClosedRange<UInt64>)
    func bruteForce(seed: UInt64) throws {
        var maker = StoryMaker(seed: seed)
        let story = try Sample.file(maker.json(segments: 2 + Int(seed % 5), counters: false)).story
        let manifest = try StoryManifest.outline(of: story, media: Sample.tenSeconds)
        let coverage = try StoryWalker(manifest).walk()
        #expect(Set(coverage.walked) == BruteForce(manifest).edges(), "seed \(seed)")
        let graph = StoryGraph(manifest)
        #expect(coverage.walked.count + coverage.missed.count == graph.edges.count)
        #expect(
            Set(coverage.coveringWalks().flatMap(\.edges)) == Set(coverage.walked), "seed \(seed)")
    }
}

/// Tries every input at every frame in every state. States are compared without their history.
private struct BruteForce {
    private let manifest: StoryManifest

    init(_ manifest: StoryManifest) {
        self.manifest = manifest
    }

    func edges() -> Set<StoryEdge> {
        var seen: Set<StoryState> = []
        var found: Set<StoryEdge> = []
        guard var first = try? StoryRuntime(manifest) else {
            return []
        }
        _ = first.handle(.start)
        var open = [(first, -1, nil as Int?)]
        while let (runtime, frame, choice) = open.popLast() {
            var key = runtime.state
            key.history = []
            // Events are at whole seconds only, so the frame and the choice have to tell states apart.
            key.history = [
                .init(segment: "\(frame) \(choice ?? -1)", variables: [:])
            ]
            guard seen.insert(key).inserted else {
                continue
            }
            for index in runtime.state.available {
                var next = runtime
                let actions = next.handle(.chose(index))
                if actions.contains(where: \.isJump) {
                    found.insert(edge(runtime, .choice(index), next))
                    open.append((next, -1, nil))
                } else {
                    open.append((next, frame, index))
                }
            }
            let seconds = Int(runtime.segment.duration.rounded(.up))
            if frame + 1 < seconds, runtime.state.phase != .waiting {
                var next = runtime
                _ = next.handle(.reached(Double(frame + 1)))
                open.append((next, frame + 1, choice))
            }
            var next = runtime
            if next.handle(.finished).contains(where: \.isJump) {
                let segment = runtime.segment
                let kind: StoryEdge.Kind =
                    choice.map { .choice($0) }
                    ?? (segment.choices.isEmpty ? .then : segment.loops ? .loop : .otherwise)
                found.insert(edge(runtime, kind, next))
                open.append((next, -1, nil))
            } else if next.state.phase == .waiting {
                open.append((next, frame, nil))
            }
        }
        return found
    }

    private func edge(
        _ before: StoryRuntime, _ kind: StoryEdge.Kind, _ after: StoryRuntime
    ) -> StoryEdge {
        StoryEdge(from: before.state.segment, to: after.state.segment, kind: kind)
    }
}

extension StoryAction {
    fileprivate var isJump: Bool {
        if case .jump = self {
            return true
        }
        return false
    }
}
