import CLibAV
import Synchronization
import TimeMaps

/// How the frames of a video track are encoded.
package struct VideoEncoderSettings: Sendable {
    /// The encoder.
    package var encoder: EncoderDescription
    /// The format of the frames, which the encoder keeps as far as the codec allows.
    package var format: VideoFormat
    /// The pixel format that is stored; nil for the nearest to that of the format.
    package var storedPixelFormat: PixelFormat?
    /// The time base: the length of one tick in seconds. The times of frames are counted in ticks.
    package var timeBase: RationalTime
    /// The frame rate, which the encoder's rate control uses; for a variable frame rate, the average. Nil if
    /// unknown.
    package var frameRate: FrameRate?
    /// Whether the frame rate is constant or variable.
    package var cadence: Cadence
    /// The constant rate factor (CRF), in the encoder's ``EncoderDescription/quality``; nil takes the usual one.
    package var quality: Double?
    /// Bits a second, instead of a quality.
    package var bitRate: Int?
    /// The encoder's preset, one of its ``EncoderDescription/presets``; nil takes the usual one.
    package var preset: String?
    /// How many threads the encoder may use; 0 lets the encoder decide.
    package var threads: Int
    /// Whether the same frames must become the same bytes on every machine with the same libraries. Needs a number of
    /// threads.
    package var isReproducible: Bool
    /// What its packets follow in a track; nil if they are alone in it.
    package var seam: SeamCoding?
    /// Whether each frame must come out at once, with a keyframe each second: for video that is played while it is made.
    package var isStream: Bool

    /// Whether the frame rate is constant or variable.
    package enum Cadence: Sendable {
        /// A constant frame rate (CFR): every frame lasts one tick.
        case constant
        /// A variable frame rate (VFR): each frame has a duration of its own.
        case variable
    }

    /// The video codec.
    package var codec: VideoCodec { encoder.codec }

    /// Creates settings for one video track. They are checked when the encoder is opened, not here.
    ///
    /// - Parameter encoder: nil for the codec's software.
    package init(
        codec: VideoCodec, encoder: EncoderDescription? = nil, format: VideoFormat,
        storedPixelFormat: PixelFormat? = nil,
        timeBase: RationalTime,
        frameRate: FrameRate? = nil, cadence: Cadence = .constant, quality: Double? = nil,
        bitRate: Int? = nil, preset: String? = nil,
        threads: Int = 0, isReproducible: Bool = false, seam: SeamCoding? = nil,
        isStream: Bool = false
    ) {
        self.encoder = encoder ?? codec.encoder
        self.format = format
        self.storedPixelFormat = storedPixelFormat
        self.timeBase = timeBase
        self.frameRate = frameRate
        self.cadence = cadence
        self.quality = quality
        self.bitRate = bitRate
        self.preset = preset
        self.threads = threads
        self.isReproducible = isReproducible
        self.seam = seam
        self.isStream = isStream
    }
}

