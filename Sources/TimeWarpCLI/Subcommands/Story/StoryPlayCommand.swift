import ArgumentParser
import Foundation
import LocalServer
import Media
import Stories
import StoryBuilding

struct StoryPlayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "play",
        abstract: "Serve a built story on this machine, and open it in the browser.")

    @Argument(help: "The folder written by story build.", completion: .directory)
    var folder: String

    @Option(help: "The port to listen on; 0 chooses a free one.")
    var port = 0

    @Flag(inversion: .prefixedNo, help: "Open the story in the browser.")
    var open = true

    func validate() throws {
        guard (0...65_535).contains(port) else {
            throw ValidationError("--port takes 0 to 65535.")
        }
    }

    func run() async throws {
        guard StoryBuilder.isBuiltStory(at: folder) else {
            throw MediaError(
                .noInput, file: folder, reason: "it isn't a folder with a built story",
                remedy: "Build one first: timewarp story build STORY.json -o FOLDER")
        }
        let open = open
        do {
            try await FolderServer(folder, port: port).run { address in
                try? StandardOutput.print("\(address)  (Ctrl-C ends it)")
                if open {
                    Browser.open(address)
                }
            }
        } catch is CancellationError {
            // Ctrl-C is the usual way to end the server.
        } catch let error as PortTaken {
            throw ValidationError(error.description)
        }
    }
}

/// The user's default browser.
enum Browser {
    /// Opens an address, if there is a desktop.
    static func open(_ address: String) {
        #if os(macOS)
            let program = "/usr/bin/open"
        #else
            let program = "/usr/bin/xdg-open"
            let environment = ProcessInfo.processInfo.environment
            guard environment["DISPLAY"] != nil || environment["WAYLAND_DISPLAY"] != nil else {
                return
            }
        #endif
        guard FileManager.default.isExecutableFile(atPath: program) else {
            return
        }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = [address]
        process.standardError = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        try? process.run()
    }
}
