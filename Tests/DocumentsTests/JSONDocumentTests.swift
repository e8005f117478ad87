import Foundation
import Testing
import TimeMaps

@testable import Documents

@Suite("Documents as values")
struct JSONDocumentTests {
    enum Mode: String, Codable, CaseIterable { case forward, reversed }

    struct Point: Codable, Equatable {
        var at: Double
        var count: Int64?
        var mode: Mode?
        var more: [String: [Float]]?
    }

    struct List: Codable, Equatable {
        var points: [Point]
        var names: [String?]?
        var isClosed: Bool?
    }

    private func read(
        _ text: String, unknownKeys: JSONDocument.UnknownKeys = .refused
    ) throws -> List {
        try JSONDocument(Data(text.utf8)).decode(List.self, unknownKeys: unknownKeys)
    }

    @Test("what is written is read back", arguments: 1...30 as ClosedRange<UInt64>)
    func roundTrip(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let list = List(
            points: (0..<random.below(20)).map { number in
                Point(
                    at: Double(Int(random.below(1_000_000)) - 500_000) / 1024,
                    count: random.below(2) == 0 ? nil : Int64.max - Int64(number),
                    mode: Mode.allCases[random.below(2)],
                    more: random.below(2) == 0 ? nil : ["a\"b/é": [1.5, -3], "": []])
            }, names: random.below(2) == 0 ? nil : ["x", nil, "\n"],
            isClosed: random.below(2) == 0)
        let data = try JSONDocument.data(of: list)
        #expect(try JSONDocument(data).decode(List.self) == list)
        #expect(try JSONDecoder().decode(List.self, from: data) == list)
    }

    @Test(
        "what is wrong has its line, column and path",
        arguments: [
            (#"{"points":[{"at":"1"}]}"#, "1:18: points[0].at: it is a text, not a number"),
            (
                #"{"points":[{"at":1,"count":1.5}]}"#,
                "1:28: points[0].count: 1.5 isn't a whole number"
            ),
            (#"{"points":[{"at":1,"count":1e30}]}"#, "1:28: points[0].count: 1e30 isn't a whole"),
            ("{\"points\":[\n{}]}", "2:1: points[0]: \"at\" is missing"),
            (#"{"points":[{"at":1,"mode":"foward"}]}"#, "1:27: points[0].mode: \"foward\""),
            (#"{"points":[{"at":1,"mode":"foward"}]}"#, "Did you mean \"forward\"?"),
            (#"{"points":[{"at":1,"cuont":1}]}"#, "1:20: points[0]: \"cuont\" means nothing here."),
            (
                #"{"points":[{"at":1,"cuont":1}]}"#,
                "Did you mean \"count\"? Known keys are at, count"
            ),
            (
                #"{"pionts":[]}"#,
                "1:2: the file: \"pionts\" means nothing here. Did you mean \"points\"?"
            ),
            (#"{"pionts":[1],"other":[]}"#, "Did you mean \"points\"?"),
            (#"{"points":[],"points":[]}"#, "1:14: the file: the key \"points\" appears twice"),
            (
                #"{"points":[{"at":1,"more":{"a.b":[1,{}]}}]}"#,
                "1:37: points[0].more[\"a.b\"][1]: it is an"
            ),
            (#"{"points":{}}"#, "1:11: points: it is an object, not a list"),
            (#"[]"#, "1:1: the file: it is a list, not an object"),
            (#"{"points":[],"names":[1]}"#, "1:23: names[0]: it is a number, not a text"),
            (#"{"points":[],"isClosed":0}"#, "1:25: isClosed: it is a number, not true or false"),
            (#"{"points":[null]}"#, "1:12: points[0]: it is null, not an object"),
            (#"{"points":[}"#, "1:12: the file: this isn't valid JSON"),
        ])
    func places(text: String, said: String) throws {
        let error = try #require(throws: DocumentError.self) { try read(text) }
        #expect(error.description.contains(said), "\(error)")
    }

    @Test("keys of other programs may be ignored")
    func otherKeys() throws {
        let text = #"{"points":[{"at":1,"x":{"y":[1]}}],"points":[],"z":null}"#
        #expect(try read(text, unknownKeys: .ignored) == List(points: [Point(at: 1)]))
    }

    private struct Limit: Decodable {
        struct TooHigh: Error, Equatable {}
        let limit: Int

        private enum Key: String, CodingKey { case limit, least }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            limit = try container.decode(Int.self, forKey: .limit) { limit in
                guard limit < 10 else {
                    throw TooHigh()
                }
                return limit
            }
            if let least = try container.decodeIfPresent(Int.self, forKey: .least), least > limit {
                throw TooHigh()
            }
        }
    }

    @Test("errors of a type's own have the place of the value, and are kept")
    func ownErrors() throws {
        for (text, place) in [
            (#"[{"limit": 10}]"#, "1:12: [0].limit"), (#"[ {"limit": 1, "least": 2}]"#, "1:3: [0]"),
        ] {
            let document = try JSONDocument(Data(text.utf8))
            let error = try #require(throws: DocumentError.self) {
                try document.decode([Limit].self)
            }
            #expect(error.description.hasPrefix(place + ": "), "\(error)")
            #expect(error.underlying is Limit.TooHigh)
        }
    }

    @Test("what is too large isn't read")
    func size() {
        let data = Data(repeating: 0x20, count: (1 << 20) + 1)
        let error = #expect(throws: DocumentError.self) {
            try JSONDocument(data, kind: "curve file", largest: 1 << 20)
        }
        #expect(error?.description == "the file: the curve file is larger than 1 MiB")
    }
}
