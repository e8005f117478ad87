import Foundation
import Synchronization

/// A client's connection. It measures how long the client has been sending a request, and can cancel the work
/// on the response.
final class Connection: Sendable {
    private struct State {
        /// When the client began to send the current request; nil while the response is made and sent.
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

    /// The target of the current request, which is known before its headers.
    var target: String {
        get { state.withLock { $0.target } }
        set { state.withLock { $0.target = newValue } }
    }

    /// - Returns: false if the connection was cancelled: the request must not be handled then.
    func begin(_ exchange: Exchange) -> Bool {
        state.withLock { state in
            state.exchange = exchange
            return !state.isCancelled
        }
    }

    func received(_ count: Int) {
        state.withLock { $0.bytesReceived += count }
    }

    /// The request is complete, so the time limit on receiving it no longer applies. Sending the response has
    /// no time limit of ours.
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

    /// The response has been sent. The time limit of the next request begins.
    func end() {
        state.withLock { $0 = State(isCancelled: $0.isCancelled) }
    }

    /// Cancels the current request and all later ones on this connection.
    func cancel() {
        let (exchange, feed) = state.withLock { state in
            state.isCancelled = true
            return (state.exchange, state.feed)
        }
        exchange?.cancel()
        feed?.cancel()
    }

    /// Closes the connection if the client takes too long to send its request. The limit is `idleSeconds` plus
    /// one second for each KiB received.
    func closeIfOverdue(idleSeconds: Int) {
        let isOverdue = state.withLock { state in
            let allowed = Duration.seconds(idleSeconds + state.bytesReceived >> 10)
            return state.began.map { .now - $0 > allowed } ?? false
        }
        if isOverdue {
            // The thread that reads from the socket notices that it is closed.
            shutdown(descriptor, Int32(SHUT_RDWR))
        }
    }
}
