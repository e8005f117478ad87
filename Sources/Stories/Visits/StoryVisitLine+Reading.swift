import Documents
import Foundation

extension StoryVisitLine {
    /// The longest line, in bytes.
    package static let longest = 16 << 10

    /// Reads a line of a log. Keys that it doesn't know are ignored, so a server may add some.
    ///
    /// - Parameters:
    ///   - json: the line, without its newline.
    ///   - number: the number of the line in its file, for messages.
    /// - Throws: ``StoryError`` with the line and column of the first problem.
    package init(json: Data, number: Int = 1) throws(StoryError) {
        self = try VisitLineReader(json, number).line()
    }
}

/// Reads the values of a line, and stops at the first that is wrong.
private struct VisitLineReader {
    private let document: JSONDocument
    private let object: JSONObject
    private let number: Int

    init(_ json: Data, _ number: Int) throws(StoryError) {
        guard json.count <= StoryVisitLine.longest else {
            throw Self.error(
                "the line has more than \(StoryVisitLine.longest >> 10) KiB", number: number)
        }
        do {
            document = try JSONDocument(json, kind: "line", largest: StoryVisitLine.longest)
        } catch {
            throw Self.error(
                error.problem.message, number: number, column: error.problem.position?.column ?? 1)
        }
        guard let object = document.root.object else {
            throw Self.error("it is \(document.root.kind), not an object", number: number)
        }
        (self.object, self.number) = (object, number)
    }

    func line() throws(StoryError) -> StoryVisitLine {
        let visit = try name("visit")
        guard visit.utf8.count == 16, visit.utf8.allSatisfy(Self.isHexadecimal) else {
            throw wrong("it isn't 16 hexadecimal digits", "visit")
        }
        let at = try name("at")
        guard Self.isTime(at) else {
            throw wrong("it isn't a time such as 2026-03-01T10:00:00.000Z", "at")
        }
        return StoryVisitLine(
            visit: visit, story: try name("story"), at: at, event: try event(try name("type")))
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }

    /// Whether a text is like `2026-03-01T10:00:00Z`, or has a fraction after the seconds. A regular expression would take
    /// most of the time of reading a log.
    private static func isTime(_ text: String) -> Bool {
        let shape = Array("0000-00-00T00:00:00".utf8)
        let bytes = Array(text.utf8)
        let isDigit = { (byte: UInt8) in (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
        guard bytes.count > shape.count, bytes.last == UInt8(ascii: "Z"),
            zip(bytes, shape).allSatisfy({ isDigit($1) ? isDigit($0) : $0 == $1 })
        else {
            return false
        }
        let fraction = bytes[shape.count..<(bytes.count - 1)]
        return fraction.isEmpty
            || (fraction.count > 1 && fraction.first == UInt8(ascii: ".")
                && fraction.dropFirst().allSatisfy(isDigit))
    }

    private func event(_ type: String) throws(StoryError) -> StoryVisitLine.Event {
        if let beginning = StoryVisitLine.Beginning(rawValue: type) {
            return .began(segment: try name("segment"), beginning)
        }
        switch type {
        case "way": return .way(try edge())
        case "choice":
            return .choice(
                segment: try name("segment"), choice: try choice(), label: try name("label"),
                time: try time())
        case "event":
            return .event(
                segment: try name("segment"), name: try name("name"), time: try time())
        case "end": return .end(segment: try name("segment"), time: try time())
        default:
            let known =
                StoryVisitLine.Beginning.allCases.map(\.rawValue)
                + ["way", "choice", "event", "end"]
            throw wrong(
                "there is no type \"\(type)\"; the types are \(known.joined(separator: ", "))",
                "type")
        }
    }

    private func edge() throws(StoryError) -> StoryEdge {
        let kind: StoryEdge.Kind
        let by = try name("by")
        switch by {
        case "choice": kind = .choice(try choice())
        case "default": kind = .otherwise
        case "loop": kind = .loop
        case "then": kind = .then
        default:
            throw wrong("it is \"\(by)\", not choice, default, loop or then", "by")
        }
        return StoryEdge(from: try name("from"), to: try name("to"), kind: kind)
    }

    private func choice() throws(StoryError) -> Int {
        guard let number = try value("choice").number, number >= 0,
            number < Double(StoryLimits.mostChoices), number == number.rounded()
        else {
            throw wrong("it isn't the number of a choice, counted from 0", "choice")
        }
        return Int(number)
    }

    private func time() throws(StoryError) -> Double {
        guard let seconds = try value("time").number, (0...1e9).contains(seconds) else {
            throw wrong("it isn't a time in seconds", "time")
        }
        return seconds
    }

    private func name(_ key: String) throws(StoryError) -> String {
        guard let text = try value(key).text, !text.isEmpty,
            text.count <= StoryLimits.longestName
        else {
            throw wrong("it isn't a text of 1 to \(StoryLimits.longestName) characters", key)
        }
        return text
    }

    private func value(_ key: String) throws(StoryError) -> JSONValue {
        guard let value = object[key] else {
            throw Self.error("\"\(key)\" is missing", number: number)
        }
        return value
    }

    private func wrong(_ message: String, _ key: String) -> StoryError {
        let path = DocumentPath([.key(key)])
        return Self.error(
            message, path, number: number, column: document.position(of: path).column)
    }

    private static func error(
        _ message: String, _ path: DocumentPath = DocumentPath(), number: Int, column: Int = 1
    ) -> StoryError {
        StoryError([
            DocumentProblem(
                path: path, position: TextPosition(line: number, column: column), message: message)
        ])
    }
}
