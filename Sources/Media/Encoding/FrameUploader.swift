import CLibAV

/// Copies frames into the memory of a device, for encoders that take them from there. Used on one thread.
final class FrameUploader {
    private var device: UnsafeMutablePointer<AVBufferRef>?
    /// The pool of the device's frames, which the encoder knows as well.
    private(set) var frames: UnsafeMutablePointer<AVBufferRef>?
    private let path: String

    /// The pixel format that stands for the device's memory.
    let pixelFormat: AVPixelFormat

    /// - Parameters:
    ///   - format: that of the frames that are copied.
    ///   - path: the output that errors name.
    /// - Throws: ``MediaError`` if there is no such device, or it takes no frames in this format.
    init(
        to kind: AVHWDeviceType, _ format: PixelFormat, width: Int, height: Int, path: String
    ) throws {
        self.path = path
        pixelFormat = Self.pixelFormat(of: kind)
        try check(
            av_hwdevice_ctx_create(&device, kind, nil, nil, 0), doing: "opening the device", path,
            as: .unsupported)
        frames = try allocated(av_hwframe_ctx_alloc(device), path)
        guard let frames, let data = frames.pointee.data else {
            preconditionFailure("it has been allocated")
        }
        data.withMemoryRebound(to: AVHWFramesContext.self, capacity: 1) { pool in
            pool.pointee.format = pixelFormat
            pool.pointee.sw_format = format.raw
            pool.pointee.width = CInt(width)
            pool.pointee.height = CInt(height)
            // As many as encoders hold back, and some that wait.
            pool.pointee.initial_pool_size = 20
        }
        try check(
            av_hwframe_ctx_init(frames), doing: "opening the device's memory", path,
            as: .unsupported)
    }

    deinit {
        av_buffer_unref(&frames)
        av_buffer_unref(&device)
    }

    /// Copies a frame: its pixels, its time and what else it carries.
    ///
    /// - Parameter target: an empty frame, which becomes one of the device.
    func upload(
        _ frame: UnsafeMutablePointer<AVFrame>, to target: UnsafeMutablePointer<AVFrame>
    ) throws {
        try check(
            av_hwframe_get_buffer(frames, target, 0), doing: "asking the device for memory", path,
            as: .library)
        try check(
            av_hwframe_transfer_data(target, frame, 0), doing: "copying a frame to the device",
            path,
            as: .library)
        try check(
            av_frame_copy_props(target, frame), doing: "copying a frame to the device", path,
            as: .library)
    }

    private static func pixelFormat(of kind: AVHWDeviceType) -> AVPixelFormat {
        kind == AV_HWDEVICE_TYPE_VULKAN ? AV_PIX_FMT_VULKAN : AV_PIX_FMT_VAAPI
    }
}
