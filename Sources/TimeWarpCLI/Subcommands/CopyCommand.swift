import ArgumentParser
import Media
import TimeWarp

struct CopyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "copy",
        abstract: "Pass every packet through to another file, decoding nothing.")

    @Argument(help: "The file to copy.", completion: .file())
    var input: String

    @Option(
        name: [.short, .long],
        help: ArgumentHelp("The file to write; its ending says what kind.", valueName: "file"),
        completion: .file())
    var output: String

    @OptionGroup(title: "Running")
    var running: RunOptions

    func run() async throws {
        try await running.run(
            try RenderPlan(copying: try Asset(at: input), to: output, existing: running.existing))
    }
}
