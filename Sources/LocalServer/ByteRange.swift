/// The part of a file that a request asks for (RFC 9110, section 14): one part, as players do.
struct ByteRange: Equatable {
    /// Nil for so many of the last bytes.
    private let first: Int64?
    /// Nil for the end; without a first byte how many of the last.
    private let last: Int64?

    /// Nil for anything else than `bytes=A-B`, `bytes=A-` and `bytes=-N`, which is answered with all of it.
    init?(_ header: String) {
        guard header.hasPrefix("bytes=") else {
            return nil
        }
        let ends = header.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, ends.allSatisfy({ $0.allSatisfy { "0"..."9" ~= $0 } }) else {
            return nil
        }
        (first, last) = (Self.number(ends[0]), Self.number(ends[1]))
        guard first != nil || last != nil, first.map({ $0 <= last ?? .max }) ?? true else {
            return nil
        }
    }

    /// Numbers too large to be held lie beyond every file.
    private static func number(_ digits: Substring) -> Int64? {
        digits.isEmpty ? nil : Int64(digits) ?? .max
    }

    /// The bytes of a file of that size; nil when it has none of them.
    func within(_ size: Int64) -> Range<Int64>? {
        guard let first else {
            let count = min(last ?? 0, size)
            return count > 0 ? size - count..<size : nil
        }
        guard first < size else {
            return nil
        }
        return first..<min(last ?? size - 1, size - 1) + 1
    }
}
