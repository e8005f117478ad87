import Foundation
import Testing

@testable import Stories

@Suite("The runtime under any input")
struct StoryRuntimePropertyTests {
    private static func runtime(_ seed: UInt64) throws -> StoryWalker {
        var maker = StoryMaker(seed: seed)
        let story = try Sample.file(maker.json(segments: 2 + Int(seed % 7))).story
        return try StoryWalker(.outline(of: story, media: Sample.tenSeconds))
    }

    @Test("keeps what always holds", arguments: 1...60 as ClosedRange<UInt64>)
    func invariants(seed: UInt64) throws {
        var maker = StoryMaker(seed: seed)
        let story = try Sample.file(maker.json(segments: 2 + Int(seed % 7))).story
        let manifest = try StoryManifest.outline(of: story, media: Sample.tenSeconds)
        for (number, walk) in try StoryWalker(manifest).randomWalks(4, seed: seed).enumerated() {
            var isShown = false
            var playing = ""
            for (index, step) in walk.enumerated() {
                let place: Comment = "seed \(seed), walk \(number), step \(index)"
                for action in step.actions {
                    switch action {
                    case .show: isShown = true
                    case .hide:
                        #expect(isShown, place)
                        isShown = false
                    case .play(let name), .jump(let name): playing = name
                    default: break
                    }
                }
                let state = step.state
                #expect(playing == state.segment, place)
                let segment = try #require(manifest.segments[state.segment])
                #expect(isShown == (state.phase == .choosing || state.phase == .waiting), place)
                #expect(isShown == !state.available.isEmpty, place)
                #expect((state.phase == .locked) == (state.next != nil), place)
                #expect(state.fired >= 0 && state.fired <= segment.events.count, place)
                let areFinite = state.variables.values.allSatisfy { $0.isFinite }
                #expect(areFinite, place)
                let areOpen = state.available.allSatisfy {
                    segment.choices[$0].condition?.holds(state.variables) ?? true
                }
                #expect(areOpen, place)
            }
        }
    }

    @Test(
        "goes on the same after being saved and restored", arguments: 1...40 as ClosedRange<UInt64>)
    func saving(seed: UInt64) throws {
        var maker = StoryMaker(seed: seed)
        let story = try Sample.file(maker.json(segments: 2 + Int(seed % 7))).story
        let manifest = try StoryManifest.outline(of: story, media: Sample.tenSeconds)
        let walk = try StoryWalker(manifest).randomWalk(0, seed: seed)
        for cut in stride(from: 1, to: walk.count, by: 7) {
            let saved = try JSONEncoder().encode(walk[cut - 1].state)
            let state = try JSONDecoder().decode(StoryState.self, from: saved)
            var restored = try StoryRuntime(manifest, restoring: state)
            for step in walk[cut...] {
                #expect(restored.handle(step.input) == step.actions, "seed \(seed), cut \(cut)")
                #expect(restored.state == step.state, "seed \(seed), cut \(cut)")
            }
        }
    }

    @Test("equal seeds walk equally, others don't")
    func seeds() throws {
        let walker = try Self.runtime(3)
        #expect(walker.randomWalks(5, seed: 1) == walker.randomWalks(5, seed: 1))
        #expect(walker.randomWalks(5, seed: 1) != walker.randomWalks(5, seed: 2))
        #expect(walker.randomWalk(4, seed: 1) == walker.randomWalks(5, seed: 1)[4])
        let trace = walker.randomWalk(0, seed: 9)
        let json = try JSONEncoder().encode(trace)
        #expect(try JSONDecoder().decode([StoryTraceStep].self, from: json) == trace)
        #expect(trace.count == 60 && trace[0].input == .start)
    }
}
