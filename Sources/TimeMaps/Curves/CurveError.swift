/// Why a curve or a map can't be used: what is wrong, where, and what to do.
public struct CurveError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure; compare with the static members.
    public struct Code: Hashable, Sendable {
        private enum Kind: Hashable, Sendable {
            case notFinite, fallsBackwards, tooSlow, tooFast, tooWild, invalidParameter, malformed
        }
        private let kind: Kind

        /// s is NaN or infinite somewhere.
        public static let notFinite = Code(kind: .notFinite)
        /// A frame would land before, or on, the one before it.
        public static let fallsBackwards = Code(kind: .fallsBackwards)
        /// s averages above 1000 over a frame.
        public static let tooSlow = Code(kind: .tooSlow)
        /// s averages below 1/1000 over a stretch.
        public static let tooFast = Code(kind: .tooFast)
        /// s changes too wildly to be integrated to the stated error.
        public static let tooWild = Code(kind: .tooWild)
        /// A number that no valid curve comes from.
        public static let invalidParameter = Code(kind: .invalidParameter)
        /// A file or a text that doesn't describe a curve.
        public static let malformed = Code(kind: .malformed)
    }

    /// What kind of trouble it is.
    public let code: Code
    /// Where, on [0,1], if it is at a place.
    public let position: Double?
    /// Where, in seconds of source time, if it is at a place of a clip whose length is known.
    public let sourceTime: Double?
    /// The number that is wrong, if it is one.
    public let value: Double?
    /// Where in the text of a formula, in characters from 1, if it is a formula that can't be read.
    public let column: Int?
    private let message: String

    init(
        _ code: Code, position: Double? = nil, sourceTime: Double? = nil, value: Double? = nil,
        column: Int? = nil, _ message: String
    ) {
        self.code = code
        self.position = position
        self.sourceTime = sourceTime
        self.value = value
        self.column = column
        self.message = message
    }

    /// The same error, with its place in seconds too.
    func located(in duration: Double) -> CurveError {
        CurveError(
            code, position: position, sourceTime: sourceTime ?? position.map { $0 * duration },
            value: value, column: column, message)
    }

    public var description: String {
        let places = [
            sourceTime.map { "\(rounded($0)) s" }, position.map { "t = \(rounded($0))" },
        ].compactMap { $0 }
        guard let place = places.first else {
            return message
        }
        return "at \(place)\(places.count > 1 ? " (\(places[1]))" : ""): \(message)"
    }

    private func rounded(_ number: Double) -> Double {
        abs(number) < 1e9 ? (number * 1e6).rounded() / 1e6 : number
    }
}
