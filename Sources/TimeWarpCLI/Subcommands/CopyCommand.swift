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

    @Flag(help: "Replace the output if it is there.")
    var overwrite = false

    func run() async throws {
        let remux = try Remux(
            try Asset(at: input), to: output, existing: overwrite ? .overwrite : .refuse)
        for warning in remux.warnings {
            StandardError.print("timewarp: note: \(warning)")
        }
        for warning in try await remux.run() {
            StandardError.print("timewarp: note: \(warning)")
        }
    }
}
