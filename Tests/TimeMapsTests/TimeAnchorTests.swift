import Foundation
import Testing

@testable import TimeMaps

@Suite("Anchors")
struct TimeAnchorTests {
    private func anchor(_ source: Double, _ output: Double) throws -> TimeAnchor {
        try TimeAnchor(
            source: RationalTime(seconds: source, timescale: 1000, rounding: .nearest),
            output: RationalTime(seconds: output, timescale: 1000, rounding: .nearest))
    }

    @Test("every anchor is met, and the outer lines go on")
    func lines() throws {
        let line = try AnchoredLine([
            anchor(60, 61), anchor(10, 12), anchor(20, 22.5), anchor(100, 101.5),
        ])
        for (source, output) in [(10.0, 12.0), (20, 22.5), (60, 61), (100, 101.5)] {
            #expect(abs(line.outputTime(of: source) - output) < 1e-12)
            #expect(abs(line.sourceTime(at: output) - source) < 1e-12)
        }
        #expect(abs(line.outputTime(of: 0) - 1.5) < 1e-12)
        // 10 s of source to 10.5 s of output: 1.5 s before the source's start.
        #expect(abs(line.sourceTime(at: 0) + 1.5 * 10 / 10.5) < 1e-12)
        #expect(abs(line.outputTime(of: 140) - 142) < 1e-12)
    }

    @Test("the map begins where the output does, with what lies there of the source")
    func mapping() throws {
        let line = try AnchoredLine([anchor(0, 2.3), anchor(50, 52.31), anchor(100, 102.3)])
        let (map, range) = try line.map(lasting: RationalTime(110, over: 1))
        #expect(map.pieces.count == 2)
        #expect(abs(range.start.seconds - line.sourceTime(at: 0)) < 1e-9)
        for y in stride(from: 0.0, through: 110, by: 0.37) {
            let source = range.start.seconds + map.sourceTime(at: y)
            #expect(abs(source - line.sourceTime(at: y)) < 2e-9, "at \(y)")
        }
        #expect(map.exactOutputDuration == RationalTime(110, over: 1))
    }

    @Test("random anchors invert, and rise")
    func inverse() throws {
        var random = SplitMix64(seed: 21)
        for _ in 0..<50 {
            var (source, output) = (0.0, Double.random(in: -5...5, using: &random))
            let anchors = try (0..<6).map { _ in
                source += Double.random(in: 0.1...100, using: &random)
                output += Double.random(in: 0.1...100, using: &random)
                return try anchor(source, output)
            }
            let line = try AnchoredLine(anchors)
            for _ in 0..<20 {
                let x = Double.random(in: -50...700, using: &random)
                #expect(abs(line.sourceTime(at: line.outputTime(of: x)) - x) < 1e-6, "\(anchors)")
            }
        }
    }

    @Test("what is no line is refused")
    func refusals() throws {
        #expect(throws: CurveError.self) { try AnchoredLine([anchor(1, 1)]) }
        #expect(throws: CurveError.self) { try AnchoredLine([anchor(1, 1), anchor(1, 2)]) }
        #expect(throws: CurveError.self) { try AnchoredLine([anchor(2, 1), anchor(1, 2)]) }
        #expect(throws: CurveError.self) { try AnchoredLine([anchor(0, 0), anchor(0.1, 200)]) }
        let early = try AnchoredLine([anchor(0, -10), anchor(5, -5)])
        #expect(throws: CurveError.self) { try early.map(lasting: .zero) }
    }
}
