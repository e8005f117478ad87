import RandomCompositions
import Testing
import TimeMaps

@testable import TimeWarp

@Suite("Markers")
struct MarkerTests {
    /// One clip, placed at 1:45 of a track.
    private func composition(
        _ retiming: Retiming, range clipRange: TimeRange, at markers: [RationalTime],
        lasting duration: RationalTime? = nil
    ) throws -> Composition {
        var track = Track(name: "V1")
        try track.append(.gap(lasting: seconds(105)))
        let clip = try PlacedClip("a.mp4", range: clipRange, retiming: retiming)
        try track.append(
            Segment(clip, lasting: duration, markers: markers.map { try Marker("hit", at: $0) }))
        return Composition(tracks: [track])
    }

    @Test("a marker at 0:35 of a clip placed at 1:45 is at 2:20")
    func placed() throws {
        let composition = try composition(
            .uniform, range: range(0, 60), at: [seconds(35)])
        let marker = try #require(try composition.markers.first)
        #expect(marker.time == seconds(140))
        #expect(marker.trackName == "V1" && marker.track == 0 && marker.segment == 1)
    }

    @Test("a marker counts in the asset's time, whatever part of it is used")
    func ranges() throws {
        let composition = try composition(
            .uniform, range: range(30, 60), at: [seconds(35), seconds(29), seconds(60)])
        #expect(try composition.markers.map(\.time) == [seconds(110)])
        #expect(try composition.hiddenMarkers.map(\.marker.at) == [seconds(29), seconds(60)])
    }

    @Test("a marker moves when its clip is scaled")
    func scaled() throws {
        var composition = try composition(.uniform, range: range(0, 60), at: [seconds(35)])
        try composition.scale(range(105, 165), to: seconds(120), onTrack: 0)
        #expect(try composition.markers.map(\.time) == [seconds(175)])
    }

    @Test("a marker of a reversed clip is as far from the end as it was from the start")
    func reversed() throws {
        let composition = try composition(
            .reversed, range: range(0, 60), at: [seconds(35), seconds(60)])
        #expect(try composition.markers.map(\.time) == [seconds(105), seconds(130)])
    }

    @Test("of a freeze only the held instant is shown, from the start")
    func frozen() throws {
        let composition = try composition(
            .frozen(at: seconds(7)), range: range(0, 60), at: [seconds(7), seconds(8)],
            lasting: seconds(3))
        #expect(try composition.markers.map(\.time) == [seconds(105)])
        #expect(try composition.hiddenMarkers.map(\.marker.at) == [seconds(8)])
    }

    @Test("a marker of a warped clip goes through the curve")
    func warped() throws {
        // s = 1 + t over 10 s: F(1/2) = 5/8.
        let curve = Curve.scale(try Formula("1 + t"))
        let composition = try composition(.curve(curve), range: range(0, 10), at: [seconds(5)])
        let time = try #require(try composition.markers.first).time.seconds
        // Rounding of half a nanosecond.
        #expect(abs(time - (105 + 6.25)) < 1e-9)
    }

    @Test("an instant that is shown twice is marked where it comes first")
    func twice() throws {
        let map = TimeMapDocument(points: [
            TimeAnchor(source: .zero, output: .zero),
            TimeAnchor(source: seconds(10), output: seconds(5)),
            TimeAnchor(source: .zero, output: seconds(15)),
        ])
        let composition = try composition(.timeMap(map), range: range(0, 10), at: [seconds(4)])
        #expect(try composition.markers.map(\.time) == [seconds(107)])
        let times = try composition.times(of: seconds(4), in: "a.mp4")
        #expect(times.map(\.time) == [seconds(107), seconds(116)])
    }

    @Test("a marked stretch is as long as its clip makes it")
    func stretches() throws {
        for (retiming, start, end) in [
            (Retiming.uniform, 110, 114), (Retiming.reversed, 111, 115),
        ] {
            var track = Track()
            try track.append(.gap(lasting: seconds(100)))
            let clip = try PlacedClip("a.mp4", range: range(0, 10), retiming: retiming)
            let at = retiming == .uniform ? seconds(5) : seconds(5, 2)
            try track.append(
                Segment(
                    clip, lasting: seconds(20),
                    markers: [Marker("m", at: at, lasting: seconds(2))]))
            let marker = try #require(try Composition(tracks: [track]).markers.first)
            #expect(marker.range == (try range(Int64(start), Int64(end))))
            #expect(marker.time == (retiming == .uniform ? seconds(110) : seconds(115)))
        }
    }

    @Test("a removed part takes its markers with it, and a cut none")
    func cut() throws {
        var composition = try composition(
            .uniform, range: range(0, 60), at: [seconds(10), seconds(35)])
        try composition.insertEmpty(range(120, 125), onTrack: 0)
        #expect(try composition.markers.map(\.time) == [seconds(115), seconds(145)])
        try composition.remove(range(105, 125), fromTrack: 0)
        #expect(try composition.markers.map(\.time) == [seconds(125)])
    }

    @Test("markers before 0, of negative length, or on a gap are refused")
    func nonsense() throws {
        #expect(throws: CompositionError.self) { try Marker("m", at: seconds(-1)) }
        #expect(throws: CompositionError.self) {
            try Marker("m", at: .zero, lasting: seconds(-1))
        }
        var track = try Track(segments: [.gap(lasting: seconds(1))])
        let marker = try Marker("m", at: .zero)
        #expect(throws: CompositionError.self) { try track.setMarkers([marker], ofSegment: 0) }
        #expect(throws: CompositionError.self) { try track.setMarkers([marker], ofSegment: 1) }
    }
}
