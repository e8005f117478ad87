import CLibAV

/// Converts frames to another pixel format or size. Used on one thread.
package final class PixelConverter {
    private let context: UnsafeMutableRawPointer
    private let path: String
    private let source: (format: PixelFormat, width: Int, height: Int)
    private let target: (format: PixelFormat, width: Int, height: Int)

    /// - Parameters:
    ///   - frame: a frame like those that will be converted: of the same size and pixel format.
    ///   - matrix: that of the result, by its number in H.273; nil to keep the frame's.
    ///   - path: the file that errors name.
    /// - Throws: ``MediaError`` when libswscale can't convert between the two formats.
    package init(
        from frame: Frame, to format: PixelFormat, matrix: UInt32? = nil, width: Int, height: Int,
        path: String
    ) throws {
        self.path = path
        source = (frame.pixelFormat, frame.width, frame.height)
        target = (format, width, height)
        let made = tw_scaler_new(
            CInt(frame.width), CInt(frame.height), frame.pixelFormat.raw, CInt(width),
            CInt(height), format.raw)
        guard let made else {
            throw MediaError(
                .unsupported, file: path,
                reason: "frames in \(frame.pixelFormat) can't be converted to \(format)")
        }
        context = made
        setColors(of: frame, matrix)
    }

    deinit {
        tw_scaler_free(context)
    }

    /// Tells libswscale the frame's matrix and range; by default it assumes BT.601.
    private func setColors(of frame: Frame, _ wanted: UInt32?) {
        let colors = ColorMatrix(frame)
        let matrix =
            source.format.isRGB
            ? CInt(frame.color.lumaMatrix(height: frame.height)) : colors.matrix
        tw_scaler_set_colors(
            context, colors.matrix, colors.isFull ? 1 : 0, wanted.map { CInt($0) } ?? matrix,
            target.format.isRGB || target.format.isFullRange || frame.color.isFullRange ? 1 : 0)
    }

    /// Whether a frame has the size and pixel format that the converter was made for.
    package func accepts(_ frame: Frame) -> Bool {
        frame.pixelFormat == source.format && frame.width == source.width
            && frame.height == source.height
    }

    /// Returns a new, converted frame.
    package func convert(_ frame: Frame) throws -> Frame {
        let result = try Frame(format: target.format, width: target.width, height: target.height)
        try check(
            av_frame_copy_props(result.pointer, frame.pointer), doing: "converting a frame",
            path, as: .library)
        try check(
            tw_scaler_run(context, result.pointer, frame.pointer),
            doing: "converting a frame", path, as: .library)
        return result
    }
}
