import CLibAV

/// A device that decodes for one codec context. Used on one thread.
final class HardwareDecoder {
    private var device: UnsafeMutablePointer<AVBufferRef>?
    private let downloader: FrameDownloader

    /// - Throws: ``MediaError`` if FFmpeg can't decode the codec on such a device, or there is none.
    init(_ kind: AVHWDeviceType, for codec: UnsafePointer<AVCodec>, path: String) throws {
        let configurations = sequence(first: CInt(0)) { $0 + 1 }.lazy
            .map { avcodec_get_hw_config(codec, $0)?.pointee }.prefix { $0 != nil }.compactMap(
                \.self)
        let byDevice = CInt(AV_CODEC_HW_CONFIG_METHOD_HW_DEVICE_CTX)
        let fitting = configurations.first { $0.device_type == kind && $0.methods & byDevice != 0 }
        guard let fitting else {
            throw MediaError(
                .unsupported, file: path,
                reason: "this FFmpeg doesn't decode \(String(cString: codec.pointee.name)) by "
                    + (av_hwdevice_get_type_name(kind).map { String(cString: $0) } ?? "it"))
        }
        downloader = FrameDownloader(of: fitting.pix_fmt, path: path)
        try check(
            av_hwdevice_ctx_create(&device, kind, nil, nil, 0), doing: "opening the device", path,
            as: .unsupported)
    }

    deinit {
        av_buffer_unref(&device)
    }

    /// Lets a codec decode on the device, if it can. The decoder must outlive the codec.
    func attach(to context: UnsafeMutablePointer<AVCodecContext>) {
        context.pointee.hw_device_ctx = av_buffer_ref(device)
        context.pointee.opaque = Unmanaged.passUnretained(self).toOpaque()
        context.pointee.get_format = { context, formats in
            guard let context, let formats, let opaque = context.pointee.opaque else {
                return AV_PIX_FMT_NONE
            }
            let wanted = Unmanaged<HardwareDecoder>.fromOpaque(opaque).takeUnretainedValue()
                .downloader.pixelFormat
            var place = formats
            while place.pointee != AV_PIX_FMT_NONE {
                if place.pointee == wanted {
                    return wanted
                }
                place += 1
            }
            return avcodec_default_get_format(context, formats)
        }
    }

    /// Whether a frame has come from the device.
    var isUsed: Bool { downloader.isUsed }

    /// Copies a frame into memory if it is the device's: see ``FrameDownloader/download(_:as:)``.
    func download(
        _ frame: UnsafeMutablePointer<AVFrame>, as wanted: AVPixelFormat
    ) throws {
        try downloader.download(frame, as: wanted)
    }
}
