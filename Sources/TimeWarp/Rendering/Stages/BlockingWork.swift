import Foundation

/// Runs work that blocks on a thread of its own, so that the cooperative pool stays free.
///
/// - Parameter work: is handed a closure that throws `CancellationError` once the task is
///   cancelled, to be called now and then.
package func runBlocking<Result: Sendable>(
    _ work: @escaping @Sendable (_ checkCancelled: @escaping () throws -> Void) throws -> Result
) async throws -> Result {
    let stages = StageGroup()
    return try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation {
            (done: CheckedContinuation<Result, any Error>) in
            let thread = Thread {
                done.resume(
                    with: Swift.Result {
                        try work {
                            do {
                                try stages.checkStopped()
                            } catch is RenderAborted {
                                throw CancellationError()
                            }
                        }
                    })
            }
            thread.stackSize = 8 << 20
            thread.start()
        }
    } onCancel: {
        stages.stop(because: CancellationError())
    }
}
