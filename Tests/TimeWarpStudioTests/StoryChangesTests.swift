import Foundation
import StoryBuilding
import TestSupport
import Testing

@testable import TimeWarpStudio

@Suite("Stories that are changed in the studio")
struct StoryChangesTests {
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
            let changed = try change(
                "[{\"path\": \"/segments/a/events/0/at\", \"time\": \(time)}]", text
            ).changed(Data(text.utf8), in: folder.path("."))
            #expect(
                String(decoding: changed, as: UTF8.self)
                    == text.replacing("0.5", with: written), "\(media) at \(time)")
        }
    }

    private func change(_ changes: String, _ text: String) throws -> StoryChangeRequest {
        let version = StoryResponse.version(of: Data(text.utf8))
        return try StoryChangeRequest(
            json: Data("{\"version\": \"\(version)\", \"changes\": \(changes)}".utf8))
    }

    @Test("changes come one after another, and a time that was a text stays one")
    func several() throws {
        let folder = try TemporaryFolder()
        try TestClip { $0.frameCount = 30 }.write(to: folder.path("a.mov"))
        let text = """
            { "start": "a",
              "segments": { "a": { "media": "a.mov", "range": ["0", "0.5"] } } }
            """
        let changed = try change(
            """
            [ {"path": "/segments/a", "key": "b"}, {"path": "/start", "value": "\\"b\\""},
              {"path": "/segments/b/range/1", "time": 0.61},
              {"path": "/segments/b/events", "value": "[{\\"at\\": 0, \\"do\\": \\"decide\\"}]"},
              {"path": "/segments/b/events/0/at", "time": 0.3}, {"path": "/segments/b/range/0", "time": 0} ]
            """, text
        ).changed(Data(text.utf8), in: folder.path("."))
        #expect(
            String(decoding: changed, as: UTF8.self) == """
                { "start": "b",
                  "segments": { "b": { "media": "a.mov", "range": ["0", "0.6"], "events": [ { "at": 0.3, "do": "decide" } ] } } }
                """)
    }

    @Test("a story stays one, whatever is typed into its fields, and a text may be anything")
    func staysAStory() throws {
        let text = """
            { "timewarp": "story/1", "title": "t", "start": "a", "segments": { "a": { "media": "a.mov",
              "choices": [ { "label": "x", "goto": "a" } ] } } }
            """
        let wrong = #"[{"path": "/segments/a/choices/0/when", "value": "\"courage >\""}]"#
        let error = try #require(throws: StudioError.self) {
            try change(wrong, text).changed(Data(text.utf8), in: "/")
        }
        #expect(error.message.contains("formula"), "\(error.message)")
        let version = StoryResponse.version(of: Data(text.utf8))
        let typed = try StoryChangeRequest(
            json: Data("{\"version\": \"\(version)\", \"text\": \"{ not yet\"}".utf8))
        #expect(try typed.changed(Data(text.utf8), in: "/") == Data("{ not yet".utf8))
    }

    @Test("a file that another program changed isn't changed, nor is one by what can't be")
    func refused() throws {
        let text = #"{ "segments": { "a": {} } }"#
        let request = try change("[]", text)
        #expect(throws: StudioError.self) { try request.changed(Data("{}".utf8), in: "/") }
        for changes in [
            #"[{"path": "/segments/b/title", "value": "1"}]"#, #"[{"path": "/x"}]"#,
            #"[{"path": "/start", "value": "{"}]"#,
            #"[{"path": "/segments/a/range/0", "time": 1}]"#,
        ] {
            #expect(throws: StudioError.self, "\(changes)") {
                try change(changes, text).changed(Data(text.utf8), in: "/")
            }
        }
    }
}
