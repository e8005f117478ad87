import Testing
import TimeMaps

@testable import TimeWarp

@Suite("Which frame is shown when")
struct FrameSelectorTests {
    /// A strip of frames, a map, and the frames that come out at one tick a frame.
    private func strip(_ frames: String, _ map: TimeMap, ticks: Int64) -> String {
        var selector = FixedRateSelector(framesPerSecond: 1, tickCount: ticks)
        let letters = Array(frames)
        var shown = ""
        for (index, letter) in letters.enumerated() {
            let next = index + 1 < letters.count ? map.outputTime(of: Double(index + 1)) : nil
            let ticks = selector.ticks(from: map.outputTime(of: Double(index)), until: next)
            shown += String(repeating: letter, count: ticks.count)
        }
        return shown
    }

    private func seconds(_ count: Int) -> RationalTime { RationalTime(Int64(count), over: 1) }

    @Test("half speed shows every frame twice")
    func halfSpeed() throws {
        let map = try TimeMap.uniform(from: seconds(4), to: seconds(8))
        #expect(strip("ABCD", map, ticks: 8) == "AABBCCDD")
    }

    @Test("double speed shows every other frame")
    func doubleSpeed() throws {
        let map = try TimeMap.uniform(from: seconds(4), to: seconds(2))
        #expect(strip("ABCD", map, ticks: 2) == "AC")
    }

    @Test("normal speed shows every frame once")
    func normalSpeed() {
        #expect(strip("ABCD", .identity(seconds(4)), ticks: 4) == "ABCD")
    }

    @Test("a frame that lands a rounding error after its tick is still on it")
    func rounding() {
        var selector = FixedRateSelector(framesPerSecond: 30, tickCount: 3)
        let third = 1.0 / 3
        #expect(selector.ticks(from: 0, until: third / 10 + 1e-12) == 0..<1)
        #expect(selector.ticks(from: third / 10 + 1e-12, until: nil) == 1..<3)
    }

    @Test("frames that begin late begin at the tick after")
    func lateStart() {
        var selector = FixedRateSelector(framesPerSecond: 10, tickCount: 20)
        #expect(selector.ticks(from: 0.55, until: 0.7) == 6..<7)
        #expect(selector.ticks(from: 0.7, until: nil) == 7..<20)
    }

    @Test("a clip shorter than a tick still shows its frame")
    func tiny() {
        var selector = FixedRateSelector(framesPerSecond: 10, tickCount: 1)
        #expect(selector.ticks(from: 0, until: nil) == 0..<1)
    }

    @Test("of two frames on one tick the earlier is dropped and counted")
    func collision() throws {
        var selector = VariableRateSelector<String>()
        #expect(selector.place("A", at: 0) == nil)
        #expect(selector.place("B", at: 5)?.content == "A")
        #expect(selector.place("C", at: 5) == nil)
        let finished = selector.finish(at: 9)
        let last = try #require(finished)
        #expect(last.content == "C")
        #expect(last.tick == 5)
        #expect(last.duration == 4)
        #expect(selector.collisions == 1)
    }
}
