/// Why two recordings could not be laid over each other.
public struct AlignmentError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure; compare with the static members.
    public struct Code: Hashable, Sendable {
        private enum Kind: Hashable, Sendable {
            case unsupportedRate, tooShort, silent, unrelated, ambiguous, irregular
        }
        private let kind: Kind

        /// A sample rate is outside 8000 to 192000.
        public static let unsupportedRate = Code(kind: .unsupportedRate)
        /// A recording, or the part that both share, is too short to be measured.
        public static let tooShort = Code(kind: .tooShort)
        /// A recording holds no sound.
        public static let silent = Code(kind: .silent)
        /// The recordings do not seem to be of one event.
        public static let unrelated = Code(kind: .unrelated)
        /// The sound repeats itself so exactly that several positions fit alike.
        public static let ambiguous = Code(kind: .ambiguous)
        /// The recordings share sound, but not in one order of time with at most 16 lines.
        public static let irregular = Code(kind: .irregular)
    }

    /// The kind of failure.
    public let code: Code
    /// What was found, in a sentence.
    public let reason: String

    /// A failure of kind `code`, told by `reason`.
    public init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    public var description: String { reason }
}
