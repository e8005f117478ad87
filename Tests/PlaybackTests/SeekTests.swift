import Testing
import TimeMaps

@testable import Playback

struct SeekTests {
    struct Row: Sendable, CustomStringConvertible {
        let target: RationalTime
        let before: RationalTime
        let after: RationalTime
        let landing: RationalTime
        var description: String { "to \(target) −\(before) +\(after)" }

        init(
            _ target: RationalTime, _ before: RationalTime, _ after: RationalTime,
            landsAt landing: RationalTime
        ) {
            (self.target, self.before, self.after) = (target, before, after)
            self.landing = landing
        }
    }

    /// Keyframes are at 0, 2, 4, 6 and 9 s of a clip of 10 s.
    static let table = [
        Row(instant(5), .zero, .zero, landsAt: instant(5)),
        Row(instant(5), instant(1, over: 2), instant(1, over: 2), landsAt: instant(5)),
        Row(instant(4), .zero, .zero, landsAt: instant(4)),
        Row(instant(4), instant(10), instant(10), landsAt: instant(4)),
        // The tolerance ends exactly at a keyframe, which still counts.
        Row(instant(5), instant(1), .zero, landsAt: instant(4)),
        Row(instant(5), .zero, instant(1), landsAt: instant(6)),
        Row(instant(5), instant(999, over: 1000), instant(1), landsAt: instant(6)),
        // If two are equally near, the earlier one.
        Row(instant(5), instant(1), instant(1), landsAt: instant(4)),
        Row(instant(51, over: 10), instant(3), instant(3), landsAt: instant(6)),
        Row(instant(49, over: 10), instant(3), instant(3), landsAt: instant(4)),
        Row(instant(8), instant(2), instant(1, over: 2), landsAt: instant(6)),
        // There is no keyframe after the last one, and none before 0.
        Row(instant(19, over: 2), .zero, instant(10), landsAt: instant(19, over: 2)),
        Row(instant(-3), instant(1), instant(1), landsAt: .zero),
        Row(instant(30), instant(1), .zero, landsAt: instant(9)),
        Row(instant(30), instant(1, over: 2), .zero, landsAt: instant(10)),
        // Thirds, sevenths and 32 bits of timescale compare exactly.
        Row(instant(13, over: 3), instant(1, over: 3), .zero, landsAt: instant(4)),
        Row(
            instant(13, over: 3), instant(715_827_882, over: .max), .zero,
            landsAt: instant(13, over: 3)),
    ]

    @Test("a seek lands at the nearest keyframe inside of the tolerance", arguments: table)
    func tolerance(row: Row) async throws {
        let keys = try SeekPoints(
            keyframes: [.zero, instant(2), instant(4), instant(6), instant(9)])
        let timeline = try PlaybackTimeline(
            duration: instant(10), seekPoints: keys, clock: ManualClock())
        let outcome = try await timeline.seek(
            to: row.target, toleranceBefore: row.before, toleranceAfter: row.after)
        #expect(outcome == .landed(at: row.landing))
        #expect(timeline.currentTime == row.landing)
    }

    @Test("where no time is cheaper, a seek lands exactly")
    func anywhere() async throws {
        let timeline = try PlaybackTimeline(duration: instant(10), clock: ManualClock())
        let outcome = try await timeline.seek(
            to: instant(10, over: 7), toleranceBefore: instant(5), toleranceAfter: instant(5))
        #expect(outcome == .landed(at: instant(10, over: 7)))
        #expect(timeline.seek(to: instant(11)) == instant(10))
    }

    @Test("neighbours outside of the media or on the wrong side don't count")
    func badNeighbours() throws {
        let window = try SeekWindow(
            target: instant(5), before: instant(100), after: instant(100), duration: instant(10))
        for neighbours in [
            SeekNeighbours(before: instant(-1), after: instant(11)),
            SeekNeighbours(before: instant(6), after: instant(4)),
            SeekNeighbours(before: RationalTime(.min, over: 1), after: RationalTime(.max, over: 1)),
        ] {
            #expect(window.landing(neighbours) == instant(5))
        }
    }

