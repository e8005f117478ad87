import Foundation
import Media
import TestSupport
import Testing
import TimeMaps

@testable import TimeWarp

/// Renders short barcoded clips and checks the results with independent programs.
@Suite("Warping video")
struct WarpVideoTests {
    /// The curves that are tested at every frame rate.
    static let curves: [Curve] =
        BuiltInCurve.allCases.map { .builtIn($0, factor: 1.7, modifier: 0.6) }
        + [
            .scale(try! Formula("1 + 0.8*sin(2*pi*t)")),
            .integral(try! Formula("t^2/2 + t/2")),
            .keyframes(try! Keyframe.list(parsing: "0:1, 40%:0.4, 1s:2, 1:1", easing: .smooth)),
        ]

    /// The clip that most of these tests warp: two seconds without sound.
    private static let clip = TestClip { $0.audioCodec = nil }
    private static let kept = KeptFiles()
    private static var source: String {
        get throws { try kept.file("in.mp4", made: clip.write) }
    }

    private func render(
        _ source: String, _ curve: Curve, rate: RenderSettings.OutputRate,
        in folder: TemporaryFolder
    ) async throws -> (path: String, map: TimeMap, report: RenderReport) {
        let output = folder.path("out.mp4")
        let retimed = try Clip(of: MediaSource(at: source), warpedBy: curve)
        let settings = RenderSettings {
            $0.video.rate = rate
            $0.video.preset = "veryfast"
        }
        let plan = try RenderPlan(retimed, to: output, settings: settings)
        let report = try await Renderer().render(plan)
        return (output, retimed.map, report)
    }

    @Test("at a fixed rate tick k shows the last frame that is due", arguments: curves)
    func fixedRates(curve: Curve) async throws {
        let rates: [(RenderSettings.OutputRate, FrameRate)] = [
            (.fixed(FrameRate(known: 24)), FrameRate(known: 24)),
            (.fixed(FrameRate(known: 60)), FrameRate(known: 60)),
            (.fixed(FrameRate(known: 30_000, over: 1001)), FrameRate(known: 30_000, over: 1001)),
            (.source, FrameRate(known: 30)),
        ]
        let source = try Self.source
        for (setting, rate) in rates {
            let folder = try TemporaryFolder()
            let (path, map, _) = try await render(source, curve, rate: setting, in: folder)
            let shown = try Finding.shownFrames(in: path)
            let expectedCount = Int((map.outputDuration * rate.framesPerSecond).rounded())
            #expect(shown.count == max(1, expectedCount), "\(curve) at \(rate)")
            for (tick, frame) in shown.enumerated() {
                let instant = Double(tick) / rate.framesPerSecond
                let due = (0..<Self.clip.frameCount).last {
                    map.outputTime(of: Double($0) / 30) <= instant + 1e-9
                }
                #expect(frame.number == due, "\(curve) at \(rate), tick \(tick)")
                #expect(abs(frame.seconds - instant) < 1e-5)
            }
        }
    }

    @Test("at a variable rate every frame is shown once, at its own time", arguments: curves)
    func variableRate(curve: Curve) async throws {
        let folder = try TemporaryFolder()
        let (path, map, report) = try await render(Self.source, curve, rate: .any, in: folder)
        let shown = try Finding.shownFrames(in: path)
        #expect(shown.map(\.number) == (0..<Self.clip.frameCount).map { $0 })
        for (index, frame) in shown.enumerated() {
            let exact = map.outputTime(of: Double(index) / 30)
            // One tick of the output's time base.
            #expect(abs(frame.seconds - exact) <= 1.0 / 90_000, "\(curve), frame \(index)")
        }
        #expect(abs(report.video[0].endSeconds - map.outputDuration) < 1e-3)
        #expect(report.video[0].largestTimeErrorSeconds <= 1.0 / 90_000)
    }

    @Test("uneven source times are warped, not evened out")
    func unevenSource() async throws {
        let ticks: [Int64] = [0, 20, 30, 90, 100, 130, 200, 210, 260, 300]
        let clip = TestClip {
            $0.audioCodec = nil
            $0.frameCount = ticks.count
            $0.times = (ticks, 330, 300)
        }
        let folder = try TemporaryFolder()
        let source = folder.path("in.mp4")
        try clip.write(to: source)
        let (path, map, _) = try await render(
            source, .builtIn(.ramp, factor: 3, modifier: 0.5), rate: .any, in: folder)
        let shown = try Finding.shownFrames(in: path)
        #expect(shown.map(\.number) == (0..<ticks.count).map { $0 })
        for (frame, tick) in zip(shown, ticks) {
            #expect(
                abs(frame.seconds - map.outputTime(of: Double(tick) / 300)) <= 1.0 / 90_000)
        }
    }

    @Test("Matroska's milliseconds do not disturb a constant rate")
    func matroskaSource() async throws {
        let folder = try TemporaryFolder()
        let source = folder.path("in.mkv")
        let clip = TestClip { $0.audioCodec = nil }
        try clip.write(to: source)
        let plan = try RenderPlan(
            try Clip(of: MediaSource(at: source), scaled: .factor(1, over: 1)),
            to: folder.path("out.mp4"), settings: RenderSettings { $0.video.preset = "ultrafast" })
        try await Renderer().render(plan)
        let shown = try Finding.shownFrames(in: plan.destination)
        #expect(shown.map(\.number) == (0..<clip.frameCount).map { $0 })
    }

    @Test("a range is cut exactly, and what comes before it is not shown")
    func range() async throws {
        let folder = try TemporaryFolder()
        let source = folder.path("in.mp4")
        try TestClip { $0.frameCount = 150 }.write(to: source)
        let range = try TimeRange(
            start: RationalTime(31, over: 10), end: RationalTime(41, over: 10))
        let clip = try Clip(of: MediaSource(at: source), range: range, scaled: .factor(2, over: 1))
        let plan = try RenderPlan(clip, to: folder.path("out.mp4"))
        try await Renderer().render(plan)
        let numbers = try Finding.shownFrames(in: plan.destination).map { $0.number }
        #expect(numbers.count == 60)
        #expect(numbers.first == 93)
        #expect(numbers.last == 122)
    }
}
