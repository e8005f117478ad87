import Foundation

/// The error for an invalid argument of a timeline, an observation or a seek.
public struct PlaybackError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of error; compare it with the static members.
    public struct Code: Hashable, Sendable {
        private enum Kind: Hashable, Sendable {
            case duration, interval, boundary, tolerance, unsorted
        }
        private let kind: Kind

        /// The media's duration isn't positive, or is more than 2³¹ s.
        public static let duration = Code(kind: .duration)
        /// The interval of a periodic observation isn't positive.
        public static let interval = Code(kind: .interval)
        /// An instant lies before 0 or after the end of the media.
        public static let boundary = Code(kind: .boundary)
        /// A tolerance is negative.
        public static let tolerance = Code(kind: .tolerance)
        /// The keyframe times aren't in increasing order.
        public static let unsorted = Code(kind: .unsorted)
    }

    /// The kind of error.
    public let code: Code
    /// What is wrong, with the value that was given.
    public let description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}

extension PlaybackError: LocalizedError {
    /// The whole message.
    public var errorDescription: String? { description }
}
