import TimeMaps

/// An event for one observer.
enum PlaybackEvent: Hashable, Sendable {
    case moment(observer: Int, PlaybackMoment)
    case traversal(observer: Int, BoundaryTraversal)
}

/// A state machine that makes all decisions about playback. Its inputs are commands and host times; its outputs
/// are events for observers and the next time to check. It reads no clock and never waits.
///
/// Playing from p to q traverses the boundaries in (p, q], or in [q, p) backwards: reaching a boundary counts,
/// leaving it doesn't. A seek traverses none of the boundaries on its way. The position where it lands hasn't
/// been played yet, so a boundary exactly there counts as soon as playback runs. The same holds for a boundary
/// at 0 when playback starts for the first time.
struct PlaybackMachine: Sendable {
    private struct Period {
        let observer: Int
        let interval: RationalTime
    }

    private struct Boundaries {
        let observer: Int
        /// In increasing order.
        let instants: [RationalTime]
    }

    let duration: RationalTime
    let atEnd: PlaybackEnd
    /// The position up to which all events have been made.
    private(set) var position = RationalTime.zero
    /// Nil while playback is paused.
    private var lap: PlaybackLap?
    /// Whether playback hasn't run since the start or the last seek.
    private var isUnplayed = true
    /// The latest host time, in nanoseconds; it never decreases.
    private var now: Int64 = 0
    private var periods: [Period] = []
    private var boundaries: [Boundaries] = []
    private var observersMade = 0
    private var events: [PlaybackEvent] = []
    private var latestSeek = 0

    init(duration: RationalTime, atEnd: PlaybackEnd) throws(PlaybackError) {
        guard duration > .zero, duration <= RationalTime(1 << 31, over: 1) else {
            throw PlaybackError(
                .duration,
                "the media must last more than 0 s and at most 2^31 s, not \(duration.secondsText) s"
            )
        }
        self.duration = duration
        self.atEnd = atEnd
    }

    var rate: PlaybackRate {
        lap?.rate ?? .paused
    }

    var observerCount: Int {
        periods.count + boundaries.count
    }

    /// The events since the last call, in order.
    mutating func takeEvents() -> [PlaybackEvent] {
        defer { events = [] }
        return events
    }

    // MARK: Time and commands

    /// Plays up to a host time. O(laps · observers · log boundaries + events).
    mutating func advance(to host: Int64) {
        now = max(now, host)
        while let current = lap {
            let reached = current.position(at: now)
            tell(from: position, to: reached, current)
            position = reached
            guard reached == current.end else {
                return
            }
            switch atEnd {
            case .stop:
                lap = nil
                tell(.stopped)
            case .loop:
                lap = current.next
                position = current.next.entry
                tell(.looped)
                tellBoundaries(at: position, current.direction)
            }
        }
    }

    /// Changes the rate at the current position. A rate of 0 pauses. Playback also pauses if it is already at
    /// the end towards which the rate leads and stops there.
    mutating func setRate(_ rate: PlaybackRate, at host: Int64) {
        advance(to: host)
        let before = self.rate
        guard rate != before else {
            return
        }
        lap = PlaybackLap(from: position, rate: rate, start: now, duration: duration)
        if atEnd == .stop, position == lap?.end {
            lap = nil
        }
        guard let start = lap else {
            if before != .paused {
                tell(.stopped)
            }
            return
        }
        tell(before == .paused ? .started : .rateChanged)
        tellUnplayed(start.direction)
        advance(to: now)
    }

    /// Moves playback to a media time without traversing the boundaries in between.
    mutating func jump(to time: RationalTime, at host: Int64) {
        advance(to: host)
        position = time
        isUnplayed = true
        tell(.jumped)
        lap = PlaybackLap(from: time, rate: rate, start: now, duration: duration)
        guard let lap else {
            return
        }
        tellUnplayed(lap.direction)
        advance(to: now)
    }

    // MARK: Seeks

