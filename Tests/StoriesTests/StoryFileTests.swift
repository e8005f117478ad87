import Documents
import Foundation
import Testing
import TimeMaps

@testable import Stories

@Suite("Story files")
struct StoryFileTests {
    @Test("the example is read as it is written")
    func example() throws {
        let story = try Sample.file(Sample.lockedRoom).story
        #expect(story.title == "The locked room")
        #expect(story.language == "en")
        #expect(story.start == "prologue")
        #expect(story.variables == ["courage": 0])
        #expect(Array(story.segments.keys) == ["prologue", "door", "garden", "hall"])
        let prologue = try #require(story.segments["prologue"])
        #expect(prologue.range?.end == RationalTime(25, over: 2))
        #expect(prologue.role == .prologue && prologue.next == "door")
        let door = try #require(story.segments["door"])
        #expect(door.retiming == .warp(.builtIn(.triangle, factor: 2)))
        #expect(door.events.map(\.cue) == [.showControls, .hideControls, .decide])
        #expect(door.choices.map(\.label) == ["Open it", "Walk away"])
        #expect(door.choices[0].key == "o")
        #expect(door.choices[0].assignments["courage"]?.text == "courage + 1")
        #expect(door.choices[1].condition?.text == "courage < 2")
        #expect(door.defaultTarget == "garden" && !door.loops)
        #expect(story.segments["hall"]?.role == .epilogue)
    }

