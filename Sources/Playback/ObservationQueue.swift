import Synchronization

/// The resumption of a waiting consumer with an element. It must run when no lock is held.
struct Resumption: Sendable {
    let run: @Sendable () -> Void
}

/// The elements that wait between a timeline and the consumer of one observation.
///
/// The mutex protects all mutable state. A continuation is either in the list of waiters or held by the code
/// that resumes it, never both, so it is resumed once.
final class ObservationQueue<Element: Sendable>: Sendable {
    /// What happens to elements that the consumer hasn't asked for yet.
    enum Keeping: Sendable {
        /// All are kept, in order.
        case all
        /// Only one is kept: the newer replaces the earlier.
        case newest(replacing: @Sendable (_ newer: Element, _ earlier: Element) -> Element)
    }

    private struct State {
        var pending: [Element] = []
        /// How many elements at the front of `pending` were already taken.
        var taken = 0
        var waiters: [CheckedContinuation<Element?, Never>] = []
        var isFinished = false

        /// The oldest pending element; amortised O(1).
        mutating func take() -> Element? {
            guard taken < pending.count else {
                return nil
            }
            let element = pending[taken]
            taken += 1
            // The remaining elements are moved only if at least as many were taken.
            if taken * 2 >= pending.count {
                pending.removeFirst(taken)
                taken = 0
            }
            return element
        }
    }

    private let keeping: Keeping
    private let state = Mutex(State())

    init(keeping: Keeping) {
        self.keeping = keeping
    }

    /// Adds an element, or hands it to a waiting consumer.
    func offer(_ element: Element) -> Resumption? {
        state.withLock { state in
            guard !state.isFinished else {
                return nil
            }
            if !state.waiters.isEmpty {
                let waiter = state.waiters.removeFirst()
                return Resumption { waiter.resume(returning: element) }
            }
            switch keeping {
            case .newest(let replacing):
                state.pending = [state.pending.first.map { replacing(element, $0) } ?? element]
            case .all:
                state.pending.append(element)
            }
            return nil
        }
    }

    /// The next element, as soon as there is one; nil when the observation has ended.
    func next() async -> Element? {
        await withCheckedContinuation { continuation in
            let resumption = state.withLock { state -> Resumption? in
                if state.isFinished {
                    return Resumption { continuation.resume(returning: nil) }
                }
                if let element = state.take() {
                    return Resumption { continuation.resume(returning: element) }
                }
                state.waiters.append(continuation)
                return nil
            }
            resumption?.run()
        }
    }

    /// Drops the pending elements and resumes all waiting consumers with nil.
    func finish() {
        let waiters = state.withLock { state in
            defer { state = State(isFinished: true) }
            return state.waiters
        }
        for waiter in waiters {
            waiter.resume(returning: nil)
        }
    }

    /// The number of pending elements.
    var pendingCount: Int {
        state.withLock { $0.pending.count - $0.taken }
    }
}
