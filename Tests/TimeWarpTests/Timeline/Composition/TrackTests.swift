import RandomCompositions
import Testing
import TimeMaps

@testable import TimeWarp

@Suite("Editing a track")
struct TrackTests {
    private func track() throws -> Track {
        var track = Track(name: "V1")
        try track.append(range(0, 10), of: "a.mp4")
        try track.append(range(5, 9), of: "b.mp4")
        return track
    }

    /// `a 0…4`: which part of which file plays, in seconds.
    private func strip(_ track: Track) throws -> [String] {
        try track.segments.map { segment in
            guard let clip = segment.clip else {
                return "- \(segment.duration)"
            }
            let map = try segment.timeMap()
            let first = try clip.range.start + #require(map.pieces.first?.exact?.sourceStart)
            let last = try clip.range.start + #require(map.pieces.last?.exact?.sourceEnd)
            return "\(clip.media.prefix(1)) \(first)…\(last) in \(segment.duration)"
        }
    }

    @Test("an insertion cuts what lies there and moves what follows")
    func insert() throws {
        var track = try track()
        try track.insert(range(1, 3), of: "c.mp4", at: seconds(4))
        #expect(
            try strip(track) == ["a 0…4 in 4", "c 1…3 in 2", "a 4…10 in 6", "b 5…9 in 4"])
        try track.insert(range(0, 1), of: "d.mp4", at: track.duration)
        #expect(try strip(track).last == "d 0…1 in 1")
    }

    @Test("an empty range moves what follows to its end")
    func insertEmpty() throws {
        var track = try track()
        try track.insertEmpty(range(4, 7))
        #expect(try strip(track) == ["a 0…4 in 4", "- 3", "a 4…10 in 6", "b 5…9 in 4"])
    }

    @Test("neighbouring gaps are one gap")
    func gaps() throws {
        var track = try track()
        try track.insertEmpty(range(10, 11))
        try track.insertEmpty(range(10, 12))
        #expect(try strip(track) == ["a 0…10 in 10", "- 3", "b 5…9 in 4"])
        try track.insertEmpty(range(0, 1))
        try track.remove(range(1, 11))
        #expect(try strip(track) == ["- 4", "b 5…9 in 4"])
    }

    @Test("what follows a removed range closes up")
    func remove() throws {
        var track = try track()
        try track.remove(range(8, 12))
        #expect(try strip(track) == ["a 0…8 in 8", "b 7…9 in 2"])
        try track.remove(range(0, 10))
        #expect(track.segments.isEmpty && track.duration == .zero)
    }

    @Test("scaling cuts at the ends and makes all inside uniformly longer")
    func scale() throws {
        var track = try track()
        try track.scale(range(8, 12), to: seconds(6))
        #expect(
            try strip(track) == ["a 0…8 in 8", "a 8…10 in 3", "b 5…7 in 3", "b 7…9 in 2"])
        #expect(track.duration == seconds(16))
    }

    @Test("a scaled reverse is cut from its end")
    func scaledReverse() throws {
        var track = Track()
        let clip = try PlacedClip("a.mp4", range: range(2, 10), retiming: .reversed)
        try track.append(Segment(clip, lasting: seconds(16)))
        try track.split(at: seconds(4))
        #expect(try strip(track) == ["a 10…8 in 4", "a 8…2 in 12"])
        try track.joinContinuingSegments()
        #expect(try strip(track) == ["a 10…2 in 16"])
    }

    @Test("neighbours that play at different speeds stay two")
    func unlikeNeighbours() throws {
        var track = Track()
        try track.append(range(0, 10), of: "a.mp4")
        try track.scale(range(0, 5), to: seconds(6))
        try track.joinContinuingSegments()
        #expect(track.segments.count == 2)
    }

    @Test("a part of a freeze is the same freeze")
    func freeze() throws {
        var track = Track()
        let clip = try PlacedClip("a.mp4", range: range(0, 10), retiming: .frozen(at: seconds(3)))
        try track.append(Segment(clip, lasting: seconds(2)))
        let whole = track
        try track.split(at: seconds(1, 2))
        #expect(try strip(track) == ["a 3…3 in 1/2", "a 3…3 in 3/2"])
        try track.joinContinuingSegments()
        #expect(track == whole)
    }

    @Test("a range scaled to an odd length lasts exactly that, however warped its clips are")
    func oddLengths() throws {
        var track = Track()
        for factor in [1.3, 0.7] {
            let clip = try PlacedClip(
                "a.mp4", range: range(0, 10), retiming: .curve(.builtIn(.ramp, factor: factor)))
            try track.append(Segment(clip))
        }
        let goal = seconds(10_010, 1001)
        try track.scale(TimeRange(start: .zero, end: track.duration), to: goal)
        #expect(track.duration == goal)
        for segment in track.segments {
            #expect(try segment.timeMap().exactOutputDuration == segment.duration)
        }
    }

    @Test("lengths of curves add to frames of 30 and 30000/1001 a second, and to samples")
    func mixedTicks() throws {
        var track = Track()
        let clip = try PlacedClip(
            "a.mp4", range: range(0, 10), retiming: .curve(.builtIn(.triangle, factor: 1.37)))
        for tick in [
            seconds(301, 30), seconds(1001 * 7, 30_000), seconds(1, 48_000),
            seconds(1, 44_100), seconds(1_234_567, 1_000_000), seconds(1, 90_000),
        ] {
            try track.append(.gap(lasting: tick))
            try track.append(Segment(clip))
        }
        let sum = track.segments.reduce(0.0) { $0 + $1.duration.seconds }
        // The sum of twelve Doubles.
        #expect(abs(track.duration.seconds - sum) < 1e-12)
    }

    @Test("nonsense is refused, and changes nothing")
    func nonsense() throws {
        let before = try track()
        var track = before
        #expect(throws: CompositionError.self) { try track.remove(range(8, 15)) }
        #expect(throws: CompositionError.self) { try track.remove(range(3, 3)) }
        #expect(throws: CompositionError.self) { try track.scale(range(3, 4), to: .zero) }
        #expect(throws: CompositionError.self) { try track.scale(range(3, 4), to: seconds(-1)) }
        #expect(throws: CompositionError.self) { try track.scale(range(3, 4), to: seconds(9999)) }
        #expect(throws: CompositionError.self) { try track.split(at: seconds(15)) }
        #expect(throws: CompositionError.self) { try track.split(at: seconds(-1)) }
        #expect(throws: CompositionError.self) { try track.insertEmpty(range(2, 2)) }
        #expect(throws: CompositionError.self) {
            try track.insert(range(1, 1), of: "c.mp4", at: .zero)
        }
        #expect(throws: CompositionError.self) {
            try track.insert(range(-1, 1), of: "c.mp4", at: .zero)
        }
        #expect(throws: CompositionError.self) { try track.insert(range(0, 1), of: "", at: .zero) }
        #expect(throws: TimeError.self) {
            try track.insert(.gap(lasting: seconds(1, 2_147_483_647)), at: seconds(1, 7))
        }
        #expect(track == before)
        var composition = Composition(tracks: [track])
        #expect(throws: CompositionError.self) {
            try composition.remove(range(0, 1), fromTrack: 1)
        }
    }

    @Test("a composition lasts as long as its longest track")
    func duration() throws {
        var composition = Composition(tracks: [Track(name: "V1"), Track(name: "V2")])
        #expect(composition.duration == .zero)
        try composition.append(range(0, 3), of: "a.mp4", toTrack: 0)
        try composition.insertEmpty(range(0, 5), onTrack: 1)
        #expect(composition.duration == seconds(5))
        try composition.insert(range(0, 4), of: "b.mp4", at: seconds(1), onTrack: 0)
        try composition.scale(range(0, 7), to: seconds(14), onTrack: 0)
        #expect(composition.duration == seconds(14))
    }
}
