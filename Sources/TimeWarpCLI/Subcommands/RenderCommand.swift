import ArgumentParser
import Exchange
import Media
import TimeWarp

struct RenderCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "render",
        abstract: "Render a job: what any command that renders prints with --print-job.",
        discussion: """
            A job is one JSON value that says all of a render: a timeline, the output, video, audio and \
            resources. What it doesn't say is as the commands have it.

              timewarp warp in.mp4 -o out.mp4 --curve ramp --print-job > job.json
              timewarp render job.json                 the same bytes as the command
              timewarp render job.json -o other.mp4
              timewarp verify out.mp4 --job job.json

              { "timewarp": "job/1",
                "timeline": { "format": "source", "tracks": [ { "segments": [
                  { "media": "in.mp4", "warp": { "curve": "ramp", "factor": 2 } } ] } ] },
                "output": { "path": "out.mp4" },
                "video": { "rate": "60", "frames": "motion" } }

            Relative paths start at the job's folder, those of a job from stdin at the working directory. With "format": "source", one clip keeps all tracks, \
            rotation, tags and attachments of its file; without it, any number of clips on tracks are \
            converted to one format, as by compose.
            """)

    @Argument(help: "The job (.json); - is stdin.", completion: .file(extensions: ["json"]))
    var job: String?

    @Flag(help: "Print the JSON Schema of jobs, and render nothing.")
    var schema = false

    @Option(
        name: [.short, .long],
        help: ArgumentHelp("The file to write, instead of the job's own.", valueName: "file"),
        completion: .file())
    var output: String?

    @OptionGroup(title: "Running")
    var running: RunOptions

    func validate() throws {
        guard (job != nil) != schema else {
            throw ValidationError("Name a job, or ask for the --schema of jobs.")
        }
    }

    func run() async throws {
        guard let path = job else {
            try StandardOutput.write(Array(try RenderJob.schema()))
            return
        }
        var (job, media) = try RenderJob.named(path)
        job.destination = output ?? job.destination
        running.apply(to: &job.settings)
        try await running.run(job, media, reading: [path])
    }
}

extension RenderJob {
    /// The job that an argument names, a file or stdin, and its media as far as they had to be opened.
    static func named(_ argument: String) throws -> (job: RenderJob, media: MediaCatalogue) {
        try read(
            StandardInput.path(of: argument), in: argument == StandardInput.name ? "" : nil,
            formats: .all)
    }
}
