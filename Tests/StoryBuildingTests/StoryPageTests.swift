import Foundation
import Pages
import Testing

@testable import Stories
@testable import StoryBuilding

@Suite("The player's page of a story")
struct StoryPageTests {
    private func manifest(_ language: String, analytics: String? = nil) -> StoryManifest {
        StoryManifest(
            id: "feed", title: "<T> & co", language: language, analytics: analytics, start: "a",
            variables: [:],
            media: .init(
                type: "", init: "", width: 16, height: 9, frameRate: 30, sampleRate: 0),
            segments: [:])
    }

    private func page(_ manifest: StoryManifest, _ strings: PlayerStrings? = nil) throws -> String {
        let source = String(decoding: SinglePage.file(WebPages.first), as: UTF8.self)
        let words = PlayerWords(for: manifest.language, strings: strings)
        return String(decoding: try StoryPage(source, manifest, words).data, as: UTF8.self)
    }

    @Test("has its language, direction, title and texts")
    func language() throws {
        let german = try page(manifest("de"))
        #expect(german.contains("<html lang=\"de\" dir=\"ltr\">"))
        #expect(german.contains("<title>&lt;T&gt; &amp; co</title>"))
        #expect(german.contains("\"play\":\"Abspielen\""))
        #expect(german.contains("<noscript><p lang=\"de\">Dieses interaktive Video"))
        #expect(try page(manifest("ar")).contains("<html lang=\"ar\" dir=\"rtl\">"))
        #expect(try page(manifest("ar")).contains("<noscript><p lang=\"en\">"))
    }

    @Test("no text ends the script element that holds the texts")
    func escaping() throws {
        let strings = try PlayerStrings(json: Data(#"{ "ended": "</script><b>\u2028" }"#.utf8))
        let page = try page(manifest("en"), strings)
        #expect(page.contains(#""ended":"\u003c/script>\u003cb>"#))
        #expect(page.ranges(of: "</script>").count == 2)
    }

    @Test("may send to the author's address and to no other")
    func policy() throws {
        #expect(try page(manifest("en")).contains("connect-src 'self';"))
        let telling = manifest("en", analytics: "https://example.org:81/v?a=b")
        #expect(try page(telling).contains("connect-src 'self' https://example.org:81;"))
        let source = Data(try page(telling).utf8)
        let single = String(
            decoding: try SinglePage(page: source, manifest: telling).data, as: UTF8.self)
        #expect(single.contains("connect-src data: https://example.org:81;"))
        let silent = try SinglePage(page: source, manifest: manifest("en"))
        #expect(String(decoding: silent.data, as: UTF8.self).contains("connect-src data:;"))
    }
}
