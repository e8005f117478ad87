import Dispatch
import Foundation
import Media
import Synchronization

/// Ctrl-C and `kill` cancel the work instead of killing the process, so that temporary files are removed first.
enum Interruption {
    /// The work was ended by a signal.
    struct Ended: Error {
        let signal: CInt

        /// 128 plus the signal, as in shells: 130 for SIGINT, 143 for SIGTERM, 129 for SIGHUP.
        var exitCode: CInt { 128 + signal }
    }

    /// How long cancelled work may take to end by itself.
    private static let grace = DispatchTimeInterval.seconds(10)

    /// Runs `body`, which SIGINT, SIGTERM and SIGHUP cancel. If the work doesn't notice (it may be waiting for
    /// a pipe), a second signal or the end of ten seconds ends the program.
    ///
    /// - Throws: what `body` throws, and ``Ended`` if a signal cancelled it.
    static func cancelling(_ body: @escaping @Sendable () async throws -> Void) async throws {
        // By default these signals kill the process silently. Ignored, a closed pipe and a file that is too
        // large become errors that are reported.
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        let work = CancellableWork()
        // All sources are registered before the work starts: on a busy machine that takes time.
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

    /// The message after an interruption.
    static let sentence = "interrupted; unfinished files were removed"

    private static func endNow(_ number: CInt) -> Never {
        TemporaryOutput.removeAll()
        StandardError.print("timewarp: \(sentence)")
        _exit(Ended(signal: number).exitCode)
    }

    /// Whether the parent process (`nohup`, or a shell without job control) asked for a signal to be ignored.
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

    /// Makes a signal source, and returns once it is registered.
    private static func listen(
        for number: Int32, _ handler: @escaping @Sendable () -> Void
    ) async -> any DispatchSourceSignal {
        #if canImport(Darwin)
            // On Darwin the default action runs besides the source's handler; on Linux the source replaces it.
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

    /// The first signal that cancelled it.
    var signal: CInt? { state.withLock { $0.signal } }

    /// - Returns: false if it was cancelled before.
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
