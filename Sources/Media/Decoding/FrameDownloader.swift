import CLibAV

/// Copies frames out of the memory of a device. Used on one thread.
final class FrameDownloader {
    /// What stands for a frame in the device's memory.
    let pixelFormat: AVPixelFormat
    /// Whether a frame has come from the device.
    private(set) var isUsed = false
    private let path: String
    private var converter: PixelConverter?

    /// - Parameter path: the file that errors name.
    init(of pixelFormat: AVPixelFormat, path: String) {
        (self.pixelFormat, self.path) = (pixelFormat, path)
    }

    /// Copies a frame of the device into memory, in the pixel format of software's frames. Other frames stay as they are.
    ///
    /// - Parameter wanted: the software's pixel format. Devices have the same samples in another order.
    func download(
        _ frame: UnsafeMutablePointer<AVFrame>, as wanted: AVPixelFormat
    ) throws {
        guard frame.pointee.format == pixelFormat.rawValue else {
            return
        }
        isUsed = true
        let copy = try Frame()
        try check(
            av_hwframe_transfer_data(copy.pointer, frame, 0),
            doing: "copying a frame from the device",
            path, as: .library)
        try check(
            av_frame_copy_props(copy.pointer, frame), doing: "copying a frame from the device",
            path,
            as: .library)
        try check(
            av_frame_apply_cropping(copy.pointer, CInt(AV_FRAME_CROP_UNALIGNED)),
            doing: "cropping a frame", path, as: .library)
        let result = try converted(copy, to: PixelFormat(wanted))
        av_frame_unref(frame)
        av_frame_move_ref(frame, result.pointer)
    }

    private func converted(_ frame: Frame, to format: PixelFormat) throws -> Frame {
        guard frame.pixelFormat != format else {
            return frame
        }
        let fitting =
            try converter.flatMap { $0.accepts(frame) ? $0 : nil }
            ?? PixelConverter(
                from: frame, to: format, width: frame.width, height: frame.height, path: path)
        converter = fitting
        return try fitting.convert(frame)
    }
}
