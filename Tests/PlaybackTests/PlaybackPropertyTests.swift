import TestSupport
import Testing
import TimeMaps

@testable import Playback

/// A reference player that walks one nanosecond of media at a time, without arithmetic that could be wrong.
private struct Walker {
    let duration: Int
    let atEnd: PlaybackEnd
    let boundaries: Set<Int>
    let interval: Int
    private(set) var place = 0
    /// The rate, in twelfths: how many twelfths of a nanosecond of media pass in a nanosecond of host time.
    private(set) var twelfths = 0
    private var travelled = 0
    private var isUnplayed = true
    var told = Told()

    init(duration: Int, atEnd: PlaybackEnd, boundaries: Set<Int>, interval: Int) {
        self.duration = duration
        self.atEnd = atEnd
        self.boundaries = boundaries
        self.interval = interval
    }

    private var isAtEnd: Bool {
        twelfths > 0 && place == duration || twelfths < 0 && place == 0
    }

    mutating func run(nanoseconds: Int) {
        for _ in 0..<nanoseconds {
            travelled += abs(twelfths)
            while travelled >= 12 {
                travelled -= 12
                step()
            }
        }
    }

    private mutating func step() {
        guard twelfths != 0 else {
            return
        }
        place += twelfths.signum()
        visit()
        if place % interval == 0, place > 0, place < duration {
            tell(.interval)
        }
        turn()
    }

    private mutating func turn() {
        guard isAtEnd else {
            return
        }
        if atEnd == .stop {
            twelfths = 0
            travelled = 0
            tell(.stopped)
        } else {
            place = duration - place
            tell(.looped)
            visit()
        }
    }

    mutating func play(twelfths rate: Int) {
        guard rate != twelfths else {
            return
        }
        let wasPlaying = twelfths != 0
        twelfths = rate
        travelled = 0
        if isAtEnd && atEnd == .stop {
            twelfths = 0
        }
        guard twelfths != 0 else {
            if wasPlaying {
                tell(.stopped)
            }
            return
        }
        tell(wasPlaying ? .rateChanged : .started)
        setOut()
    }

    mutating func seek(to time: Int) {
        place = time
        travelled = 0
        isUnplayed = true
        tell(.jumped)
        if twelfths != 0 {
            setOut()
        }
    }

    private mutating func setOut() {
        if isUnplayed {
            visit()
        }
        isUnplayed = false
        turn()
    }

    private mutating func visit() {
        guard boundaries.contains(place) else {
            return
        }
        told.traversals.append(
            BoundaryTraversal(
                time: nanoseconds(place), direction: twelfths > 0 ? .forwards : .backwards))
    }

    private mutating func tell(_ reason: PlaybackMoment.Reason) {
        told.moments.append(
            PlaybackMoment(
                time: nanoseconds(place), rate: PlaybackRate(known: Int32(twelfths), over: 12),
                reasons: [reason]))
    }
}

private func nanoseconds(_ value: Int) -> RationalTime {
    RationalTime(Int64(value), over: 1_000_000_000)
}

struct PlaybackPropertyTests {
    @Test(
        "any commands tell the same as a walk nanosecond by nanosecond (seed 52)",
        arguments: [PlaybackEnd.stop, .loop])
    func walk(atEnd: PlaybackEnd) throws {
        var generator = SplitMix64(seed: 52)
        var traversals = 0
        for round in 0..<300 {
            var walker = Walker(
                duration: .random(in: 1...120, using: &generator), atEnd: atEnd,
                boundaries: [], interval: .random(in: 1...40, using: &generator))
            let places = (0..<6).map { _ in Int.random(in: 0...walker.duration, using: &generator) }
            walker = Walker(
                duration: walker.duration, atEnd: atEnd, boundaries: Set(places),
                interval: walker.interval)
            var playhead = try Playhead(
                lasting: nanoseconds(walker.duration), atEnd: atEnd,
                boundaries: places.map(nanoseconds), every: nanoseconds(walker.interval))
            for step in 0..<60 {
                command(&walker, &playhead, &generator)
                let (told, expected) = (playhead.told(), walker.told)
                walker.told = Told()
                let place: Comment = "seed 52, round \(round), step \(step)"
                try #require(told.traversals == expected.traversals, place)
                try #require(merged(told) == merged(expected), place)
                try #require(playhead.machine.position == nanoseconds(walker.place), place)
                traversals += told.traversals.count
            }
        }
        // The test proves little if hardly anything is traversed.
        #expect(traversals > 5000)
    }

