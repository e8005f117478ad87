/// Why a time could not be had.
public struct TimeError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure; compare with the static members.
    public struct Code: Hashable, Sendable {
        private enum Kind: Hashable, Sendable {
            case overflow, malformed, emptyRange
        }
        private let kind: Kind

        /// The result doesn't fit; nothing ever wraps.
        public static let overflow = Code(kind: .overflow)
        /// The text is no time.
        public static let malformed = Code(kind: .malformed)
        /// A range would end before it starts.
        public static let emptyRange = Code(kind: .emptyRange)
    }

    /// What kind of trouble it is.
    public let code: Code
    public let description: String

    /// A text that is no time.
    public static func malformed(_ description: String) -> TimeError {
        TimeError(.malformed, description)
    }

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
