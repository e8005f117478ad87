import ArgumentParser
import LocalServer
import Synchronization
import TimeWarpStudio

/// The port of a page that is served to this machine's browser.
struct PortOptions: ParsableArguments {
    @Option(help: "The port to listen on; 0 chooses a free one.")
    var port = 0

    func validate() throws {
        guard (0...65_535).contains(port) else {
            throw ValidationError("--port takes 0 to 65535.")
        }
    }

    /// Runs a server until Ctrl-C.
    ///
    /// - Parameters:
    ///   - opening: whether the page is opened in the browser.
    ///   - line: what is printed of an address.
    ///   - run: runs the server, and calls `ready` with the address.
    func serve(
        opening: Bool, _ line: @escaping @Sendable (_ address: String) -> String,
        _ run: (_ ready: @escaping @Sendable (_ address: String) async -> Void) async throws -> Void
    ) async throws {
        OwnProcess.keepLittleFreed()
        let leading = Mutex<LeadingPage?>(nil)
        do {
            try await run { address in
                try? StandardOutput.print(line(address))
                if opening {
                    leading.withLock { $0 = Desktop.present?.open(address) }
                }
            }
        } catch is CancellationError {
            // Ctrl-C is the usual way to end a server.
        } catch let error as PortTaken {
            throw ValidationError(error.description)
        }
    }
}

/// The options of a page that is opened at once.
struct PageOptions: ParsableArguments {
    @OptionGroup
    var listening: PortOptions

    @Flag(inversion: .prefixedNo, help: "Open the page in the browser.")
    var open = true

    var port: Int { listening.port }

    /// Runs a server until Ctrl-C, prints its address, and opens it.
    func serve(
        _ run: (_ ready: @escaping @Sendable (_ address: String) async -> Void) async throws -> Void
    ) async throws {
        try await listening.serve(opening: open, { "\($0)  (Ctrl-C ends it)" }, run)
    }
}
