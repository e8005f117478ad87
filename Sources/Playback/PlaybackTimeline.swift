import Synchronization
import TimeMaps

/// The media time of a player: it runs with a host clock, and tells observers where it is.
///
/// ```
///  media  ▲        ╱‾‾ pause       ╱   time = anchor + rate × (host − anchor of the host)
///         │      ╱         ╲     ╱
///         │    ╱  play      ╲  ╱  rate −1, then 1 again
///         └───────────────────────► host clock
/// ```
/// Media time is computed from the last command and the clock, exact to the nanosecond of the
/// host, and never by adding up ticks: it doesn't drift however long it runs. A command rounds it
/// to a tick of at most 5 ns, back towards where playback came from.
///
/// It begins paused at 0. Every method may be called from any task or thread. Nothing polls: while
/// playback runs and somebody observes it, one task sleeps until the next instant at which there
/// is something to tell.
public final class PlaybackTimeline<HostClock: Clock>: Sendable
where HostClock.Duration == Swift.Duration {
    let clock: HostClock
    let origin: HostClock.Instant
    let seekPoints: SeekPoints
    /// Everything that changes.
    let state: Mutex<PlaybackState>

    /// - Parameters:
    ///   - duration: of the media, which lasts from 0; more than 0 and at most 2³¹ s.
    ///   - atEnd: what happens where it ends, in both directions.
    ///   - seekPoints: where ``seek(to:toleranceBefore:toleranceAfter:)`` lands cheaply.
    ///   - clock: runs whenever media time may run.
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

    /// How long the media lasts.
    public let duration: RationalTime

    /// Where playback is, from 0 to the duration. O(laps since it was last asked).
    public var currentTime: RationalTime {
        perform { state, host in
            state.machine.advance(to: host)
            return state.machine.position
        }
    }

    /// How fast it runs at this moment; paused at the end, too, where playback stops there.
    public var rate: PlaybackRate {
        perform { state, host in
            state.machine.advance(to: host)
            return state.machine.rate
        }
    }

    /// Plays from here. Towards an end where playback stops anyway, from that end, nothing
    /// happens: seek first.
    public func play(at rate: PlaybackRate = .normal) {
        perform { state, host in
            state.machine.setRate(rate, at: host)
        }
    }

    /// Rests here.
    public func pause() {
        play(at: .paused)
    }

    // MARK: Observing

    /// A periodic observation: where playback is at each multiple of an interval of media time,
    /// whatever its rate and direction, and whenever it starts, stops, jumps, loops or changes its
    /// rate.
    ///
    /// The newest wins: at most one element waits for a slow consumer, and a host that is late by
    /// several intervals tells the last of them. ``PlaybackMoment/reasons`` then holds why the
    /// ones it replaced were there.
    ///
    /// - Parameter interval: positive, and counted from 0 of the media. Its multiples at both ends
    ///   of the media aren't told apart from starting, stopping and looping there.
    /// - Throws: ``PlaybackError`` when the interval isn't positive.
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

    /// A boundary observation: each traversal of given instants, in either direction and in order.
    ///
    /// - Arriving at an instant counts, once; leaving it doesn't, after a pause or a turn neither.
    /// - All instants that a late host jumps over count, in the order of traversal.
    /// - A seek over instants doesn't count. Where it lands hasn't been played, so an instant
    ///   exactly there counts once: at once while playback runs, else when it next sets out. The
    ///   same holds for 0 when playback first starts.
    /// - Where playback loops, the end that is reached counts, and then the one it goes on from.
    ///
    /// Nothing is lost: for a slow consumer as many elements wait as instants were traversed
    /// meanwhile, and no more.
    ///
    /// - Parameter instants: from 0 to the duration, in any order; each counts once even if it is
    ///   given twice.
    /// - Throws: ``PlaybackError`` when an instant lies outside of the media.
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
