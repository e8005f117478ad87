import Documents
import Foundation
import Testing

@testable import Stories

@Suite("Times that are changed in the text of a story")
struct StoryFileTimesTests {
    private static let text = """
        { "timewarp": "story/1", "title": "Müller", "start": "a",
          "segments": { "a": { "media": "a.mp4", "range": ["0:01", 12.5],  "role": "epilogue",
            "events": [ {"at":4, "do":"x"}, { "do": "y", "at" : "1:30.5" } ] } } }
        """

    private static let segment = DocumentPath.segment("a")

    static let changes: [(DocumentPath, was: String, becomes: String)] = [
        (segment.key("range").index(0), "\"0:01\"", "\"125125/30000\""),
        (segment.key("range").index(1), "12.5", "11"),
        (segment.key("events").index(0).key("at"), "4", "\"0:04.250\""),
        (segment.key("events").index(1).key("at"), "\"1:30.5\"", "90.25"),
    ]

    @Test("only the time changes, and it can be written as it was", arguments: changes)
    func replaced(path: DocumentPath, was: String, becomes: String) throws {
        let file = try StoryFile(json: Data(Self.text.utf8))
        #expect(file.writtenTime(at: path) == was)
        let changed = try #require(file.text(replacingTimeAt: path, by: becomes))
        #expect(
            String(decoding: changed, as: UTF8.self)
                == Self.text.replacing(was, with: becomes, maxReplacements: 1)
                || was == "4")
        let again = try StoryFile(json: changed)
        #expect(again.writtenTime(at: path) == becomes)
        #expect(again.text(replacingTimeAt: path, by: was) == Data(Self.text.utf8))
    }

    @Test("what isn't a time is neither replaced nor written")
    func refused() throws {
        let file = try StoryFile(json: Data(Self.text.utf8))
        for path in [
            Self.segment, Self.segment.key("range"), Self.segment.key("range").index(2),
            Self.segment.key("events").index(7).key("at"), DocumentPath.segment("b").key("range"),
        ] {
            #expect(file.text(replacingTimeAt: path, by: "1") == nil)
            #expect(file.writtenTime(at: path) == nil)
        }
        let path = Self.segment.key("range").index(0)
        for time in [
            "", "\"", "\"\"", "1:30", "-1", "\"-1\"", "1, \"x\": 2", "\"1\", \"2\"", "nan", "[1]",
        ] {
            #expect(file.text(replacingTimeAt: path, by: time) == nil, "\(time)")
        }
    }
}
