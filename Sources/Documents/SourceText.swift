import Foundation

/// The bytes of a text file, with the line and column of each byte.
package struct SourceText: Sendable {
    package let bytes: [UInt8]
    private let lineStarts: [Int]
    /// How many Unicode scalars begin before each multiple of ``stride``.
    private let scalars: [Int]
    /// Columns are counted from the nearest multiple of this, so a file that is one long line stays cheap.
    private static let stride = 1024

    /// - Complexity: O(n) bytes.
    package init(_ data: Data) {
        bytes = Array(data)
        var lineStarts = [0]
        var scalars: [Int] = []
        var count = 0
        for start in Swift.stride(from: 0, to: bytes.count, by: Self.stride) {
            let part = bytes[start..<min(start + Self.stride, bytes.count)]
            scalars.append(count)
            count += part.reduce(0) { $0 + (Self.beginsScalar($1) ? 1 : 0) }
            if part.contains(UInt8(ascii: "\n")) {
                lineStarts += part.indices.filter { part[$0] == UInt8(ascii: "\n") }.map { $0 + 1 }
            }
        }
        self.lineStarts = lineStarts
        self.scalars = scalars
    }

    /// The line and column of a byte. O(log n) in the number of lines.
    package func position(at offset: Int) -> TextPosition {
        let line = line(at: offset)
        let column = scalarCount(before: offset) - scalarCount(before: lineStarts[line])
        return TextPosition(line: line + 1, column: column + 1)
    }

    /// The bytes of each line, with what ends it. O(1).
    package func bytes(ofLine line: Int) -> ArraySlice<UInt8> {
        bytes[lineStarts[line]..<(line + 1 < lineStarts.count ? lineStarts[line + 1] : bytes.count)]
    }

    /// How many lines there are.
    package var lineCount: Int { lineStarts.count }

    /// The line of a byte, from 0. O(log n) in the number of lines.
    package func line(at offset: Int) -> Int {
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
        return low
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
