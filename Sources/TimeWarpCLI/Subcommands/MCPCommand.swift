import ArgumentParser
import Foundation
import Media
import Synchronization

struct MCPCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mcp",
        abstract: "Serve agents: the Model Context Protocol over stdin and stdout.",
        discussion: """
            An agent's program starts this command, and asks for the tools inspect, beats, plot, plan, render and verify. \
            The guides and the JSON Schema of jobs are its resources.

              claude mcp add timewarp -- timewarp mcp ~/Videos

            Nothing outside of the folders is read or written, also not through links, and no file is replaced unless a call \
            asks for it. The server ends when stdin does.
            """)

    @Argument(
        help: ArgumentHelp(
            "The folders that may be used; paths start at the first. (default: the working directory)",
            valueName: "folder"),
        completion: .directory)
    var folders: [String] = []

    func run() async throws {
        let output = Mutex(())
        let server = try AgentServer(try AgentFolders(folders)) { message in
            try output.withLock { _ in try StandardOutput.pass(message) }
        }
        try await server.answer(StandardInput.lines(atMost: AgentMessage.largest))
    }
}
