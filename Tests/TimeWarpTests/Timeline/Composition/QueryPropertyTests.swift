import RandomCompositions
import Testing
import TimeMaps

@testable import TimeWarp

@Suite("Questions both ways")
struct QueryPropertyTests {
    @Test("what plays at an instant is seen at that instant", arguments: 1...60)
    func bothWays(seed: UInt64) throws {
        var random = RandomCompositions(seed: seed)
        let composition = try random.composition()
        for _ in 0..<20 {
            let y = random.instant(in: composition.tracks[0])
            for placement in try composition.placement(at: y) {
                let segment = composition.tracks[placement.track].segments[placement.segment]
                #expect(segment.clip?.media == placement.media)
                let times = try composition.times(of: placement.assetTime, in: placement.media)
                let start = composition.tracks[placement.track].range(of: placement.segment).start
                let near = try tolerance(segment, y.difference(start))
                let isSeen = times.contains { time in
                    time.track == placement.track && time.time.seconds - near <= y.seconds
                        && y.seconds <= time.time.seconds + time.duration.seconds + near
                }
                #expect(
                    isSeen, "seed \(seed), y \(y.seconds): \(placement) \(times) \(segment)")
            }
        }
    }

    /// An asset time is exact to half a nanosecond, so its output time is exact to that divided by the speed.
    /// Where the speed of a keyframed curve reaches 0, it is exact to the square root.
    private func tolerance(_ segment: Segment, _ place: RationalTime) throws -> Double {
        if case .curve(let curve) = segment.clip?.retiming, case .keyframes = curve.shape {
            return 2e-4
        }
        let speed = try segment.timeMap().speed(at: place.seconds)
        return speed == 0 ? 1e-9 : 1e-9 * (1 + 1 / abs(speed))
    }

    @Test("an instant that is seen at a time is what plays then", arguments: 1...60)
    func theOtherWay(seed: UInt64) throws {
        var random = RandomCompositions(seed: seed)
        let composition = try random.composition()
        for media in RandomCompositions.lengths.keys.sorted() {
            for _ in 0..<15 {
                let x = random.time(below: try RandomCompositions.length(of: media))
                for occurrence in try composition.times(of: x, in: media) {
                    let placements = try composition.placement(at: occurrence.time)
                    let shown = try #require(
                        placements.first { $0.track == occurrence.track },
                        "seed \(seed): \(occurrence)")
                    #expect(shown.segment == occurrence.segment, "seed \(seed): \(occurrence)")
                    let track = composition.tracks[shown.track]
                    let speeds = try track.segments[shown.segment].timeMap().speedRange
                    let speed = max(abs(speeds.lowerBound), abs(speeds.upperBound))
                    // Times that aren't exact are rounded to half a nanosecond.
                    #expect(
                        abs(shown.assetTime.seconds - x.seconds) < 1e-9 * (1 + speed),
                        "seed \(seed): \(occurrence), \(shown)")
                }
            }
        }
    }

    @Test("markers lie where a search finds them", arguments: 1...60)
    func markers(seed: UInt64) throws {
        var random = RandomCompositions(seed: seed)
        let composition = try random.composition()
        let (placed, hidden) = (try composition.markers, try composition.hiddenMarkers)
        let all = composition.tracks.flatMap { $0.segments.flatMap(\.markers) }
        #expect(placed.count + hidden.count == all.count)
        for marker in placed {
            let track = composition.tracks[marker.track]
            let segment = track.segments[marker.segment]
            #expect(track.range(of: marker.segment).contains(marker.time), "seed \(seed)")
            let found = try firstShowing(marker.marker.at, segment)
            let time = try marker.time - track.range(of: marker.segment).start
            #expect(
                abs(try #require(found, "seed \(seed): \(marker)") - time.seconds) < 2e-3,
                "seed \(seed): \(marker) \(segment)")
            #expect(
                marker.range.start <= marker.time && marker.time <= marker.range.end,
                "seed \(seed): \(marker) \(segment)")
            #expect(track.range(of: marker.segment).end >= marker.range.end)
        }
        for marker in hidden {
            let segment = composition.tracks[marker.track].segments[marker.segment]
            #expect(try firstShowing(marker.marker.at, segment) == nil, "seed \(seed): \(marker)")
        }
    }

    /// Searches step by step through the segment's map, a millisecond at a time.
    private func firstShowing(_ instant: RationalTime, _ segment: Segment) throws -> Double? {
        let map = try segment.timeMap()
        let x = instant.seconds - (segment.clip?.range.start.seconds ?? 0)
        let steps = Int(segment.duration.seconds * 1000) + 1
        var last: (y: Double, x: Double)?
        for step in 0..<steps {
            let y = Double(step) * segment.duration.seconds / Double(steps)
            let shown = map.sourceTime(at: y)
            if abs(shown - x) < 1e-9 {
                return y
            }
            if let last, (last.x - x) * (shown - x) < 0, isSmooth(map, last.y, y) {
                return y
            }
            last = (y, shown)
        }
        let end = map.sourceTime(at: segment.duration.seconds * (1 - 1e-12))
        guard let last, (last.x - x) * (end - x) < 0 else {
            return nil
        }
        return last.y
    }

    /// Whether there is no jump between two times. What a jump skips isn't shown.
    private func isSmooth(_ map: TimeMap, _ from: Double, _ to: Double) -> Bool {
        zip(map.pieces, map.pieces.dropFirst()).allSatisfy { before, piece in
            piece.outputStart <= from || piece.outputStart > to
                || abs(before.sourceEnd - piece.sourceStart) < 1e-6
        }
    }
}
