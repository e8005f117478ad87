import TestSupport
import Testing
import TimeMaps

@testable import Playback

struct PlaybackLapTests {
    @Test("three thousand laps of a third of a second end on the nanosecond, with no drift")
    func laps() throws {
        var playhead = try Playhead(lasting: instant(1, over: 3), atEnd: .loop, every: instant(9))
        playhead.play()
        playhead.runByDues(milliseconds: 1_000_000)
        // A third of a second lies between two ticks, so it counts as reached at the later tick.
        playhead.run(nanoseconds: 1)
        #expect(playhead.told().moments.filter { $0.reasons == [.looped] }.count == 3000)
        #expect(playhead.machine.position == instant(1, over: 1_000_000_000))
        playhead.run(nanoseconds: 99_999_999)
        #expect(playhead.machine.position == instant(1, over: 10))
    }

    @Test("looking often gives the same place as looking once, after a hundred thousand looks")
    func drift() throws {
        let rate = PlaybackRate(known: 30_000, over: 1001)
        let duration = instant(1 << 30)
        let lap = try #require(
            PlaybackLap(from: instant(1, over: 3), rate: rate, start: 7, duration: duration))
        var machine = try PlaybackMachine(duration: duration, atEnd: .stop)
        machine.jump(to: instant(1, over: 3), at: 7)
        machine.setRate(rate, at: 7)
        for tick in 1...100_000 {
            machine.advance(to: 7 + Int64(tick) * 33_366_667)
        }
        let end: Int64 = 7 + 100_000 * 33_366_667
        #expect(machine.position == lap.position(at: end))
        // After 3336.6667 s of host time at 30000/1001 it is 99999.99999… s, exact to a tick of 1/3e8 s.
        let exact = 1.0 / 3 + 3336.6667 * 30_000 / 1001
        // Near 100000 s, Doubles are 1.5e-11 s apart, far less than a tick of 3.4e-9 s.
        #expect(abs(machine.position.seconds - exact) < 3.5e-9)
    }

    @Test("playing and pausing without time passing moves nothing")
    func standing() throws {
        var playhead = try Playhead()
        playhead.seek(to: instant(1, over: 3))
        for rate in [1, -1, 3, -7] as [Int32] {
            playhead.play(PlaybackRate(known: rate, over: 11))
            playhead.pause()
        }
        #expect(playhead.machine.position == instant(1, over: 3))
        playhead.play()
        playhead.run(milliseconds: 1000)
        playhead.pause()
        #expect(playhead.machine.position == instant(4, over: 3))
    }

    @Test("the extremes of every input fit in 128 bits")
    func extremes() throws {
        let duration = RationalTime(Int64(1) << 61, over: 1 << 30)
        let odd = RationalTime(Int64(Int32.max) * 1_073_741_823, over: .max)
        for rate in [
            PlaybackRate(known: .max, over: .max - 1), PlaybackRate(known: .min, over: .max),
            PlaybackRate(.max),
            PlaybackRate(known: 1, over: .max), PlaybackRate(.min),
        ] {
            var lap = try #require(
                PlaybackLap(from: odd, rate: rate, start: 0, duration: duration))
            for number in 1...3 {
                let last = lap.position(at: .max)
                #expect(last >= .zero && last <= duration)
                // At the slowest rate the host's clock overflows within the first lap.
                guard let due = lap.due(lap.end) else {
                    #expect(number == 1 && rate.numerator == 1)
                    break
                }
                #expect(lap.position(at: due) == lap.end)
                lap = lap.next
            }
        }
    }

    @Test("an instant is reached when it is due and not before, whatever the times (seed 51)")
    func dues() throws {
        var generator = SplitMix64(seed: 51)
        let timescales: [Int32] = [1, 3, 30, 1000, 1001, 44_100, 90_000, 1_000_000_000, .max]
        for round in 0..<3000 {
            func time(upTo limit: Int64) -> RationalTime {
                let timescale = timescales.randomElement(using: &generator) ?? 1
                return RationalTime(
                    Int64.random(in: 1...limit * Int64(timescale), using: &generator),
                    over: timescale)
            }
            let duration = time(upTo: 100)
            let from = min(time(upTo: 100), duration)
            let rate = PlaybackRate(
                known: Int32.random(in: 1...3000, using: &generator)
                    * (Bool.random(using: &generator) ? 1 : -1),
                over: Int32.random(in: 1...1001, using: &generator))
            let first = try #require(
                PlaybackLap(from: from, rate: rate, start: 5, duration: duration))
            let lap = round % 3 == 0 ? first : first.next.next
            let instant = min(time(upTo: 100), duration)
            guard lap.direction == .forwards ? instant > lap.entry : instant < lap.entry else {
                continue
            }
            let due = try #require(lap.due(instant))
            let isAhead = { (host: Int64) in
                let place = lap.position(at: host)
                return lap.direction == .forwards ? place < instant : place > instant
            }
            #expect(!isAhead(due), "seed 51, round \(round)")
            #expect(isAhead(due - 1), "seed 51, round \(round)")
        }
    }
}
