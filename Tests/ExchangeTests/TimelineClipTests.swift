import Testing
import TimeMaps
import TimeWarp

@testable import Exchange

@Suite("Clips of exchange formats")
struct TimelineClipTests {
    @Test(
        "a marker that begins or ends outside of what is shown lasts until the clip's end",
        arguments: [
            // Asset times of the clip, of the marker and where it is shown.
            (clip: (2, 6), marker: (3, 5), shown: (1, 3)),
            (clip: (2, 6), marker: (3, 9), shown: (1, 4)),
            (clip: (6, 2), marker: (3, 5), shown: (1, 3)),
            (clip: (6, 2), marker: (3, 9), shown: (0, 3)),
        ])
    func markers(clip: (Int64, Int64), marker: (Int64, Int64), shown: (Int64, Int64)) throws {
        var shot = try TimelineClip(
            "a.mp4", from: .seconds(clip.0), to: .seconds(clip.1), lasting: .seconds(4))
        shot.addMarkers([
            try Marker("m", at: .seconds(marker.0), lasting: .seconds(marker.1 - marker.0))
        ])
        var notes = TimelineNotes()
        let placed = try shot.placesOfMarkers(&notes)
        #expect(placed.map(\.start) == [.seconds(shown.0)])
        #expect(placed.map(\.duration) == [.seconds(shown.1 - shown.0)])
    }
}
