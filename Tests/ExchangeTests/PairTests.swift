import Foundation
import RandomCompositions
import TestSupport
import Testing
import TimeMaps

@testable import Exchange
@testable import TimeWarp

/// A pair of formats.
struct FormatPair: Sendable, CustomStringConvertible {
    let (from, to): (TestFormat, TestFormat)

    var description: String { "\(from) → \(to)" }

    static let all = TestFormat.all.flatMap { from in
        TestFormat.all.map { FormatPair(from: from, to: $0) }
    }
}

@Suite("From any editor to any editor")
struct PairTests {
    /// A random composition with a frame rate that every format has. Its clips begin and end anywhere.
    private func composition(_ seed: UInt64) throws -> Composition {
        var random = RandomCompositions(seed: seed)
        var composition = try random.composition()
        composition.format.frameRate = random.pick([
            FrameRate(known: 24), FrameRate(known: 25), FrameRate(known: 30_000, over: 1001),
            FrameRate(known: 60),
        ])
        return composition
    }

    @Test(
        "everything is shown within half a frame of where it was, and written again it stays",
        arguments: TestFormat.all)
    func copies(format: TestFormat) throws {
        for seed in UInt64(1)...20 {
            let composition = try composition(seed)
            let copy = try format.copy(composition).composition
            try compare(
                composition, copy, keepingTracks: format.description != "edl",
                within: Self.halfFrame, seed)
            let again = try format.copy(copy).composition
            let changes = try changes(copy, again, keepingMarkers: format.description != "mlt")
            #expect(changes.isEmpty, "seed \(seed): \(changes.prefix(3))")
        }
    }

    @Test("what goes there and back does so in every format", arguments: TestFormat.all)
    func thereAndBack(format: TestFormat) throws {
        let ways: [Retiming] = [
            .uniform, .curve(.builtIn(.ramp, factor: 2, modifier: 0.5)), .reversed,
        ]
        var track = Track(name: "V1")
        for way in ways {
            let clip = try PlacedClip(
                "a.mp4", range: TimeRange(start: seconds(1), end: seconds(5)),
                retiming: .thereAndBack(way, turningAt: seconds(7, 2)))
            try track.append(Segment(clip))
        }
        let composition = Composition(
            format: Composition.Format(frameRate: FrameRate(known: 25)), tracks: [track])
        #expect(composition.duration == seconds(21))
        try compare(
            composition, format.copy(composition).composition,
            keepingTracks: format.description != "edl", within: Self.halfFrame, 0)
    }

    /// In frames. Speeds in a list of edits have few decimals.
    private static let halfFrame = 0.502

    @Test(
        "from one format to another and back, everything is shown within half a frame of where it was",
        arguments: FormatPair.all)
    func roundTrip(pair: FormatPair) throws {
        // Twelve compositions, of which each pair gets four and the next pair the next four.
        let number = FormatPair.all.firstIndex { $0.description == pair.description } ?? 0
        for seed in (0..<4).map({ UInt64((4 * number + $0) % 12 + 1) }) {
            let composition = try composition(seed)
            let there = try pair.from.copy(composition).composition
            let back = try pair.from.copy(pair.to.copy(there).composition).composition
            // The list's own half a frame comes on top of that of the other format.
            let isTwice = pair.to.description == "edl" && pair.from.description != "edl"
            let tolerance = isTwice ? 2 * Self.halfFrame : Self.halfFrame
            let keepsTracks = pair.from.description != "edl" && pair.to.description != "edl"
            try compare(
                composition, back, keepingTracks: keepsTracks,
                within: tolerance, seed)
        }
    }

    /// Sentences on what isn't the same, apart from rounding.
    private func changes(_ old: Composition, _ new: Composition, keepingMarkers: Bool) throws
        -> [String]
    {
        let sorted = [described(old, keepingMarkers), described(new, keepingMarkers)]
        guard sorted[0].map(\.track.carries) == sorted[1].map(\.track.carries) else {
            return ["other tracks"]
        }
        var found: [String] = []
        for (index, (first, second)) in zip(sorted[0], sorted[1]).enumerated() {
            found += zip(first.lines, second.lines).filter { $0.0 != $0.1 }.prefix(3).map {
                "\(index): \($0.0) became \($0.1)"
            }
            if first.lines.count != second.lines.count {
                found.append("\(index): \(first.lines.count) segments became \(second.lines.count)")
            }
            found += try differences(old, first.track, second.track, within: 2e-3).prefix(3)
        }
        return found
    }

