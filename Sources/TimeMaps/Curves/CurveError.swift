import Foundation

/// Why a curve or a map can't be used: what is wrong, where, and what to do.
public struct CurveError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure; compare with the static members.
    public struct Code: Hashable, Sendable {
        private enum Kind: Hashable, Sendable {
            case notFinite, fallsBackwards, tooSlow, tooFast, tooWild, invalidParameter, malformed
        }
        private let kind: Kind

        /// The time scale s is NaN or infinite at some place.
        public static let notFinite = Code(kind: .notFinite)
        /// A frame would be shown before the frame before it.
        public static let fallsBackwards = Code(kind: .fallsBackwards)
        /// The average of s over a frame is above 1000.
        public static let tooSlow = Code(kind: .tooSlow)
        /// The average of s over the clip is below 1/1000, hardly a frame is left, or a speed is above 1000.
        public static let tooFast = Code(kind: .tooFast)
        /// s changes too wildly to be integrated with an error of at most 1e-9.
        public static let tooWild = Code(kind: .tooWild)
        /// A parameter is out of its range.
        public static let invalidParameter = Code(kind: .invalidParameter)
        /// A file or a text doesn't describe a curve or a map.
        public static let malformed = Code(kind: .malformed)
    }

    /// The kind of failure.
    public let code: Code
    /// Where on [0,1] the failure is; nil if it isn't at one place of a curve.
    public let position: Double?
    /// Where the failure is, in seconds of source time; nil if it isn't at one place, or if the clip's
    /// duration isn't known.
    public let sourceTime: Double?
    /// The number that is wrong; nil if it isn't about a number.
    public let value: Double?
    /// Where in the text of a formula the failure is, in characters counted from 1; nil unless a formula can't
    /// be read.
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

    /// The same error with its place also in seconds, for a clip of a known duration.
    func located(in duration: Double) -> CurveError {
        CurveError(
            code, position: position, sourceTime: sourceTime ?? position.map { $0 * duration },
            value: value, column: column, message)
    }

    /// The place, if there is one, and what is wrong.
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

extension CurveError: LocalizedError {
    /// The whole message.
    public var errorDescription: String? { description }
}
