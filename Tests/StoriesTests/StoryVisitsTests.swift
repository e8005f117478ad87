import Foundation
import Testing

@testable import Stories

#if canImport(FoundationXML)
    import FoundationXML
#endif

@Suite("Logs of visits")
struct StoryVisitsTests {
    private static let common =
        #""visit":"00112233445566aa","story":"feed","at":"2026-03-01T10:00:00.250Z""#

    private static func line(_ more: String, visit: Int = 0) -> String {
        "{\(common),\(more)}".replacing("00112233445566aa", with: visitName(visit))
    }

    private static func visitName(_ number: Int) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    private static func way(_ from: String, _ to: String, _ by: String) -> String {
        #""type":"way","from":"\#(from)","to":"\#(to)","by":\#(by)"#
    }

    static let kinds = [
        #""type":"start","segment":"a""#, #""type":"resume","segment":"a""#,
        #""type":"back","segment":"a""#, #""type":"scene","segment":"a""#,
        way("a", "b", #""choice","choice":3"#), way("a", "b", #""default""#),
        way("a", "b", #""loop""#), way("a", "b", #""then""#),
        #""type":"choice","segment":"a","choice":0,"label":"Ü \"x\"","time":1.25"#,
        #""type":"event","segment":"a","name":"knock","time":0"#,
        #""type":"end","segment":"a","time":12"#,
    ]

    @Test("every kind of line is read, and written again with the same meaning", arguments: kinds)
    func lines(kind: String) throws {
        let line = try StoryVisitLine(json: Data(Self.line(kind).utf8))
        #expect(line.story == "feed" && line.at == "2026-03-01T10:00:00.250Z")
        let text = String(decoding: line.json, as: UTF8.self)
        #expect(!text.contains("\n"))
        #expect(try StoryVisitLine(json: line.json) == line)
        let given = try JSONSerialization.jsonObject(with: Data(Self.line(kind).utf8))
        let written = try JSONSerialization.jsonObject(with: line.json)
        #expect(given as? NSDictionary == written as? NSDictionary)
    }

    @Test("keys that are added by a server are ignored")
    func additions() throws {
        let line = Self.line(#""type":"start","segment":"a","address":"::1","n":[1]"#)
        let read = try StoryVisitLine(json: Data(line.utf8))
        #expect(read.event == .began(segment: "a", .start))
    }

    @Test(
        "what is wrong in a line is told with its place",
        arguments: [
            ("3", "7:1: the file: it is a number, not an object"),
            (#"{"visit": 3}"#, "7:11: visit: it isn't a text"),
            (#"{"visit": "00112233445566AA"}"#, "7:11: visit: it isn't 16 hexadecimal digits"),
            (#"{}"#, "7:1: the file: \"visit\" is missing"),
            (line(#""type":"dance""#), "7:83: type: there is no type \"dance\""),
            (line(#""type":"start""#), "7:1: the file: \"segment\" is missing"),
            (line(way("a", "b", #""chance""#)), "7:114: by: it is \"chance\""),
            (line(way("a", "b", #""choice","choice":0.5"#)), "choice: it isn't the number"),
            (line(way("a", "b", #""choice","choice":100"#)), "choice: it isn't the number"),
            (line(#""type":"end","segment":"a","time":-1"#), "time: it isn't a time"),
            (line(#""type":"end","segment":"","time":1"#), "segment: it isn't a text of 1 to"),
            (
                line(#""type":"start","segment":"a""#).replacing("T10", with: " 10"),
                "at: it isn't a time"
            ),
            ("{\"visit\":", "the file: this isn't valid JSON"),
        ])
    func wrong(line: String, message: String) throws {
        let error = try #require(throws: StoryError.self) {
            try StoryVisitLine(json: Data(line.utf8), number: 7)
        }
        #expect(error.description.contains(message), "\(error)")
        #expect(error.description.hasPrefix("7:"))
    }

    @Test(
        "a time is written in one way, with or without a fraction",
        arguments: [
            ("2026-03-01T10:00:00Z", true), ("2026-03-01T10:00:00.5Z", true),
            ("2026-03-01T10:00:00", false), ("2026-03-01T10:00:00.Z", false),
            ("2026-03-01T10:00:00+01:00", false), ("2026-3-01T10:00:00Z", false),
            ("2026-03-01T10:00:00.5.5Z", false), ("Z", false), ("2026-03-01T1٠:00:00Z", false),
        ])
    func times(text: String, isTime: Bool) {
        let line = Self.line(#""type":"start","segment":"a""#)
            .replacing("2026-03-01T10:00:00.250Z", with: text)
        #expect(((try? StoryVisitLine(json: Data(line.utf8))) != nil) == isTime)
    }

    @Test("a line that is too long is refused")
    func long() {
        let line = Self.line(
            #""type":"start","segment":"a","x":"\#(String(repeating: "x", count: 17_000))""#)
        #expect(throws: StoryError.self) { try StoryVisitLine(json: Data(line.utf8)) }
    }

    private func log(_ lines: [String]) -> Data {
        Data(lines.map { $0 + "\n" }.joined().utf8)
    }

    /// Three visits: all begin at the prologue, two open the door, and one walks away.
    private var visited: [String] {
        (0..<3).flatMap { visit -> [String] in
            let choice = visit < 2 ? ("hall", 0) : ("garden", 1)
            return [
                Self.line(#""type":"start","segment":"prologue""#, visit: visit),
                Self.line(Self.way("prologue", "door", #""then""#), visit: visit),
                Self.line(
                    #""type":"choice","segment":"door","choice":\#(choice.1),"label":"L","time":1"#,
                    visit: visit),
                Self.line(
                    Self.way("door", choice.0, #""choice","choice":\#(choice.1)"#), visit: visit),
            ]
                + (visit == 0
                    ? [Self.line(#""type":"end","segment":"hall","time":3"#, visit: 0)] : [])
        }
    }

    @Test("visits, ways, beginnings and ends are counted")
    func counts() throws {
        let visits = try StoryVisits(log: log(visited + ["", "  "]))
        #expect(visits.count == 3 && visits.tornLine == nil)
        #expect(visits.ways.values.reduce(0, +) == 6)
        #expect(visits.ways[StoryEdge(from: "door", to: "hall", kind: .choice(0))] == 2)
        #expect(visits.begun == ["prologue": 3, "door": 3, "hall": 2, "garden": 1])
        #expect(visits.ended == ["hall": 1])
        let graph = StoryGraph(try Sample.file(Sample.lockedRoom).story)
        #expect(visits.unknownWays(in: graph) == 0)
        let other = try StoryVisits(log: log([Self.line(Self.way("x", "y", #""then""#))]))
        #expect(other.unknownWays(in: graph) == 1)
        #expect(try StoryVisits(log: Data()).count == 0)
    }

    @Test("a log may end in the midst of a line, wherever that is")
    func torn() throws {
        let whole = log(visited)
        let last = try #require(visited.last).utf8.count
        for cut in 1...last {
            let visits = try StoryVisits(log: whole.dropLast(cut))
            let isComplete = cut == 1
            #expect(visits.tornLine == (isComplete || cut == last + 1 ? nil : visited.count))
            #expect(visits.ways.values.reduce(0, +) == (isComplete ? 6 : 5))
        }
        let only = try StoryVisits(log: log([visited[0]]).dropLast(9))
        #expect(only.tornLine == 1 && only.count == 0)
    }

    @Test("a last line that ends with a newline isn't torn, so what is wrong in it is told")
    func wrongLastLine() throws {
        for wrong in ["{\"visit\": \"00", "{}", "x"] {
            let error = try #require(throws: StoryError.self) {
                try StoryVisits(log: log(visited + [wrong, " "]))
            }
            #expect(error.problems.map(\.position?.line) == [visited.count + 1])
        }
    }

    @Test(
        "a damaged line before the last, and a file that is no log, are refused with their places")
    func damaged() throws {
        var lines = visited
        lines[2] = "{\"visit\": \"00"
        lines[4] = "nonsense"
        let error = try #require(throws: StoryError.self) { try StoryVisits(log: log(lines)) }
        #expect(error.problems.map(\.position?.line) == [3, 5])
        for other in ["nonsense", "{}", "[", "{\"timewarp\": \"story/1\"}"] {
            #expect(throws: StoryError.self) { try StoryVisits(log: Data(other.utf8)) }
        }
        let many = try #require(throws: StoryError.self) {
            try StoryVisits(log: log(Array(repeating: "x", count: 500)))
        }
        #expect(many.problems.count == 100 && many.omitted == 400)
    }

    @Test("the graph shows how often each way was followed, and its share")
    func picture() throws {
        let story = try Sample.file(Sample.lockedRoom).story
        let svg = StoryPicture(of: story, visits: try StoryVisits(log: log(visited))).svg
        #expect(XMLParser(data: Data(svg.utf8)).parse())
        #expect(svg.contains("5 paths, 3 visits"))
        #expect(svg.contains(">Open it · 2 (67 %)<"))
        #expect(svg.contains("Walk away [courage &lt; 2] · 1 (33 %)"))
        #expect(svg.contains(">default · 0 (0 %)<"))
        #expect(svg.contains(">3<"), "a way without a label has its count")
        #expect(svg.contains(">2×, 1 ended<"))
        // The way that was followed most is the widest, and one that never was is faint.
        #expect(svg.contains("stroke-width:6\"") && svg.contains("stroke-width:4.5\""))
        #expect(svg.contains("opacity:0.35"))
        #expect(!StoryPicture(of: story).svg.contains("stroke-width:6\""))
    }
}