    /// The tracks and what is in them. Sound tracks have no order; they are sorted.
    private func described(_ composition: Composition, _ keepingMarkers: Bool) -> [(
        track: Track, lines: [String]
    )] {
        let all = composition.tracks.map { (track: $0, lines: lines(of: $0, keepingMarkers)) }
        let sounds = all.filter { $0.track.carries == .sound }
        return all.filter { $0.track.carries != .sound }
            + sounds.sorted { $0.lines.joined() < $1.lines.joined() }
    }

    /// What is in a track, in words.
    private func lines(of track: Track, _ keepingMarkers: Bool) -> [String] {
        track.segments.map { segment in
            let markers = segment.markers.map { "\($0.name) \(milliseconds($0.at))" }
            let clip = segment.clip.map { "\($0.media) \($0.name ?? "")" } ?? "gap"
            let fades = [segment.blending.dissolve, segment.blending.fadeOut].map(microseconds)
            return "\(clip) \(microseconds(segment.duration)) \(fades)"
                + (keepingMarkers ? "\(markers)" : "")
        }
    }

    private func microseconds(_ time: RationalTime) -> Int { Int((time.seconds * 1e6).rounded()) }

    private func milliseconds(_ time: RationalTime) -> Int { Int((time.seconds * 1e3).rounded()) }

    private func compare(
        _ old: Composition, _ new: Composition, keepingTracks: Bool, within tolerance: Double,
        _ seed: UInt64
    ) throws {
        for content in [Track.Content.video, .sound] {
            let tracks = old.tracks(carrying: content)
            var copies = new.tracks(carrying: content)
            let count =
                keepingTracks ? tracks.count : min(tracks.count, content == .video ? 1 : 4)
            try #require(copies.count >= count, "seed \(seed), \(content)")
            for track in tracks.prefix(count) {
                let all = try copies.map { try differences(old, track, $0, within: tolerance) }
                // Sound tracks have no order.
                let index =
                    content == .video ? 0 : all.indices.min { all[$0].count < all[$1].count }
                let best = try #require(index)
                #expect(all[best].isEmpty, "seed \(seed), \(content): \(all[best].prefix(3))")
                copies.remove(at: best)
            }
        }
    }

    /// Sentences on what a track and its copy show differently.
    private func differences(
        _ composition: Composition, _ track: Track, _ copy: Track, within tolerance: Double
    ) throws -> [String] {
        let frame = composition.format.frameRate?.frameDuration.seconds ?? 0
        let (first, second) = (try ShownTrack(track), try ShownTrack(copy))
        let cuts = track.placed.flatMap { [$0.range.start.seconds, $0.range.end.seconds] }
        var found: [String] = []
        for step in 0..<200 {
            let place = track.duration.seconds * (Double(step) + 0.5) / 200
            // Cuts and jumps are at the nearest frame.
            guard cuts.allSatisfy({ abs($0 - place) > frame }) else {
                continue
            }
            let was = first.shown(at: try RationalTime(fine: place))
            let now = second.shown(at: try RationalTime(fine: place))
            if let was, let now, was.file == now.file {
                let error = (now.at - was.at) / frame
                if abs(error) > tolerance, try !jumps(first, at: place, frame) {
                    found.append("\(place): \(error) frames")
                }
            } else if (was == nil) != (now == nil) || was?.file != now?.file {
                found.append("\(place): \(String(describing: was)), \(String(describing: now))")
            }
        }
        return found
    }

    /// Whether what is shown jumps within a frame before or after a place.
    private func jumps(
        _ track: ShownTrack, at place: Double, _ frame: Double
    ) throws -> Bool {
        let times = try [-1.0, 0, 1].compactMap {
            track.shown(at: try RationalTime(fine: place + $0 * frame))?.at
        }
        return times.count < 3 || abs(times[0] + times[2] - 2 * times[1]) > frame
    }
}
