import Synchronization

/// A waiting consumer and what it gets; carried out when no lock is held.
struct Resumption: Sendable {
    let run: @Sendable () -> Void
}

/// What waits between a timeline and the consumer of one observation.
///
/// The mutex protects all that changes; a continuation is in the list of waiters or with the one
/// who resumes it, never in both.
final class ObservationQueue<Element: Sendable>: Sendable {
    /// What becomes of elements that nobody has asked for yet.
    enum Keeping: Sendable {
        /// All of them, in order.
        case all
        /// One: the newer takes the place of the earlier.
        case newest(replacing: @Sendable (_ newer: Element, _ earlier: Element) -> Element)
    }

    private struct State {
        var pending: [Element] = []
        /// How many of the pending were taken already.
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
            // The rest is moved only when at least as many were taken.
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

    /// Puts in an element, or hands it to a consumer that waits.
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

    /// The next element, at once or when there is one; nil when the observation has ended.
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

    /// Drops what is pending and ends the waiting.
    func finish() {
        let waiters = state.withLock { state in
            defer { state = State(isFinished: true) }
            return state.waiters
        }
        for waiter in waiters {
            waiter.resume(returning: nil)
        }
    }

    /// How many elements wait.
    var pendingCount: Int {
        state.withLock { $0.pending.count - $0.taken }
    }
}
