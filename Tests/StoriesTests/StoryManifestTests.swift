import Foundation
import Testing
import TimeMaps

@testable import Stories

@Suite("The manifest")
struct StoryManifestTests {
    private static let media = StoryManifest.Media(
        type: "video/mp4; codecs=\"avc1.64001f\"", init: "media/init.mp4", width: 1280,
        height: 720, frameRate: 30, sampleRate: 48000)

    private func built(_ story: Story, digest: [UInt8] = []) throws -> StoryManifest {
        var rendered: [String: RenderedSegment] = [:]
        for (index, name) in story.segments.keys.enumerated() {
            rendered[name] = RenderedSegment(
                file: "media/\(index).m4s", start: Double(index) * 20, frames: 375,
                map: try .uniform(from: RationalTime(25, over: 4), to: RationalTime(25, over: 2)))
        }
        return try StoryManifest(
            story, rendered: rendered, media: Self.media, mediaDigest: digest)
    }

    @Test("holds what the contract says, nulls included")
    func contract() throws {
        let manifest = try built(try Sample.file(Sample.lockedRoom).story)
        let object = try JSONSerialization.jsonObject(with: try manifest.json())
        let root = try #require(object as? [String: Any])
        #expect(
            root.keys.sorted() == [
                "analytics", "controls", "id", "language", "media", "segments", "start", "timewarp",
                "title", "variables",
            ])
        #expect(root["timewarp"] as? String == "story-manifest/1")
        let segments = try #require(root["segments"] as? [String: [String: Any]])
        let door = try #require(segments["door"])
        #expect(
            door.keys.sorted() == [
                "captions", "choices", "default", "dissolve", "duration", "events", "file",
                "frames", "loop",
                "role", "start", "then", "title",
            ])
        #expect(door["then"] is NSNull && door["default"] as? String == "garden")
        #expect(door["duration"] as? Double == 12.5)
        let choices = try #require(door["choices"] as? [[String: Any]])
        #expect(
            choices[0].keys.sorted() == [
                "area", "goto", "immediately", "key", "label", "set", "when",
            ])
        #expect(choices[0]["when"] is NSNull && choices[0]["area"] is NSNull)
        let text = String(decoding: try JSONEncoder().encode(manifest), as: UTF8.self)
        #expect(text.contains(#""set":[["courage",[{"v":"courage"},1,"+"]]]"#))
        #expect(text.contains(#""when":[{"v":"courage"},2,"<"]"#))
        // At half speed, 4 s of the clip are 8 s of the segment.
        let events = try #require(manifest.segments["door"]?.events)
        #expect(events.map(\.at) == [8, 12.5, 12.5])
        #expect(events.map(\.cue) == [.showControls, .hideControls, .decide])
    }

    @Test("is read back as it was written")
    func roundTrip() throws {
        for seed in 1...20 as ClosedRange<UInt64> {
            var maker = StoryMaker(seed: seed)
            let story = try Sample.file(maker.json(segments: 6)).story
            let manifest = try StoryManifest.outline(of: story)
            #expect(try StoryManifest(json: manifest.json()) == manifest, "seed \(seed)")
        }
    }

    @Test("its id changes with the story and with the media, and only then")
    func identity() throws {
        let story = try Sample.file(Sample.lockedRoom).story
        let id = try built(story).id
        #expect(id.count == 16 && id.allSatisfy(\.isHexDigit))
        #expect(try built(story).id == id)
        #expect(try built(story, digest: [1]).id != id)
        var other = story
        other.title = "Another room"
        #expect(try built(other).id != id)
    }

    @Test("a story with names that mean nothing can't be built")
    func broken() throws {
        let story = try Sample.story(
            """
            "a": { "media": "m", "choices": [ { "label": "L", "goto": "z", "when": "q" } ] },
            "b": { "media": "m", "then": "y" }
            """, start: "x")
        let error = try #require(throws: StoryError.self) {
            try StoryManifest.outline(of: story)
        }
        #expect(
            error.problems.map(\.path.description) == [
                "start", "segments.a.choices[0].goto", "segments.a.choices[0].when",
                "segments.b.then",
            ])
        let fine = try Sample.story(#""a": { "media": "m" }"#)
        #expect(throws: StoryError.self) {
            try StoryManifest(fine, rendered: [:], media: Self.media)
        }
    }

    @Test(
        "a manifest that was tampered with is refused",
        arguments: [
            ("story-manifest/1", "story-manifest/2"), (#""goto" : "hall""#, #""goto" : "hell""#),
            (#""v" : "courage""#, #""v" : "rage""#), (#""+""#, #""eval""#), (#""+""#, #""?:""#),
            (#""role" : "losing""#, #""role" : "lost""#), (#""at" : 8"#, #""at" : 99"#),
        ])
    func tampered(old: String, new: String) throws {
        let manifest = try built(try Sample.file(Sample.lockedRoom).story)
        let text = String(decoding: try manifest.json(), as: UTF8.self)
        try #require(text.contains(old))
        let changed = text.replacingOccurrences(of: old, with: new)
        #expect(throws: StoryError.self) { try StoryManifest(json: Data(changed.utf8)) }
    }

    @Test("a postfix list gives what its formula gives", arguments: 1...20 as ClosedRange<UInt64>)
    func formulas(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let texts = [
            "p + q * 2 - r / 3", "-p^2", "p < q ? r : p >= 2", "clamp(p, q, r)", "mix(p, q, r)",
            "smoothstep(p, q, r) + abs(p)", "min(p, q) != max(q, r)", "sin(p) + sqrt(q) == 1",
            "floor(p) <= ceil(q)", "2e1 + pi * e", "pow(p, 2) > exp(q)", "log(p) + log2(q)",
        ]
        for text in texts {
            let names = ["p", "q", "r"]
            let values = names.map { _ in Double(random.below(9)) - 3 }
            let expected = try Formula(text, variables: names).value(values)
            let json = try JSONEncoder().encode(try StoryExpression(text, variables: names).formula)
            let formula = try JSONDecoder().decode(StoryFormula.self, from: json)
            let value = formula.value(Dictionary(uniqueKeysWithValues: zip(names, values)))
            #expect(value == expected || value.isNaN && expected.isNaN, "seed \(seed): \(text)")
        }
    }

    @Test("a condition holds where its value isn't 0, and never where it is NaN")
    func conditions() throws {
        func holds(_ text: String) throws -> Bool {
            try StoryExpression(text, variables: []).formula.holds([:])
        }
        for text in ["1", "-0.5", "2 > 1"] {
            #expect(try holds(text), "\(text)")
        }
        for text in ["0", "sqrt(-1)", "2 < 1"] {
            #expect(try !holds(text), "\(text)")
        }
    }

    @Test("names that are no variables are kept to be told of")
    func strangers() throws {
        let formula = try StoryExpression("2e3 + 1.5e-2*e - foo_1/x + bar ^ pi", variables: ["x"])
        #expect(formula.formula.variables == ["foo_1", "x", "bar"])
        #expect(throws: FormulaError.self) { try StoryExpression("foo(1)", variables: []) }
    }
}
