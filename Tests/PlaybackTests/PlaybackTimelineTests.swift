import Testing
import TimeMaps

@testable import Playback

struct PlaybackTimelineTests {
    @Test("it sleeps until the next instant that is due, once for each")
    func sleeping() async throws {
        let clock = ManualClock()
        var sleeps = clock.sleeps.makeAsyncIterator()
        let timeline = try PlaybackTimeline(duration: instant(10), clock: clock)
        let observation = try timeline.moments(every: instant(1, over: 2))
        var moments = observation.makeAsyncIterator()
        timeline.play(at: PlaybackRate(2))
        #expect(await moments.next()?.reasons == [.started])
        for number in 1...8 {
            #expect(await sleeps.next() == .milliseconds(250 * number))
            // Half of the interval doesn't wake the sleeper.
            clock.advance(by: .milliseconds(125))
            #expect(clock.sleeperCount == 1)
            clock.advance(by: .milliseconds(125))
            let moment = await moments.next()
            #expect(moment?.time == instant(Int64(number), over: 2))
            #expect(moment?.reasons == [.interval])
            #expect(moment?.rate == PlaybackRate(2))
        }
        #expect(await sleeps.next() == .milliseconds(2250))
        timeline.pause()
        #expect(await moments.next()?.reasons == [.stopped])
        #expect(timeline.currentTime == instant(4))
        clock.advance(by: .seconds(5))
        #expect(timeline.currentTime == instant(4))
        #expect(timeline.rate == .paused)
    }

    @Test("two observers of unlike kind are each told all of their own")
    func twoObservers() async throws {
        let clock = ManualClock()
        let timeline = try PlaybackTimeline(duration: instant(10), clock: clock)
        let chapters = try timeline.traversals(of: [instant(2), instant(1), instant(7)])
        let ticks = try timeline.moments(every: instant(3))
        timeline.play()
        let traversals = Task {
            var times: [RationalTime] = []
            for await traversal in chapters {
                times.append(traversal.time)
                if times.count == 3 {
                    break
                }
            }
            return times
        }
        let moments = Task {
            var last: PlaybackMoment?
            var reasons: Set<PlaybackMoment.Reason> = []
            for await moment in ticks {
                reasons.formUnion(moment.reasons)
                last = moment
                if reasons.contains(.stopped) {
                    break
                }
            }
            return (last, reasons)
        }
        clock.advance(by: .seconds(12))
        #expect(await traversals.value == [instant(1), instant(2), instant(7)])
        let (last, reasons) = await moments.value
        #expect(last?.time == instant(10))
        #expect(reasons == [.started, .interval, .stopped])
    }

    @Test("a slow consumer finds the newest moment with every reason, and all traversals")
    func slowConsumers() async throws {
        let clock = ManualClock()
        let timeline = try PlaybackTimeline(duration: instant(10), atEnd: .loop, clock: clock)
        let ticks = try timeline.moments(every: instant(1))
        let chapters = try timeline.traversals(of: [instant(5)])
        timeline.play()
        for _ in 0..<95 {
            clock.advance(by: .seconds(1))
            #expect(timeline.rate == .normal)
        }
        timeline.pause()
        var moments = ticks.makeAsyncIterator()
        let moment = await moments.next()
        #expect(moment?.time == instant(5))
        #expect(moment?.rate == .paused)
        #expect(moment?.reasons == [.started, .interval, .looped, .stopped])
        var traversals = chapters.makeAsyncIterator()
        for _ in 0..<10 {
            #expect(
                await traversals.next()
                    == BoundaryTraversal(time: instant(5), direction: .forwards))
        }
        timeline.seek(to: instant(5))
        timeline.play(at: .reversed)
        #expect(
            await traversals.next() == BoundaryTraversal(time: instant(5), direction: .backwards))
    }

    @Test("cancelling the consumer ends its observation, wakes nobody later and frees it")
    func cancellation() async throws {
        let clock = ManualClock()
        var sleeps = clock.sleeps.makeAsyncIterator()
        let timeline = try PlaybackTimeline(duration: instant(10), clock: clock)
        let ticks = try timeline.moments(every: instant(1))
        let (begun, didBegin) = AsyncStream.makeStream(of: Void.self)
        timeline.play()
        let consumer = Task {
            var count = 0
            for await _ in ticks {
                count += 1
                didBegin.yield()
            }
            return count
        }
        var beginnings = begun.makeAsyncIterator()
        await beginnings.next()
        #expect(await sleeps.next() == .seconds(1))
        #expect(timeline.observerCount == 1)
        consumer.cancel()
        #expect(await consumer.value == 1)
        #expect(timeline.observerCount == 0)
        #expect(clock.sleeperCount == 0)
        var late = ticks.makeAsyncIterator()
        #expect(await late.next() == nil)
    }

    @Test("letting go of an observation ends it; it alone keeps its timeline alive")
    func release() async throws {
        let clock = ManualClock()
        var timeline: PlaybackTimeline? = try PlaybackTimeline(duration: instant(10), clock: clock)
        weak let witness = timeline
        var ticks = try timeline?.moments(every: instant(1))
        var chapters = try timeline?.traversals(of: [instant(1)])
        #expect(timeline?.observerCount == 2)
        chapters = nil
        #expect(chapters == nil && timeline?.observerCount == 1)
        timeline?.play()
        timeline = nil
        #expect(witness?.observerCount == 1)
        var sleeps = clock.sleeps.makeAsyncIterator()
        #expect(await sleeps.next() == .seconds(1))
        ticks = nil
        #expect(ticks == nil && witness == nil)
        #expect(clock.sleeperCount == 0)
    }

    @Test("a command moves what is due: an earlier deadline takes the place of a later one")
    func rescheduling() async throws {
        let clock = ManualClock()
        var sleeps = clock.sleeps.makeAsyncIterator()
        let timeline = try PlaybackTimeline(duration: instant(10), clock: clock)
        let chapters = try timeline.traversals(of: [instant(4)])
        var traversals = chapters.makeAsyncIterator()
        timeline.play()
        #expect(await sleeps.next() == .seconds(4))
        clock.advance(by: .seconds(1))
        timeline.play(at: PlaybackRate(3))
        #expect(await sleeps.next() == .seconds(2))
        #expect(clock.sleeperCount == 1)
        // From 7 s, the end is due at the same instant as before, so the sleeper isn't restarted.
        timeline.seek(to: instant(7))
        #expect(clock.sleeperCount == 1)
        timeline.play(at: .reversed)
        #expect(await sleeps.next() == .seconds(4))
        clock.advance(by: .seconds(3))
        #expect(
            await traversals.next() == BoundaryTraversal(time: instant(4), direction: .backwards))
    }

    @Test("it runs with Swift's own clock")
    func continuousClock() async throws {
        let timeline = try PlaybackTimeline(duration: instant(1, over: 1000))
        let chapters = try timeline.traversals(of: [instant(1, over: 2000), .zero])
        timeline.play()
        var times: [RationalTime] = []
        for await traversal in chapters {
            times.append(traversal.time)
            if times.count == 2 {
                break
            }
        }
        #expect(times == [.zero, instant(1, over: 2000)])
    }
}
