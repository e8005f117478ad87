/// A place in a story file: `segments.door.choices[1].when`.
public struct StoryPath: Hashable, Sendable, CustomStringConvertible {
    /// One step on the way.
    public enum Step: Hashable, Sendable {
        /// The key of an object.
        case key(String)
        /// Of a list, from 0.
        case index(Int)
    }
    /// From the outermost; empty for the whole file.
    public let steps: [Step]

    /// A path from its steps, the outermost first.
    public init(_ steps: [Step] = []) {
        self.steps = steps
    }

    /// The place of a segment.
    public static func segment(_ name: String) -> StoryPath {
        StoryPath([.key("segments"), .key(name)])
    }

    /// The place of a value within the one here.
    public func key(_ key: String) -> StoryPath {
        StoryPath(steps + [.key(key)])
    }

    /// The place of an element of the list here, counted from 0.
    public func index(_ index: Int) -> StoryPath {
        StoryPath(steps + [.index(index)])
    }

    /// Dots and brackets, as in JavaScript; `the file` for the whole.
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

/// A place in a text, as editors count it.
public struct TextPosition: Hashable, Sendable, Comparable, Codable, CustomStringConvertible {
    /// From 1.
    public let line: Int
    /// From 1, in Unicode scalars.
    public let column: Int

    /// A place; both count from 1.
    public init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    public static func < (a: TextPosition, b: TextPosition) -> Bool {
        (a.line, a.column) < (b.line, b.column)
    }

    /// `31:15`.
    public var description: String { "\(line):\(column)" }
}
