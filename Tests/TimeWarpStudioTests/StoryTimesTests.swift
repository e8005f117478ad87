import Foundation
import StoryBuilding
import TestSupport
import Testing

@testable import TimeWarpStudio

@Suite("Times of a story that are moved in the studio")
struct StoryTimesTests {
    @Test("an event is moved to the nearest frame, also of a video that begins late")
    func nearestFrame() throws {
        let folder = try TemporaryFolder()
        try TestClip { ($0.frameCount, $0.audioCodec) = (60, .pcm) }.write(
            to: folder.path("even.mkv"))
        try ReferenceTools.ffmpeg([
            "-i", folder.path("even.mkv"), "-itsoffset", "0.52", "-i", folder.path("even.mkv"),
            "-map", "0:a", "-map", "1:v", "-c", "copy", folder.path("late.mkv"),
        ])
        for (media, time, written) in [
            ("even.mkv", 1.01, "1"), ("even.mkv", 1.51, "1.5"), ("late.mkv", 1.51, "1.52"),
            ("late.mkv", 1.01, "1.02"),
        ] {
            let text = """
                {"timewarp": "story/1", "title": "t", "start": "a", "segments": {"a":
                {"media": "\(media)", "role": "epilogue", "events": [{"at": 0.5, "do": "x"}]}}}
                """
            let path = folder.path("story.json")
            try Data(text.utf8).write(to: URL(fileURLWithPath: path))
            let change = try StoryTimeRequest(
                json: Data(
                    """
                    {"segment": "a", "event": 0, "at": \(time),
                    "version": "\(StoryResponse.version(of: Data(text.utf8)))"}
                    """.utf8))
            let changed = try change.changed(
                try StoryProject(contentsOfFile: path), Data(text.utf8))
            #expect(
                String(decoding: changed, as: UTF8.self)
                    == text.replacing("0.5", with: written), "\(media) at \(time)")
        }
    }
}
