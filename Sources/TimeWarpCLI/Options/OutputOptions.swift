import ArgumentParser
import Foundation
import Media
import TimeMaps
import TimeWarp

/// Where the output goes and what it is made of.
struct OutputOptions: ParsableArguments {
    @Option(
        name: [.short, .long],
        help: ArgumentHelp(
            "The file to write; its ending says what kind: "
                + Container.allCases.map { "." + $0.rawValue }.joined(separator: " "),
            valueName: "file"),
        completion: .file())
    var output: String

    @Option(
        help: ArgumentHelp(
            """
            Frames a second: a number, a fraction such as 30000/1001, source, or any. With any, \
            every source frame is shown once, at exactly its new time.
            """, valueName: "rate"))
    var fps = OutputRate(argument: "source")!

    @Option(help: "What is shown between source frames: hold repeats the earlier one.")
    var frames = FramesArgument.hold

    @Option(help: "Sound: varispeed (pitch follows speed), keep-pitch, or mute.")
    var audio = RenderSettings.Sound.varispeed

    @Option(help: "Between sound samples: sinc (band-limited), smooth, or linear.")
    var interpolation = Interpolation.sinc

    @Option(
        help: ArgumentHelp(
            "Use this part of the input only, such as 1:30..1:45.", valueName: "start..end"))
    var range: RangeArgument?

    @Option(help: "h264, hevc, av1, vp9, prores or ffv1. (default: the container's usual one)")
    var videoCodec: VideoCodec?

    @Option(
        help: "Quality: lower is better and larger. (default: h264 20, hevc 23, av1 30, vp9 31)")
    var crf: Double?

    @Option(
        help:
            "The encoder's own name for speed against size. (default: medium, 8 for av1, 4 for vp9)"
    )
    var preset: String?

    @Option(help: "aac, opus, flac or pcm. (default: the container's usual one)")
    var audioCodec: AudioCodec?

    @Option(
        help: ArgumentHelp("Bits a second of each sound track, such as 192k.", valueName: "rate"))
    var audioBitrate: BitRate?

    @Option(help: "Threads for each codec; 0 lets each decide.")
    var threads = 0

    @Flag(help: "Replace the output if it is there.")
    var overwrite = false

    @Flag(help: "Print what would be done, and write nothing.")
    var dryRun = false

    @Option(
        help: ArgumentHelp(
            "Measure the finished file and write the figures as JSON; - is stdout.",
            valueName: "file"),
        completion: .file(extensions: ["json"]))
    var report: String?

    @Option(help: "auto, bar, json (one object a line) or none; on stderr.")
    var progress = ProgressStyle.auto

    func validate() throws {
        guard (0...256).contains(threads) else {
            throw ValidationError("--threads takes 0 to 256.")
        }
        guard frames == .hold else {
            throw ValidationError(
                "--frames \(frames.rawValue) isn't there yet: in-between pictures are not made up "
                    + "so far. Use --frames hold.")
        }
    }

    var settings: RenderSettings {
        RenderSettings {
            $0.rate = fps.rate
            $0.frames = .hold
            $0.sound = audio
            $0.interpolation = interpolation
            $0.videoCodec = videoCodec
            $0.audioCodec = audioCodec
            $0.quality = crf
            $0.preset = preset
            $0.audioBitRate = audioBitrate?.bitsPerSecond
            $0.threads = threads
            $0.existing = overwrite ? .overwrite : .refuse
        }
    }

    /// Plans, and prints the plan or carries it out.
    func render(_ clip: Clip) async throws {
        let plan = try RenderPlan(clip, to: output, settings: settings)
        guard !dryRun else {
            print(PlanText(plan).text)
            return
        }
        for warning in plan.warnings {
            StandardError.print("timewarp: note: \(warning)")
        }
        var printer = ProgressPrinter(progress)
        for try await event in Renderer().run(plan) {
            printer.show(event)
            if case .finished(let report) = event {
                try finish(report, plan)
            }
        }
        try Task.checkCancellation()
    }

    private func finish(_ report: RenderReport, _ plan: RenderPlan) throws {
        let late = report.warnings.filter { !plan.warnings.contains($0) }
        for warning in late {
            StandardError.print("timewarp: note: \(warning)")
        }
        guard let path = self.report else {
            return
        }
        try JSONOutput.write(report, to: path)
    }
}
