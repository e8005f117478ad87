import ArgumentParser
import Foundation
import LocalServer
import TimeWarpStudio

struct StudioCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "studio",
        abstract: "See the curve, feel the ramp, then render: a page in your browser.",
        discussion: """
            Serves a page on this machine alone, at an address with a secret in it, and prints that \
            address. Drop a clip on it, bend the curve, watch the preview, render. What is made is \
            kept in the workspace and found again the next time. Ctrl-C ends it; a render that runs \
            then can be run again.

              timewarp studio --open
              timewarp studio --workspace ~/Films/ramp --port 8080
            """)

    @Option(help: "The port to listen on; 0 takes a free one.")
    var port = 0

    @Option(
        help: ArgumentHelp(
            """
            The folder for clips, curves and results; media files in it can be picked. (default: \
            ~/.local/share/timewarp, on macOS ~/Library/Application Support/TimeWarp)
            """, valueName: "folder"),
        completion: .directory)
    var workspace: String?

    @Flag(help: "Open the page in the browser.")
    var open = false

    func validate() throws {
        guard (0...65_535).contains(port) else {
            throw ValidationError("--port takes 0 to 65535.")
        }
    }

    func run() async throws {
        let studio = try Studio(workspace: workspace, port: port)
        let open = open
        StandardError.print("timewarp: the workspace is \(studio.folder); Ctrl-C ends the studio")
        do {
            try await studio.run { address in
                try? StandardOutput.print(address)
                if open {
                    Browser.open(address)
                }
            }
        } catch is CancellationError {
            // Ctrl-C is how it ends.
        } catch let error as PortTaken {
            throw ValidationError(error.description)
        }
    }
}
