import RandomCompositions
import Testing
import TimeMaps

@testable import TimeWarp

/// Edits of all tracks at once.
@Suite("Edits of all tracks")
struct CompositionEditingTests {
    private func clip(_ media: String, _ start: Int64, _ end: Int64) throws -> Segment {
        try Segment(PlacedClip(media, range: range(start, end)))
    }

    /// Two tracks of 10 and 6 seconds, cut at 4.
    private func composition() throws -> Composition {
        var marked = try clip("b", 0, 6)
        marked.markers = [try Marker("hit", at: seconds(3))]
        marked.blending = Blending(
            dissolve: seconds(2), gain: try Gain([(at: seconds(0), -6), (at: seconds(6), 0)]))
        return try Composition(tracks: [
            Track(segments: [clip("a", 0, 4), marked]),
            Track(carries: .sound, segments: [clip("c", 0, 4), clip("d", 0, 2)]),
        ])
    }

    private func shape(_ composition: Composition) -> [[String]] {
        composition.tracks.map { track in
            track.placed.map { "\($0.segment.clip?.media ?? "-") \($0.range.start.seconds)" }
        }
    }

    @Test("a gap opens on every track that reaches it, and a range closes")
    func gaps() throws {
        var edited = try composition()
        try edited.insertEmpty(range(5, 8))
        #expect(
            shape(edited) == [
                ["a 0.0", "b 4.0", "- 5.0", "b 8.0"], ["c 0.0", "d 4.0", "- 5.0", "d 8.0"],
            ])
        #expect(edited.tracks[0].segments[3].markers.map(\.name) == ["hit"])
        try edited.remove(range(5, 8))
        for index in edited.tracks.indices {
            try edited.tracks[index].joinContinuingSegments()
        }
        #expect(try edited == composition())
        try edited.insertEmpty(range(8, 9))
        #expect(shape(edited)[1] == ["c 0.0", "d 4.0"])
        try edited.remove(range(5, 11))
        #expect(shape(edited) == [["a 0.0", "b 4.0"], ["c 0.0", "d 4.0"]])
        #expect(throws: CompositionError.self) { try edited.remove(range(4, 12)) }
        #expect(throws: CompositionError.self) { try edited.insertEmpty(range(12, 13)) }
    }

    @Test("a range of all tracks is scaled in step, with markers, dissolves and gain")
    func scaled() throws {
        var edited = try composition()
        try edited.scale(range(0, 10), to: seconds(7))
        let places = edited.tracks.map { $0.placed.map(\.range.start) }
        #expect(places[0][1] == places[1][1])
        #expect(abs(places[0][1].seconds - 2.8) < 1e-8)
        #expect(edited.duration == seconds(7))
        #expect(abs(edited.tracks[1].duration.seconds - 4.2) < 1e-8)
        let blending = edited.tracks[0].segments[1].blending
        #expect(abs(blending.dissolve.seconds - 1.4) < 1e-8)
        #expect(abs(blending.gain.keyframes[1].at.seconds - 4.2) < 1e-8)
        let marker = try #require(try edited.markers.first)
        #expect(abs(marker.time.seconds - 4.9) < 1e-8)
    }

    @Test("a composition goes into another, track by track")
    func inserted() throws {
        let other = try Composition(tracks: [
            Track(segments: [clip("e", 0, 2)]), Track(segments: [clip("f", 0, 1)]),
        ])
        var edited = try composition()
        try edited.insert(other, at: seconds(5))
        #expect(
            shape(edited) == [
                ["a 0.0", "b 4.0", "e 5.0", "b 7.0"], ["c 0.0", "d 4.0", "- 5.0", "d 7.0"],
                ["- 0.0", "f 5.0"],
            ])
        #expect(edited.duration == seconds(12))
        var appended = try composition()
        try appended.append(other)
        try appended.append(other)
        #expect(
            shape(appended) == [
                ["a 0.0", "b 4.0", "e 10.0", "e 12.0"], ["c 0.0", "d 4.0"],
                ["- 0.0", "f 10.0", "- 11.0", "f 12.0"],
            ])
        var empty = Composition()
        try empty.append(other)
        #expect(shape(empty) == [["e 0.0"], ["f 0.0"]])
        #expect(throws: CompositionError.self) { try empty.insert(other, at: seconds(3)) }
    }

    @Test("a gain that is cut goes on where it was, and joins again")
    func gains() throws {
        let gain = try Gain([(at: seconds(1), -6), (at: seconds(3), -18)])
        let rest = try gain.continued(from: seconds(2))
        for time in [0.0, 0.3, 0.9, 2] {
            #expect(abs(rest.factor(at: time) - gain.factor(at: time + 2)) < 1e-12)
        }
        #expect(try gain.continued(from: seconds(4)) == Gain(decibels: -18))
        #expect(try Gain(decibels: -96).factor(at: 1) == 0)
        #expect(try Gain(decibels: 0) == .unity)
        let blending = Blending(dissolve: seconds(1), fadeOut: seconds(1), gain: gain)
        let parts = try blending.split(at: seconds(2))
        #expect(parts.0.joined(with: parts.1, after: seconds(2)) == blending)
        #expect(throws: CompositionError.self) { try Gain(decibels: 25) }
        #expect(throws: CompositionError.self) {
            try Gain([(at: seconds(1), 0), (at: seconds(1), 2)])
        }
    }
}
