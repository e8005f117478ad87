/// A problem in a story file, a manifest or a saved state that prevents reading it.
public struct StoryProblem: Hashable, Sendable, CustomStringConvertible {
    /// The path of the value in the file.
    public let path: StoryPath
    /// The position in the text; nil if it isn't known.
    public let position: TextPosition?
    /// What is wrong, and how to correct it.
    public let message: String

    /// A problem at a path of a file.
    public init(path: StoryPath, position: TextPosition? = nil, message: String) {
        self.path = path
        self.position = position
        self.message = message
    }

    /// Position, path and message in one line: `31:15: segments.door.choices[1].when: …`.
    public var description: String {
        "\(position.map { "\($0): " } ?? "")\(path): \(message)"
    }
}

/// The error for a story that can't be used. It lists all problems that were found.
public struct StoryError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The problems, at least one, in the order of the file; at most ``mostProblems``.
    public let problems: [StoryProblem]
    /// How many further problems aren't listed.
    public let omitted: Int

    /// The largest number of problems that are listed.
    public static let mostProblems = 100

    /// - Parameter further: how many problems there are besides those given.
    package init(_ problems: [StoryProblem], further: Int = 0) {
        self.problems = Array(problems.prefix(Self.mostProblems))
        omitted = max(0, problems.count - Self.mostProblems) + further
    }

    package init(_ message: String) {
        self.init(StoryPath(), message)
    }

    package init(_ path: StoryPath, _ message: String) {
        self.init([StoryProblem(path: path, message: message)])
    }

    /// One line for each problem.
    public var description: String {
        let lines = problems.map(\.description) + (omitted > 0 ? ["and \(omitted) more"] : [])
        return lines.joined(separator: "\n")
    }
}
