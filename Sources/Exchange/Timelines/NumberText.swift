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

extension StringProtocol {
    /// The text without white space at its ends.
    var trimmed: String {
        let start = firstIndex { !$0.isWhitespace } ?? endIndex
        let end = lastIndex { !$0.isWhitespace }.map { index(after: $0) } ?? start
        return String(self[start..<end])
    }
}
