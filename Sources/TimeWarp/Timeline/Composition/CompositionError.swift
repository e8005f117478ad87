/// Why a composition can't be made, changed, read or written.
public struct CompositionError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure; compare with the static members.
    public struct Code: Hashable, Sendable {
        private enum Kind: Hashable, Sendable {
            case outside, invalid, malformed, unsupported
        }
        private let kind: Kind

        /// An instant, a range or a track that isn't there.
        public static let outside = Code(kind: .outside)
        /// A length or a number that nothing can be made of.
        public static let invalid = Code(kind: .invalid)
        /// A file that doesn't describe a composition; the description begins with the place in it.
        public static let malformed = Code(kind: .malformed)
        /// A timeline that says what a composition can't.
        public static let unsupported = Code(kind: .unsupported)
    }

    /// What kind of trouble it is.
    public let code: Code
    /// What is wrong, as a sentence without a full stop.
    public let description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }

    static func outside(_ description: String) -> CompositionError {
        CompositionError(.outside, description)
    }

    static func invalid(_ description: String) -> CompositionError {
        CompositionError(.invalid, description)
    }
}
