/// The asynchronous sequence of an observation of a ``PlaybackTimeline``. It begins with the call that made it.
///
/// It never ends by itself, since playback may continue at any time. It ends when the task that iterates over
/// it is cancelled, or when it and all its iterators are released. Leaving the loop doesn't end it: a later
/// loop continues. It keeps its timeline alive. Each element goes to only one consumer; for two consumers, make
/// two observations.
public struct PlaybackObservations<Element: Sendable>: AsyncSequence, Sendable {
    private let handle: ObservationHandle<Element>

    init(_ handle: ObservationHandle<Element>) {
        self.handle = handle
    }

    /// An iterator that takes elements from this observation. Several iterators share its elements.
    public func makeAsyncIterator() -> Iterator {
        Iterator(handle: handle)
    }

    /// Takes the elements of an observation one by one.
    public struct Iterator: AsyncIteratorProtocol {
        let handle: ObservationHandle<Element>

        /// Waits for the next element; nil once the observation has ended.
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

    /// - Parameter remove: removes the observer from the timeline; it may be called more than once.
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
