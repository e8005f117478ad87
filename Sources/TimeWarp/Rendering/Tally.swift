import Synchronization

/// What the stages of a track count, for the report to read when they have ended.
final class Tally<Counts: Sendable>: Sendable {
    private let counts: Mutex<Counts>

    init(_ counts: Counts) {
        self.counts = Mutex(counts)
    }

    /// What has been counted so far.
    var current: Counts {
        counts.withLock { $0 }
    }

    /// Changes the counts.
    func update(_ change: (inout Counts) -> Void) {
        counts.withLock { change(&$0) }
    }
}