    @Test("everything a segment may hold is read")
    func everything() throws {
        let story = try Sample.story(
            """
            "a": { "media": "m.mp4", "range": [1, "0:03.5"], "loop": true, "then": null,
              "timeMap": [ { "output": 0, "source": "0" }, { "output": "5s", "source": 2.5 } ],
              "captions": [ { "file": "a.vtt", "language": "pt-BR" },
                            { "file": "b.vtt", "language": "en", "label": "English" } ],
              "events": [ { "at": 1.25, "do": "thunder" } ],
              "choices": [ { "label": "\\u00dcber", "goto": "b", "area": [0.1, 0.2, 0.3, 0.4],
                             "set": { "x": 2, "y": "x" } } ] },
            "b": { "media": "m.mp4", "timeMapFile": "slow.json" }
            """, variables: #"{ "x": 1, "y": -2.5e1 }"#)
        let segment = try #require(story.segments["a"])
        #expect(segment.range?.start == RationalTime(1, over: 1))
        #expect(segment.range?.end == RationalTime(7, over: 2))
        #expect(
            segment.retiming
                == .timeMap(
                    TimeMapDocument(points: [
                        TimeAnchor(source: .zero, output: .zero),
                        TimeAnchor(
                            source: RationalTime(5, over: 2), output: RationalTime(5, over: 1)),
                    ])))
        #expect(segment.captions.map(\.label) == ["pt-BR", "English"])
        #expect(
            segment.events == [Story.Event(at: RationalTime(5, over: 4), cue: .named("thunder"))])
        #expect(segment.choices[0].label == "Über")
        #expect(segment.choices[0].area == StoryArea(x: 0.1, y: 0.2, width: 0.3, height: 0.4))
        #expect(segment.choices[0].assignments["x"]?.formula.value([:]) == 2)
        #expect(segment.loops && segment.next == nil)
        #expect(story.segments["b"]?.retiming == .timeMapFile("slow.json"))
        #expect(story.variables["y"] == -25)
    }

    /// A segment, the path of the mistake in it, and a part of the error message.
    static let wrong: [(String, String, String)] = [
        (#""a": { "media": "m", "chioces": [] }"#, "segments.a", "Did you mean \"choices\"?"),
        (#""a": { "media": "m", "media": "n" }"#, "segments.a.media", "appears twice"),
        (#""a": { }"#, "segments.a", "\"media\" is missing"),
        (#""a": { "media": 1 }"#, "segments.a.media", "a number, not a text"),
        (#""a": { "media": "" }"#, "segments.a.media", "a valid file path"),
        (#""a": 3"#, "segments.a", "a number, not an object"),
        (#""": { "media": "m" }"#, "segments[\"\"]", "empty"),
        (#""__proto__": { "media": "m" }"#, "segments.__proto__", "JavaScript"),
        (#""a": { "media": "m", "range": ["1"] }"#, "segments.a.range", "two times"),
        (#""a": { "media": "m", "range": ["2", "2"] }"#, "segments.a.range", "ends at 2.0 s"),
        (#""a": { "media": "m", "range": ["1", "x"] }"#, "segments.a.range[1]", "not a duration"),
        (#""a": { "media": "m", "range": [-1, 2] }"#, "segments.a.range[0]", "a valid time"),
        (#""a": { "media": "m", "role": "wining" }"#, "segments.a.role", "\"winning\""),
        (#""a": { "media": "m", "loop": 1 }"#, "segments.a.loop", "not true or false"),
        (#""a": { "media": "m", "then": ["b"] }"#, "segments.a.then", "not a text"),
        (#""a": { "media": "m", "events": {} }"#, "segments.a.events", "not a list"),
        (#""a": { "media": "m", "events": [{ "at": 1 }] }"#, "segments.a.events[0]", "\"do\""),
        (
            #""a": { "media": "m", "events": [{ "at": true, "do": "x" }] }"#,
            "segments.a.events[0].at", "a time is"
        ),
        (
            #""a": { "media": "m", "choices": [{ "label": "L" }] }"#, "segments.a.choices[0]",
            "\"goto\" is missing"
        ),
        (
            #""a": { "media": "m", "choices": [{ "label": "L", "goto": "a", "key": "ab" }] }"#,
            "segments.a.choices[0].key", "one character"
        ),
        (
            #""a": { "media": "m", "choices": [{ "label": "L", "goto": "a", "area": [0,0,2,1] }] }"#,
            "segments.a.choices[0].area", "fractions of the frame"
        ),
        (
            #""a": { "media": "m", "choices": [{ "label": "L", "goto": "a", "when": "x +" }] }"#,
            "segments.a.choices[0].when", "column 4"
        ),
        (
            #""a": { "media": "m", "choices": [{ "label": "L", "goto": "a", "set": {"x": "sin"} }]}"#,
            "segments.a.choices[0].set.x", "'(' after sin"
        ),
        (
            #""a": { "media": "m", "captions": [{ "file": "f", "language": "e n" }] }"#,
            "segments.a.captions[0].language", "isn't a language tag"
        ),
        (
            #""a": { "media": "m", "warp": { "curve": "triangel" } }"#, "segments.a.warp.curve",
            "there is no curve"
        ),
        (
            #""a": { "media": "m", "warp": { "scale": "1 +" } }"#, "segments.a.warp.scale",
            "column 4"
        ),
        (
            #""a": { "media": "m", "warp": { "curve": "triangle", "factr": 2 } }"#,
            "segments.a.warp", "\"factr\" means nothing"
        ),
        (
            #""a": { "media": "m", "warp": { "keyframes": [ { "at": "x", "speed": 1 } ] } }"#,
            "segments.a.warp.keyframes[0].at", "not an instant"
        ),
        (
            #""a": { "media": "m", "warp": { "curve": "triangle", "factor": "2" } }"#,
            "segments.a.warp.factor", "a text, not a number"
        ),
        (
            #""a": { "media": "m", "warp": {"scale": "1"}, "timeMapFile": "f" }"#, "segments.a",
            "can't be used together"
        ),
        (
            #""a": { "media": "m", "timeMap": [ { "output": 1 } ] }"#, "segments.a.timeMap[0]",
            "needs"
        ),
        (#""the hall": { "media": 2 }"#, "segments.the hall.media", "not a text"),
    ]

    @Test("what can't be read is named with its path", arguments: wrong)
    func errors(segment: String, path: String, sentence: String) throws {
        let error = try #require(throws: StoryError.self) {
            try Sample.story(segment, variables: #"{ "x": 0 }"#)
        }
        let problem = try #require(error.problems.first)
        let shown = path.contains(" ") ? "segments[\"the hall\"].media" : path
        #expect(problem.path.description == (path.contains("the hall") ? shown : path))
        #expect(problem.message.contains(sentence), "\(problem)")
        #expect(error.problems.count == 1, "\(error)")
        #expect(problem.position != nil)
    }

    @Test(
        "the head of the file is checked",
        arguments: [
            (#"{ "title": "T", "start": "a", "segments": {"a": {"media": "m"}} }"#, "timewarp"),
            (
                #"{ "timewarp": "story/2", "title": "T", "start": "a", "segments": {"a": {"media": "m"}} }"#,
                "timewarp"
            ),
            (
                #"{ "timewarp": "story/1", "start": "a", "segments": {"a": {"media": "m"}} }"#,
                "the file"
            ),
            (#"{ "timewarp": "story/1", "title": "T", "start": "a" }"#, "the file"),
            (#"{ "timewarp": "story/1", "title": "T", "start": "a", "segments": {} }"#, "segments"),
            (
                #"{ "timewarp": "story/1", "title": "T", "start": "a", "language": "?", "segments": {"a": {"media": "m"}} }"#,
                "language"
            ),
            (#"[]"#, "the file"), (#"{"#, "the file"),
        ])
    func heads(json: String, path: String) throws {
        let error = try #require(throws: StoryError.self) { try Sample.file(json) }
        #expect(error.problems.map(\.path.description) == [path], "\(error)")
    }

    @Test(
        "a variable's name is an identifier and no function",
        arguments: ["1x", "a b", "", "sin", "pi", "e", "clamp", "__proto__", "ü"])
    func variableNames(name: String) throws {
        let error = try #require(throws: StoryError.self) {
            try Sample.story(#""a": { "media": "m" }"#, variables: "{ \"\(name)\": 0 }")
        }
        #expect(error.problems.count == 1)
        #expect(error.problems[0].path.steps == [.key("variables"), .key(name)])
    }

    @Test("a variable is a number")
    func variableValues() throws {
        let error = try #require(throws: StoryError.self) {
            try Sample.story(#""a": { "media": "m" }"#, variables: #"{ "x": true, "y": "1" }"#)
        }
        #expect(error.problems.map(\.path.description) == ["variables.x", "variables.y"])
    }

    @Test("one error names all mistakes, in the order of the file, with line and column")
    func several() throws {
        let json = """
            { "timewarp": "story/1", "title": "T", "start": "a",
              "segments": {
                "a": { "media": "m", "roll": "prologue",
                  "choices": [ { "label": "L", "goto": "b", "when": "1 + + )" } ] },
                "b": { "range": [1] } } }
            """
        let error = try #require(throws: StoryError.self) { try Sample.file(json) }
        #expect(
            error.problems.map(\.description.firstLine) == [
                "3:26: segments.a: \"roll\" means nothing here. Did you mean \"role\"? Known "
                    + "keys are " + SegmentKey.allCases.map(\.rawValue).joined(separator: ", "),
                "4:64: segments.a.choices[0].when: the formula is wrong at column 7: expected a "
                    + "number, a function or '(', found ')'",
                "5:10: segments.b: \"media\" is missing",
                "5:21: segments.b.range: a range must be two times, such as [\"2\", \"12.5\"]",
            ])
    }

    @Test("no more problems are listed than anyone reads")
    func manyProblems() throws {
        let segments = (0..<250).map { "\"s\($0)\": {}" }.joined(separator: ",")
        let error = try #require(throws: StoryError.self) { try Sample.story(segments) }
        #expect(error.problems.count == 100 && error.omitted == 150)
        #expect(error.description.hasSuffix("and 150 more"))
    }

    @Test("sizes are bounded")
    func bounds() throws {
        let long = String(repeating: "x", count: 201)
        #expect(throws: StoryError.self) { try Sample.story("\"\(long)\": { \"media\": \"m\" }") }
        let many = (0...100).map { _ in #"{ "label": "L", "goto": "a" }"# }.joined(separator: ",")
        let error = try #require(throws: StoryError.self) {
            try Sample.story(#""a": { "media": "m", "choices": [\#(many)] }"#)
        }
        #expect(error.problems[0].message == "there are 101 entries; at most 100 are allowed")
        #expect(throws: StoryError.self) {
            try StoryFile(json: Data(repeating: 32, count: StoryLimits.largestFile + 1))
        }
    }

    @Test("a path finds its line and column")
    func positions() throws {
        let file = try Sample.file(Sample.lockedRoom)
        func place(_ path: DocumentPath) -> String { file.position(of: path).description }
        let door = DocumentPath.segment("door")
        #expect(place(door) == "6:5")
        #expect(place(door.key("choices").index(1).key("when")) == "11:70")
        #expect(place(door.key("missing")) == "6:5")
        #expect(place(door.key("events").index(1)) == "7:56")
        #expect(place(DocumentPath()) == "1:1")
    }
}

extension String {
    var firstLine: String { String(prefix { $0 != "\n" }) }
}
