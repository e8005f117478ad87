/// The byte range of a file that a `Range` header asks for (RFC 9110, section 14). Only single ranges are
/// supported: players ask for no others.
struct ByteRange: Equatable {
    /// The first byte; nil if the range counts from the end of the file.
    private let first: Int64?
    /// The last byte, nil for the end of the file. If `first` is nil: how many bytes at the end are wanted.
    private let last: Int64?

    /// Nil for anything but `bytes=A-B`, `bytes=A-` and `bytes=-N`; the response is then the whole file.
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

    /// A number that doesn't fit counts as the largest one, which lies beyond the end of every file.
    private static func number(_ digits: Substring) -> Int64? {
        digits.isEmpty ? nil : Int64(digits) ?? .max
    }

    /// The range in a file of `size` bytes; nil if it contains none of the file's bytes.
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
