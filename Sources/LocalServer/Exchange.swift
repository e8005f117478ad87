import Foundation
import Synchronization

/// One request and its response: the place where a connection's thread, which blocks, and the task that
/// answers, which never does, meet.
///
/// ```
///  thread   header ──► start ──► receive, receive, … ──► finishBody ──► waitForResponse ──► send
///                        │          ▲    bytes                │             ▲
///  task                  └► handler ┴─ readBody ◄─────────────┘             │
///                                 └─────────────────────────────── response ┘
/// ```
final class Exchange: Sendable {
    typealias Sink = @Sendable (UnsafeRawBufferPointer) throws -> Void

    private struct State {
        /// Who reads the body, while it is read.
        var reader: (sink: Sink, done: CheckedContinuation<Void, any Error>)?
        /// How the body ended; nil while more may come.
        var bodyEnd: Result<Void, any Error>?
        /// Nobody reads what comes now.
        var isRefused = false
        /// Bytes that nobody read.
        var discarded = 0
        /// The outer nil while the task runs; the inner one when there is no response.
        var outcome: Response??
        var task: Task<Void, Never>?
        var isCancelled = false
    }
    private let state = Mutex(State())
    /// Signalled when the task has changed something that the thread may wait for.
    private let changes = DispatchSemaphore(value: 0)

    // MARK: The connection's thread

    /// Begins to answer.
    ///
    /// - Parameter respond: nil when the connection is to be closed.
    func start(_ respond: @escaping @Sendable () async -> Response?) {
        let task = Task {
            let response = await respond()
            state.withLock { $0.outcome = .some(response) }
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

    /// Hands bytes to whoever reads the body, and waits until somebody does or nobody will.
    ///
    /// - Returns: whether they were taken.
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

    /// Waits until the task reads the body, or will not.
    ///
    /// - Returns: whether it reads.
    func waitForDemand() -> Bool {
        while true {
            let demand: Bool? = state.withLock { state in
                if state.reader != nil {
                    return true
                }
                return state.isRefused || state.outcome != nil ? false : nil
            }
            if let demand {
                return demand
            }
            changes.wait()
        }
    }

    /// Counts bytes that nobody reads.
    ///
    /// - Returns: how many there have been.
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

    /// Waits for the task.
    ///
    /// - Returns: nil when there is no response.
    func waitForResponse() -> Response? {
        while true {
            if let outcome = state.withLock({ $0.outcome }) {
                return outcome
            }
            changes.wait()
        }
    }

    /// The connection is gone, or is to go.
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
