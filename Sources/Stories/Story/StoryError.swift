/// Something in a story file, a manifest or a saved state that can't be read.
public struct StoryProblem: Hashable, Sendable, CustomStringConvertible {
    /// The place as a path.
    public let path: StoryPath
    /// The place in the text, where there is one.
    public let position: TextPosition?
    /// What is wrong and what would be right.
    public let message: String

    /// A problem at a place of a story file.
    public init(path: StoryPath, position: TextPosition? = nil, message: String) {
        self.path = path
        self.position = position
        self.message = message
    }

    /// `31:15: segments.door.choices[1].when: …`.
    public var description: String {
        "\(position.map { "\($0): " } ?? "")\(path): \(message)"
    }
}

/// Why a story can't be used: everything that is wrong, as far as it could be told at once.
public struct StoryError: Error, Hashable, Sendable, CustomStringConvertible {
    /// One at least, in the order of the file.
    public let problems: [StoryProblem]
    /// How many more there were than are listed.
    public let omitted: Int

    /// The most problems that are listed.
    public static let mostProblems = 100

    /// - Parameter further: how many there are beside those given.
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

    /// One problem a line.
    public var description: String {
        let lines = problems.map(\.description) + (omitted > 0 ? ["and \(omitted) more"] : [])
        return lines.joined(separator: "\n")
    }
}
