import ArgumentParser
import Foundation
import Media
import Plotting
import SampleMedia
import TimeMaps
import TimeWarp

struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Make a sample clip, slow it down along a curve, and plot the curve.",
        discussion: """
            The sample shows a clock with large frame numbers. Each second it has a flash and a \
            click, with tones in between, so that every change of time can be seen and heard.
            """)

    @Argument(help: "The folder for the files; it is created if it doesn't exist.")
    var folder = "timewarp-demo"

    @Flag(help: "Replace the files of an earlier demo.")
    var overwrite = false

    private static let seconds = 10

    func run() async throws {
        let files = URL(fileURLWithPath: folder, isDirectory: true)
        do {
            try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
        } catch {
            throw MediaError(
                .cannotCreate, file: folder,
                reason: "the folder can't be created: \(error.localizedDescription)")
        }
        func path(_ name: String) -> String { folder + (folder.hasSuffix("/") ? "" : "/") + name }
        let (sample, warped, plot) = (path("sample.mp4"), path("warped.mp4"), path("curve.svg"))
        let plotImage = path("curve.png")
        let existing: ExistingOutput = overwrite ? .overwrite : .refuse
        for file in [sample, warped, plot, plotImage] {
            try AtomicFile.requireWritable(file, notBeing: nil, existing: existing)
        }
        StandardError.print("Drawing \(sample) …")
        try SampleClip.write(
            try SampleScene(
                width: 1280, height: 720, frameRate: (numerator: 30, denominator: 1),
                frameCount: 30 * Self.seconds),
            to: sample, existing: existing, checking: Task.checkCancellation)
        let curve = Curve.builtIn(.defaultCurve, factor: 1.5, modifier: 0.5)
        let evaluation = try CurveEvaluation(
            of: curve, duration: RationalTime(Int64(Self.seconds), over: 1))
        try FileOutput.write(
            Array(try evaluation.plot.svg().utf8), to: plot, existing: existing)
        try FileOutput.write(
            try evaluation.plot.png(width: 1200, height: 750), to: plotImage,
            existing: existing)
        StandardError.print("Warping it to \(warped) …")
        let report = try await warp(sample, to: warped, curve: curve, existing: existing)
        try StandardOutput.print(
            Self.guide(report, sample: sample, warped: warped, plot: plot))
    }

    private func warp(
        _ sample: String, to warped: String, curve: Curve, existing: ExistingOutput
    ) async throws -> RenderReport {
        let clip = try Clip(of: MediaSource(at: sample), warpedBy: curve)
        let plan = try RenderPlan(
            clip, to: warped, settings: RenderSettings { $0.output.existing = existing })
        var printer = ProgressPrinter(.auto)
        for try await event in Renderer().run(plan) {
            printer.show(event)
            if case .finished(let report) = event {
                return report
            }
        }
        throw CancellationError()
    }

    private static func guide(
        _ report: RenderReport, sample: String, warped: String, plot: String
    ) -> String {
        String(
            format: """

                %@   %.3f s: a clock, frame numbers, a flash and a click each second
                %@   %.3f s: the same with a speed ramp, down to 1/1.5 in the middle and back
                %@    the curve: the time scale s, and output time against source time

                Play both. Look at the ball and the hand: they slow down and speed up again.
                Listen: the pitch falls with the speed, and each click still meets its flash.
                Try next:  %@ warp %@ -o slow.mp4 --keyframes '0:1, 50%%:0.25, 1:1' --fps 60
                """,
            sample, report.sourceDurationSeconds, warped, report.outputDurationSeconds, plot,
            CommandLine.arguments[0], sample)
    }
}
