/// A position in a text, counted as editors do.
public struct TextPosition: Hashable, Sendable, Comparable, Codable, CustomStringConvertible {
    /// The line, counted from 1.
    public let line: Int
    /// The column, counted from 1 in Unicode scalars.
    public let column: Int

    /// A position; line and column count from 1.
    public init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    /// Whether one position comes before the other in the text.
    public static func < (a: TextPosition, b: TextPosition) -> Bool {
        (a.line, a.column) < (b.line, b.column)
    }

    /// Line and column: `31:15`.
    public var description: String { "\(line):\(column)" }
}
