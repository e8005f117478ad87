/// Why a timeline, an observation or a seek could not be had.
public struct PlaybackError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure; compare with the static members.
    public struct Code: Hashable, Sendable {
        private enum Kind: Hashable, Sendable {
            case duration, interval, boundary, tolerance, unsorted
        }
        private let kind: Kind

        /// The media has no length, or more than 2³¹ s.
        public static let duration = Code(kind: .duration)
        /// The interval of a periodic observation isn't positive.
        public static let interval = Code(kind: .interval)
        /// An instant lies outside of the media.
        public static let boundary = Code(kind: .boundary)
        /// A tolerance is negative.
        public static let tolerance = Code(kind: .tolerance)
        /// The instants to seek to don't rise.
        public static let unsorted = Code(kind: .unsorted)
    }

    /// What kind of trouble it is.
    public let code: Code
    public let description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
