import ArgumentParser
import Foundation
import Media
import Stories
import StoryBuilding
import TimeWarp

struct StoryBuildCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "build",
        abstract: "Render a story's segments, and put them with a player into a folder or a page.",
        discussion: """
            Every segment is rendered once, to H.264 of the first segment's size and rate, as whole \
            frames from a closed key frame on. The folder plays from any static web server; the page \
            needs none.
            """)

    @Argument(help: "The story.", completion: .file(extensions: ["json"]))
    var story: String

    @Option(
        name: [.short, .long],
        help: ArgumentHelp("The folder, or with --single-file the page.", valueName: "path"),
        completion: .file())
    var output: String

    @Flag(help: "Put everything into one HTML file.")
    var singleFile = false

    @Option(help: "Frames a second: a number, a fraction, or source: the first segment's.")
    var fps = OutputRate(argument: "source")!

    @Option(help: "Quality: lower is better and larger. (default: 20)")
    var crf: Double?

    @Option(help: "The encoder's own name for speed against size. (default: medium)")
    var preset: String?

    @Option(help: "aac or opus.")
    var audioCodec = AudioCodec.aac

    @Option(help: ArgumentHelp("Bits a second of the sound, such as 192k.", valueName: "rate"))
    var audioBitrate: BitRate?

    @Flag(help: "Leave the sound away.")
    var mute = false

    @Flag(help: "Replace a story that was built there before.")
    var overwrite = false

    @Option(help: "auto, bar, json (one object a line) or none; on stderr.")
    var progress = ProgressStyle.auto

    func validate() throws {
        guard [.aac, .opus].contains(audioCodec) else {
            throw ValidationError("--audio-codec takes aac or opus: browsers play those.")
        }
        guard fps.rate != .any else {
            throw ValidationError("--fps takes a rate here: segments are joined frame by frame.")
        }
    }

    func run() async throws {
        let settings = RenderSettings {
            $0.rate = fps.rate
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
