import Foundation

/// The bytes of a text file, with the line and column of each byte.
struct SourceText: Sendable {
    let bytes: [UInt8]
    private let lineStarts: [Int]
    /// How many Unicode scalars begin before each multiple of ``stride``.
    private let scalars: [Int]
    /// Columns are counted from the nearest multiple of this, so a file that is one long line stays cheap.
    private static let stride = 1024

    /// - Complexity: O(n) bytes.
    init(_ data: Data) {
        bytes = Array(data)
        var lineStarts = [0]
        var scalars: [Int] = []
        var count = 0
        for (offset, byte) in bytes.enumerated() {
            if offset % Self.stride == 0 {
                scalars.append(count)
            }
            count += Self.beginsScalar(byte) ? 1 : 0
            if byte == UInt8(ascii: "\n") {
                lineStarts.append(offset + 1)
            }
        }
        self.lineStarts = lineStarts
        self.scalars = scalars
    }

    /// The line and column of a byte. O(log n) in the number of lines.
    func position(at offset: Int) -> TextPosition {
        var low = 0
        var high = lineStarts.count - 1
        while low < high {
            let middle = (low + high + 1) / 2
            if lineStarts[middle] <= offset {
                low = middle
            } else {
                high = middle - 1
            }
        }
        let column = scalarCount(before: offset) - scalarCount(before: lineStarts[low])
        return TextPosition(line: low + 1, column: column + 1)
    }

    private func scalarCount(before offset: Int) -> Int {
        let offset = min(offset, bytes.count)
        let stretch = min(offset / Self.stride, scalars.count - 1)
        guard stretch >= 0 else {
            return 0
        }
        return bytes[(stretch * Self.stride)..<offset].reduce(scalars[stretch]) {
            $0 + (Self.beginsScalar($1) ? 1 : 0)
        }
    }

    private static func beginsScalar(_ byte: UInt8) -> Bool {
        byte & 0xC0 != 0x80
    }
}
