import Foundation
import Synchronization

/// Hands the pieces of an asynchronous stream to a thread that blocks. The next piece is taken from the stream
/// only when the last one has been sent, so nothing piles up for a client that doesn't read.
final class StreamFeed: Sendable {
    private struct State {
        /// The unsent rest of the current piece.
        var rest = Data()
        /// Whether no more pieces come, or none are wanted any more.
        var isEnded = false
        /// Resumes the task, which waits until the current piece has been sent.
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
            let isEnded = state.withLock { state in
                if !state.isEnded {
                    state.rest = piece
                    state.taken = taken
                }
                return state.isEnded
            }
            if isEnded {
                taken.resume()
            }
            changes.signal()
        }
    }

    /// Blocks until there are bytes to send.
    ///
    /// - Returns: how many bytes were written to the buffer; nil at the end of the stream.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        while true {
            let (count, taken, isEnded) = state.withLock { state in
                let count = min(buffer.count, state.rest.count)
                state.rest.copyBytes(to: buffer, count: count)
                state.rest = state.rest.dropFirst(count)
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

    /// Ends the stream and everything that waits for it. A piece that comes after all is let go.
    func cancel() {
        let (task, taken) = state.withLock { state in
            defer { state.taken = nil }
            state.isEnded = true
            state.rest = Data()
            return (state.task, state.taken)
        }
        task?.cancel()
        taken?.resume()
    }
}
