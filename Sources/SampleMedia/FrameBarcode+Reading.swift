extension FrameBarcode {
    /// Reads the number from a luma plane of limited or full range.
    ///
    /// The mean of a cell's middle is compared with the barcode's own black and white. A barcode that is
    /// blended from two frames, damaged, or without contrast has no number.
    ///
    /// - Parameters:
    ///   - luma: The plane, top row first. Samples of more than 8 bits take two bytes, low byte first.
    ///   - width: Pixels. Below `smallestWidth` there is never a number.
    ///   - height: Pixels. Below `smallestHeight` there is never a number.
    ///   - bitDepth: Bits per sample, 8 to 16. If the value is in the high bits, as in P010, pass 16.
    /// - Returns: The number, or nil if there is no valid barcode. Noise with enough contrast is mistaken for
    ///   a barcode at most once in 65536 times.
    package static func read(
        luma: UnsafeRawBufferPointer, width: Int, height: Int, bytesPerRow: Int, bitDepth: Int = 8
    ) -> Int? {
        precondition((8...16).contains(bitDepth), "a luma sample has 8 to 16 bits")
        guard fits(width: width, height: height) else { return nil }
        let bytesPerPixel = bitDepth == 8 ? 1 : 2
        check(
            width: width, height: height, bytesPerRow: bytesPerRow, bytesPerPixel: bytesPerPixel,
            byteCount: luma.count)
        return number(
            from: cellMeans(width: width, height: height) { x, y in
                let offset = y * bytesPerRow + x * bytesPerPixel
                guard bytesPerPixel == 2 else { return Int(luma[offset]) }
                return Int(luma[offset]) | Int(luma[offset + 1]) << 8
            },
            fullScale: Double(1 << bitDepth))
    }

    /// Reads the number from a BGRA frame, top row first.
    ///
    /// - Returns: The number, or nil if there is no valid barcode.
    package static func read(
        bgra pixels: UnsafeRawBufferPointer, width: Int, height: Int, bytesPerRow: Int
    ) -> Int? {
        guard fits(width: width, height: height) else { return nil }
        check(
            width: width, height: height, bytesPerRow: bytesPerRow, bytesPerPixel: 4,
            byteCount: pixels.count)
        // The cells have no colour, so green alone is enough.
        return number(
            from: cellMeans(width: width, height: height) { x, y in
                Int(pixels[y * bytesPerRow + 4 * x + 1])
            },
            fullScale: 256)
    }

    /// The mean of each cell's middle, row by row.
    private static func cellMeans(
        width: Int, height: Int, valueAt: (_ x: Int, _ y: Int) -> Int
    ) -> [Double] {
        var means: [Double] = []
        means.reserveCapacity(rows * columns)
        for row in 0..<rows {
            let ys = middle(of: row + 18, outOf: 20, length: height)
            for column in 0..<columns {
                let xs = middle(of: column, outOf: columns, length: width)
                var sum = 0
                for y in ys {
                    for x in xs { sum += valueAt(x, y) }
                }
                means.append(Double(sum) / Double(xs.count * ys.count))
            }
        }
        return means
    }

    /// Up to eight positions of pixels, spread over the middle two fifths of a cell.
    private static func middle(of cell: Int, outOf count: Int, length: Int) -> [Int] {
        let size = Double(length) / Double(count)
        let start = (Double(cell) + 0.3) * size
        let places = max(1, min(8, Int(0.4 * size + 0.5)))
        return (0..<places).map { Int(start + (Double($0) + 0.5) * 0.4 * size / Double(places)) }
    }

    private static func number(from means: [Double], fullScale: Double) -> Int? {
        let last = columns - 1
        let whites = (means[0], means[columns + last])
        let blacks = (means[last], means[columns])
        let white = (whites.0 + whites.1) / 2
        let black = (blacks.0 + blacks.1) / 2
        let contrast = white - black
        guard contrast > fullScale / 8, abs(whites.0 - whites.1) < contrast / 2,
            abs(blacks.0 - blacks.1) < contrast / 2
        else { return nil }

        var word: UInt64 = 0
        for row in 0..<rows {
            for column in 1..<last {
                let level = (means[row * columns + column] - black) / contrast
                // A level between black and white comes from blended frames or from damage.
                guard level < 0.4 || level > 0.6 else { return nil }
                word = word << 1 | (level > 0.5 ? 1 : 0)
            }
        }
        word ^= whitening
        let number = Int(word & 0xff_ffff)
        return UInt64(checksum(of: number)) == word >> 24 ? number : nil
    }
}
