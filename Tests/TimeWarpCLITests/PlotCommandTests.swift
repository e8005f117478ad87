import Foundation
import Plotting
import TestSupport
import Testing

/// Whatever `warp` takes, `plot` draws and writes.
@Suite("plot")
struct PlotCommandTests {
    private func evaluation(
        _ arguments: [String], in folder: TemporaryFolder
    ) throws -> TimeMapEvaluation {
        let result = try timewarp(["plot"] + arguments + ["-o", "plot.json"], in: folder)
        #expect(result.exitCode == 0, "\(result.errors)")
        return try JSONDecoder().decode(
            TimeMapEvaluation.self,
            from: Data(contentsOf: folder.url.appendingPathComponent("plot.json")))
    }

    private func captions(
        _ arguments: [String], in folder: TemporaryFolder
    ) throws -> String {
        let result = try timewarp(["plot"] + arguments + ["-o", "plot.svg"], in: folder)
        #expect(result.exitCode == 0, "\(result.errors)")
        let svg = try String(contentsOfFile: folder.path("plot.svg"), encoding: .utf8)
        let start = try #require(svg.range(of: "<desc>")).upperBound
        return String(svg[start...].prefix { $0 != "<" })
    }

    @Test("keyframes that freeze are drawn over output time, and written as speed and source time")
    func freeze() throws {
        let folder = try TemporaryFolder()
        let options = ["--keyframes", "0s:1, 4s:1, 4.001s:0, 6s:0, 6.001s:1", "--easing", "hold"]
        let written = try evaluation(options, in: folder)
        #expect(written.sourceDurationSeconds == 10)
        #expect(abs(written.outputDurationSeconds - 12) < 1e-6)
        #expect(written.minimumSpeed == 0)
        #expect(written.samples.contains { $0.speed == 0 && abs($0.source - 4.001) < 1e-6 })
        let drawn = try captions(options, in: folder)
        #expect(drawn.contains("Speed over output time."), "\(drawn)")
        #expect(drawn.contains("Minimum speed: 0× (frozen)"), "\(drawn)")
        #expect(drawn.contains("Frozen: 2 s"), "\(drawn)")
    }

    @Test("keyframes that play backwards are drawn, and fitted")
    func reversal() throws {
        let folder = try TemporaryFolder()
        let options = ["--keyframes", "0:1, 50%:-1, 1:1", "--fit", "20"]
        let written = try evaluation(options, in: folder)
        #expect(written.outputDurationSeconds == 20)
        #expect(written.minimumSpeed < -1)
        let sources = written.samples.map(\.source)
        #expect(zip(sources, sources.dropFirst()).contains { $1 < $0 })
        let drawn = try captions(options, in: folder)
        #expect(drawn.contains("Backwards: 10 s"), "\(drawn)")
        #expect(drawn.contains("Expected duration: 20 s (10 s longer)"), "\(drawn)")
    }

    @Test("a time map of a clip is drawn, and written as a frame curve")
    func timeMap() throws {
        let folder = try TemporaryFolder()
        try TestClip { $0.frameCount = 30 }.write(to: folder.path("in.mp4"))
        try Data(
            """
            { "timewarp": "time-map/1", "points": [ { "output": 0, "source": 0 },
              { "output": 0.5, "source": 1 }, { "output": 1, "source": 1 },
              { "output": 2, "source": 0 } ] }
            """.utf8
        ).write(to: URL(fileURLWithPath: folder.path("map.json")))
        let options = ["in.mp4", "--time-map", "map.json"]
        let written = try evaluation(options, in: folder)
        #expect(written.title == "map.json")
        #expect(written.samples.map(\.speed) == [2, 2, 0, 0, -1, -1])
        #expect(written.samples.map(\.source) == [0, 1, 1, 1, 1, 0])
        let drawn = try captions(options, in: folder)
        #expect(drawn.contains("Frozen: 0.5 s; Backwards: 1 s"), "\(drawn)")

        let curve = try timewarp(["plot"] + options + ["-o", "c.framecurve.txt"], in: folder)
        #expect(curve.exitCode == 0, "\(curve.errors)")
        let text = try String(contentsOfFile: folder.path("c.framecurve.txt"), encoding: .utf8)
        #expect(text.split(separator: "\n").filter { !$0.hasPrefix("#") }.count == 60)
    }

    @Test(
        "a time map needs its clip, and no curve beside it",
        arguments: [
            (["--time-map", "map.json"], "name the clip"),
            (["in.mp4", "--time-map", "map.json", "--curve", "ramp"], "omit the curve options"),
        ])
    func refusals(arguments: [String], says: String) throws {
        let folder = try TemporaryFolder()
        let result = try timewarp(["plot"] + arguments + ["-o", "x.svg"], in: folder)
        #expect(result.exitCode == 64)
        #expect(result.errors.contains(says), "\(result.errors)")
    }
}
