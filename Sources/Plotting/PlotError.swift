import Foundation

/// Why a plot or a frame of the sample clip could not be drawn.
public struct PlotError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure; compare with the static members.
    public struct Code: Hashable, Sendable {
        private enum Kind: Hashable {
            case invalidData, invalidSize, drawing
        }

        private let kind: Kind

        /// The data cannot be drawn: for example no samples, samples out of order, or a value that isn't
        /// finite.
        public static let invalidData = Code(kind: .invalidData)
        /// The image's size is too small, too large, or doesn't fit the memory.
        public static let invalidSize = Code(kind: .invalidSize)
        /// Cairo failed, for example because it is out of memory or finds no usable font.
        public static let drawing = Code(kind: .drawing)
    }

    /// The kind of failure.
    public let code: Code
    /// One sentence that says what is wrong and what would be right.
    public let message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The ``message``.
    public var description: String { message }
}

extension PlotError: LocalizedError {
    /// The whole message.
    public var errorDescription: String? { description }
}
