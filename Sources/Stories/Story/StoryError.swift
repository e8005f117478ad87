import Documents
import Foundation

/// The error for a story that can't be used. It lists all problems that were found.
public struct StoryError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The problems, at least one, in the order of the file; at most ``mostProblems``.
    public let problems: [DocumentProblem]
    /// How many further problems aren't listed.
    public let omitted: Int

    /// The largest number of problems that are listed.
    public static let mostProblems = 100

    /// - Parameter further: how many problems there are besides those given.
    package init(_ problems: [DocumentProblem], further: Int = 0) {
        self.problems = Array(problems.prefix(Self.mostProblems))
        omitted = max(0, problems.count - Self.mostProblems) + further
    }

    package init(_ message: String) {
        self.init(DocumentPath(), message)
    }

    package init(_ path: DocumentPath, _ message: String) {
        self.init([DocumentProblem(path: path, message: message)])
    }

    /// Runs `body`, whose error becomes the only problem.
    static func reading<Value>(
        _ body: () throws(DocumentError) -> Value
    ) throws(StoryError) -> Value {
        do {
            return try body()
        } catch {
            throw StoryError([error.problem])
        }
    }

    /// One line for each problem.
    public var description: String {
        let lines = problems.map(\.description) + (omitted > 0 ? ["and \(omitted) more"] : [])
        return lines.joined(separator: "\n")
    }
}

extension DocumentPath {
    /// The path of a segment.
    public static func segment(_ name: String) -> DocumentPath {
        DocumentPath([.key("segments"), .key(name)])
    }
}

extension StoryError: LocalizedError {
    /// The whole message.
    public var errorDescription: String? { description }
}
