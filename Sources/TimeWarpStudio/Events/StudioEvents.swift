import Foundation
import Synchronization

/// Sends events to every open page (server-sent events).
final class StudioEvents: Sendable {
    private struct State {
        var listeners: [Int: AsyncStream<Data>.Continuation] = [:]
        var count = 0
    }
    private let state = Mutex(State())

    /// How many events may wait for a listener that doesn't read them; with more, its connection is ended.
    private static let mostWaiting = 256

    /// A greeting and all events from now on, each as a server-sent event. The stream ends when the task that
    /// iterates over it is cancelled.
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

    /// What can happen, by the name for which the page listens, with what is said of it.
    struct Kind<Content: Codable>: Sendable {
        let name: String
    }

    /// Sends an event to all listeners.
    func send<Content>(_ kind: Kind<Content>, _ content: Content) {
        guard let data = try? StudioJSON.encoder.encode(content) else {
            return
        }
        send(text: "event: \(kind.name)\ndata: \(String(decoding: data, as: UTF8.self))\n\n")
    }

    /// Sends an empty comment line to all listeners: writing is the way to notice a closed connection.
    func keepAlive() {
        send(text: ":\n\n")
    }

    private func send(text: String) {
        let listeners = state.withLock { Array($0.listeners.values) }
        let bytes = Data(text.utf8)
        for listener in listeners {
            // A listener that misses an event is disconnected: the browser connects again and fetches everything.
            if case .dropped = listener.yield(bytes) {
                listener.finish()
            }
        }
    }
}

extension StudioEvents.Kind<NoContent> {
    static var hello: Self { Self(name: "hello") }
    static var curves: Self { Self(name: "curves") }
}

extension StudioEvents.Kind<Removal> {
    static var removed: Self { Self(name: "removed") }
    static var returned: Self { Self(name: "returned") }
}

/// The event that a clip or a render was removed, or brought back.
struct Removal: Codable {
    enum Kind: String, Codable, CaseIterable {
        case media, render
    }
    let kind: Kind
    let id: String
}

/// The content of an event that has none.
struct NoContent: Codable {}
