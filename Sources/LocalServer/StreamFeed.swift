import Foundation
import Synchronization

/// Pieces of a stream for a thread that blocks: the next one is taken from the stream when the last one has
/// been sent, so that nothing piles up behind a client that doesn't read.
final class StreamFeed: Sendable {
    private struct State {
        /// What is left of the piece that is being sent.
        var rest = Data()
        var isEnded = false
        /// The task, while it waits for the piece to be sent.
        var taken: CheckedContinuation<Void, Never>?
        var task: Task<Void, Never>?
    }
    private let state = Mutex(State())
    private let changes = DispatchSemaphore(value: 0)

    init(_ stream: AsyncStream<Data>) {
        let task = Task {
            for await piece in stream where !piece.isEmpty {
                await offer(piece)
            }
            state.withLock { $0.isEnded = true }
            changes.signal()
        }
        state.withLock { $0.task = task }
    }

    private func offer(_ piece: Data) async {
        await withCheckedContinuation { taken in
            state.withLock { state in
                state.rest = piece
                state.taken = taken
            }
            changes.signal()
        }
    }

    /// Waits for bytes.
    ///
    /// - Returns: how many were written; nil at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        while true {
            let (count, taken, isEnded) = state.withLock { state in
                let count = min(buffer.count, state.rest.count)
                state.rest.copyBytes(to: buffer, count: count)
                state.rest = Data(state.rest.dropFirst(count))
                let taken = count > 0 && state.rest.isEmpty ? state.taken : nil
                if taken != nil {
                    state.taken = nil
                }
                return (count, taken, state.isEnded)
            }
            taken?.resume()
            if count > 0 {
                return count
            }
            if isEnded {
                return nil
            }
            changes.wait()
        }
    }

    /// Ends the stream; what is waited for comes to an end.
    func cancel() {
        let (task, taken) = state.withLock { state in
            defer { state.taken = nil }
            state.rest = Data()
            return (state.task, state.taken)
        }
        taken?.resume()
        task?.cancel()
    }
}
