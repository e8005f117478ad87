/// Why a plot, or a picture of the sample clip, could not be drawn.
public struct PlotError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What kind of thing went wrong.
    public struct Code: Hashable, Sendable {
        private enum Kind: Hashable {
            case invalidData, invalidSize, drawing
        }

        private let kind: Kind

        /// The data cannot be drawn: no samples, a value that is not finite, samples out of order.
        public static let invalidData = Code(kind: .invalidData)
        /// The picture asked for is too small, too large, or does not fit its memory.
        public static let invalidSize = Code(kind: .invalidSize)
        /// Cairo refused: out of memory, or no usable font.
        public static let drawing = Code(kind: .drawing)
    }

    /// What kind of thing went wrong.
    public let code: Code
    /// One sentence that names the thing and the remedy.
    public let message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { message }
}
