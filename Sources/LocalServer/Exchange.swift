import Foundation
import Synchronization

/// One request and its response. It connects two sides: the connection's thread, which blocks, and the task
/// that runs the handler, which never blocks.
///
/// ```
///  thread   header ──► start ──► receive, receive, … ──► finishBody ──► waitForResponse ──► send
///                        │          ▲    bytes                │             ▲
///  task                  └► handler ┴─ readBody ◄─────────────┘             │
///                                 └─────────────────────────────── response ┘
/// ```
final class Exchange: Sendable {
    typealias Sink = @Sendable (UnsafeRawBufferPointer) throws -> Void

    /// What became of the handler.
    private enum Outcome {
        /// It runs.
        case pending
        /// It has ended; without a response the connection is closed.
        case ended(Response?)

        var isEnded: Bool {
            if case .ended = self { true } else { false }
        }
    }

    private struct State {
        /// The handler's reader of the body, while there is one.
        var reader: (sink: Sink, done: CheckedContinuation<Void, any Error>)?
        /// How reading the body ended; nil while more may come.
        var bodyEnd: Result<Void, any Error>?
        /// No handler will read the rest of the body.
        var isRefused = false
        /// How many bytes of the body were discarded.
        var discarded = 0
        var outcome = Outcome.pending
        var task: Task<Void, Never>?
        var isCancelled = false
    }
    private let state = Mutex(State())
    /// Signalled when the task has changed something that the connection's thread may be waiting for.
    private let changes = DispatchSemaphore(value: 0)

    // MARK: The connection's thread

    /// Starts the handler in a task.
    ///
    /// - Parameter respond: makes the response; nil closes the connection without one.
    func start(_ respond: @escaping @Sendable () async -> Response?) {
        let task = Task {
            let response = await respond()
            state.withLock { $0.outcome = .ended(response) }
            changes.signal()
        }
        let isCancelled = state.withLock { state in
            state.task = task
            return state.isCancelled
        }
        if isCancelled {
            task.cancel()
        }
    }

    /// Hands bytes of the body to the handler's reader. Waits until there is a reader, or until it is certain
    /// that there won't be one.
    ///
    /// - Returns: whether a reader took the bytes.
    func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard waitForDemand(), let sink = state.withLock({ $0.reader?.sink }) else {
            return false
        }
        do {
            try sink(bytes)
            return true
        } catch {
            endReading(with: .failure(error))
            return false
        }
    }

    /// Waits until the handler reads the body, or until it is certain that it won't.
    ///
    /// - Returns: whether the handler reads the body.
    func waitForDemand() -> Bool {
        while true {
            let demand: Bool? = state.withLock { state in
                if state.reader != nil {
                    return true
                }
                return state.isRefused || state.outcome.isEnded ? false : nil
            }
            if let demand {
                return demand
            }
            changes.wait()
        }
    }

    /// Counts discarded bytes of the body.
    ///
    /// - Returns: the total so far.
    func discard(_ count: Int) -> Int {
        state.withLock { state in
            state.discarded += count
            return state.discarded
        }
    }

    /// The body is complete.
    func finishBody() {
        endReading(with: .success(()))
    }

    /// Waits until the handler has finished.
    ///
    /// - Returns: the response; nil if the connection is to be closed without one.
    func waitForResponse() -> Response? {
        while true {
            if case .ended(let response) = state.withLock(\.outcome) {
                return response
            }
            changes.wait()
        }
    }

    /// Ends the exchange because the connection broke off or is to be closed.
    func cancel() {
        endReading(with: .failure(RequestBody.BrokenOff()))
        let task = state.withLock { state in
            state.isCancelled = true
            return state.task
        }
        task?.cancel()
    }

    private func endReading(with result: Result<Void, any Error>) {
        let reader = state.withLock { state in
            state.bodyEnd = state.bodyEnd ?? result
            state.isRefused = true
            defer { state.reader = nil }
            return state.reader
        }
        changes.signal()
        reader?.done.resume(with: result)
    }

    // MARK: The task

    func readBody(_ sink: @escaping Sink) async throws {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { done in
                let end = state.withLock { state in
                    if state.bodyEnd == nil {
                        state.reader = (sink, done)
                    }
                    return state.bodyEnd
                }
                changes.signal()
                if let end {
                    done.resume(with: end)
                }
            }
        } onCancel: {
            endReading(with: .failure(CancellationError()))
        }
    }
}
