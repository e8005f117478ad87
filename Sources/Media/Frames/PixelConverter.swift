import CLibAV

/// Brings pictures to another pixel format or size. Used on one thread.
package final class PixelConverter {
    private let context: UnsafeMutableRawPointer
    private let path: String
    private let source: (format: PixelFormat, width: Int, height: Int)
    private let target: (format: PixelFormat, width: Int, height: Int)

    /// - Parameter path: the file, for messages.
    /// - Throws: ``MediaError`` when the pair isn't possible.
    package init(
        from frame: Frame, to format: PixelFormat, width: Int, height: Int, path: String
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
                reason: "pictures in \(frame.pixelFormat) can't be brought to \(format)")
        }
        context = made
        keepColors(of: frame)
    }

    deinit {
        tw_scaler_free(context)
    }

    /// The scaler assumes BT.601 unless told; the picture itself knows better.
    private func keepColors(of frame: Frame) {
        let matrix = CInt(frame.pointer.pointee.colorspace.rawValue)
        let full: CInt = frame.pointer.pointee.color_range == AVCOL_RANGE_JPEG ? 1 : 0
        let table = matrix == 2 ? SWS_CS_DEFAULT : matrix
        tw_scaler_set_colors(
            context, table, source.format.isRGB ? 1 : full, table, target.format.isRGB ? 1 : full)
    }

    /// Whether a picture is of the kind that this was made for.
    package func accepts(_ frame: Frame) -> Bool {
        frame.pixelFormat == source.format && frame.width == source.width
            && frame.height == source.height
    }

    /// A new picture; the one given stays as it is.
    package func convert(_ frame: Frame) throws -> Frame {
        let result = try Frame(format: target.format, width: target.width, height: target.height)
        try check(
            av_frame_copy_props(result.pointer, frame.pointer), doing: "converting a picture",
            path, as: .library)
        try check(
            tw_scaler_run(context, result.pointer, frame.pointer),
            doing: "converting a picture", path, as: .library)
        return result
    }
}
