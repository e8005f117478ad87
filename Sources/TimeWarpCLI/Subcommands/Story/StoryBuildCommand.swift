import ArgumentParser
import Foundation
import Media
import Stories
import StoryBuilding
import TimeWarp

struct StoryBuildCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "build",
        abstract: "Render an interactive video: a folder, or one HTML file, with the player.",
        discussion: """
            Every segment is rendered once, as H.264 with the size and frame rate of the first \
            segment. It has a whole number of frames and begins with a keyframe of a closed GOP. The \
            folder can be served by any static web server; the HTML file needs no server.
            """)

    @Argument(help: "The story file.", completion: .file(extensions: ["json"]))
    var story: String

    @Option(
        name: [.short, .long],
        help: ArgumentHelp(
            "The folder to write, or with --single-file the HTML file.", valueName: "path"),
        completion: .file())
    var output: String

    @Flag(help: "Put everything into one HTML file.")
    var singleFile = false

    @Option(help: "Frames per second: a number, a fraction, or source (that of the first segment).")
    var fps = RenderSettings.OutputRate.source

    @Option(help: "What slow motion shows between two source frames: hold, blend or motion.")
    var frames = RenderSettings.FrameSynthesis.hold

    @Option(help: "Quality: lower is better and larger. (default: 20)")
    var crf: Double?

    @Option(help: "The encoder's preset: speed against file size. (default: medium)")
    var preset: String?

    /// The codecs that browsers play.
    enum Sound: String, ExpressibleByArgument, CaseIterable {
        case aac, opus

        var codec: AudioCodec { self == .aac ? .aac : .opus }
    }

    @Option(help: "The audio codec.")
    var audioCodec = Sound.aac

    @Option(help: ArgumentHelp("Bits per second of the audio, such as 192k.", valueName: "rate"))
    var audioBitrate: BitRate?

    @Flag(help: "Discard the sound.")
    var mute = false

    @Flag(help: "Replace a story that was built there earlier.")
    var overwrite = false

    @OptionGroup
    var cutting: PieceOptions

    @Option(help: "How progress is shown on stderr: auto, bar, json (one object per line) or none.")
    var progress = ProgressStyle.auto

    func validate() throws {
        guard fps != .any else {
            throw ValidationError("--fps takes a rate here: segments are joined frame by frame.")
        }
    }

    func run() async throws {
        let settings = RenderSettings {
            $0.video.rate = fps
            $0.video.frames = frames
            $0.video.quality = crf
            $0.video.preset = preset
            $0.audio.codec = audioCodec.codec
            $0.audio.bitRate = audioBitrate?.bitsPerSecond
            $0.audio.mode = mute ? .mute : .varispeed
            $0.output.existing = existing
            $0.resources.pieces = cutting.pieces
        }
        let project = try StoryProject(contentsOfFile: story)
        try await run(StoryBuilder(project, settings: settings), project)
    }

    private func run(_ builder: StoryBuilder, _ project: StoryProject) async throws {
        if case .piece(let task) = PlanUse.current {
            try await builder.render(task.piece, to: task.path, identity: task.identity) {
                task.progress($0.render)
            }
            return
        }
        for finding in project.findings() where finding.severity != .error {
            StandardError.print("timewarp: note: \(story):\(finding)")
        }
        if let job = cutting.jobToPlan {
            try plan(builder, project, job)
            return
        }
        if cutting.pieces != nil {
            // This makes the output reproducible.
            OwnProcess.handOutZeros()
        }
        var pieces: RenderedPieces?
        if case .join(let rendered, _, _) = PlanUse.current {
            pieces = rendered
        }
        let printer = SegmentPrinter(progress)
        defer { printer.finish() }
        let report = try await builder.build(
            to: singleFile ? .singleFile(output) : .folder(output), joining: pieces
        ) { printer.show($0) }
        for warning in report.warnings {
            StandardError.print("timewarp: note: \(warning)")
        }
        try StandardOutput.print(
            "\(output): \(report.manifest.segments.count) segments, "
                + "\(NumberText.seconds(report.manifest.duration)), \(report.byteCount >> 10) KiB")
    }

    private var existing: ExistingOutput {
        PlanUse.existing ?? (overwrite ? .overwrite : .refuse)
    }

    private func plan(_ builder: StoryBuilder, _ project: StoryProject, _ job: JobFolder) throws {
        guard let count = cutting.pieces else {
            throw PlannedJob.needsPieces
        }
        let pieces = try builder.plannedPieces(besides: output)
        let media = Set(project.story.segments.values.map { project.resolve($0.media) })
        let fewer = pieces.count == 1 ? "there is 1 piece" : "there are \(pieces.count) pieces"
        let notes = ["\(fewer), not \(count): a story is cut only between its media files"]
        try JobPlanning(folder: job, existing: existing).write(
            PlannedJob(
                pieces: pieces, notes: pieces.count < count ? notes : [], inputs: project.inputs,
                output: output
            ) { path, fingerprint in
                try media.contains(path)
                    ? KnownFile(try Asset(at: path), indices: [:], fingerprint: fingerprint)
                        .stored() : nil
            })
    }
}
