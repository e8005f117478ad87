import CLibAV

/// Encodes frames as JPEG images. Used on one thread.
package final class JPEGEncoder {
    /// The format of the frames that it takes: BT.601 in full range, as JPEG prescribes.
    package let format: VideoFormat
    private let context: UnsafeMutablePointer<AVCodecContext>
    private let path: String

    /// libavcodec's scale for quality, from 2, the best, to 31.
    private static let quality: CInt = 4

    /// - Parameters:
    ///   - width: the width of the images in pixels.
    ///   - height: the height of the images in pixels.
    ///   - path: the file that errors name.
    /// - Throws: ``MediaError`` when the linked FFmpeg has no JPEG encoder.
    package init(width: Int, height: Int, path: String) throws {
        self.path = path
        format = VideoFormat(
            width: width, height: height, pixelFormat: PixelFormat(AV_PIX_FMT_YUVJ420P),
            frameRate: nil, nominalRate: nil, sampleAspectRatio: nil,
            color: ColorDescription(
                primaries: 2, transfer: 2, matrix: 5, range: 2, chromaLocation: 2),
            fieldOrder: .progressive)
        guard let codec = avcodec_find_encoder(AV_CODEC_ID_MJPEG) else {
            throw MediaError(
                .unsupported, file: path, reason: "this FFmpeg has no JPEG encoder")
        }
        context = try allocated(avcodec_alloc_context3(codec), path)
        context.pointee.width = CInt(width)
        context.pointee.height = CInt(height)
        context.pointee.pix_fmt = format.pixelFormat.raw
        context.pointee.color_range = AVCOL_RANGE_JPEG
        context.pointee.time_base = AVRational(num: 1, den: 25)
        context.pointee.thread_count = 1
        context.pointee.flags |= AV_CODEC_FLAG_QSCALE
        context.pointee.global_quality = Self.quality * FF_QP2LAMBDA
        try check(
            avcodec_open2(context, codec, nil), doing: "opening the JPEG encoder", path,
            as: .unsupported)
    }

    deinit {
        var closing: UnsafeMutablePointer<AVCodecContext>? = context
        avcodec_free_context(&closing)
    }

    /// The image of a frame that has the encoder's ``format``.
    package func image(of frame: Frame) throws -> [UInt8] {
        let sent = try Frame()
        try check(
            av_frame_ref(sent.pointer, frame.pointer), doing: "encoding an image", path,
            as: .library)
        sent.pointer.pointee.quality = context.pointee.global_quality
        sent.pointer.pointee.pict_type = AV_PICTURE_TYPE_NONE
        try check(
            avcodec_send_frame(context, sent.pointer), doing: "encoding an image", path,
            as: .library)
        let packet = try Packet()
        try check(
            avcodec_receive_packet(context, packet.pointer), doing: "encoding an image", path,
            as: .library)
        return Array(
            UnsafeBufferPointer(start: packet.pointer.pointee.data, count: packet.byteCount))
    }
}
