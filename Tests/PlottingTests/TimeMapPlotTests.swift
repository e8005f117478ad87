import Foundation
import Testing
import TimeMaps

@testable import Plotting

@Suite("Time map plot")
struct TimeMapPlotTests {
    private static let ten = RationalTime(10, over: 1)

    private func evaluation(_ keyframes: String, easing: Easing = .linear) throws
        -> TimeMapEvaluation
    {
        let curve = Curve.keyframes(try Keyframe.list(parsing: keyframes, easing: easing))
        let map = try TimeMap(warping: Self.ten, along: curve)
        return TimeMapEvaluation(of: map, title: curve.description)
    }

    private func points(_ pairs: [(Int64, Int64)]) throws -> TimeMapEvaluation {
        let anchors = pairs.map {
            TimeAnchor(source: .seconds($0.1), output: .seconds($0.0))
        }
        return TimeMapEvaluation(
            of: try TimeMap(through: anchors, sourceDuration: Self.ten), title: "points")
    }

    @Test("a freeze has speed 0, and the source stays")
    func freeze() throws {
        let frozen = try evaluation("0s:1, 4s:1, 5s:0, 7s:0, 8s:1")
        #expect(frozen.minimumSpeed == 0)
        #expect(frozen.maximumSpeed == 1)
        let held = frozen.samples.filter { 5.001...6.999 ~= $0.output }
        #expect(held.count > 100)
        #expect(held.allSatisfy { $0.speed == 0 && abs($0.source - 4.5) < 1e-6 })
        let names = try frozen.plot.captions.map { "\($0.name) \($0.value) \($0.note)" }
        #expect(
            names.prefix(3) == [
                "Minimum speed 0× frozen", "Maximum speed 1× normal speed", "Frozen 2 s ",
            ])
    }

    @Test("a reversal has speeds below 0, and the source falls")
    func reversal() throws {
        let back = try evaluation("0:1, 50%:-1, 1:1", easing: .smooth)
        #expect(abs(back.minimumSpeed + 1) < 1e-9)
        #expect(back.maximumSpeed == 1)
        let moving = back.samples.filter { $0.speed < -0.001 }
        for (a, b) in zip(moving, moving.dropFirst()) where b.output > a.output + 1e-6 {
            #expect(b.source < a.source)
        }
        let desc = try back.plot.svg(width: 640, height: 400)
        #expect(desc.contains("Speed over output time. Minimum speed: −1× (backwards)"))
    }

    @Test("a straight line needs two samples, and a jump has two at one time")
    func jumps() throws {
        let map = try points([(0, 0), (2, 4), (2, 9), (4, 1)])
        #expect(map.samples.map(\.output) == [0, 2, 2, 4])
        #expect(map.samples.map(\.source) == [0, 4, 9, 1])
        #expect(map.samples.map(\.speed) == [2, 2, -4, -4])
    }

    @Test("a time map that freezes, falls and jumps is drawn at every size")
    func drawn() throws {
        let plot = try points([(0, 0), (2, 4), (3, 4), (5, 0), (5, 10), (6, 10)]).plot
        for (width, height) in [(320, 240), (1200, 750)] {
            #expect(try plot.png(width: width, height: height).count > 1000)
        }
        #expect(try plot.svg() == plot.svg())
        #expect(throws: PlotError.self) { try plot.png(width: 100, height: 100) }
    }

    @Test("speeds that pass faster than anything plays stay finite")
    func touchesZero() throws {
        let map = try TimeMap(warping: Self.ten, along: .scale(Formula("t^2")))
        let evaluation = TimeMapEvaluation(of: map, title: "t^2")
        #expect(evaluation.maximumSpeed == 1000)
        #expect(try !evaluation.plot.svg().isEmpty)
    }

    @Test("data that cannot be drawn is refused")
    func refusals() {
        typealias Sample = TimeMapEvaluation.Sample
        let good = Sample(output: 0, source: 0, speed: 1)
        for samples in [
            [], [good], [good, Sample(output: 1, source: .nan, speed: 1)],
            [Sample(output: 1, source: 0, speed: 1), good],
            [good, Sample(output: 2, source: 0, speed: .infinity)],
            [good, Sample(output: 2, source: 0, speed: 0), Sample(output: 1, source: 0, speed: 0)],
        ] {
            let error = #expect(throws: PlotError.self) {
                try TimeMapPlot(title: "", samples: samples, sourceDuration: 10)
            }
            #expect(error?.code == .invalidData)
        }
    }
}
