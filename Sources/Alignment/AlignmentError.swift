import Foundation

/// Why two recordings could not be aligned.
public struct AlignmentError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure; compare with the static members.
    public struct Code: Hashable, Sendable {
        private enum Kind: Hashable, Sendable {
            case unsupportedRate, tooShort, silent, unrelated, ambiguous, irregular
        }
        private let kind: Kind

        /// A sample rate is outside of 8000 to 192000 Hz.
        public static let unsupportedRate = Code(kind: .unsupportedRate)
        /// A recording, or the part that both have in common, is too short to be measured.
        public static let tooShort = Code(kind: .tooShort)
        /// A recording is silent.
        public static let silent = Code(kind: .silent)
        /// The recordings don't seem to be of the same event.
        public static let unrelated = Code(kind: .unrelated)
        /// The sound repeats itself so exactly that several positions match equally well.
        public static let ambiguous = Code(kind: .ambiguous)
        /// The recordings have sound in common, but at most 16 straight lines don't describe their times.
        public static let irregular = Code(kind: .irregular)
    }

    /// The kind of failure.
    public let code: Code
    /// What is wrong, in one sentence.
    public let reason: String

    /// An error of kind `code`, described by `reason`.
    public init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    /// The ``reason``.
    public var description: String { reason }
}

extension AlignmentError: LocalizedError {
    /// The whole message.
    public var errorDescription: String? { description }
}
