import Media

/// Rotates frames upright and scales them down, to four-byte pixels. Used on one thread.
package struct SmallFrames {
    private let quarterTurns: Int
    private var converter: (made: PixelConverter, width: Int, height: Int)?

    /// Makes a converter.
    ///
    /// - Parameter rotation: by how many degrees a player rotates the video clockwise.
    package init(rotation: Double) {
        quarterTurns = Int((rotation / 90).rounded()) % 4
    }

    /// Whether the rotation swaps width and height.
    package var isOnItsSide: Bool { quarterTurns % 2 == 1 }

    /// Four bytes for each pixel: blue, green, red and an unused one. Rows go from top to bottom.
    ///
    /// - Parameters:
    ///   - width: the width of the upright image.
    ///   - height: the height of the upright image.
    package mutating func image(of frame: Frame, width: Int, height: Int) throws -> [UInt8] {
        let stored = isOnItsSide ? (width: height, height: width) : (width: width, height: height)
        if converter.map({ !$0.made.accepts(frame) || $0.width != width || $0.height != height })
            ?? true
        {
            let made = try PixelConverter(
                from: frame, to: .bgr0, width: stored.width, height: stored.height, path: "")
            converter = (made, width, height)
        }
        let small = try converter?.made.convert(frame)
        return small?.withPlane(0) { bytes, stride in
            Self.turned(
                bytes, stride: stride, width: stored.width, height: stored.height,
                quarters: quarterTurns)
        } ?? []
    }

    /// Rotates an image with four bytes for each pixel clockwise, by quarter turns.
    package static func turned(
        _ bytes: UnsafeRawBufferPointer, stride: Int, width: Int, height: Int, quarters: Int
    ) -> [UInt8] {
        let outputWidth = quarters % 2 == 1 ? height : width
        var pixels = [UInt8](repeating: 0, count: width * height * 4)
        for y in 0..<height {
            for x in 0..<width {
                let target: (x: Int, y: Int)
                switch quarters {
                case 1: target = (height - 1 - y, x)
                case 2: target = (width - 1 - x, height - 1 - y)
                case 3: target = (y, width - 1 - x)
                default: target = (x, y)
                }
                let from = y * stride + x * 4
                let to = (target.y * outputWidth + target.x) * 4
                for byte in 0..<4 {
                    pixels[to + byte] = bytes[from + byte]
                }
            }
        }
        return pixels
    }
}