    @Test("negative tolerances and keyframe times that don't increase are refused")
    func refusals() async throws {
        let timeline = try PlaybackTimeline(duration: instant(10), clock: ManualClock())
        for (before, after) in [(instant(-1), RationalTime.zero), (.zero, instant(-1))] {
            let error = await #expect(throws: PlaybackError.self) {
                try await timeline.seek(
                    to: instant(1), toleranceBefore: before, toleranceAfter: after)
            }
            #expect(error?.code == .tolerance)
        }
        let error = #expect(throws: PlaybackError.self) {
            try SeekPoints(keyframes: [.zero, instant(2), instant(4, over: 2)])
        }
        #expect(error?.code == .unsorted)
    }

    @Test("a second seek overtakes the first, whose search is cancelled and which moves nothing")
    func overtaken() async throws {
        let (begun, didBegin) = AsyncStream.makeStream(of: Void.self)
        let timeline = try PlaybackTimeline(
            duration: instant(10), seekPoints: Self.searching(forever: instant(3), didBegin),
            clock: ManualClock())
        let first = Task {
            try await timeline.seek(
                to: instant(3), toleranceBefore: instant(1), toleranceAfter: instant(1))
        }
        var beginnings = begun.makeAsyncIterator()
        await beginnings.next()
        let second = try await timeline.seek(
            to: instant(8), toleranceBefore: instant(1), toleranceAfter: .zero)
        #expect(second == .landed(at: instant(15, over: 2)))
        #expect(try await first.value == .overtaken)
        #expect(timeline.currentTime == instant(15, over: 2))
    }

    @Test("an exact seek overtakes, too")
    func overtakenByExact() async throws {
        let (begun, didBegin) = AsyncStream.makeStream(of: Void.self)
        let timeline = try PlaybackTimeline(
            duration: instant(10), seekPoints: Self.searching(forever: instant(3), didBegin),
            clock: ManualClock())
        let first = Task {
            try await timeline.seek(
                to: instant(3), toleranceBefore: instant(1), toleranceAfter: instant(1))
        }
        var beginnings = begun.makeAsyncIterator()
        await beginnings.next()
        timeline.seek(to: instant(9))
        #expect(try await first.value == .overtaken)
        #expect(timeline.currentTime == instant(9))
    }

    @Test("a seek whose task is cancelled throws and moves nothing; a failed search too")
    func cancelledAndFailed() async throws {
        let (begun, didBegin) = AsyncStream.makeStream(of: Void.self)
        let timeline = try PlaybackTimeline(
            duration: instant(10), seekPoints: Self.searching(forever: instant(3), didBegin),
            clock: ManualClock())
        let seek = Task {
            try await timeline.seek(
                to: instant(3), toleranceBefore: instant(1), toleranceAfter: instant(1))
        }
        var beginnings = begun.makeAsyncIterator()
        await beginnings.next()
        seek.cancel()
        await #expect(throws: CancellationError.self) { try await seek.value }
        await #expect(throws: TimeError.self) {
            try await timeline.seek(
                to: .zero, toleranceBefore: instant(1), toleranceAfter: instant(1))
        }
        #expect(timeline.currentTime == .zero)
    }

    /// The keyframe before any time is half a second earlier. For one time the search lasts until it is
    /// cancelled, and for 0 it fails.
    private static func searching(
        forever stuck: RationalTime, _ didBegin: AsyncStream<Void>.Continuation
    ) -> SeekPoints {
        SeekPoints { time in
            if time == .zero {
                throw TimeError.malformed("no index")
            }
            guard time == stuck else {
                return SeekNeighbours(before: try time - instant(1, over: 2), after: nil)
            }
            didBegin.yield()
            let (never, end) = AsyncStream.makeStream(of: Void.self)
            for await _ in never {}
            end.finish()
            try Task.checkCancellation()
            return SeekNeighbours(before: nil, after: nil)
        }
    }
}