    @Test("looking at any times in between tells the same traversals as one look (seed 53)")
    func splitting() throws {
        var generator = SplitMix64(seed: 53)
        for round in 0..<300 {
            let timescales: [Int32] = [3, 30, 1001, 48_000, 90_000]
            let timescale = timescales.randomElement(using: &generator) ?? 3
            let duration = instant(
                .random(in: 1...9, using: &generator) * Int64(timescale) + 1, over: timescale)
            let instants = (0..<8).map { _ in
                instant(.random(in: 0...duration.value, using: &generator), over: timescale)
            }
            var once = try Playhead(lasting: duration, atEnd: .loop, boundaries: instants)
            once.seek(to: instants[0])
            once.play(
                PlaybackRate(
                    known: .random(in: -3000...3000, using: &generator),
                    over: .random(in: 1...1001, using: &generator)))
            var often = once
            let pieces = (0..<20).map { _ in
                Int64.random(in: 1...3_000_000_000, using: &generator)
            }
            for piece in pieces {
                often.run(nanoseconds: piece)
            }
            once.run(nanoseconds: pieces.reduce(0, +))
            #expect(
                once.told().traversals == often.told().traversals, "seed 53, round \(round)")
            #expect(once.machine.position == often.machine.position, "seed 53, round \(round)")
        }
    }

    @Test("something is told when it is due, and nothing a nanosecond before (seed 54)")
    func dues() throws {
        var generator = SplitMix64(seed: 54)
        for round in 0..<200 {
            let instants = (0..<4).map { _ in
                instant(.random(in: 0...1001, using: &generator), over: 1001)
            }
            var playhead = try Playhead(
                lasting: instant(1), atEnd: .loop, boundaries: instants,
                every: instant(1, over: 7))
            playhead.play(
                PlaybackRate(known: .random(in: 1...4000, using: &generator), over: 999))
            _ = playhead.told()
            for _ in 0..<30 {
                let due = try #require(playhead.machine.nextDue)
                playhead.run(nanoseconds: due - playhead.host - 1)
                #expect(playhead.told() == Told(), "seed 54, round \(round)")
                playhead.run(nanoseconds: 1)
                #expect(playhead.told() != Told(), "seed 54, round \(round)")
            }
        }
    }

    private func command(
        _ walker: inout Walker, _ playhead: inout Playhead, _ generator: inout SplitMix64
    ) {
        switch Int.random(in: 0..<10, using: &generator) {
        case 0:
            let place = Int.random(in: 0...walker.duration, using: &generator)
            walker.seek(to: place)
            playhead.seek(to: nanoseconds(place))
        case 1...3:
            let rates = [0, 3, 4, 6, 12, 18, 24, 36, 60]
            let rate =
                (rates.randomElement(using: &generator) ?? 12)
                * (Bool.random(using: &generator) ? 1 : -1)
            walker.play(twelfths: rate)
            playhead.play(PlaybackRate(known: Int32(rate), over: 12))
        default:
            let time = Int.random(in: 0...60, using: &generator)
            walker.run(nanoseconds: time)
            playhead.run(nanoseconds: Int64(time))
        }
    }

    /// What a consumer that asks only once gets: fewer intervals than the walk reports, but
    /// the same newest moment for the same reasons.
    private func merged(_ told: Told) -> PlaybackMoment? {
        told.moments.dropFirst().reduce(told.moments.first) { earlier, newer in
            earlier.map { newer.replacing($0) } ?? newer
        }
    }
}