    /// Begins a seek, which replaces all seeks before it.
    mutating func beginSeek() -> Int {
        latestSeek += 1
        return latestSeek
    }

    func isOvertaken(_ seek: Int) -> Bool {
        seek != latestSeek
    }

    /// Completes a seek, unless a later seek has replaced it.
    mutating func finishSeek(_ seek: Int, at time: RationalTime, host: Int64) -> SeekOutcome {
        guard !isOvertaken(seek) else {
            return .overtaken
        }
        jump(to: time, at: host)
        return .landed(at: time)
    }

    // MARK: Observers

    /// - Returns: the observer's number.
    mutating func observe(
        every interval: RationalTime, from host: Int64
    ) throws(PlaybackError) -> Int {
        guard interval > .zero else {
            throw PlaybackError(
                .interval, "the interval must be positive, not \(interval.secondsText) s")
        }
        advance(to: host)
        observersMade += 1
        periods.append(Period(observer: observersMade, interval: interval))
        return observersMade
    }

    /// - Returns: the observer's number.
    mutating func observe(
        boundaries instants: some Sequence<RationalTime>, from host: Int64
    ) throws(PlaybackError) -> Int {
        let instants = Set(instants).sorted()
        for instant in instants where instant < .zero || instant > duration {
            throw PlaybackError(
                .boundary,
                "the instant \(instant.secondsText) s lies outside of the media's "
                    + "\(duration.secondsText) s")
        }
        advance(to: host)
        observersMade += 1
        boundaries.append(Boundaries(observer: observersMade, instants: instants))
        return observersMade
    }

    mutating func remove(observer: Int) {
        periods.removeAll { $0.observer == observer }
        boundaries.removeAll { $0.observer == observer }
    }

    /// The next host time at which there is an event or a lap ends; nil if that can't happen without a new
    /// command. O(observers · log boundaries).
    var nextDue: Int64? {
        guard let lap, observerCount > 0 else {
            return nil
        }
        let targets =
            [lap.end]
            + periods.compactMap {
                MediaGrid($0.interval, within: duration).next(after: position, lap.direction)
            }
            + boundaries.compactMap { $0.instants.next(after: position, lap.direction) }
        let nearest = lap.direction == .forwards ? targets.min() : targets.max()
        return nearest.flatMap { lap.due($0) }
    }

    // MARK: Making events

    private mutating func tell(_ reason: PlaybackMoment.Reason) {
        let moment = PlaybackMoment(time: position, rate: rate, reasons: [reason])
        for period in periods {
            events.append(.moment(observer: period.observer, moment))
        }
    }

    /// Makes the events between two played positions: one for every boundary, and one for the newest multiple
    /// of each period.
    private mutating func tell(
        from: RationalTime, to: RationalTime, _ lap: PlaybackLap
    ) {
        guard from != to else {
            return
        }
        for boundary in boundaries {
            for instant in boundary.instants.traversed(from: from, to: to) {
                events.append(
                    .traversal(
                        observer: boundary.observer,
                        BoundaryTraversal(time: instant, direction: lap.direction)))
            }
        }
        for period in periods {
            let grid = MediaGrid(period.interval, within: duration)
            if let newest = grid.newest(from: from, to: to) {
                events.append(
                    .moment(
                        observer: period.observer,
                        PlaybackMoment(time: newest, rate: lap.rate, reasons: [.interval])))
            }
        }
    }

    private mutating func tellUnplayed(_ direction: PlaybackDirection) {
        guard isUnplayed else {
            return
        }
        isUnplayed = false
        tellBoundaries(at: position, direction)
    }

    private mutating func tellBoundaries(at time: RationalTime, _ direction: PlaybackDirection) {
        for boundary in boundaries {
            if let instant = boundary.instants.instant(at: time) {
                events.append(
                    .traversal(
                        observer: boundary.observer,
                        BoundaryTraversal(time: instant, direction: direction)))
            }
        }
    }
}
