/// A time remapping in the text format of framecurve.org, which compositing programs exchange: it says which
/// source frame belongs at which output frame.
///
/// ```
/// # at_frame ⇥ use_frame_of_source
/// 1 ⇥ 1
/// 48 ⇥ 24.5
/// ```
/// Frames are counted from 1. Lines end in LF or CRLF. Empty lines and lines that begin with `#` are
/// ignored. The two numbers of a line are separated by spaces and tabs.
public struct FrameCurve: Hashable, Sendable {
    /// One record: one line of the text with two numbers.
    public struct Point: Hashable, Sendable {
        /// An output frame, counted from 1.
        public let atFrame: Int
        /// The source frame that is shown there, counted from 1. It may lie between two frames. Between records
        /// it changes linearly.
        public let sourceFrame: Double

        /// A record; both frames are counted from 1.
        public init(atFrame: Int, sourceFrame: Double) {
            self.atFrame = atFrame
            self.sourceFrame = sourceFrame
        }
    }

    /// The largest number of records in a text.
    public static let mostPoints = 1_000_000
    /// The largest frame number. No clip has more frames, and larger numbers would not be exact.
    private static let largestFrame = 1e12

    /// The records, at least one, with increasing `atFrame`.
    public let points: [Point]

    /// A frame curve with these records.
    ///
    /// - Parameter points: at least one; at most ``mostPoints``, with increasing `atFrame`.
    package init(points: [Point]) {
        precondition(
            !points.isEmpty
                && zip(points, points.dropFirst()).allSatisfy { $0.atFrame < $1.atFrame },
            "the records of a frame curve are in order")
        self.points = points
    }

    /// The text that ``init(parsing:)`` reads.
    public var text: String {
        points.reduce(
            into: "# http://framecurve.org/specification-v1\n# at_frame\tuse_frame_of_source\n"
        ) {
            $0 += "\($1.atFrame)\t\($1.sourceFrame)\n"
        }
    }

    /// Reads the text of a frame curve. A byte order mark at its start is ignored.
    ///
    /// - Throws: ``CurveError`` naming the line that can't be read or is out of order, or when there are no
    ///   records or more than ``mostPoints``.
    /// - Complexity: O(n) in the length of the text.
    public init(parsing text: String) throws(CurveError) {
        var points: [Point] = []
        var bytes = text.utf8[...]
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            bytes = bytes.dropFirst(3)
        }
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            guard let point = try Self.point(in: line, number: index + 1) else {
                continue
            }
            if let last = points.last, point.atFrame <= last.atFrame {
                throw Self.wrong(
                    index + 1,
                    "at_frame \(point.atFrame) comes after \(last.atFrame); it must increase")
            }
            points.append(point)
            guard points.count <= Self.mostPoints else {
                throw Self.wrong(index + 1, "there are more than \(Self.mostPoints) records")
            }
        }
        guard !points.isEmpty else {
            throw CurveError(.malformed, "the frame curve has no record")
        }
        self.points = points
    }

    private static func point(
        in line: Substring.UTF8View, number: Int
    ) throws(CurveError) -> Point? {
        let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
        let fields = line.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        guard let first = fields.first, first.first != UInt8(ascii: "#") else {
            return nil
        }
        guard fields.count == 2 else {
            throw wrong(
                number, "it has \(fields.count) fields; it needs two, at_frame and source frame")
        }
        let (at, use) = (String(Substring(first)), String(Substring(fields[1])))
        guard first.allSatisfy({ (48...57).contains($0) }), let atFrame = Int(at), atFrame >= 1,
            Double(atFrame) <= largestFrame
        else {
            throw wrong(number, "at_frame \"\(at)\" is not a whole number of 1 or more")
        }
        // Double would also read hexadecimal numbers and "nan".
        guard fields[1].allSatisfy({ "0123456789.eE+-".utf8.contains($0) }),
            let sourceFrame = Double(use), (0...largestFrame).contains(sourceFrame)
        else {
            throw wrong(number, "source frame \"\(use)\" is not a decimal number of 0 or more")
        }
        return Point(atFrame: atFrame, sourceFrame: max(1, sourceFrame))
    }

    private static func wrong(_ line: Int, _ what: String) -> CurveError {
        CurveError(.malformed, "line \(line) of the frame curve: \(what)")
    }
}
