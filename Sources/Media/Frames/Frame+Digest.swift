extension Frame {
    /// A number of 64 bits that is the same for frames of the same pixel format, size and samples, and practically
    /// never for others. Nil for formats that ``FrameComponents`` can't read.
    ///
    /// - Complexity: O(n) for n samples, about 1 ns each.
    package var digest: UInt64? {
        guard let components = FrameComponents(pixelFormat) else {
            return nil
        }
        var digest = FowlerNollVo()
        for byte in "\(pixelFormat) \(width)×\(height)".utf8 {
            digest.add(byte)
        }
        for component in 0..<components.count {
            let size = components.size(component, ofWidth: width, height: height)
            var row = [UInt8](repeating: 0, count: size.width * components.bytesPerSample)
            for y in 0..<size.height {
                components.read(component, row: y, of: self, count: size.width, into: &row)
                for byte in row {
                    digest.add(byte)
                }
            }
        }
        return digest.value
    }
}

/// The hash FNV-1a (Fowler, Noll and Vo; RFC 9923) of 64 bits.
private struct FowlerNollVo {
    private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

    mutating func add(_ byte: UInt8) {
        value = (value ^ UInt64(byte)) &* 0x100_0000_01b3
    }
}
