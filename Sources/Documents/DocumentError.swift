import Foundation

/// What is wrong in a document, and where.
public struct DocumentProblem: Hashable, Sendable, CustomStringConvertible {
    /// The path of the value in the document.
    public let path: DocumentPath
    /// The position in the text; nil if it isn't known.
    public let position: TextPosition?
    /// What is wrong, and how to correct it.
    public let message: String

    /// A problem at a path of a document.
    public init(path: DocumentPath, position: TextPosition? = nil, message: String) {
        self.path = path
        self.position = position
        self.message = message
    }

    /// Position, path and message in one line: `31:15: segments.door.choices[1].when: …`.
    public var description: String {
        "\(position.map { "\($0): " } ?? "")\(path): \(message)"
    }
}

/// Why a document can't be read.
public struct DocumentError: Error, Sendable, CustomStringConvertible {
    /// What is wrong, and where.
    public let problem: DocumentProblem
    /// The error of the value that the document describes, such as a formula's; nil if the document itself is wrong.
    public let underlying: (any Error)?

    /// An error from what is wrong.
    ///
    /// - Parameter underlying: the error of the value that the document describes.
    public init(_ problem: DocumentProblem, underlying: (any Error)? = nil) {
        self.problem = problem
        self.underlying = underlying
    }

    /// An error about a whole document.
    package init(_ message: String) {
        self.init(DocumentProblem(path: DocumentPath(), message: message))
    }

    /// An error about the value at a path.
    package init(_ error: any Error, at path: DocumentPath) {
        self.init(DocumentProblem(path: path, message: "\(error)"), underlying: error)
    }

    /// Position, path and message in one line.
    public var description: String { problem.description }
}

extension DocumentError: LocalizedError {
    /// The whole message.
    public var errorDescription: String? { description }
}
