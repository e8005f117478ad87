/// The size of a file and a hash of each of its blocks: a change is noticed in whatever part of the file is read,
/// without reading the rest.
package struct FileFingerprint: Sendable, Hashable {
    static let blockBytes: Int64 = 1 << 20
    private static let hashBytes = 16

    package let byteCount: Int64
    /// The hashes of all blocks, one after another.
    private let hashes: [UInt8]

    init(byteCount: Int64, hashes: [UInt8]) {
        (self.byteCount, self.hashes) = (byteCount, hashes)
    }

    /// Restores one from its bytes; nil if they aren't one.
    package init?(stored: ArraySlice<UInt8>) {
        var parser = ByteParser(stored)
        guard let count = parser.next(Int64.self), (0..<(1 << 60)).contains(count),
            parser.rest.count == Int((count + Self.blockBytes - 1) / Self.blockBytes)
                * Self.hashBytes
        else {
            return nil
        }
        (byteCount, hashes) = (count, Array(parser.rest))
    }

    /// All of it as bytes.
    package var stored: [UInt8] {
        var writer = ByteWriter(capacity: hashes.count + 8)
        writer.add(byteCount)
        return writer.bytes + hashes
    }

    /// A hash of everything, as 32 hexadecimal digits.
    package var text: String { ContentHash.text(of: stored) }

    /// The block that holds a byte.
    func block(at position: Int64) -> Int {
        Int(position / Self.blockBytes)
    }

    func range(ofBlock block: Int) -> Range<Int64> {
        let start = Int64(block) * Self.blockBytes
        return start..<min(start + Self.blockBytes, byteCount)
    }

    /// Whether a block had these bytes.
    func holds(_ bytes: [UInt8], asBlock block: Int) -> Bool {
        let start = block * Self.hashBytes
        return hashes[start..<start + Self.hashBytes].elementsEqual(ContentHash.of(bytes))
    }
}
