import Foundation
import Synchronization

/// Tells every open page what happens.
final class StudioEvents: Sendable {
    private struct State {
        var listeners: [Int: AsyncStream<Data>.Continuation] = [:]
        var count = 0
    }
    private let state = Mutex(State())

    /// What a listener that doesn't listen may have waiting; its connection ends then.
    private static let mostWaiting = 256

    /// A greeting, and what happens from now on, each as a server-sent event; ends when the task that
    /// iterates is cancelled.
    func listen() -> AsyncStream<Data> {
        let (stream, continuation) = AsyncStream<Data>.makeStream(
            bufferingPolicy: .bufferingOldest(Self.mostWaiting))
        continuation.yield(Data("event: hello\ndata: {}\n\n".utf8))
        let number = state.withLock { state in
            state.count += 1
            state.listeners[state.count] = continuation
            return state.count
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.listeners.removeValue(forKey: number) }
        }
        return stream
    }

    /// - Parameter name: of the event, as the page listens for it.
    func send(_ name: String, _ content: some Encodable) {
        guard let data = try? StudioJSON.encoder.encode(content) else {
            return
        }
        send(text: "event: \(name)\ndata: \(String(decoding: data, as: UTF8.self))\n\n")
    }

    /// A line that says nothing: a connection whose other end has gone is found out by writing to it.
    func keepAlive() {
        send(text: ":\n\n")
    }

    private func send(text: String) {
        let listeners = state.withLock { Array($0.listeners.values) }
        let bytes = Data(text.utf8)
        for listener in listeners {
            // What misses something begins anew: the browser connects again, and fetches all.
            if case .dropped = listener.yield(bytes) {
                listener.finish()
            }
        }
    }
}

/// That something isn't there any more.
struct Removal: Encodable {
    enum Kind: String, Encodable {
        case media, render
    }
    let kind: Kind
    let id: String
}

/// An event with nothing to say.
struct NoContent: Encodable {}

enum StudioJSON {
    /// Keys in order, dates as ISO 8601.
    static var encoder: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        return encoder
    }
}
