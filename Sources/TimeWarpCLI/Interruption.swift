import Dispatch
import Foundation

/// Ctrl-C and `kill` end the work, not the program: what was begun is cleared away first.
enum Interruption {
    /// Runs `body`; SIGINT, SIGTERM and SIGHUP cancel it.
    static func cancelling(_ body: @escaping @Sendable () async throws -> Void) async throws {
        let task = Task { try await body() }
        let sources = [SIGINT, SIGTERM, SIGHUP].map { number in
            // The default would end the program before the source hears of it.
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number)
            source.setEventHandler { task.cancel() }
            source.resume()
            return source
        }
        // A closed pipe is an error to report, not a reason to vanish.
        signal(SIGPIPE, SIG_IGN)
        defer {
            for source in sources {
                source.cancel()
            }
        }
        try await task.value
    }
}
