import Synchronization
import TimeMaps

/// The media time of a player. It runs with a host clock and notifies observers.
///
/// ```
///  media  ▲        ╱‾‾ pause       ╱   time = anchor + rate × (host − anchor of the host)
///         │      ╱         ╲     ╱
///         │    ╱  play      ╲  ╱  rate −1, then 1 again
///         └───────────────────────► host clock
/// ```
/// Media time is computed from the last command and the clock, exact to the nanosecond of the host clock. It
/// isn't accumulated, so it doesn't drift however long it runs. Each command rounds it to a tick of at most 5
/// ns, towards where playback came from.
///
/// A timeline begins paused at 0. Every method may be called from any task or thread. Nothing polls: while
/// playback runs and has observers, one task sleeps until the next event.
public final class PlaybackTimeline<HostClock: Clock>: Sendable
where HostClock.Duration == Swift.Duration {
    let clock: HostClock
    let origin: HostClock.Instant
    let seekPoints: SeekPoints
    /// All mutable state.
    let state: Mutex<PlaybackState>

    /// - Parameters:
    ///   - duration: of the media, which starts at 0; more than 0 and at most 2³¹ s.
    ///   - atEnd: what happens at the ends of the media, in both directions.
    ///   - seekPoints: the times where ``seek(to:toleranceBefore:toleranceAfter:)`` can land cheaply, such as
    ///     keyframes.
    ///   - clock: the host clock, which must run whenever media time is to run.
    /// - Throws: ``PlaybackError`` for a duration out of range.
    public init(
        duration: RationalTime, atEnd: PlaybackEnd = .stop, seekPoints: SeekPoints = .anywhere,
        clock: HostClock = ContinuousClock()
    ) throws(PlaybackError) {
        self.clock = clock
        self.seekPoints = seekPoints
        origin = clock.now
        state = Mutex(
            PlaybackState(machine: try PlaybackMachine(duration: duration, atEnd: atEnd)))
        self.duration = duration
    }

    /// The duration of the media.
    public let duration: RationalTime

    /// The current media time, from 0 to the duration. O(laps since the last call).
    public var currentTime: RationalTime {
        perform { state, host in
            state.machine.advance(to: host)
            return state.machine.position
        }
    }

    /// The current rate; ``PlaybackRate/paused`` also at an end of the media where playback has stopped.
    public var rate: PlaybackRate {
        perform { state, host in
            state.machine.advance(to: host)
            return state.machine.rate
        }
    }

    /// Plays from the current position. If playback has stopped at an end of the media and the rate leads
    /// towards that end, nothing happens: seek first.
    public func play(at rate: PlaybackRate = .normal) {
        perform { state, host in
            state.machine.setRate(rate, at: host)
        }
    }

    /// Pauses at the current position.
    public func pause() {
        play(at: .paused)
    }

    // MARK: Observing

    /// A periodic observation: an element for each multiple of an interval of media time, at any rate and in
    /// both directions, and one whenever playback starts, stops, jumps, loops or changes its rate.
    ///
    /// Only the newest element is kept: at most one waits for a slow consumer, and if the host is late by
    /// several intervals, only the last of them is reported. ``PlaybackMoment/reasons`` then also holds the
    /// reasons of the elements that were replaced.
    ///
    /// - Parameter interval: positive, counted from media time 0. There is no element of their own for the
    ///   multiples at both ends of the media, where playback starts, stops or loops.
    /// - Throws: ``PlaybackError`` if the interval isn't positive.
    public func moments(
        every interval: RationalTime
    ) throws(PlaybackError) -> PlaybackObservations<PlaybackMoment> {
        let queue = ObservationQueue<PlaybackMoment>(keeping: .newest { $0.replacing($1) })
        let observer = try perform { state, host throws(PlaybackError) in
            let observer = try state.machine.observe(every: interval, from: host)
            state.moments[observer] = queue
            return observer
        }
        return PlaybackObservations(ObservationHandle(queue) { self.remove(observer) })
    }

    /// A boundary observation: an element for each traversal of the given instants, in either direction and in
    /// order.
    ///
    /// - Reaching an instant counts once. Leaving it doesn't, not even after a pause or a change of direction.
    /// - If the host is late and several instants have passed, all of them count, in the order of traversal.
    /// - A seek past instants doesn't count. The position where it lands hasn't been played, so an instant
    ///   exactly there counts once: at once if playback runs, otherwise when it next starts. The same holds for
    ///   0 when playback first starts.
    /// - When playback loops, the end that it reaches counts, and then the end from which it continues.
    ///
    /// Nothing is lost: all traversed instants wait for a slow consumer.
    ///
    /// - Parameter instants: from 0 to the duration, in any order; an instant that is given twice counts once.
    /// - Throws: ``PlaybackError`` if an instant lies outside of the media.
    public func traversals(
        of instants: some Sequence<RationalTime>
    ) throws(PlaybackError) -> PlaybackObservations<BoundaryTraversal> {
        let instants = Array(instants)
        let queue = ObservationQueue<BoundaryTraversal>(keeping: .all)
        let observer = try perform { state, host throws(PlaybackError) in
            let observer = try state.machine.observe(boundaries: instants, from: host)
            state.traversals[observer] = queue
            return observer
        }
        return PlaybackObservations(ObservationHandle(queue) { self.remove(observer) })
    }
}
