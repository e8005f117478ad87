import ArgumentParser
import Media
import TimeWarp

struct CopyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "copy",
        abstract: "Copy all packets to another container (remux), without decoding.")

    @Argument(help: "The file to copy.", completion: .file())
    var input: String

    @Option(
        name: [.short, .long],
        help: ArgumentHelp(
            "The file to write; its extension chooses the container.", valueName: "file"),
        completion: .file())
    var output: String

    @OptionGroup(title: "Running")
    var running: RunOptions

    func run() async throws {
        try await running.run(
            try RenderPlan(copying: try Asset(at: input), to: output, existing: running.existing))
    }
}
