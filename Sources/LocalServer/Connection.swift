import Foundation
import Synchronization

/// A client's connection: how long it has been sending a request, and what is done for it.
final class Connection: Sendable {
    private struct State {
        /// When the request that is being received began; nil while it is answered.
        var began: ContinuousClock.Instant? = .now
        var bytesReceived = 0
        /// The target of the request line.
        var target = ""
        var exchange: Exchange?
        var feed: StreamFeed?
        var isCancelled = false
    }
    private let descriptor: Int32
    private let state = Mutex(State())

    init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// What the request line asks for, before anything else of the request is known.
    var target: String {
        get { state.withLock { $0.target } }
        set { state.withLock { $0.target = newValue } }
    }

    /// - Returns: whether it may: not on a connection that was cancelled.
    func begin(_ exchange: Exchange) -> Bool {
        state.withLock { state in
            state.exchange = exchange
            return !state.isCancelled
        }
    }

    func received(_ count: Int) {
        state.withLock { $0.bytesReceived += count }
    }

    /// The request is complete; sending the response has no end that we set.
    func isAnswered(by feed: StreamFeed? = nil) {
        let isCancelled = state.withLock { state in
            state.began = nil
            state.feed = feed
            return state.isCancelled
        }
        if isCancelled {
            feed?.cancel()
        }
    }

    /// The response is sent. The time of the next request begins.
    func end() {
        state.withLock { $0 = State(isCancelled: $0.isCancelled) }
    }

    /// Stops what is done for it, and whatever would begin.
    func cancel() {
        let (exchange, feed) = state.withLock { state in
            state.isCancelled = true
            return (state.exchange, state.feed)
        }
        exchange?.cancel()
        feed?.cancel()
    }

    /// Closes it when its request takes too long: the idle time, and a second more for each kilobyte received.
    func closeIfOverdue(idleSeconds: Int) {
        let isOverdue = state.withLock { state in
            let allowed = Duration.seconds(idleSeconds + state.bytesReceived >> 10)
            return state.began.map { .now - $0 > allowed } ?? false
        }
        if isOverdue {
            // The thread that reads from it finds it closed.
            shutdown(descriptor, Int32(SHUT_RDWR))
        }
    }
}
