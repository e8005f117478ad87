import Foundation
import Testing

@testable import Stories

@Suite("What a story says about the player's page")
struct StoryPlayerTests {
    private func json(_ more: String) -> String {
        """
        { "timewarp": "story/1", "title": "T", "start": "a", \(more)
          "segments": { "a": { "media": "m", "role": "epilogue", "title": "The end" } } }
        """
    }

    @Test("strings, controls, analytics and titles are read, and are in the manifest")
    func read() throws {
        let story = try Sample.file(
            json(
                #""strings": "w.json", "controls": { "progress": false, "map": true }, "analytics": "https://example.org:8080/v?x=1","#
            )
        ).story
        #expect(story.strings == "w.json")
        #expect(story.controls == StoryControls(showsProgress: false, showsMap: true))
        #expect(story.analytics == "https://example.org:8080/v?x=1")
        #expect(story.segments["a"]?.title == "The end")
        let manifest = try StoryManifest.outline(of: story, media: Sample.tenSeconds)
        let again = try StoryManifest(json: manifest.json())
        #expect(again == manifest)
        #expect(again.controls == story.controls && again.analytics == story.analytics)
        #expect(again.segments["a"]?.title == "The end")
    }

    @Test("by default there is progress, no map, and nothing is sent")
    func defaults() throws {
        let story = try Sample.file(json("")).story
        #expect(story.controls == StoryControls() && story.controls.showsProgress)
        #expect(!story.controls.showsMap && story.analytics == nil && story.strings == nil)
        #expect(StoryLinter(story).findings() == [])
    }

    @Test("a manifest of an earlier version has the defaults")
    func earlier() throws {
        let manifest = try Sample.manifest(FindingCase.end, start: "end")
        var object = try #require(
            JSONSerialization.jsonObject(with: manifest.json()) as? [String: Any])
        object["controls"] = nil
        object["analytics"] = nil
        let earlier = try StoryManifest(json: JSONSerialization.data(withJSONObject: object))
        #expect(earlier == manifest)
    }

    @Test(
        "what can't be an address to send to is refused",
        arguments: [
            "", "visits", "/visits", "ftp://example.org/", "https://", "https://a:b@example.org/",
            "https://example.org/#x", "https://exämple.org/", "https://example.org/a b",
            "https://[::1]/", "https://example.org;script-src/", "https://example.org:99999/",
            "https://example.org/" + String(repeating: "x", count: 2000),
        ])
    func wrongAddress(address: String) throws {
        let error = try #require(throws: StoryError.self) {
            try Sample.file(json(#""analytics": "\#(address)","#))
        }
        #expect(error.problems.map(\.path.description) == ["analytics"])
        #expect(error.description.contains("https://example.org/visits"))
    }

    @Test("an origin is what a content security policy names")
    func origin() {
        #expect(VisitAddress("https://example.org/a?b")?.origin == "https://example.org")
        #expect(VisitAddress("HTTP://Example.org:81")?.origin == "http://Example.org:81")
    }

    @Test(
        "only what is encrypted or stays on the machine is private",
        arguments: [
            ("https://example.org/a", true), ("http://localhost:8080/a", true),
            ("http://LOCALHOST/", true),
            ("http://127.0.0.1:8080/a", true), ("http://127.255.0.9/", true),
            ("http://127.example.org/", false),
            ("http://127.0.0.1.example.org/", false), ("http://127.0.0.256/", false),
            ("http://128.0.0.1/", false),
        ])
    func privacy(address: String, isPrivate: Bool) throws {
        #expect(try #require(VisitAddress(address)).isPrivate == isPrivate)
    }

    @Test("other mistakes are told with their place")
    func mistakes() throws {
        let error = try #require(throws: StoryError.self) {
            try Sample.file(json(#""controls": { "map": 1, "progess": true }, "strings": "","#))
        }
        let paths = error.problems.map(\.path.description)
        #expect(paths == ["controls.map", "controls", "strings"])
        #expect(error.description.contains("Did you mean \"progress\"?"))
    }

    private func findings(_ more: String, strings: String? = nil) throws -> [StoryFinding] {
        let media = StoryMedia(
            facts: { _ in .unknown },
            strings: { _ in try strings.map { try PlayerStrings(json: Data($0.utf8)) } })
        return StoryLinter(try Sample.file(json(more)), media: media).findings()
    }

    @Test("a language without texts is told, and what a strings file lacks")
    func languages() throws {
        let without = try findings(#""language": "pt-BR","#)
        #expect(without.map(\.code) == ["language-without-strings"])
        #expect(without[0].severity == .warning && without[0].path.description == "language")
        #expect(try findings(#""language": "fr-CA","#) == [])
        let unknown = try findings(#""language": "pt", "strings": "w.json","#)
        #expect(unknown == [])
        let lacking = try findings(
            #""language": "pt", "strings": "w.json","#, strings: #"{ "play": "Comece" }"#)
        #expect(lacking.map(\.code) == ["strings-missing"] && lacking[0].severity == .warning)
        #expect(lacking[0].sentence.contains("\"back\"") && lacking[0].sentence.contains("more"))
        #expect(
            try findings(#""strings": "w.json","#, strings: #"{ "play": "Go" }"#) == [])
    }

    @Test("each mistake in a strings file is an error, with its line and column there")
    func stringsMistakes() throws {
        let found = try findings(
            #""strings": "w.json","#, strings: "{ \"plya\": \"Go\",\n  \"mute\": 3 }")
        #expect(found.map(\.code) == ["strings-unusable", "strings-unusable"])
        #expect(found.allSatisfy { $0.severity == .error && $0.path.description == "strings" })
        #expect(found[1].sentence.contains("\"w.json\" can't be used: 2:11: mute: it is a number"))
    }

    @Test("that something is sent is a note, which is no mistake")
    func note() throws {
        let found = try findings(#""analytics": "https://example.org/v","#)
        #expect(found.map(\.code) == ["visits-are-sent"])
        #expect(found[0].severity == .note && found[0].position != nil)
        #expect(found[0].sentence.contains("https://example.org/v"))
    }

    @Test(
        "an address without encryption is warned of, unless it is on this machine",
        arguments: [
            ("http://example.org/v", true), ("HTTP://Example.org/v", true),
            ("http://127.0.0.1:8000/v", false), ("http://localhost/v", false),
        ])
    func unencrypted(address: String, isWarned: Bool) throws {
        let found = try findings(#""analytics": "\#(address)","#)
        #expect(found.map(\.code) == ["visits-are-sent"] + (isWarned ? ["visits-unencrypted"] : []))
        #expect(!isWarned || found[1].severity == .warning)
    }
}
