import Testing
import TimeMaps

@testable import Playback

struct PeriodicTests {
    @Test(
        "every multiple is told, at any rate and in either direction",
        arguments: [
            (PlaybackRate(1), 0, 4000, "0 started, 1, 2, 3, 4"),
            (PlaybackRate(known: 1, over: 2), 0, 8000, "0 started, 1, 2, 3, 4"),
            (PlaybackRate(2), 0, 2000, "0 started, 1, 2, 3, 4"),
            (PlaybackRate(-1), 4, 3000, "4 started, 3, 2, 1"),
            (PlaybackRate(-2), 4, 5000, "4 started, 3, 2, 1, 0 stopped"),
            (PlaybackRate(4), 7, 5000, "7 started, 8, 9, 10 stopped"),
        ] as [(PlaybackRate, Int64, Int64, String)])
    func multiples(rate: PlaybackRate, from: Int64, milliseconds: Int64, expected: String) throws {
        var playhead = try Playhead()
        playhead.seek(to: instant(from))
        _ = playhead.told()
        playhead.play(rate)
        playhead.runByDues(milliseconds: milliseconds)
        #expect(playhead.told().momentText == expected)
    }

    @Test("thirtieths of a second are told exactly, for an hour")
    func thirtieths() throws {
        var playhead = try Playhead(lasting: instant(3600), every: instant(1, over: 30))
        playhead.play()
        playhead.runByDues(milliseconds: 3_600_000)
        let moments = playhead.told().moments
        #expect(moments.count == 1 + 107_999 + 1)
        let isExact = moments.dropLast().enumerated().allSatisfy { number, moment in
            moment.time == instant(Int64(number), over: 30)
        }
        #expect(isExact)
        #expect(moments.last?.time == instant(3600))
        #expect(moments.last?.reasons == [.stopped])
    }

    @Test("starting, changing the rate, jumping and stopping are told, with the rate from there")
    func changes() throws {
        var playhead = try Playhead(every: instant(100))
        playhead.play()
        playhead.run(milliseconds: 500)
        playhead.play()
        playhead.play(PlaybackRate(2))
        playhead.run(milliseconds: 500)
        playhead.seek(to: instant(7))
        playhead.pause()
        playhead.pause()
        playhead.seek(to: instant(1))
        let told = playhead.told()
        #expect(
            told.momentText
                == "0 started, 1/2 rateChanged, 7 jumped, 7 stopped, 1 jumped")
        #expect(told.moments.map(\.rate) == [1, 2, 2, 0, 0].map { PlaybackRate($0) })
    }

    @Test("a late host tells the last multiple, and the end")
    func late() throws {
        var playhead = try Playhead()
        playhead.play()
        playhead.run(milliseconds: 4700)
        #expect(playhead.told().momentText == "0 started, 4")
        playhead.run(milliseconds: 7000)
        #expect(playhead.told().momentText == "9, 10 stopped")
    }

    @Test("a loop is told once a lap, from the end at which it goes on")
    func looping() throws {
        var playhead = try Playhead(lasting: instant(5, over: 2), atEnd: .loop)
        playhead.play()
        playhead.runByDues(milliseconds: 6000)
        #expect(playhead.told().momentText == "0 started, 1, 2, 0 looped, 1, 2, 0 looped, 1")
        playhead.play(.reversed)
        playhead.runByDues(milliseconds: 2000)
        #expect(playhead.told().momentText == "1 rateChanged, 5/2 looped, 2")
    }

    @Test("what falls together keeps the newest time and rate and every reason")
    func merging() throws {
        let queue = ObservationQueue<PlaybackMoment>(keeping: .newest { $0.replacing($1) })
        let moments = [
            PlaybackMoment(time: .zero, rate: .normal, reasons: [.started]),
            PlaybackMoment(time: instant(1), rate: .normal, reasons: [.interval]),
            PlaybackMoment(time: instant(2), rate: .paused, reasons: [.stopped]),
        ]
        for moment in moments {
            let resumption = queue.offer(moment)
            #expect(resumption == nil)
            #expect(queue.pendingCount == 1)
        }
    }

    @Test("nothing is due while playback rests, or while nobody observes")
    func resting() throws {
        var playhead = try Playhead(boundaries: [instant(3)])
        #expect(playhead.machine.nextDue == nil)
        playhead.play()
        #expect(playhead.machine.nextDue == 1_000_000_000)
        playhead.pause()
        #expect(playhead.machine.nextDue == nil)
        var lonely = try PlaybackMachine(duration: instant(10), atEnd: .loop)
        lonely.setRate(.normal, at: 0)
        #expect(lonely.nextDue == nil)
        lonely.advance(to: 13_000_000_000)
        #expect(lonely.position == instant(3))
    }
}
