import Foundation

/// Why a composition can't be made, changed, read or written.
public struct CompositionError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of error; compare it with the static members.
    public struct Code: Hashable, Sendable {
        private enum Kind: Hashable, Sendable {
            case outside, invalid, malformed, unsupported
        }
        private let kind: Kind

        /// An instant, a range, a segment or a track that doesn't exist.
        public static let outside = Code(kind: .outside)
        /// An invalid length or value.
        public static let invalid = Code(kind: .invalid)
        /// A file that doesn't describe a composition. The description begins with the place in the file.
        public static let malformed = Code(kind: .malformed)
        /// A timeline that a composition can't represent.
        public static let unsupported = Code(kind: .unsupported)
    }

    /// The kind of error.
    public let code: Code
    /// What is wrong, as a sentence without a full stop.
    public let description: String

    /// An error of a kind, with a sentence without a full stop.
    public init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }

    package static func outside(_ description: String) -> CompositionError {
        CompositionError(.outside, description)
    }

    package static func invalid(_ description: String) -> CompositionError {
        CompositionError(.invalid, description)
    }
}

extension CompositionError: LocalizedError {
    /// The whole message.
    public var errorDescription: String? { description }
}