extension VideoEncoderSettings {
    /// For encoders that have no qualities, a tenth of a bit for each pixel.
    fileprivate var usualBitRate: Int {
        let rate = frameRate?.framesPerSecond ?? 25
        return Int(Double(format.width * format.height) * rate * 0.1)
    }
}

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
        _ = LibAVLog.install
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

    /// The pixel format with the least loss among those that the encoder supports.
    private static func bestFormat(
        for source: PixelFormat, _ description: EncoderDescription, in container: Container,
        encoder: UnsafePointer<AVCodec>
    ) -> PixelFormat {
        guard encoder.pointee.id != AV_CODEC_ID_GIF else {
            return PixelFormat(AV_PIX_FMT_BGRA)
        }
        guard let list = formats(of: description, in: container, encoder) else {
            return source
        }
        var loss: CInt = 0
        let best = PixelFormat(
            avcodec_find_best_pix_fmt_of_list(
                list + [AV_PIX_FMT_NONE], source.raw, source.hasAlpha ? 1 : 0, &loss))
        return hasFullRange(encoder) ? best.ofFullRange : best
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

    /// Throws if an encoder doesn't have a quality, a bit rate or a preset. The error names those that it has.
    package static func validate(
        _ encoder: EncoderDescription, quality: Double?, bitRate: Int? = nil, preset: String?,
        path: String
    ) throws {
        let name = encoder.hardware == nil ? encoder.codec.rawValue : encoder.name
        if bitRate != nil, quality != nil || !encoder.takesBitRate {
            throw MediaError(
                .incompatible, file: path,
                reason: quality != nil
                    ? "a quality and a bit rate are given, and one decides the other"
                    : "\(name) can't be encoded at a bit rate",
                remedy: quality != nil ? "Leave one of them out" : "Leave \(.bitRate) out")
        }
        if let preset, encoder.presets.map({ !$0.names.contains(preset) }) ?? true {
            throw MediaError(
                .incompatible, file: path,
                reason: "\(name) has no preset \"\(preset)\"",
                remedy: encoder.presets.map { "Use one of \($0.names.joined(separator: " "))" }
                    ?? "It has no presets, so leave that setting out")
        }
        if let quality, encoder.quality.map({ !$0.range.contains(quality) }) ?? true {
            let range = encoder.quality?.range
            throw MediaError(
                .incompatible, file: path,
                reason: "\(name) can't be encoded with a CRF of \(quality)",
                remedy: range.map {
                    "Use a number from \(Int($0.lowerBound)) to \(Int($0.upperBound))"
                } ?? "It has no CRF, so leave that setting out")
        }
    }

    /// The pixel format in which the codec's encoder would store a format: the same wherever it supports that.
    ///
    /// - Parameter wanted: the one that is asked for, if any.
    /// - Throws: ``MediaError`` when the linked FFmpeg has no such encoder, or the encoder doesn't support what is asked for.
    package static func pixelFormat(
        for source: PixelFormat, by description: EncoderDescription, in container: Container,
        wanted: PixelFormat? = nil, path: String
    ) throws -> PixelFormat {
        let encoder = try encoder(for: description, path: path)
        guard let wanted else {
            return bestFormat(for: source, description, in: container, encoder: encoder)
        }
        guard bestFormat(for: wanted, description, in: container, encoder: encoder) == wanted
        else {
            let names = known(to: encoder, description, container).map(\.description).joined(
                separator: " ")
            throw MediaError(
                .incompatible, file: path,
                reason: "\(description.codec.rawValue) can't be stored in \(wanted)",
                remedy: "Use one of \(names)")
        }
        return wanted
    }

    /// Players take every JPEG for one of full range.
    private static func hasFullRange(_ encoder: UnsafePointer<AVCodec>) -> Bool {
        encoder.pointee.id == AV_CODEC_ID_MJPEG
    }

    private static func known(
        to encoder: UnsafePointer<AVCodec>, _ description: EncoderDescription,
        _ container: Container
    ) -> [PixelFormat] {
        (formats(of: description, in: container, encoder) ?? []).map { PixelFormat($0) }.filter {
            !hasFullRange(encoder) || $0.ofFullRange == $0
        }
    }

    /// The formats that an encoder takes and a container holds; nil if these are all.
    private static func formats(
        of description: EncoderDescription, in container: Container,
        _ encoder: UnsafePointer<AVCodec>
    ) -> [AVPixelFormat]? {
        if let few = description.pixelFormats {
            return few.filter { container.holds(PixelFormat($0)) }
        }
        guard let first = tw_pixel_formats(encoder) else {
            return nil
        }
        let count = (0...).first { first[$0] == AV_PIX_FMT_NONE } ?? 0
        return Array(UnsafeBufferPointer(start: first, count: count))
    }

    private static func encoder(
        for description: EncoderDescription, path: String
    ) throws -> UnsafePointer<AVCodec> {
        let name = description.name
        guard let encoder = avcodec_find_encoder_by_name(name) else {
            throw MediaError(
                .unsupported, file: path, reason: "this FFmpeg has no \(name) encoder",
                remedy: "Choose another \(.videoCodec), or install an FFmpeg that has it")
        }
        return encoder
    }

    private static func options(for settings: VideoEncoderSettings) -> OpaquePointer? {
        var options: OpaquePointer?
        for (name, value) in values(for: settings).sorted(by: <) {
            av_dict_set(&options, name, value, 0)
        }
        return options
    }

    /// The encoder's options, by FFmpeg's names.
    static func values(for settings: VideoEncoderSettings) -> [String: String] {
        let encoder = settings.encoder
        var values = encoder.options(settings)
        if let rate = settings.bitRate {
            values["b"] = String(rate)
        } else if let scale = encoder.quality {
            values.merge(encoder.qualityOptions(settings.quality ?? scale.usual)) { $1 }
        } else if encoder.takesBitRate {
            values["b"] = String(settings.usualBitRate)
        }
        if let presets = encoder.presets {
            values[presets.option] = settings.preset ?? presets.usual
        }
        return values
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
