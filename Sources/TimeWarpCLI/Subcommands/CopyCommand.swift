import ArgumentParser
import Media
import TimeWarp

struct CopyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "copy",
        abstract: "Copy all packets to another container (remux), without decoding.")

    @Argument(help: "The files to copy.", completion: .file())
    var inputs: [String]

    @Option(
        name: [.short, .long],
        help: ArgumentHelp(
            """
            The file to write; its extension chooses the container. For several inputs a folder, in which \
            they keep their names.
            """, valueName: "file"),
        completion: .file())
    var output: String

    @OptionGroup(title: "Running")
    var running: RunOptions

    @OptionGroup(title: "Running")
    var files: FileOptions

    func run() async throws {
        try await Batch(inputs, to: output, running).run { item in
            let media = MediaCatalogue(ProjectFormats([]))
            let source = try media.source(at: StandardInput.path(of: item.input))
            let job = RenderJob(
                try Composition(packetsOf: source), to: item.output,
                settings: RenderSettings {
                    files.apply(to: &$0)
                    item.running.apply(to: &$0)
                })
            try await item.running.run(job, media, reading: inputs)
        }
    }
}
