import Synchronization

/// A clock that a test advances. It reports until when each sleeper sleeps.
final class ManualClock: Clock, Sendable {
    struct Instant: InstantProtocol {
        let offset: Duration

        func advanced(by duration: Duration) -> Instant {
            Instant(offset: offset + duration)
        }

        func duration(to other: Instant) -> Duration {
            other.offset - offset
        }

        static func < (a: Instant, b: Instant) -> Bool {
            a.offset < b.offset
        }
    }

    private struct Sleeper {
        let number: Int
        let deadline: Instant
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var now = Instant(offset: .seconds(1000))
        var sleepers: [Sleeper] = []
        var sleepersMade = 0
        var cancelled: Set<Int> = []
    }

    private let state = Mutex(State())
    private let deadlines: AsyncStream<Duration>.Continuation
    /// The deadline of each sleep, counted from the clock's creation.
    let sleeps: AsyncStream<Duration>

    init() {
        (sleeps, deadlines) = AsyncStream.makeStream(of: Duration.self)
    }

    var now: Instant { state.withLock { $0.now } }
    var minimumResolution: Duration { .nanoseconds(1) }
    var sleeperCount: Int { state.withLock { $0.sleepers.count } }

    func advance(by duration: Duration) {
        let due = state.withLock { state in
            let now = state.now.advanced(by: duration)
            state.now = now
            defer { state.sleepers.removeAll { $0.deadline <= now } }
            return state.sleepers.filter { $0.deadline <= now }
        }
        for sleeper in due {
            sleeper.continuation.resume()
        }
    }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let number = state.withLock { state in
            state.sleepersMade += 1
            return state.sleepersMade
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                enter(Sleeper(number: number, deadline: deadline, continuation: continuation))
            }
        } onCancel: {
            cancel(number)
        }
    }

    private enum Entry {
        case asleep, due, cancelled
    }

    private func enter(_ sleeper: Sleeper) {
        let entry = state.withLock { state -> Entry in
            if state.cancelled.remove(sleeper.number) != nil {
                return .cancelled
            }
            if sleeper.deadline <= state.now {
                return .due
            }
            state.sleepers.append(sleeper)
            return .asleep
        }
        switch entry {
        case .asleep: deadlines.yield(sleeper.deadline.offset - .seconds(1000))
        case .due: sleeper.continuation.resume()
        case .cancelled: sleeper.continuation.resume(throwing: CancellationError())
        }
    }

    private func cancel(_ number: Int) {
        let sleeper = state.withLock { state -> Sleeper? in
            guard let place = state.sleepers.firstIndex(where: { $0.number == number }) else {
                state.cancelled.insert(number)
                return nil
            }
            return state.sleepers.remove(at: place)
        }
        sleeper?.continuation.resume(throwing: CancellationError())
    }
}
