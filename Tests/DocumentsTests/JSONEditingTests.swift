import Foundation
import Testing
import TimeMaps

@testable import Documents

@Suite("Documents whose text is changed")
struct JSONEditingTests {
    private static let text = """
        { "title": "Müller",
          "start" : "a",
          "segments": {
            "a": { "media": "a.mp4", "range": ["0:01", 12.50] },
            "b": {
              "media": "b.mp4",
              "choices": [
                { "label": "Go", "goto": "a" }
              ]
            }
          } }
        """

    private enum Change {
        case set(String)
        case remove
        case rename(String)
    }

    private func apply(_ change: Change, at pointer: String, to text: String) throws -> String {
        let document = try JSONDocument(Data(text.utf8))
        let path = try document.path(pointer)
        let changed =
            switch change {
            case .set(let value):
                try document.text(setting: path, to: JSONDocument(Data(value.utf8)))
            case .remove: try document.text(removing: path)
            case .rename(let key): try document.text(renaming: path, to: key)
            }
        _ = try JSONDocument(changed)
        return String(decoding: changed, as: UTF8.self)
    }

    @Test(
        "only the value changes",
        arguments: [
            ("/title", "\"Maier\"", "\"Müller\"", "\"Maier\""),
            ("/segments/a/range/1", "11", "12.50", "11"),
            (
                "/segments/a/dissolve", "0.5", "\"range\": [\"0:01\", 12.50] }",
                "\"range\": [\"0:01\", 12.50], \"dissolve\": 0.5 }"
            ),
            (
                "/segments/b/choices/-", "{\"label\":\"Stay\",\"goto\":\"b\"}",
                "{ \"label\": \"Go\", \"goto\": \"a\" }",
                "{ \"label\": \"Go\", \"goto\": \"a\" },\n        { \"label\": \"Stay\", \"goto\": \"b\" }"
            ),
            (
                "/segments/c", "{\"media\": \"c.mp4\"}", "]\n    }\n",
                "]\n    },\n    \"c\": { \"media\": \"c.mp4\" }\n"
            ),
            ("/start", "\"q\\\"/\\n\"", "\"start\" : \"a\"", "\"start\" : \"q\\\"/\\n\""),
        ])
    func set(pointer: String, value: String, was: String, becomes: String) throws {
        let changed = try apply(.set(value), at: pointer, to: Self.text)
        #expect(Self.text.ranges(of: was).count == 1)
        #expect(changed == Self.text.replacing(was, with: becomes))
    }

