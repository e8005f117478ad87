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
        let job = StoryJob(
            story: story, output: output, isSingleFile: singleFile,
            settings: RenderSettings {
                $0.video.rate = fps
                $0.video.frames = frames
                $0.video.quality = crf
                $0.video.preset = preset
                $0.audio.codec = audioCodec.codec
                $0.audio.bitRate = audioBitrate?.bitsPerSecond
                $0.audio.mode = mute ? .mute : .varispeed
                $0.resources.pieces = cutting.pieces
            })
        let existing: ExistingOutput = overwrite ? .overwrite : .refuse
        let project = try StoryProject(contentsOfFile: story)
        for finding in project.findings() where finding.severity != .error {
            Message.note("\(story):\(finding)")
        }
        guard let folder = cutting.jobToPlan else {
            try await job.build(existing: existing, progress)
            return
        }
        guard cutting.pieces != nil else {
            throw PlannedJob.needsPieces
        }
        try JobPlanning(folder: folder, existing: existing)
            .write(try PlannedJob(job, of: project, existing: existing))
    }
}
