/// A Markdown table that is also readable as plain text.
public struct MarkdownTable: Sendable {
    public let headings: [String]
    public private(set) var rows: [[String]] = []

    public init(_ headings: [String]) {
        self.headings = headings
    }

    /// Adds a row. Missing cells are empty.
    public mutating func add(_ cells: [String]) {
        precondition(cells.count <= headings.count, "a heading for every cell")
        let missing = headings.count - cells.count
        rows.append(cells.map(Self.escaped) + Array(repeating: "", count: missing))
    }

    public var text: String {
        let lines = [headings, headings.map { _ in "---" }] + rows
        return lines.map { "| " + $0.joined(separator: " | ") + " |" }.joined(separator: "\n")
    }

    private static func escaped(_ cell: String) -> String {
        cell.split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|")
            .split(whereSeparator: \.isNewline).joined(separator: " ")
    }
}