    @Test("a line that would become too long is broken, and nothing else is")
    func longLines() throws {
        let label = String(repeating: "a long label ", count: 8)
        let changed = try apply(
            .set("[{\"label\":\"\(label)\",\"goto\":\"b\"}]"), at: "/segments/a/choices",
            to: Self.text)
        #expect(
            changed
                == Self.text.replacing(
                    #"{ "media": "a.mp4", "range": ["0:01", 12.50] }"#,
                    with: """
                        {
                              "media": "a.mp4",
                              "range": ["0:01", 12.50],
                              "choices": [
                                {
                                  "label": "\(label)",
                                  "goto": "b"
                                }
                              ]
                            }
                        """))
    }

    @Test("a long line is broken at its outermost object; a document of one line stays one")
    func outermost() throws {
        let part = #"{ "media": "\#(String(repeating: "m", count: 60))", "list": [ { "a": 1 } ] }"#
        for (text, becomes) in [
            (
                "{\n  \"x\": \(part)\n}",
                part.replacing("{ \"media\"", with: "{\n    \"media\"")
                    .replacing(", \"list\"", with: ",\n    \"list\"")
                    .replacing(" ] }", with: ", { \"b\": \"a text that is long enough\" } ]\n  }")
            ),
            (
                "{\"x\": \(part)}",
                part.replacing(" ] }", with: ", { \"b\": \"a text that is long enough\" } ] }")
            ),
        ] {
            #expect(
                try apply(
                    .set(#"{"b": "a text that is long enough"}"#), at: "/x/list/-", to: text)
                    == text.replacing(part, with: becomes))
        }
    }

    @Test(
        "a value is removed with its key and its comma",
        arguments: [
            ("[1, 2, 3]", "/0", "[2, 3]"), ("[1, 2, 3]", "/1", "[1, 3]"),
            ("[1, 2, 3]", "/2", "[1, 2]"), ("[ 1 ]", "/0", "[]"),
            ("{ \"a\": 1,\n  \"b\": {} }", "/b", "{ \"a\": 1 }"),
            ("{ \"a\": 1,\n  \"b\": {} }", "/a", "{ \"b\": {} }"),
            ("{ \"a\": { \"a\": 1 } }", "/a/a", "{ \"a\": {} }"),
        ])
    func remove(text: String, pointer: String, becomes: String) throws {
        #expect(try apply(.remove, at: pointer, to: text) == becomes)
    }

    @Test("a key is renamed, whatever is in it")
    func rename() throws {
        let text = #"{ "a\"\\": 1, "b/~": 2 }"#
        #expect(try apply(.rename("x\"y"), at: "/a\"\\", to: text) == #"{ "x\"y": 1, "b/~": 2 }"#)
        #expect(try apply(.rename("ü"), at: "/b~1~0", to: text) == #"{ "a\"\\": 1, "ü": 2 }"#)
        #expect(try apply(.rename("b/~"), at: "/b~1~0", to: text) == text)
    }

    @Test("lines and steps are as in the file", arguments: ["\n", "\r\n"], ["\t", "    "])
    func style(newline: String, unit: String) throws {
        let text = ["{", unit + "\"a\": {}", "}"].joined(separator: newline)
        #expect(
            try apply(.set("[1, [2]]"), at: "/b", to: text)
                == ["{", unit + "\"a\": {},", unit + "\"b\": [ 1, [2] ]", "}"].joined(
                    separator: newline))
        let long = "\"" + String(repeating: "x", count: 120) + "\""
        #expect(
            try apply(.set(long), at: "/a/c", to: text)
                == ["{", unit + "\"a\": {", unit + unit + "\"c\": " + long, unit + "}", "}"]
                .joined(separator: newline))
    }

    @Test(
        "what isn't possible says why",
        arguments: [
            ("a", "isn't a JSON Pointer"), ("/title/x", "there is no object or list"),
            ("/segments/x/y", "there is no object or list"),
            ("/segments/b/choices/x", "\"x\" isn't an index"),
            ("/segments/b/choices/3", "the list has 1 elements"),
        ])
    func impossible(pointer: String, said: String) throws {
        let error = try #require(throws: DocumentError.self) {
            try apply(.set("1"), at: pointer, to: Self.text)
        }
        #expect(error.description.contains(said), "\(error)")
    }

    @Test("what isn't there is neither removed nor renamed, and no key is there twice")
    func missing() throws {
        for (change, pointer) in [
            (Change.remove, "/x"), (.rename("y"), "/x"), (.rename("start"), "/title"),
        ] {
            #expect(throws: DocumentError.self) { try apply(change, at: pointer, to: Self.text) }
        }
        #expect(throws: DocumentError.self) {
            try apply(.remove, at: "/a", to: #"{ "a": 1, "a": 2 }"#)
        }
    }

    @Test("after any changes the document has the values that were set", arguments: 1...40)
    func random(seed: Int) throws {
        var random = SplitMix64(seed: UInt64(seed))
        var values: [String: Int] = [:]
        var text = random.below(2) == 0 ? "{}" : "{\n  \"x\": 0\n}"
        if text.contains("x") { values["x"] = 0 }
        for number in 0..<60 {
            let key = "key \(random.below(12))"
            switch random.below(3) {
            case 0 where values[key] != nil:
                text = try apply(.remove, at: "/" + key, to: text)
                values[key] = nil
            case 1 where values[key] != nil && values[key + "!"] == nil:
                text = try apply(.rename(key + "!"), at: "/" + key, to: text)
                values[key + "!"] = values.removeValue(forKey: key)
            default:
                text = try apply(.set("\(number)"), at: "/" + key, to: text)
                values[key] = number
            }
            let read = try JSONDocument(Data(text.utf8)).decode([String: Int].self)
            #expect(read == values)
        }
    }
}
