extension RationalTime {
    /// Reads a duration exactly: `90`, `90s`, `1:30`, `00:01:30.250`, `1500ms` or `2700/25`. Decimals beyond the
    /// ninth are cut off.
    ///
    /// - Throws: ``TimeError`` when the text is none of these, is negative, or is above
    ///   ``TimeMap/longestOutput``.
    public init(parsing text: String) throws(TimeError) {
        guard text.utf8.count <= Self.longestText, let parsed = try Self.parse(text) else {
            let shown = text.prefix(Self.longestText)
            throw TimeError(
                .malformed,
                "\"\(shown)\" is not a duration; write 90, 90s, 1:30, 00:01:30.250, 1500ms or "
                    + "2700/25")
        }
        guard parsed.seconds <= TimeMap.longestOutput else {
            throw TimeError(
                .overflow,
                "\(text) is too long for a duration: \(TimeMap.longestOutput) s is the most")
        }
        self = parsed
    }

    /// The longest text that can be read, in bytes. No sensible duration is longer.
    private static let longestText = 100

    /// Reads a duration as ``init(parsing:)`` does, with an optional sign before it: `+1s`, `-250ms`.
    ///
    /// - Throws: ``TimeError`` as ``init(parsing:)`` does.
    public init(parsingSigned text: String) throws(TimeError) {
        let isNegative = text.hasPrefix("-")
        let unsigned = isNegative || text.hasPrefix("+") ? String(text.dropFirst()) : text
        let time = try RationalTime(parsing: unsigned)
        self.init(isNegative ? -time.value : time.value, over: time.timescale)
    }

    private static func parse(_ text: String) throws(TimeError) -> RationalTime? {
        if text.contains("/") {
            return fraction(text.hasSuffix("s") ? text.dropLast() : text[...])
        }
        if text.hasSuffix("ms") {
            return try decimal(text.dropLast(2))?.multiplied(by: 1, over: 1000)
        }
        if text.hasSuffix("s") && !text.contains(":") {
            return try decimal(text.dropLast())
        }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard (1...3).contains(parts.count), let seconds = try decimal(parts[parts.count - 1])
        else {
            return nil
        }
        guard parts.count > 1 else {
            return seconds
        }
        var minutes: Int64 = 0
        for part in parts.dropLast() {
            guard let number = digits(part), number < 1_000_000_000 else {
                return nil
            }
            minutes = minutes * 60 + number
        }
        guard seconds < RationalTime(60, over: 1) else {
            return nil
        }
        return try RationalTime(minutes * 60, over: 1) + seconds
    }

    private static func fraction(_ text: Substring) -> RationalTime? {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let value = digits(parts[0]),
            let timescale = digits(parts[1]).flatMap(Int32.init(exactly:)), timescale > 0
        else {
            return nil
        }
        return RationalTime(value, over: timescale)
    }

    /// Reads digits with an optional fraction, of which nine decimals are used: a 32-bit timescale holds those
    /// exactly.
    private static func decimal(_ text: Substring) throws(TimeError) -> RationalTime? {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, let whole = digits(first) else {
            return nil
        }
        guard parts.count == 2 else {
            return RationalTime(whole, over: 1)
        }
        // Decimals beyond the nanosecond are only rounding errors of the program that wrote them.
        guard parts[1].utf8.count <= 30, let decimals = digits(parts[1].prefix(9)),
            parts[1].utf8.allSatisfy({ (48...57).contains($0) })
        else {
            return nil
        }
        let scale = (0..<min(parts[1].count, 9)).reduce(Int32(1)) { power, _ in power * 10 }
        return try RationalTime(whole, over: 1) + RationalTime(decimals, over: scale)
    }

    /// Reads ASCII digits; nil for any other text.
    private static func digits(_ text: Substring) -> Int64? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) else {
            return nil
        }
        return Int64(text)
    }
}
