import CLibAV

/// Makes frames smaller that are larger than wanted. Used on one thread.
package final class FrameScaler {
    private let shortSide: Int
    private let path: String
    private var converter: PixelConverter?

    /// - Parameters:
    ///   - shortSide: how many pixels the shorter side of a frame has at most.
    ///   - path: the file that errors name.
    package init(toShortSide shortSide: Int, path: String) {
        (self.shortSide, self.path) = (shortSide, path)
    }

    /// Returns the frame with its shape kept, and the frame itself if it is small enough.
    package func scaled(_ frame: Frame) throws -> Frame {
        let size = VideoFormat.size(
            frame.width, frame.height, frame.pixelFormat, limitedToShortSide: shortSide)
        guard size != (frame.width, frame.height) else {
            return frame
        }
        if converter?.accepts(frame) != true {
            converter = try PixelConverter(
                from: frame, to: frame.pixelFormat, width: size.width, height: size.height,
                path: path)
        }
        return try converter?.convert(frame) ?? frame
    }
}

extension VideoFormat {
    /// The same video as a ``FrameScaler`` makes it.
    package func limited(toShortSide shortSide: Int) -> VideoFormat {
        var limited = self
        (limited.width, limited.height) = Self.size(
            width, height, pixelFormat, limitedToShortSide: shortSide)
        return limited
    }

    /// Even numbers, which every codec can store. Frames with palettes stay as they are.
    fileprivate static func size(
        _ width: Int, _ height: Int, _ format: PixelFormat, limitedToShortSide shortSide: Int
    ) -> (width: Int, height: Int) {
        let side = min(width, height)
        guard side > shortSide, sws_isSupportedOutput(format.raw) != 0 else {
            return (width, height)
        }
        func scaled(_ length: Int) -> Int {
            max(2, (length * shortSide / side + 1) / 2 * 2)
        }
        return (scaled(width), scaled(height))
    }
}
