/// A barcode with the frame number in the bottom tenth of a frame, which a program can still read after lossy
/// coding and scaling.
///
/// It has two rows of 22 cells, each black or white. The outer cells are the reference for black and white.
/// Between them are a 16-bit checksum and the 24 bits of the number, arranged so that consecutive numbers
/// differ in both rows.
///
/// ```
///  W c c c c c c c c c c c c c c c c n n n n B      W, B  reference cells
///  B n n n n n n n n n n n n n n n n n n n n W      c, n  checksum and number, high bits first
/// ```
///
/// The memory for painting and reading doesn't depend on the frame's size. Reading takes at most 64 pixels
/// of each cell.
package enum FrameBarcode {
    /// The numbers that a barcode can hold: 24 bits, which is 155 hours at 30 frames per second.
    package static let numbers = 0..<(1 << 24)
    /// Cells in each of the two rows.
    package static let columns = 22
    /// Rows of cells.
    package static let rows = 2
    /// The smallest width of a frame, in pixels. In narrower frames the cells are too small for lossy coding.
    package static let smallestWidth = 88
    /// The smallest height of a frame, in pixels. In lower frames the cells are too small for lossy coding.
    package static let smallestHeight = 64

    /// The luma values of black and white.
    package enum LumaRange: Sendable {
        /// 16 to 235 at 8 bits: video levels.
        case limited
        /// 0 to 255 at 8 bits.
        case full
    }

    /// The cells for a number, row by row; `true` is white.
    ///
    /// - Parameter number: One of `numbers`; any other number is a programming error.
    package static func cells(for number: Int) -> [Bool] {
        precondition(numbers.contains(number), "a barcode holds 24 bits, not \(number)")
        let word = (UInt64(checksum(of: number)) << 24 | UInt64(number)) ^ whitening
        let bits = (0..<bitCount).map { (word >> UInt64(bitCount - 1 - $0)) & 1 == 1 }
        let half = bitCount / rows
        return [true] + bits[..<half] + [false] + [false] + bits[half...] + [true]
    }

    /// Whether a frame of this size, in pixels, is large enough for a barcode.
    package static func fits(width: Int, height: Int) -> Bool {
        width >= smallestWidth && height >= smallestHeight
    }

    /// The first pixel row of the barcode in a frame of this height. Rows above it are free for other drawing.
    package static func top(height: Int) -> Int { rowEdge(0, height: height) }
}

// MARK: - Painting

extension FrameBarcode {
    /// Paints the barcode into a luma plane.
    ///
    /// - Parameters:
    ///   - number: One of `numbers`.
    ///   - luma: The plane, top row first. Samples of more than 8 bits take two bytes, low byte
    ///     first, with the value in the low bits.
    ///   - width: Pixels, at least `smallestWidth`.
    ///   - height: Pixels, at least `smallestHeight`.
    ///   - bytesPerRow: The distance between rows, in bytes.
    ///   - bitDepth: Bits per sample, 8 to 16.
    ///   - range: The luma values of black and white.
    package static func paint(
        _ number: Int, intoLuma luma: UnsafeMutableRawBufferPointer, width: Int, height: Int,
        bytesPerRow: Int, bitDepth: Int = 8, range: LumaRange = .limited
    ) {
        precondition((8...16).contains(bitDepth), "a luma sample has 8 to 16 bits")
        let shift = bitDepth - 8
        let (black, white) =
            switch range {
            case .limited: (16 << shift, 235 << shift)
            case .full: (0, (1 << bitDepth) - 1)
            }
        let size = Size(width: width, height: height, bytesPerRow: bytesPerRow)
        if bitDepth == 8 {
            store(cells(for: number), UInt8(black), UInt8(white), in: luma, size)
        } else {
            store(
                cells(for: number), UInt16(black).littleEndian, UInt16(white).littleEndian,
                in: luma,
                size)
        }
    }

    /// Paints the barcode into a BGRA frame, top row first, opaque.
    ///
    /// - Parameters:
    ///   - number: One of `numbers`.
    ///   - pixels: The frame; at least `bytesPerRow` bytes for each row but the last.
    ///   - width: Pixels, at least `smallestWidth`.
    ///   - height: Pixels, at least `smallestHeight`.
    ///   - bytesPerRow: The distance between rows, in bytes; at least 4 times `width`.
    package static func paint(
        _ number: Int, intoBGRA pixels: UnsafeMutableRawBufferPointer, width: Int, height: Int,
        bytesPerRow: Int
    ) {
        let size = Size(width: width, height: height, bytesPerRow: bytesPerRow)
        store(
            cells(for: number), UInt32(0xff00_0000).littleEndian, UInt32.max, in: pixels, size)
    }

    private struct Size {
        var width: Int
        var height: Int
        var bytesPerRow: Int
    }

    private static func store<Pixel: FixedWidthInteger>(
        _ cells: [Bool], _ black: Pixel, _ white: Pixel, in plane: UnsafeMutableRawBufferPointer,
        _ size: Size
    ) {
        check(
            width: size.width, height: size.height, bytesPerRow: size.bytesPerRow,
            bytesPerPixel: MemoryLayout<Pixel>.size, byteCount: plane.count)
        guard let base = plane.baseAddress else { return }
        for row in 0..<rows {
            let lines = rowEdge(row, height: size.height)..<rowEdge(row + 1, height: size.height)
            let first = base + lines.lowerBound * size.bytesPerRow
            for column in 0..<columns {
                let value = cells[row * columns + column] ? white : black
                let start = column * size.width / columns
                let end = (column + 1) * size.width / columns
                for x in start..<end {
                    first.storeBytes(
                        of: value, toByteOffset: x * MemoryLayout<Pixel>.size, as: Pixel.self)
                }
            }
            for line in lines.dropFirst() {
                (base + line * size.bytesPerRow).copyMemory(
                    from: first, byteCount: size.width * MemoryLayout<Pixel>.size)
            }
        }
    }
}

// MARK: - The code

extension FrameBarcode {
    static let bitCount = 40
    /// Inverts bits in a fixed pattern, so that small numbers don't become long runs of black.
    static let whitening: UInt64 = 0x5a_c396_1b4e

    /// CRC-16 of the number's 24 bits, with the polynomial x¹⁶ + x¹² + x⁵ + 1 (ITU-T V.41) and all ones as the
    /// initial value.
    static func checksum(of number: Int) -> UInt16 {
        var remainder: UInt16 = 0xffff
        for bit in stride(from: 23, through: 0, by: -1) {
            let isSet = (remainder >> 15 == 1) != ((number >> bit) & 1 == 1)
            remainder <<= 1
            if isSet { remainder ^= 0x1021 }
        }
        return remainder
    }

    /// The pixel row where a row of cells begins. The barcode always takes the last tenth of the frame, so that
    /// it is still in its place after scaling.
    static func rowEdge(_ row: Int, height: Int) -> Int {
        (height * (18 + row) + 10) / 20
    }

    static func check(
        width: Int, height: Int, bytesPerRow: Int, bytesPerPixel: Int, byteCount: Int
    ) {
        precondition(
            fits(width: width, height: height),
            "a frame of \(width)x\(height) is too small for a barcode")
        precondition(
            bytesPerRow >= width * bytesPerPixel
                && byteCount >= (height - 1) * bytesPerRow + width * bytesPerPixel,
            "the memory is smaller than the frame")
    }
}
