import CLibAV
import Synchronization
import TimeMaps

/// Encodes frames into packets. Used on one thread.
package final class VideoEncoder {
    /// The pixel format that the encoder stores: that of the source wherever the encoder supports it.
    package let pixelFormat: PixelFormat
    private let context: UnsafeMutablePointer<AVCodecContext>
    private let description: EncoderDescription
    private let path: String
    private let scratch: UnsafeMutablePointer<AVFrame>
    /// Nil if frames stay in the system's memory.
    private var uploader: FrameUploader?
    private var converter: PixelConverter?
    /// Nil if frames need no palette.
    private let palettes: PaletteMaker?
    private var converted: (source: Frame, result: Frame)?
    /// The durations of frames by their PTS. Encoders don't keep durations, so packets get them from here.
    private var durations: [Int64: Int64] = [:]
    private let cadence: VideoEncoderSettings.Cadence
    /// The latest packet, which isn't emitted until the next one comes.
    private var held: Packet?
    /// When the latest frame ends, in ticks.
    private var end: Int64 = 0

    /// - Parameters:
    ///   - container: the container of the output, which decides where codec headers are stored.
    ///   - path: the output that errors name.
    /// - Throws: ``MediaError`` when the linked FFmpeg has no such encoder, or the encoder refuses the settings.
    package init(_ settings: VideoEncoderSettings, for container: Container, path: String) throws {
        self.path = path
        try Self.validate(
            settings.encoder, quality: settings.quality, bitRate: settings.bitRate,
            preset: settings.preset, path: path)
        description = settings.encoder
        let encoder = try Self.encoder(for: description, path: path)
        palettes = settings.codec == .gif ? PaletteMaker(path: path) : nil
        pixelFormat =
            settings.storedPixelFormat
            ?? Self.bestFormat(
                for: settings.format.pixelFormat, description, in: container, encoder: encoder)
        cadence = settings.cadence
        scratch = try allocated(av_frame_alloc(), path)
        context = try allocated(avcodec_alloc_context3(encoder), path)
        var settings = settings
        settings.storedPixelFormat = pixelFormat
        configure(settings, for: container)
        try prepareDevice()
        var options = Self.options(for: settings)
        defer { av_dict_free(&options) }
        let result = Self.alone(description) { avcodec_open2(context, encoder, &options) }
        guard result >= 0 else {
            throw libAVError(
                result, doing: "opening the \(description.name) encoder", path, as: .incompatible,
                remedy: description.frames.map {
                    "It takes \($0): choose another \(.videoCodec), or other frames"
                })
        }
        if let left = av_dict_get(options, "", nil, AV_DICT_IGNORE_SUFFIX) {
            throw MediaError(
                .unsupported, file: path,
                reason:
                    "this FFmpeg's \(description.name) has no option \(String(cString: left.pointee.key))"
            )
        }
    }

    deinit {
        var closing: UnsafeMutablePointer<AVCodecContext>? = context
        Self.alone(description) { avcodec_free_context(&closing) }
        var scratch: UnsafeMutablePointer<AVFrame>? = scratch
        av_frame_free(&scratch)
    }

    private static let isOpening = Mutex(())

    /// Opens or closes the encoder, while no other thread does that if its library can't do it at the same time.
    private static func alone<Result>(
        _ encoder: EncoderDescription, _ body: () -> Result
    ) -> Result {
        encoder.opensAlone ? isOpening.withLock { _ in body() } : body()
    }

    private func configure(_ settings: VideoEncoderSettings, for container: Container) {
        let format = settings.format.stored(as: pixelFormat).cropped(for: settings.codec)
        context.pointee.width = CInt(format.width)
        context.pointee.height = CInt(format.height)
        context.pointee.pix_fmt = palettes == nil ? pixelFormat.raw : AV_PIX_FMT_PAL8
        context.pointee.time_base = settings.timeBase.asTimeBase
        if let rate = settings.frameRate {
            context.pointee.framerate = rate.rational
        }
        if let aspect = format.sampleAspectRatio {
            context.pointee.sample_aspect_ratio = AVRational(
                num: aspect.numerator, den: aspect.denominator)
        }
        context.pointee.color_primaries = AVColorPrimaries(format.color.primaries)
        context.pointee.color_trc = AVColorTransferCharacteristic(format.color.transfer)
        context.pointee.colorspace = AVColorSpace(
            settings.codec.onlyMatrix ?? format.color.matrix)
        context.pointee.color_range = AVColorRange(format.color.range)
        context.pointee.chroma_sample_location = AVChromaLocation(format.color.chromaLocation)
        context.pointee.thread_count = CInt(settings.threads)
        if settings.isStream {
            context.pointee.gop_size = CInt(
                (settings.frameRate?.framesPerSecond ?? 25).rounded(.up))
        }
        if let level = settings.seam?.level {
            context.pointee.level = level
        }
        if format.fieldOrder != .progressive {
            context.pointee.field_order = format.fieldOrder.raw
            context.pointee.flags |= AV_CODEC_FLAG_INTERLACED_DCT | AV_CODEC_FLAG_INTERLACED_ME
        }
        if container != .mkv || settings.codec != .ffv1 {
            context.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER
        }
    }

    /// Gives the encoder the device that it takes frames from, if there is one.
    private func prepareDevice() throws {
        guard let device = description.device else {
            return
        }
        let uploader = try FrameUploader(
            to: device, pixelFormat, width: Int(context.pointee.width),
            height: Int(context.pointee.height), path: path)
        context.pointee.pix_fmt = uploader.pixelFormat
        context.pointee.hw_frames_ctx = av_buffer_ref(uploader.frames)
        self.uploader = uploader
    }

    /// The description of the stream that the muxer needs.
    package func encodedFormat() throws -> EncodedFormat {
        try EncodedFormat(of: context, path: path)
    }

    /// Encodes a frame.
    ///
    /// - Parameters:
    ///   - time: the PTS in ticks; later than that of the previous frame.
    ///   - duration: the duration in ticks.
    ///   - keepsCaptions: whether its closed captions are encoded, which must then be those after the previous frame's.
    ///   - emit: called with each packet that comes out, if any.
    package func encode(
        _ frame: Frame, at time: Int64, lasting duration: Int64, keepsCaptions: Bool = true,
        _ emit: (Packet) throws -> Void
    ) throws {
        let fitting = try fit(frame)
        av_frame_unref(scratch)
        try check(
            av_frame_ref(scratch, fitting.pointer), doing: "encoding", path, as: .library)
        scratch.pointee.pts = time
        scratch.pointee.pict_type = AV_PICTURE_TYPE_NONE
        tw_frame_set_key(scratch, 0)
        if !keepsCaptions {
            av_frame_remove_side_data(scratch, AV_FRAME_DATA_A53_CC)
        }
        durations[time] = duration
        end = time + duration
        let result = try send(scratch)
        av_frame_unref(scratch)
        try check(result, doing: "encoding a frame", path, as: .library)
        try drain(emit)
    }

    /// Passes a frame to the encoder, by way of its device if it has one.
    private func send(_ frame: UnsafeMutablePointer<AVFrame>) throws -> CInt {
        guard let uploader else {
            return avcodec_send_frame(context, frame)
        }
        var copy: UnsafeMutablePointer<AVFrame>? = try allocated(av_frame_alloc(), path)
        defer { av_frame_free(&copy) }
        if let copy {
            try uploader.upload(frame, to: copy)
        }
        return avcodec_send_frame(context, copy)
    }

    /// Emits the packets that the encoder still holds. Nothing can be encoded afterwards.
    package func finish(_ emit: (Packet) throws -> Void) throws {
        try check(
            avcodec_send_frame(context, nil), doing: "finishing the video", path, as: .library)
        try drain(emit)
        guard let last = held else {
            return
        }
        held = nil
        if cadence == .variable {
            // MP4 sums a track's duration from DTS, which reordering shifts back by whole frames. If the last
            // packet has a DTS equal to its PTS and lasts to the end, the sum is right.
            last.endTrack(at: end)
        }
        try emit(last)
    }

    private func drain(_ emit: (Packet) throws -> Void) throws {
        while true {
            let packet = try Packet()
            let result = avcodec_receive_packet(context, packet.pointer)
            if result == TW_ERROR_AGAIN || result == TW_ERROR_EOF {
                return
            }
            try check(result, doing: "encoding a frame", path, as: .library)
            if let duration = durations.removeValue(forKey: packet.pointer.pointee.pts) {
                packet.pointer.pointee.duration = duration
            }
            packet.pointer.pointee.time_base = context.pointee.time_base
            let earlier = held
            held = packet
            try earlier.map(emit)
        }
    }

    private func fit(_ whole: Frame) throws -> Frame {
        let width = Int(context.pointee.width)
        let height = Int(context.pointee.height)
        if let converted, converted.source === whole {
            return converted.result
        }
        let frame = try stored(whole.cropped(toWidth: width, height: height), width, height)
        let result = try palettes?.indexed(frame) ?? frame
        converted = (whole, result)
        return result
    }

    /// The frame in the size and the pixel format that are stored.
    private func stored(_ frame: Frame, _ width: Int, _ height: Int) throws -> Frame {
        let matrix = description.codec.onlyMatrix
        if frame.pixelFormat == pixelFormat && frame.width == width && frame.height == height,
            matrix.map({ ColorMatrix(frame).matrix == CInt($0) }) ?? true
        {
            return frame
        }
        if converter?.accepts(frame) != true {
            converter = try PixelConverter(
                from: frame, to: pixelFormat, matrix: matrix, width: width, height: height,
                path: path)
        }
        return try converter?.convert(frame) ?? frame
    }
}
