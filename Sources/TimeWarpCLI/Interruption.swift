import Dispatch
import Foundation
import Synchronization

/// Ctrl-C and `kill` end the work, not the program: what was begun is cleared away first.
enum Interruption {
    /// Runs `body`; SIGINT, SIGTERM and SIGHUP cancel it.
    static func cancelling(_ body: @escaping @Sendable () async throws -> Void) async throws {
        let work = CancellableWork()
        // All heard before anything begins: on a busy machine a source takes its time.
        var sources: [any DispatchSourceSignal] = []
        for number in [SIGINT, SIGTERM, SIGHUP] {
            sources.append(await listen(for: number) { work.cancel() })
        }
        // A closed pipe is an error to report, not a reason to vanish.
        signal(SIGPIPE, SIG_IGN)
        defer {
            for source in sources {
                source.cancel()
            }
        }
        try await work.start(body).value
    }

    /// A source that hears a signal by the time it is returned.
    private static func listen(
        for number: Int32, _ handler: @escaping @Sendable () -> Void
    ) async -> any DispatchSourceSignal {
        #if canImport(Darwin)
            // There the default action comes on top; on Linux the source replaces it.
            signal(number, SIG_IGN)
        #endif
        let source = DispatchSource.makeSignalSource(signal: number)
        source.setEventHandler(handler: handler)
        await withCheckedContinuation { (registered: CheckedContinuation<Void, Never>) in
            source.setRegistrationHandler { registered.resume() }
            source.resume()
        }
        return source
    }
}

/// A task that may be cancelled before it is started.
private final class CancellableWork: Sendable {
    private struct State {
        var task: Task<Void, any Error>?
        var isCancelled = false
    }
    private let state = Mutex(State())

    func cancel() {
        state.withLock {
            $0.isCancelled = true
            $0.task?.cancel()
        }
    }

    func start(_ body: @escaping @Sendable () async throws -> Void) -> Task<Void, any Error> {
        state.withLock { state in
            let task = Task { try await body() }
            if state.isCancelled {
                task.cancel()
            }
            state.task = task
            return task
        }
    }
}
