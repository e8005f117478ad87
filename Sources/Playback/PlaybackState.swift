import TimeMaps

/// The state that a timeline's lock protects.
struct PlaybackState: Sendable {
    /// The task that sleeps until a host time.
    struct Sleeper: Sendable {
        let number: Int
        let due: Int64
        let task: Task<Void, Never>
    }

    /// The lookup of the seek points near the target of a seek.
    struct Lookup: Sendable {
        let seek: Int
        let task: Task<SeekNeighbours, any Error>
    }

    var machine: PlaybackMachine
    var moments: [Int: ObservationQueue<PlaybackMoment>] = [:]
    var traversals: [Int: ObservationQueue<BoundaryTraversal>] = [:]
    var sleeper: Sleeper?
    var sleepersMade = 0
    var lookup: Lookup?

    init(machine: PlaybackMachine) {
        self.machine = machine
    }

    /// Moves the machine's events into the observers' queues, in order.
    mutating func deliver() -> [Resumption] {
        machine.takeEvents().compactMap { event in
            switch event {
            case .moment(let observer, let moment): moments[observer]?.offer(moment)
            case .traversal(let observer, let traversal): traversals[observer]?.offer(traversal)
            }
        }
    }
}

extension PlaybackTimeline {
    /// Runs an action on the state at the current host time, then notifies the observers and sleeps until the
    /// next due time.
    ///
    /// Consumers are resumed and tasks cancelled after the lock is released: both may take locks of a task, and
    /// a cancelled consumer may ask for this lock while it holds those.
    func perform<Result: Sendable, Failure: Error>(
        _ action: (inout PlaybackState, _ host: Int64) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let (result, resumptions, stale) = try state.withLock { state throws(Failure) in
            let result = try action(&state, hostTime)
            return (result, state.deliver(), reschedule(&state))
        }
        stale?.cancel()
        for resumption in resumptions {
            resumption.run()
        }
        return result
    }

    func remove(_ observer: Int) {
        perform { state, _ in
            state.machine.remove(observer: observer)
            state.moments[observer] = nil
            state.traversals[observer] = nil
        }
    }

    /// The number of observations.
    var observerCount: Int {
        state.withLock { $0.machine.observerCount }
    }

    /// Nanoseconds since the timeline was made, rounded down.
    private var hostTime: Int64 {
        let elapsed = origin.duration(to: clock.now).attoseconds / 1_000_000_000
        // `Int64` holds 292 years of nanoseconds.
        return Int64(clamping: elapsed)
    }

    /// - Returns: the sleeper that is no longer needed, for the caller to cancel.
    private func reschedule(_ state: inout PlaybackState) -> Task<Void, Never>? {
        let due = state.machine.nextDue
        guard due != state.sleeper?.due else {
            return nil
        }
        let stale = state.sleeper?.task
        state.sleeper = nil
        guard let due else {
            return stale
        }
        state.sleepersMade += 1
        let number = state.sleepersMade
        let deadline = origin.advanced(by: .nanoseconds(due))
        // The reference is weak so that the sleep doesn't keep an unused timeline alive.
        let task = Task { [weak self, clock] in
            // The sleep throws only when it is cancelled, that is when another sleeper has replaced it.
            guard (try? await clock.sleep(until: deadline, tolerance: .zero)) != nil else {
                return
            }
            self?.wake(number)
        }
        state.sleeper = PlaybackState.Sleeper(number: number, due: due, task: task)
        return stale
    }

    private func wake(_ number: Int) {
        perform { state, host in
            if state.sleeper?.number == number {
                state.sleeper = nil
            }
            state.machine.advance(to: host)
        }
    }
}
