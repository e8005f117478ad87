/// A retiming as compositing programs exchange it: which frame of the source belongs at which frame
/// of the output, in text (framecurve.org).
///
/// ```
/// # at_frame ⇥ use_frame_of_source
/// 1 ⇥ 1
/// 48 ⇥ 24.5
/// ```
/// Frames count from 1. Lines end in LF or CRLF; those that begin with `#`, and empty ones, don't
/// count; any run of blanks and tabs parts the two numbers.
public struct FrameCurve: Hashable, Sendable {
    /// One line of the text.
    public struct Point: Hashable, Sendable {
        /// A frame of the output, from 1 on.
        public let atFrame: Int
        /// The frame of the source shown there, from 1 on; between two frames in linear motion.
        public let sourceFrame: Double

        /// A line of the text; both frames count from 1.
        public init(atFrame: Int, sourceFrame: Double) {
            self.atFrame = atFrame
            self.sourceFrame = sourceFrame
        }
    }

    /// How many records a text may hold.
    public static let mostPoints = 1_000_000
    /// Larger frame numbers belong to no clip, and wouldn't be exact.
    private static let largestFrame = 1e12

    /// One at least, `atFrame` rising.
    public let points: [Point]

    /// - Throws: ``CurveError`` naming the line that can't be read or is out of order.
    /// - Complexity: O(n).
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
                    "at_frame \(point.atFrame) comes after \(last.atFrame); it must rise")
            }
            points.append(point)
            guard points.count <= Self.mostPoints else {
                throw Self.wrong(index + 1, "there are more than \(Self.mostPoints) records")
            }
        }
        guard !points.isEmpty else {
            throw CurveError(.malformed, "the frame curve holds no record")
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
                number, "it holds \(fields.count) fields; it needs two, at_frame and source frame")
        }
        let (at, use) = (String(Substring(first)), String(Substring(fields[1])))
        guard first.allSatisfy({ (48...57).contains($0) }), let atFrame = Int(at), atFrame >= 1,
            Double(atFrame) <= largestFrame
        else {
            throw wrong(number, "at_frame \"\(at)\" is no whole number from 1 on")
        }
        // Double reads hexadecimal numbers and "nan", too.
        guard fields[1].allSatisfy({ "0123456789.eE+-".utf8.contains($0) }),
            let sourceFrame = Double(use), (0...largestFrame).contains(sourceFrame)
        else {
            throw wrong(number, "source frame \"\(use)\" is no decimal number from 0 on")
        }
        return Point(atFrame: atFrame, sourceFrame: max(1, sourceFrame))
    }

    private static func wrong(_ line: Int, _ what: String) -> CurveError {
        CurveError(.malformed, "line \(line) of the frame curve: \(what)")
    }
}
