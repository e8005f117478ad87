import Foundation

/// Why a time could not be computed or read.
public struct TimeError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure; compare with the static members.
    public struct Code: Hashable, Sendable {
        private enum Kind: Hashable, Sendable {
            case overflow, malformed, emptyRange, notPositive
        }
        private let kind: Kind

        /// The result doesn't fit into 64-bit ticks. Arithmetic never wraps around.
        public static let overflow = Code(kind: .overflow)
        /// The text isn't a time.
        public static let malformed = Code(kind: .malformed)
        /// A range would end before it starts.
        public static let emptyRange = Code(kind: .emptyRange)
        /// A rate, or the timescale of one, isn't above 0.
        public static let notPositive = Code(kind: .notPositive)
    }

    /// The kind of failure.
    public let code: Code
    /// What is wrong, in one sentence.
    public let description: String

    /// An error about a text that isn't a time.
    public static func malformed(_ description: String) -> TimeError {
        TimeError(.malformed, description)
    }

    package static func notPositive(_ value: String) -> TimeError {
        TimeError(.notPositive, "\(value) isn't above 0")
    }

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}

extension TimeError: LocalizedError {
    /// The whole message.
    public var errorDescription: String? { description }
}
