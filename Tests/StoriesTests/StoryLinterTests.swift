import Foundation
import ProcessorTime
import Testing
import TimeMaps

@testable import Stories

@Suite("The linter")
struct StoryLinterTests {
    /// Every file lasts ten seconds. "gone" doesn't exist, and "torn" is damaged.
    static let media = StoryMedia(
        facts: { path in
            switch path {
            case "gone": .missing
            case "torn": .damaged("it ends in the middle")
            default: .usable(duration: RationalTime(10, over: 1), frameDuration: 0.04)
            }
        },
        timeMap: { path, _ in
            guard path != "gone" else {
                throw CurveError.missing
            }
            return .identity(RationalTime(10, over: 1))
        },
        captionsTrouble: { $0 == "gone" ? "it isn't there" : nil })

    private func findings(_ segments: String, _ variables: String) throws -> [StoryFinding] {
        let file = try Sample.file(Sample.json(segments, variables: variables))
        return StoryLinter(file, media: Self.media).findings()
    }

    @Test("finds what is there, at its place", arguments: FindingCase.all)
    func found(_ example: FindingCase) throws {
        let findings = try findings(example.with, example.variables)
        let finding = try #require(
            findings.first { $0.code == example.code && $0.path.description == example.path },
            "\(findings)")
        #expect(finding.severity == example.severity)
        #expect(finding.position != nil)
        #expect(!finding.sentence.isEmpty && finding.sentence.hasSuffix("."))
        #expect(!finding.remedy.isEmpty)
    }

    @Test("finds nothing where nothing is", arguments: FindingCase.all)
    func notFound(_ example: FindingCase) throws {
        let findings = try findings(example.without, example.variables)
        #expect(!findings.contains { $0.code == example.code }, "\(findings)")
    }

    @Test("a sound story has no findings")
    func sound() throws {
        let story = """
            "a": { "media": "m", "role": "prologue", "then": "b" },
            "b": { "media": "m", "events": [ { "at": 1, "do": "showControls" },
                { "at": 10, "do": "decide" } ], "loop": true,
              "choices": [ { "label": "L", "goto": "c", "set": { "x": "x + 1" }, "when": "x < 3" },
                           { "label": "M", "goto": "end", "key": "m" } ] },
            "c": { "media": "m", "then": "b" },
            "end": { "media": "m", "role": "epilogue" }
            """
        #expect(try findings(story, #"{ "x": 0 }"#) == [])
    }

    @Test("the start must exist; nothing else is said of ways then")
    func missingStart() throws {
        let file = try Sample.file(Sample.json(#""b": { "media": "m" }"#))
        let findings = StoryLinter(file).findings()
        #expect(findings.map(\.code) == ["target-missing"])
        #expect(findings[0].path.description == "start")
    }

    @Test("a finding is told with place, sentence and remedy")
    func words() throws {
        let findings = try findings(
            #""a": { "media": "m", "then": "ent" }, \#(FindingCase.end)"#, "{}")
        let missing = try #require(findings.first { $0.code == "target-missing" })
        #expect(
            missing.description
                == "2:46: error: segments.a.then: There is no segment \"ent\". Did you mean \"end\"?"
        )
        let json = try JSONEncoder().encode(missing)
        let object = try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any])
        #expect(
            object.keys.sorted() == [
                "code", "column", "line", "path", "remedy", "sentence", "severity",
            ])
    }

    @Test("findings come in the order of the file")
    func order() throws {
        let findings = try findings(
            #""a": { "media": "gone", "then": "c" }, "b": { "media": "gone" }"#, #"{ "x": 1 }"#)
        let places = findings.compactMap(\.position)
        #expect(places.count == findings.count && places == places.sorted())
        #expect(findings.count > 4)
    }

    @Test("where nothing is known of the media, nothing is said of it")
    func unknownMedia() throws {
        let story = try Sample.story(
            #""a": { "media": "gone", "role": "epilogue", "events": [ { "at": 99, "do": "x" } ] }"#)
        #expect(StoryLinter(story).findings() == [])
    }

    @Test("event times are in the media file's own time")
    func ownTime() throws {
        let story = try Sample.story(
            #""a": { "media": "m", "range": [2, 8], "warp": { "scale": "2" }, "events": [ { "at": 3, "do": "x" } ] }"#
        )
        let segment = try #require(story.segments["a"])
        let map = try segment.timeMap(
            duration: RationalTime(6, over: 1), frameDuration: 0.04
        ) { _ in .identity(.zero) }
        let events = segment.retimedEvents(through: map, lasting: map.outputDuration)
        // One second into the clip, at half speed. The inverse comes from a table that is exact to 1e-9.
        #expect(abs(events[0].at - 2) < 1e-9)
    }

    @Test(
        "a segment is left at its decision: its frames begin before it, and later events never happen"
    )
    func decision() throws {
        func segment(_ more: String) throws -> Story.Segment {
            let file = try Sample.file(
                Sample.json(
                    """
                    "a": { "media": "m", "range": [2, 6], "events": [ { "at": 5, "do": "late" },
                        { "at": 3.01, "do": "decide" }, { "at": 3.01, "do": "same" },
                        { "at": 2.5, "do": "showControls" } ],
                      "choices": [ { "label": "L", "goto": "b" } ] \(more) },
                    "b": { "media": "m", "role": "epilogue" }
                    """))
            return try #require(file.story.segments["a"])
        }
        let map = TimeMap.identity(RationalTime(4, over: 1))
        for more in [#", "default": "b""#, #", "loop": true"#] {
            let left = try segment(more)
            #expect(abs(left.end(through: map) - 1.01) < 1e-9)
            #expect(left.frameCount(through: map, framesPerSecond: 30) == 31)
            #expect(left.frameCount(through: map, framesPerSecond: 100) == 101)
            #expect(
                left.retimedEvents(through: map, lasting: 31 / 30.0).map(\.cue)
                    == [.showControls, .decide, .named("same")])
        }
        // Nothing is followed there.
        let whole = try segment("")
        #expect(whole.frameCount(through: map, framesPerSecond: 30) == 120)
        #expect(whole.retimedEvents(through: map, lasting: 4).count == 4)
    }

    @Test("a thousand segments are checked in under a second, a debug build included")
    func speed() throws {
        let segments = (0..<1000).map { index in
            """
            "s\(index)": { "media": "m\(index % 7)", "events": [ { "at": 1, "do": "showControls" },
                { "at": 10, "do": "decide" } ],
              "choices": [
                { "label": "K", "goto": "s\((index + 500) % 1000)", "set": { "x": "x + 1" },
                  "when": "x < 5 + y" },
                { "label": "L", "goto": "s\((index + 1) % 1000)", "set": { "y": "min(y + 1, 2)" } } ],
              "default": "s\((index + 2) % 1000)" \(index == 500 ? #", "role": "epilogue""# : "") }
            """
        }
        let json = Sample.json(
            segments.joined(separator: ",\n"), variables: #"{ "x": 0, "y": 0 }"#, start: "s0")
        let file = try Sample.file(json)
        var findings: [StoryFinding] = []
        let seconds = processorSeconds {
            findings = StoryLinter(file, media: Self.media).findings()
        }
        #expect(findings.isEmpty)
        #expect(seconds < 1, "\(seconds) s")
    }

    @Test("a long chain needs no deep stack")
    func chain() throws {
        let count = 5000
        let segments = (0..<count).map { index in
            index == count - 1
                ? "\"s\(index)\": { \"media\": \"m\" }"
                : "\"s\(index)\": { \"media\": \"m\", \"then\": \"s\(index + 1)\" }"
        }
        let story = try Sample.story(segments.joined(separator: ","), start: "s0")
        let findings = StoryLinter(story).findings()
        #expect(findings.map(\.code).sorted() == ["dead-end", "no-epilogue"])
    }
}

extension CurveError {
    /// An error that the test throws.
    fileprivate static var missing: CurveError {
        do {
            _ = try Keyframe.list(parsing: "")
        } catch {
            return error
        }
        preconditionFailure("an empty text has no keyframes")
    }
}
