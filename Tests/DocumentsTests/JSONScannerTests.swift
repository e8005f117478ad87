import Foundation
import Testing
import TimeMaps

@testable import Documents

@Suite("JSON with places")
struct JSONScannerTests {
    private func scan(_ text: String) throws -> JSONValue {
        try JSONDocument(Data(text.utf8)).root
    }

    @Test("values are read as JSON says")
    func values() throws {
        let value = try scan(
            #" { "a": [1, -2.5e-1, true, false, null, "x\n\"\\\/\u00e9\ud83d\ude00"], "b": {} } "#)
        let list = try #require(value.object?["a"]?.list)
        #expect(list[0].number == 1)
        #expect(list[1].number == -0.25)
        #expect(list.map(\.kind)[2...4] == ["true or false", "true or false", "null"])
        #expect(list[5].text == "x\n\"\\/é😀")
        #expect(value.object?["b"]?.object?.members.isEmpty == true)
    }

    @Test(
        "what is no JSON is refused at its place",
        arguments: [
            ("", "1:1"), ("{", "1:2"), ("[1,]", "1:4"), ("{\"a\" 1}", "1:6"), ("{a:1}", "1:2"),
            ("[1 2]", "1:4"), ("\"ab", "1:1"), ("01", "1:1"), ("1.", "1:3"), ("1e", "1:3"),
            ("-", "1:1"), ("1e999", "1:1"), ("tru", "1:1"), ("\"\\x\"", "1:3"),
            ("\"\\ud800\"", "1:4"), ("\"\\u12g4\"", "1:4"), ("1 1", "1:3"), ("\n\n  ]", "3:3"),
            ("[\"ü\", x]", "1:7"), ("\"a\tb\"", "1:3"), ("+1", "1:1"), (".5", "1:1"),
            ("NaN", "1:1"),
        ])
    func errors(text: String, place: String) throws {
        let error = try #require(throws: DocumentError.self) { try scan(text) }
        #expect(error.problem.position?.description == place, "\(error)")
    }

    @Test("deep nesting is refused, not followed")
    func nesting() throws {
        #expect(throws: DocumentError.self) { try scan(String(repeating: "[", count: 100_000)) }
        let fine = String(repeating: "[", count: 60) + String(repeating: "]", count: 60)
        #expect(try scan(fine).list != nil)
    }

    @Test("text that isn't UTF-8 is refused")
    func encoding() throws {
        let bytes: [UInt8] = [0x22, 0xFF, 0x22]
        #expect(throws: DocumentError.self) {
            try JSONDocument(Data(bytes))
        }
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF, 0x31]
        #expect(try JSONDocument(Data(mark)).root.number == 1)
    }

    private static let film = """
        { "timewarp": "story/1", "title": "The locked room", "variables": { "courage": 0 },
          "segments": { "door": { "warp": { "curve": "triangle", "factor": 2.5e-1 }, "loop": false,
            "choices": [ { "label": "Open \\"it\\"", "set": null }, { "label": "\\u00e9\\/" } ] } } }
        """

    @Test("agrees with Foundation on damaged texts", arguments: 1...20 as ClosedRange<UInt64>)
    func damaged(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for _ in 0..<100 {
            var bytes = Array(Self.film.utf8)
            for _ in 0...random.below(2) {
                let place = random.below(bytes.count)
                let replacements = Array("\"{}[],:0a \\".utf8)
                bytes[place] = replacements[random.below(replacements.count)]
            }
            let data = Data(bytes)
            let theirs = (try? JSONSerialization.jsonObject(with: data)) != nil
            let ours = (try? JSONDocument(data)) != nil
            // Foundation accepts a comma before a closing bracket.
            let text = String(decoding: bytes, as: UTF8.self)
            let isLenient = text.contains(/,\s*[}\]]/)
            #expect(ours == theirs || isLenient && !ours, "seed \(seed): \(text)")
        }
    }

    @Test("columns count scalars, also far into a long line")
    func columns() {
        let text = SourceText(Data((String(repeating: "ü", count: 5000) + "\nab").utf8))
        #expect(text.position(at: 2 * 4321).description == "1:4322")
        #expect(text.position(at: 10_002).description == "2:2")
        #expect(SourceText(Data()).position(at: 0).description == "1:1")
    }
}
