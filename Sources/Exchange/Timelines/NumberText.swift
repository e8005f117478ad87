import Foundation
import TimeWarp

extension Double {
    /// The number without `.0` if it is whole.
    var shortText: String {
        self == rounded() && abs(self) < 1e15 ? "\(Int64(self))" : "\(self)"
    }

    /// The number with at most six decimals.
    var shortDecimals: String {
        ((self * 1e6).rounded() / 1e6).shortText
    }

    /// A number as files have it, also with a decimal comma; nil if it isn't one.
    init?(reading text: some StringProtocol) {
        guard let number = Double(text.trimmed.replacing(",", with: ".")), number.isFinite else {
            return nil
        }
        self = number
    }
}

extension Double {
    /// The nearest whole number; nil if it is outside of a range.
    func whole(in range: ClosedRange<Int>) -> Int? {
        Int(exactly: rounded()).flatMap { range.contains($0) ? $0 : nil }
    }
}

extension Composition.Size {
    /// A size that a file states; nil if there is no such frame.
    init?(stated width: Int?, _ height: Int?) {
        let possible = 1...65_536
        guard let width, let height, possible.contains(width), possible.contains(height) else {
            return nil
        }
        self.init(known: width, height: height)
    }
}

extension Gain {
    /// Decibels as near as they are possible.
    static func clamped(_ decibels: Double) -> Double {
        min(max(decibels, limits.lowerBound), limits.upperBound)
    }

    /// The decibels of a factor, as near as they are possible.
    static func decibels(ofFactor factor: Double) -> Double {
        factor > 0 ? clamped(20 * log10(factor)) : limits.lowerBound
    }
}

extension StringProtocol {
    /// The text without white space at its ends.
    var trimmed: String {
        let start = firstIndex { !$0.isWhitespace } ?? endIndex
        let end = lastIndex { !$0.isWhitespace }.map { index(after: $0) } ?? start
        return String(self[start..<end])
    }
}
