import Foundation
import Media
import TestSupport
import Testing
import TimeMaps

@testable import TimeWarp

/// Photos and drawings on a timeline.
@Suite("Pictures")
struct PictureTests {
    @Test(
        "a picture lasts as long as its place, whatever its name looks like",
        arguments: ["a.png", "a.jpg", "photo 001.jpg", "img001.jpg", "a.bmp", "a.tiff", "a.webp"])
    func lasting(name: String) async throws {
        let folder = try TemporaryFolder()
        let (path, film) = (folder.path(name), folder.path("film.mp4"))
        try ReferenceTools.ffmpeg([
            "-f", "lavfi", "-i", "color=white:s=64x64", "-frames:v", "1", "-update", "1", path,
        ])
        try ReferenceTools.ffmpeg([
            "-f", "lavfi", "-i", "color=black:s=64x64:r=25:d=1", "-c:v", "libx264", film,
        ])
        #expect(try Asset(at: path).isPicture)
        #expect(try !Asset(at: film).isPicture)
        func time(_ seconds: Int64) -> RationalTime { RationalTime(seconds, over: 1) }
        func range(_ start: Int64, _ end: Int64) throws -> TimeRange {
            try TimeRange(start: time(start), end: time(end))
        }
        let track = try Track(segments: [
            Segment(PlacedClip(film, range: range(0, 1))),
            Segment(PlacedClip(path, range: range(0, 3))),
            Segment(PlacedClip(path, range: range(40, 42), retiming: .reversed)),
            Segment(PlacedClip(film, range: range(0, 1))),
        ])
        let output = folder.path("out.mp4")
        let composition = Composition(tracks: [track])
        try await Renderer().render(try RenderPlan(composition, to: output))
        let frames = try ReferenceTools.ffprobe([
            "-f", "lavfi", "-i", "movie=\(output),signalstats", "-show_entries",
            "frame_tags=lavfi.signalstats.YAVG",
        ]).compactMap(Double.init).map { $0 > 128 }
        let expected = [(false, 25), (true, 125), (false, 25)].flatMap {
            [Bool](repeating: $0.0, count: $0.1)
        }
        #expect(frames == expected)
    }

    @Test("joined with clips, a picture lasts five seconds")
    func joined() throws {
        let folder = try TemporaryFolder()
        let (path, film) = (folder.path("a.png"), folder.path("film.mp4"))
        try ReferenceTools.ffmpeg([
            "-f", "lavfi", "-i", "color=white:s=64x64", "-frames:v", "1", path,
        ])
        try ReferenceTools.ffmpeg([
            "-f", "lavfi", "-i", "testsrc2=s=64x64:r=25:d=2", "-c:v", "libx264", film,
        ])
        let project = try CompositionProject(clips: [film, path, film])
        #expect(project.composition.duration == RationalTime(9, over: 1))
        let dissolved = try CompositionProject(
            clips: [film, path, film], dissolving: RationalTime(1, over: 1))
        #expect(dissolved.composition.duration == RationalTime(7, over: 1))
        let plan = try RenderPlan(dissolved.composition, to: folder.path("out.mp4"))
        #expect(plan.expectedFrameCount == 175)
    }
}
