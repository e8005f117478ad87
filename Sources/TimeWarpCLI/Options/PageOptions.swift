import ArgumentParser
import LocalServer

/// The options of a page that is served to this machine's browser.
struct PageOptions: ParsableArguments {
    @Option(help: "The port to listen on; 0 chooses a free one.")
    var port = 0

    @Flag(inversion: .prefixedNo, help: "Open the page in the browser.")
    var open = true

    func validate() throws {
        guard (0...65_535).contains(port) else {
            throw ValidationError("--port takes 0 to 65535.")
        }
    }

    /// Runs a server until Ctrl-C, prints its address, and opens it.
    func serve(
        _ run: (_ ready: @escaping @Sendable (_ address: String) async -> Void) async throws -> Void
    ) async throws {
        let open = open
        do {
            try await run { address in
                try? StandardOutput.print("\(address)  (Ctrl-C ends it)")
                if open {
                    Browser.open(address)
                }
            }
        } catch is CancellationError {
            // Ctrl-C is the usual way to end a server.
        } catch let error as PortTaken {
            throw ValidationError(error.description)
        }
    }
}
