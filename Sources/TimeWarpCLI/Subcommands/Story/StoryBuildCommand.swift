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

    @Option(help: "aac or opus.")
    var audioCodec = AudioCodec.aac

    @Option(help: ArgumentHelp("Bits per second of the audio, such as 192k.", valueName: "rate"))
    var audioBitrate: BitRate?

    @Flag(help: "Discard the sound.")
    var mute = false

    @Flag(help: "Replace a story that was built there earlier.")
    var overwrite = false

    @Option(help: "How progress is shown on stderr: auto, bar, json (one object per line) or none.")
    var progress = ProgressStyle.auto

    func validate() throws {
        guard [.aac, .opus].contains(audioCodec) else {
            throw ValidationError("--audio-codec takes aac or opus here: browsers play those.")
        }
        guard fps != .any else {
            throw ValidationError("--fps takes a rate here: segments are joined frame by frame.")
        }
    }

    func run() async throws {
        let settings = RenderSettings {
            $0.rate = fps
            $0.frames = frames
            $0.quality = crf
            $0.preset = preset
            $0.audioCodec = audioCodec
            $0.audioBitRate = audioBitrate?.bitsPerSecond
            $0.sound = mute ? .mute : .varispeed
            $0.existing = overwrite ? .overwrite : .refuse
        }
        let project = try StoryProject(contentsOfFile: story)
        for finding in project.findings() where finding.severity == .warning {
            StandardError.print("timewarp: note: \(story):\(finding)")
        }
        let printer = SegmentPrinter(progress)
        defer { printer.finish() }
        let report = try await StoryBuilder(project, settings: settings).build(
            to: singleFile ? .singleFile(output) : .folder(output)
        ) { printer.show($0) }
        for warning in report.warnings {
            StandardError.print("timewarp: note: \(warning)")
        }
        try StandardOutput.print(
            "\(output): \(report.manifest.segments.count) segments, "
                + "\(NumberText.seconds(report.manifest.duration)), \(report.byteCount >> 10) KiB")
    }
}
