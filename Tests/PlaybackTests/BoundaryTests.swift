import Testing
import TimeMaps

@testable import Playback

struct BoundaryTests {
    @Test(
        "each instant counts once, at any rate and in either direction",
        arguments: [
            (PlaybackRate(1), 0, 5000, ">2 >3"),
            (PlaybackRate(known: 1, over: 2), 0, 10_000, ">2 >3"),
            (PlaybackRate(2), 0, 2500, ">2 >3"),
            (PlaybackRate(-1), 10, 9000, "<9 <3 <2"),
            (PlaybackRate(-2), 10, 4500, "<9 <3 <2"),
            (PlaybackRate(known: -1, over: 2), 4, 4000, "<3 <2"),
        ] as [(PlaybackRate, Int64, Int64, String)])
    func once(rate: PlaybackRate, from: Int64, milliseconds: Int64, expected: String) throws {
        var inSteps = try Playhead(boundaries: [instant(3), instant(2), instant(9), instant(2)])
        inSteps.seek(to: instant(from))
        inSteps.play(rate)
        var inOneJump = inSteps
        inSteps.runByDues(milliseconds: milliseconds)
        inOneJump.run(milliseconds: milliseconds)
        #expect(inSteps.told().boundaryText == expected)
        #expect(inOneJump.told().boundaryText == expected)
    }

    @Test("an instant is due when it is reached, not a nanosecond before")
    func due() throws {
        var playhead = try Playhead(boundaries: [instant(3, over: 2)])
        playhead.play(PlaybackRate(known: 1, over: 2))
        playhead.run(nanoseconds: 2_999_999_999)
        #expect(playhead.told().boundaryText == "")
        #expect(playhead.machine.nextDue == 3_000_000_000)
        playhead.run(nanoseconds: 1)
        #expect(playhead.told().boundaryText == ">3/2")
    }

    @Test("arriving counts, leaving doesn't: after a pause, and after a turn")
    func leaving() throws {
        var playhead = try Playhead(boundaries: [instant(2)])
        playhead.play()
        playhead.run(milliseconds: 2000)
        #expect(playhead.told().boundaryText == ">2")
        playhead.pause()
        playhead.play()
        playhead.run(milliseconds: 1)
        #expect(playhead.told().boundaryText == "")
        playhead.play(.reversed)
        playhead.run(milliseconds: 1)
        #expect(playhead.told().boundaryText == "<2")
        playhead.play(.normal)
        playhead.run(milliseconds: 1)
        #expect(playhead.told().boundaryText == "")
    }

    @Test("instants at the start and the end count")
    func ends() throws {
        var playhead = try Playhead(boundaries: [.zero, instant(10)])
        playhead.play()
        #expect(playhead.told().boundaryText == ">0")
        playhead.run(milliseconds: 20_000)
        #expect(playhead.told().boundaryText == ">10")
        #expect(playhead.machine.rate == .paused)
        playhead.play(.reversed)
        playhead.run(milliseconds: 20_000)
        #expect(playhead.told().boundaryText == "<0")
        #expect(playhead.machine.position == .zero)
    }

    @Test("playing towards the end from the end does nothing")
    func nowhere() throws {
        var playhead = try Playhead(boundaries: [.zero])
        playhead.play(.reversed)
        #expect(playhead.told() == Told())
        #expect(playhead.machine.rate == .paused)
        playhead.play(.normal)
        // Reversed before any time has passed: there is nowhere to go.
        playhead.play(.reversed)
        #expect(playhead.machine.rate == .paused)
        #expect(playhead.told().momentText == "0 started, 0 stopped")
    }

    @Test("a loop counts the end it reaches, then the one it goes on from")
    func looping() throws {
        let instants = [.zero, instant(4), instant(10)]
        var playhead = try Playhead(atEnd: .loop, boundaries: instants)
        playhead.play()
        playhead.run(milliseconds: 24_000)
        #expect(playhead.told().boundaryText == ">0 >4 >10 >0 >4 >10 >0 >4")
        #expect(playhead.machine.position == instant(4))
        playhead.play(.reversed)
        playhead.run(milliseconds: 14_000)
        #expect(playhead.told().boundaryText == "<0 <10 <4 <0 <10")
        #expect(playhead.machine.position == instant(10))
    }

    @Test("a seek over instants doesn't count them")
    func seekOver() throws {
        var playhead = try Playhead(boundaries: [instant(2), instant(3), instant(6)])
        playhead.play()
        playhead.run(milliseconds: 1000)
        playhead.seek(to: instant(5))
        #expect(playhead.told().boundaryText == "")
        playhead.run(milliseconds: 1000)
        #expect(playhead.told().boundaryText == ">6")
        playhead.seek(to: instant(1))
        playhead.run(milliseconds: 1000)
        #expect(playhead.told().boundaryText == ">2")
    }

    @Test("a seek exactly onto an instant counts once: while playing at once, else when it plays")
    func seekOnto() throws {
        var playhead = try Playhead(boundaries: [instant(2), instant(6)])
        playhead.seek(to: instant(2))
        #expect(playhead.told().boundaryText == "")
        playhead.play()
        #expect(playhead.told().boundaryText == ">2")
        playhead.seek(to: instant(6))
        #expect(playhead.told().boundaryText == ">6")
        playhead.pause()
        playhead.play(.reversed)
        playhead.run(milliseconds: 3999)
        #expect(playhead.told().boundaryText == "")
    }

    @Test("what was due before a seek still counts")
    func dueBeforeSeek() throws {
        var playhead = try Playhead(boundaries: [instant(2), instant(7)])
        playhead.play()
        playhead.machine.jump(to: instant(8), at: 3_000_000_000)
        #expect(playhead.told().boundaryText == ">2")
    }

    @Test("an observer that comes later is told what comes later, and one that left nothing")
    func comingAndGoing() throws {
        var playhead = try Playhead(boundaries: [instant(2), instant(5)])
        playhead.play()
        let second = try playhead.machine.observe(
            boundaries: [instant(2), instant(5)], from: 3_000_000_000)
        #expect(playhead.told().boundaryText == ">2")
        playhead.run(milliseconds: 6000)
        let told = playhead.told()
        #expect(told.boundaryText == ">5")
        #expect(told.strays == 1)
        playhead.machine.remove(observer: second)
        playhead.seek(to: .zero)
        playhead.run(milliseconds: 6000)
        #expect(playhead.told().strays == 0)
        #expect(playhead.machine.observerCount == 2)
    }

    @Test("instants outside of the media, empty media and idle intervals are refused")
    func refusals() throws {
        var machine = try PlaybackMachine(duration: instant(10), atEnd: .stop)
        for instant in [instant(-1), instant(101, over: 10)] {
            let error = #expect(throws: PlaybackError.self) {
                try machine.observe(boundaries: [instant], from: 0)
            }
            #expect(error?.code == .boundary)
        }
        for interval in [RationalTime.zero, instant(-1)] {
            let error = #expect(throws: PlaybackError.self) {
                try machine.observe(every: interval, from: 0)
            }
            #expect(error?.code == .interval)
        }
        for duration in [RationalTime.zero, instant(-1), instant(1 << 32)] {
            let error = #expect(throws: PlaybackError.self) {
                try PlaybackMachine(duration: duration, atEnd: .stop)
            }
            #expect(error?.code == .duration)
        }
        #expect(machine.observerCount == 0)
    }
}
