/// What an observation of a ``PlaybackTimeline`` tells, from the call that made it on.
///
/// It never ends by itself, since playback may go on at any time. Cancelling the task that
/// iterates ends it and frees what it held, and so does letting go of it and of its iterators;
/// leaving the loop alone only pauses it. It keeps its timeline alive. Each element goes to one
/// consumer: for two, make two observations.
public struct PlaybackObservations<Element: Sendable>: AsyncSequence, Sendable {
    private let handle: ObservationHandle<Element>

    init(_ handle: ObservationHandle<Element>) {
        self.handle = handle
    }

    public func makeAsyncIterator() -> Iterator {
        Iterator(handle: handle)
    }

    /// Waits for one element after another.
    public struct Iterator: AsyncIteratorProtocol {
        let handle: ObservationHandle<Element>

        /// The next element; nil once the observation has ended.
        public mutating func next() async -> Element? {
            let handle = handle
            return await withTaskCancellationHandler {
                await handle.queue.next()
            } onCancel: {
                handle.end()
            }
        }
    }
}

/// Ends an observation when nobody holds it any longer.
final class ObservationHandle<Element: Sendable>: Sendable {
    let queue: ObservationQueue<Element>
    private let remove: @Sendable () -> Void

    /// - Parameter remove: takes the observer from the timeline; it may be called again.
    init(_ queue: ObservationQueue<Element>, remove: @escaping @Sendable () -> Void) {
        self.queue = queue
        self.remove = remove
    }

    deinit {
        end()
    }

    func end() {
        queue.finish()
        remove()
    }
}
