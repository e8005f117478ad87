import Documents
import Foundation

/// The content of a time map file: points that map output times to source times.
///
/// ```json
/// { "timewarp": "time-map/1", "points": [
///     { "output": 0, "source": "0" }, { "output": "2.5s", "source": 10 } ] }
/// ```
/// A time is either a number of seconds, which is rounded to a nanosecond, or a text that
/// ``RationalTime/init(parsing:)`` reads exactly.
public struct TimeMapDocument: Hashable, Sendable {
    /// The largest file that can be read, in bytes: 16 MiB.
    public static let largestFile = 16 << 20
    /// The largest number of points in a file.
    public static let mostPoints = 100_000

    /// The points in order of output time, as ``TimeMap/init(through:sourceDuration:)`` takes them.
    public var points: [TimeAnchor]

    /// A document with these points. Nothing is checked; making a time map of the points does that.
    public init(points: [TimeAnchor]) {
        self.points = points
    }

    /// The points of a map of straight lines; times that aren't exact are rounded to a ``RationalTime/fineTick``.
    package init(straight map: TimeMap) throws {
        points = []
        for piece in map.pieces {
            let start = TimeAnchor(
                source: try piece.exact?.sourceStart ?? RationalTime(fine: piece.sourceStart),
                output: try points.last?.output ?? piece.exact?.outputStart
                    ?? RationalTime(fine: piece.outputStart))
            if points.last != start {
                points.append(start)
            }
            points.append(
                TimeAnchor(
                    source: try piece.exact?.sourceEnd ?? RationalTime(fine: piece.sourceEnd),
                    output: try piece.exact?.outputEnd ?? RationalTime(fine: piece.outputEnd)))
        }
    }

    /// Reads a time map file.
    ///
    /// - Throws: ``DocumentError`` with line, column and path, such as `points[3].source`.
    public init(json: Data) throws(DocumentError) {
        self = try JSONDocument(json, kind: "time map file", largest: Self.largestFile)
            .decode(TimeMapDocument.self)
    }

    /// The file's content: JSON with sorted keys, ending in a newline.
    ///
    /// - Throws: ``CurveError`` when a time is negative.
    public func json() throws -> Data { try JSONDocument.data(of: self) }
}

extension TimeMapDocument: Codable {
    private enum Key: String, CodingKey {
        case timewarp, points
    }

    private static let version = "time-map/1"

    /// Decodes `timewarp`, which must be `time-map/1`, and `points`.
    ///
    /// - Throws: ``CurveError`` or `DecodingError` for another version, more than ``mostPoints`` points, and times
    ///   that can't be read.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        try container.requireVersion(Self.version, forKey: .timewarp)
        let points = try container.decode(
            listOf: FilePoint.self, forKey: .points, atMost: Self.mostPoints)
        self.init(points: points.map(\.anchor))
    }

    /// Encodes the document in the form that ``init(json:)`` reads.
    ///
    /// - Throws: ``CurveError`` when a time is negative.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(Self.version, forKey: .timewarp)
        try container.encode(points.map(FilePoint.init), forKey: .points)
    }
}

/// A point in the form in which the file holds it.
package struct FilePoint: Codable {
    package let anchor: TimeAnchor

    private enum Key: String, CodingKey {
        case output, source
    }

    package init(_ anchor: TimeAnchor) {
        self.anchor = anchor
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        anchor = TimeAnchor(
            source: try container.decode(FileTime.self, forKey: .source).time,
            output: try container.decode(FileTime.self, forKey: .output).time)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(FileTime(time: anchor.output), forKey: .output)
        try container.encode(FileTime(time: anchor.source), forKey: .source)
    }
}

/// A time in a file: seconds as a number or as a text.
package struct FileTime: Codable {
    package let time: RationalTime

    package init(time: RationalTime) {
        self.time = time
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
            self.init(time: try RationalTime(parsing: text))
            return
        }
        guard let seconds = try? container.decode(Double.self) else {
            throw CurveError(.malformed, "a time must be a number of seconds or a text")
        }
        try self.init(seconds: seconds)
    }

    /// A time from seconds, to the nanosecond.
    fileprivate init(seconds: Double) throws {
        // A program that computes a time of 0 may write a slightly negative number instead.
        guard seconds >= -Tolerance.stated, seconds <= TimeMap.longestOutput,
            let time = try? RationalTime(
                seconds: max(0, seconds), timescale: 1_000_000_000, rounding: .nearest
            ).multiplied(by: 1, over: 1)
        else {
            throw CurveError(
                .malformed, value: seconds,
                "\(seconds) s is not a valid time; a time must be from 0 s to "
                    + "\(TimeMap.longestOutput) s")
        }
        self.time = time
    }

    package func encode(to encoder: any Encoder) throws {
        guard time >= .zero else {
            throw CurveError(
                .malformed, value: time.seconds, "\(time.secondsText) s is negative")
        }
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }

    /// The time as a text: a decimal number where that is exact, otherwise a fraction.
    package var text: String {
        let (nanoseconds, rest) = (Int128(time.value) * 1_000_000_000)
            .quotientAndRemainder(dividingBy: Int128(time.timescale))
        guard rest == 0 else {
            return time.description
        }
        return decimalText(ofBillionths: nanoseconds)
    }
}

/// A number as text without an exponent: `-1.5`, `2`.
package func decimalText(ofBillionths billionths: Int128) -> String {
    let (whole, part) = billionths.magnitude.quotientAndRemainder(dividingBy: 1_000_000_000)
    let sign = billionths < 0 ? "-" : ""
    guard part != 0 else {
        return "\(sign)\(whole)"
    }
    let digits = String("\(part + 1_000_000_000)".dropFirst())
    let end = digits.lastIndex { $0 != "0" } ?? digits.startIndex
    return "\(sign)\(whole).\(digits[...end])"
}

/// A time in a file that may be negative.
package struct SignedFileTime: Codable {
    package let time: RationalTime

    package init(time: RationalTime) {
        self.time = time
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
            time = try RationalTime(parsingSigned: text)
        } else if let seconds = try? container.decode(Double.self), seconds < 0 {
            time = try RationalTime.zero.difference(FileTime(seconds: -seconds).time)
        } else {
            time = try FileTime(from: decoder).time
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }

    /// The time as a text, as ``FileTime/text``.
    package var text: String {
        time < .zero
            ? "-" + FileTime(time: RationalTime(-time.value, over: time.timescale)).text
            : FileTime(time: time).text
    }
}

extension FileTime: TextOrNumber {}

extension SignedFileTime: TextOrNumber {}
