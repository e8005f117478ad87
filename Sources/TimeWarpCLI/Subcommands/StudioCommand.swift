import ArgumentParser
import Foundation
import LocalServer
import TimeWarpStudio

struct StudioCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "studio",
        abstract: "Edit speed ramps in the browser: shape the curve, preview, render.",
        discussion: """
            Serves an editor for time remapping to this machine only, at an address that contains a \
            secret, and prints the address. Drop a clip on the page, shape the curve, watch the \
            preview, and render; cut retimed clips together; check, build and walk the stories of \
            the workspace. Clips, curves and results are kept in the workspace. Ctrl-C ends the \
            studio; a render that was interrupted can be started again.

              timewarp studio --open
              timewarp studio --workspace ~/Films/ramp --port 8080
            """)

    @OptionGroup
    var listening: PortOptions

    @Option(
        help: ArgumentHelp(
            """
            The folder for clips, curves and results; the page also offers media files that are in \
            it. (default: ~/.local/share/timewarp, on macOS ~/Library/Application Support/TimeWarp)
            """, valueName: "folder"),
        completion: .directory)
    var workspace: String?

    @Flag(help: "Open the page in the browser.")
    var open = false

    func run() async throws {
        let studio = try Studio(workspace: workspace, port: listening.port)
        StandardError.print("timewarp: the workspace is \(studio.folder); Ctrl-C ends the studio")
        try await listening.serve(opening: open, { $0 }, studio.run)
    }
}
