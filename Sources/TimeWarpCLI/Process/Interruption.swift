import Dispatch
import Foundation
import Media
import Synchronization

/// Ctrl-C and `kill` end the work, not the program: what was begun is cleared away first.
enum Interruption {
    /// The work was ended by a signal.
    struct Ended: Error {
        let signal: CInt

        /// As shells count it: 130 for SIGINT, 143 for SIGTERM, 129 for SIGHUP.
        var exitCode: CInt { 128 + signal }
    }

    /// How long the work may take to end by itself.
    private static let grace = DispatchTimeInterval.seconds(10)

    /// Runs `body`; SIGINT, SIGTERM and SIGHUP cancel it. A second one, or ten seconds, end a program
    /// that waits for something else: for a pipe, say.
    ///
    /// - Throws: what `body` throws, and ``Ended`` where it was cancelled.
    static func cancelling(_ body: @escaping @Sendable () async throws -> Void) async throws {
        // A closed pipe and a limit on the size of files are errors to report, no reasons to vanish.
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        let work = CancellableWork()
        // All heard before anything begins: on a busy machine a source takes its time.
        var sources: [any DispatchSourceSignal] = []
        for number in [SIGINT, SIGTERM, SIGHUP] where !isIgnored(number) {
            sources.append(
                await listen(for: number) {
                    guard work.cancel(because: number) else {
                        endNow(number)
                    }
                    DispatchQueue.global().asyncAfter(deadline: .now() + grace) { endNow(number) }
                })
        }
        defer {
            for source in sources {
                source.cancel()
            }
        }
        do {
            try await work.start(body).value
        } catch is CancellationError {
            throw work.signal.map(Ended.init) ?? CancellationError()
        }
    }

    /// What is said of it.
    static let sentence = "interrupted; nothing unfinished was left behind"

    private static func endNow(_ number: CInt) -> Never {
        TemporaryOutput.removeAll()
        StandardError.print("timewarp: \(sentence)")
        _exit(Ended(signal: number).exitCode)
    }

    /// `nohup` and shells without job control ask for that, and mean it.
    private static func isIgnored(_ number: CInt) -> Bool {
        var action = sigaction()
        sigaction(number, nil, &action)
        #if canImport(Darwin)
            let handler = action.__sigaction_u.__sa_handler
        #else
            let handler = action.__sigaction_handler.sa_handler
        #endif
        return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
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
        var signal: CInt?
    }
    private let state = Mutex(State())

    /// What it was cancelled by, first.
    var signal: CInt? { state.withLock { $0.signal } }

    /// - Returns: false when it was cancelled before.
    func cancel(because number: CInt) -> Bool {
        state.withLock {
            guard $0.signal == nil else {
                return false
            }
            $0.signal = number
            $0.task?.cancel()
            return true
        }
    }

    func start(_ body: @escaping @Sendable () async throws -> Void) -> Task<Void, any Error> {
        state.withLock { state in
            let task = Task { try await body() }
            if state.signal != nil {
                task.cancel()
            }
            state.task = task
            return task
        }
    }
}
