import Foundation
import Stories

/// The player's `index.html` for a story: with its language, title, texts, and the address that it may send to.
struct StoryPage {
    let data: Data

    init(_ page: String, _ manifest: StoryManifest, _ words: PlayerWords) throws {
        let title = SVGWriter.escaped(manifest.title)
        let language = SVGWriter.escaped(manifest.language)
        let direction = WritingDirection(of: manifest.language).rawValue
        let origin = manifest.analytics.flatMap { VisitAddress($0)?.origin }
        var text = page
        func put(_ new: String, for old: String) {
            precondition(text.contains(old), "the player's page has no \(old)")
            text = text.replacing(old, with: new)
        }
        put(
            "<html lang=\"\(language)\" dir=\"\(direction)\">",
            for: "<html lang=\"en\" dir=\"ltr\">")
        put("<title>\(title)</title>", for: "<title>A story</title>")
        put("<h1 id=\"title\">\(title)</h1>", for: "<h1 id=\"title\">A story</h1>")
        put(
            "<noscript><p lang=\"\(SVGWriter.escaped(words.language))\">"
                + SVGWriter.escaped(words.texts["noScript"] ?? ""),
            for: "<noscript><p>This interactive video needs JavaScript.")
        put(
            "<script type=\"application/json\" id=\"words\">\(try Self.inScript(words))</script>",
            for: "<script type=\"application/json\" id=\"words\"></script>")
        if let origin {
            put("connect-src 'self' \(origin);", for: "connect-src 'self';")
        }
        data = Data(text.utf8)
    }

    /// JSON that can stand inside of a script element, where the text "</script" would end the element.
    static func inScript(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return escaped(try encoder.encode(value))
    }

    /// JSON in which no `<` is left.
    static func escaped(_ json: Data) -> String {
        String(decoding: json, as: UTF8.self).unicodeScalars.reduce(into: "") { text, scalar in
            text += scalar == "<" ? "\\u003c" : String(scalar)
        }
    }
}
