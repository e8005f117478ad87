/// The path of a value in a document, such as `segments.door.choices[1].when`.
public struct DocumentPath: Hashable, Sendable, CustomStringConvertible {
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

    /// The path of a value inside this object.
    public func key(_ key: String) -> DocumentPath {
        DocumentPath(steps + [.key(key)])
    }

    /// The path of an element of this list, counted from 0.
    public func index(_ index: Int) -> DocumentPath {
        DocumentPath(steps + [.index(index)])
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
