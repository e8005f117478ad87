import TimeMaps

@testable import Playback

/// A playback machine with a boundary observer and a periodic one, and a host clock that tests advance.
struct Playhead {
    var machine: PlaybackMachine
    private(set) var host: Int64 = 0
    private let boundaryObserver: Int
    private let periodicObserver: Int

    init(
        lasting duration: RationalTime = instant(10), atEnd: PlaybackEnd = .stop,
        boundaries: [RationalTime] = [], every interval: RationalTime = instant(1)
    ) throws {
        machine = try PlaybackMachine(duration: duration, atEnd: atEnd)
        boundaryObserver = try machine.observe(boundaries: boundaries, from: 0)
        periodicObserver = try machine.observe(every: interval, from: 0)
    }

    mutating func play(_ rate: PlaybackRate = .normal) { machine.setRate(rate, at: host) }
    mutating func pause() { machine.setRate(.paused, at: host) }
    mutating func seek(to time: RationalTime) { machine.jump(to: time, at: host) }

    mutating func run(milliseconds: Int64) { run(nanoseconds: milliseconds * 1_000_000) }

    mutating func run(nanoseconds: Int64) {
        host += nanoseconds
        machine.advance(to: host)
    }

    /// Advances from one due instant to the next, as long as there is one at or before `host`.
    mutating func runByDues(milliseconds: Int64) {
        let end = host + milliseconds * 1_000_000
        while let due = machine.nextDue, due <= end {
            machine.advance(to: due)
        }
        host = end
        machine.advance(to: end)
    }

    /// The events since the last call.
    mutating func told() -> Told {
        var told = Told()
        for event in machine.takeEvents() {
            switch event {
            case .traversal(boundaryObserver, let traversal): told.traversals.append(traversal)
            case .moment(periodicObserver, let moment): told.moments.append(moment)
            default: told.strays += 1
            }
        }
        return told
    }
}

struct Told: Equatable {
    var traversals: [BoundaryTraversal] = []
    var moments: [PlaybackMoment] = []
    var strays = 0

    /// `>3` if 3 s was traversed forwards, `<3` if backwards.
    var boundaryText: String {
        traversals.map { ($0.direction == .forwards ? ">" : "<") + "\($0.time)" }
            .joined(separator: " ")
    }

    /// `3` for an interval that ended at 3 s; other reasons are added, as in `3 stopped`.
    var momentText: String {
        moments.map { moment in
            let reasons = moment.reasons.subtracting([.interval]).map { " \($0)" }.sorted()
            return "\(moment.time)" + reasons.joined()
        }
        .joined(separator: ", ")
    }
}

func instant(_ value: Int64, over timescale: Int32 = 1) -> RationalTime {
    RationalTime(value, over: timescale)
}
