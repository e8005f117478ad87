import RandomCompositions
import Testing
import TimeMaps

@testable import TimeWarp

@Suite("Tracks, whatever is done to them")
struct TrackPropertyTests {
    /// Checks that a track has no holes, exact positions, and no gap next to a gap.
    private func expectSound(_ track: Track, seed: UInt64) throws {
        var end = RationalTime.zero
        var wasGap = false
        for (index, placed) in track.placed.enumerated() {
            #expect(placed.range.start == end, "seed \(seed)")
            #expect(placed.range.duration == placed.segment.duration)
            #expect(placed.segment.duration > .zero)
            #expect(!(wasGap && placed.segment.isGap), "seed \(seed)")
            #expect(track.segmentIndex(at: placed.range.start) == index)
            wasGap = placed.segment.isGap
            end = placed.range.end
        }
        #expect(track.duration == end)
        #expect(track.segmentIndex(at: end) == nil)
    }

    @Test("random edits keep a track gap-free, and as long as the sum says", arguments: 1...60)
    func edits(seed: UInt64) throws {
        var random = RandomCompositions(seed: seed)
        var track = try random.track("V")
        for _ in 0..<12 where track.duration > .zero {
            let before = track
            var expected = track.duration
            let range = try random.range(in: track)
            switch Int.random(in: 0..<5, using: &random.generator) {
            case 0:
                let segment = try random.segment()
                expected = try expected + segment.duration
                try track.insert(segment, at: random.instant(in: track))
            case 1:
                expected = try expected - range.duration
                try track.remove(range)
            case 2:
                expected = try expected + range.duration
                try track.insertEmpty(range)
            case 3:
                let goal = try RationalTime(fine: range.duration.seconds * 1.5)
                expected = try expected - range.duration + goal
                try track.scale(range, to: goal)
            default:
                try track.split(at: range.start)
            }
            #expect(track.duration == expected, "seed \(seed), \(before.segments.count) segments")
            try expectSound(track, seed: seed)
        }
    }

    @Test("inserting and removing again is the identity", arguments: 1...40)
    func insertAndRemove(seed: UInt64) throws {
        var random = RandomCompositions(seed: seed)
        random.stretchesClips = false
        var track = try random.track("V")
        try track.joinContinuingSegments()
        let before = track
        let place = random.instant(in: track)
        let segment = try random.segment()
        try track.insert(segment, at: place)
        try track.remove(TimeRange(start: place, duration: segment.duration))
        #expect(track.duration == before.duration)
        try track.joinContinuingSegments()
        #expect(track == before, "seed \(seed)")
    }

    @Test("scaling there and back is the identity", arguments: 1...40)
    func scaleAndBack(seed: UInt64) throws {
        var random = RandomCompositions(seed: seed)
        random.stretchesClips = false
        var track = try random.track("V")
        try track.joinContinuingSegments()
        let before = track
        let range = try random.range(in: track)
        let goal = try range.duration.multiplied(by: 2, over: 1)
        try track.scale(range, to: goal)
        #expect(track.duration == (try before.duration + range.duration))
        try track.scale(TimeRange(start: range.start, duration: goal), to: range.duration)
        try track.joinContinuingSegments()
        #expect(track == before, "seed \(seed)")
    }

    @Test("a cut changes nothing of what is shown", arguments: 1...60)
    func cuts(seed: UInt64) throws {
        var random = RandomCompositions(seed: seed)
        var composition = Composition(tracks: [try random.track("V")])
        let whole = composition
        for _ in 0..<4 {
            try composition.tracks[0].split(at: random.instant(in: composition.tracks[0]))
        }
        #expect(composition.duration == whole.duration)
        for _ in 0..<60 {
            let y = random.instant(in: whole.tracks[0])
            let (a, b) = (try whole.placement(at: y), try composition.placement(at: y))
            #expect(a.map(\.media) == b.map(\.media), "seed \(seed) at \(y)")
            for (a, b) in zip(a, b) {
                // A cut is rounded to half a nanosecond of the retimed clip. Here a clip plays up to 5 times
                // faster than normal, and twice that where keyframes change direction.
                #expect(
                    abs(a.assetTime.seconds - b.assetTime.seconds) < 1e-8,
                    "seed \(seed) at \(y.seconds)")
            }
        }
        #expect(try composition.markers.map(\.marker) == whole.markers.map(\.marker))
        for (a, b) in zip(try composition.markers, try whole.markers) {
            #expect(abs(a.time.seconds - b.time.seconds) < 1e-6, "seed \(seed): \(a.marker)")
        }
        #expect(try composition.hiddenMarkers.count == whole.hiddenMarkers.count)
    }

    @Test("the parts of a cut have the map of the whole", arguments: 1...40)
    func maps(seed: UInt64) throws {
        var random = RandomCompositions(seed: seed)
        var segment = try random.segment()
        while segment.isGap {
            segment = try random.segment()
        }
        let place = try RationalTime(fine: segment.duration.seconds * 3 / 8)
        let (first, second) = try segment.split(at: place)
        let maps = try [segment, first, second].map { try $0.timeMap() }
        #expect(maps[0].exactOutputDuration == segment.duration)
        #expect(maps[1].exactOutputDuration == place)
        #expect(try maps[2].exactOutputDuration == segment.duration - place)
        for step in 0..<100 {
            let y = segment.duration.seconds * (Double(step) + 0.37) / 100
            let part =
                y < place.seconds
                ? maps[1].sourceTime(at: y) : maps[2].sourceTime(at: y - place.seconds)
            // Half a nanosecond at the cut, at a speed of a few times normal.
            #expect(abs(part - maps[0].sourceTime(at: y)) < 1e-8, "seed \(seed), y \(y)")
        }
        #expect(first.markers.count + second.markers.count == segment.markers.count)
    }
}
