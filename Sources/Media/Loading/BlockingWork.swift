import Foundation
import Synchronization

/// Runs work that blocks on a thread of its own, so that Swift's cooperative thread pool stays free.
///
/// - Parameter work: receives a closure that throws `CancellationError` once the task is cancelled; work that
///   takes long calls it now and then.
package func runBlocking<Result: Sendable>(
    _ work: @escaping @Sendable (_ checkCancelled: @escaping () throws -> Void) throws -> Result
) async throws -> Result {
    let cancellation = Cancellation()
    return try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation {
            (done: CheckedContinuation<Result, any Error>) in
            let thread = Thread {
                done.resume(with: Swift.Result { try work(cancellation.check) })
            }
            thread.stackSize = 8 << 20
            thread.start()
        }
    } onCancel: {
        cancellation.isRequested.store(true, ordering: .relaxed)
    }
}

/// Whether a task was cancelled, for the thread that works for it.
private final class Cancellation: Sendable {
    let isRequested = Atomic(false)

    func check() throws {
        if isRequested.load(ordering: .relaxed) {
            throw CancellationError()
        }
    }
}
