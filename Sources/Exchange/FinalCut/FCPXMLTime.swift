import TimeMaps
import TimeWarp

extension RationalTime {
    /// A time of Final Cut Pro: `1001/30000s`, `5s`; `2.5s` is accepted.
    ///
    /// Fractions that are too fine for a ``RationalTime`` are rounded to half a nanosecond.
    ///
    /// - Throws: ``CompositionError`` if the text isn't a time, or is further from 0 than times of projects are.
    init(finalCut text: String) throws {
        try self.init(unboundedFinalCut: text)
        guard abs(seconds) <= ReaderBounds.furthestTime else {
            throw CompositionError(.malformed, "a time of \"\(text)\" is impossible")
        }
    }

    private init(unboundedFinalCut text: String) throws {
        let number = text.hasSuffix("s") ? text.dropLast() : text[...]
        let parts = number.split(separator: "/", omittingEmptySubsequences: false)
        if parts.count == 2, let top = Int64(parts[0]), let bottom = Int64(parts[1]), bottom > 0 {
            if let exact = try? RationalTime(exactly: Int128(top), over: Int128(bottom)) {
                self = exact
            } else {
                let fine = Int128(RationalTime.fineTick)
                let ticks = RoundingRule.nearest.divide(Int128(top) * fine, by: Int128(bottom))
                self = try RationalTime(exactly: ticks, over: fine)
            }
            return
        }
        if parts.count == 1, let whole = Int64(number) {
            self = .seconds(whole)
            return
        }
        guard parts.count == 1, let seconds = Double(number),
            abs(seconds) <= ReaderBounds.furthestTime
        else {
            throw CompositionError(.malformed, "\"\(text)\" is not a time")
        }
        self = try RationalTime(fine: seconds)
    }

    /// The value of a point of a time map. Final Cut Pro truncates these after nine decimals, so that a frame's first instant
    /// would lie in the frame before: what is within that of its usual fractions is taken for one.
    ///
    /// - Throws: ``CompositionError`` if the text isn't a time.
    init(truncated text: String) throws {
        let usual: Int32 = 120_000
        let exact = try RationalTime(finalCut: text)
        self = exact
        guard text.contains("/1000000000"), abs(exact.seconds) < 1e9 else {
            return
        }
        let near = RationalTime(Int64((exact.seconds * Double(usual)).rounded()), over: usual)
        if abs(near.seconds - exact.seconds) < 1.1e-9 {
            self = near
        }
    }

    /// The time as Final Cut Pro writes it.
    var finalCut: String {
        let common = gcd(Int128(value), Int128(timescale))
        let (top, bottom) = (Int128(value) / common, Int128(timescale) / common)
        return bottom == 1 ? "\(top)s" : "\(top)/\(bottom)s"
    }
}

extension XMLItem {
    /// The time in an attribute; nil if the element doesn't have it.
    ///
    /// - Throws: ``CompositionError`` if it isn't a time.
    func time(_ attribute: String) throws -> RationalTime? {
        do {
            return try self[attribute].map { try RationalTime(finalCut: $0) }
        } catch {
            throw CompositionError(.malformed, "\(attribute) of \(title): \(error)")
        }
    }

    /// The element in words: `the clip "Beach"`.
    var title: String { "the \(name) \"\(self["name"] ?? self["ref"] ?? "")\"" }

    /// The lane of a connected clip; nil if it has none that a project could have.
    var lane: Int? {
        self["lane"].flatMap(Int.init).flatMap { (-9999...9999).contains($0) ? $0 : nil }
    }
}
