/// The path of a value in a story file, such as `segments.door.choices[1].when`.
public struct StoryPath: Hashable, Sendable, CustomStringConvertible {
    /// One step of a path.
    public enum Step: Hashable, Sendable {
        /// A key of an object.
        case key(String)
        /// An index in a list, counted from 0.
        case index(Int)
    }
    /// The steps, the outermost first; empty for the whole file.
    public let steps: [Step]

    /// A path from its steps, the outermost first.
    public init(_ steps: [Step] = []) {
        self.steps = steps
    }

    /// The path of a segment.
    public static func segment(_ name: String) -> StoryPath {
        StoryPath([.key("segments"), .key(name)])
    }

    /// The path of a value inside this object.
    public func key(_ key: String) -> StoryPath {
        StoryPath(steps + [.key(key)])
    }

    /// The path of an element of this list, counted from 0.
    public func index(_ index: Int) -> StoryPath {
        StoryPath(steps + [.index(index)])
    }

    /// The path with dots and brackets as in JavaScript; `the file` for the whole file.
    public var description: String {
        guard !steps.isEmpty else {
            return "the file"
        }
        return steps.reduce(into: "") { text, step in
            switch step {
            case .index(let index): text += "[\(index)]"
            case .key(let key) where Self.isPlain(key): text += text.isEmpty ? key : ".\(key)"
            case .key(let key): text += "[\"\(key)\"]"
            }
        }
    }

    private static func isPlain(_ key: String) -> Bool {
        !key.isEmpty && key.utf8.allSatisfy { $0 > 32 && !".[]\"\\".utf8.contains($0) }
    }
}

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
