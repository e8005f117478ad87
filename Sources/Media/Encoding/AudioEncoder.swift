import CLibAV
import TimeMaps

/// Encodes planar samples into packets. Used on one thread.
package final class AudioEncoder {
    /// The sample rate that it takes, in Hz: the wanted one, or else the next higher one that the codec has, or
    /// the highest.
    package let sampleRate: Int
    /// The channel layout that it takes: the wanted one, or the codec's own with the same number of channels.
    package let layout: ChannelLayout
    private let context: UnsafeMutablePointer<AVCodecContext>
    private let path: String
    private let frame: UnsafeMutablePointer<AVFrame>
    private let writer: SampleWriter
    private let frameSize: Int
    /// Samples that don't fill an audio frame yet, planar.
    private var waiting: [[Float]]
    private var written: Int64 = 0

    /// - Parameters:
    ///   - format: the format of the sound, which the encoder keeps as far as the codec allows.
    ///   - bitRate: bits per second; nil takes the codec's default.
    /// - Throws: ``MediaError`` when the linked FFmpeg has no such encoder, or the encoder refuses the settings.
    package init(
        _ audioCodec: AudioCodec, format: AudioFormat, bitRate: Int?, for container: Container,
        path: String
    ) throws {
        self.path = path
        let codec = try Self.encoder(for: audioCodec, format: format, path: path)
        sampleRate = Self.bestRate(for: format.sampleRate, encoder: codec)
        layout = Self.bestLayout(for: format.layout, encoder: codec)
        frame = try allocated(av_frame_alloc(), path)
        context = try allocated(avcodec_alloc_context3(codec), path)
        let sampleFormat = Self.bestSampleFormat(for: format, encoder: codec)
        writer = try SampleWriter(sampleFormat)
        context.pointee.sample_fmt = sampleFormat
        context.pointee.sample_rate = CInt(sampleRate)
        context.pointee.time_base = AVRational(num: 1, den: CInt(sampleRate))
        if sampleFormat == AV_SAMPLE_FMT_S32 && (format.bitsPerSample ?? 32) <= 24 {
            context.pointee.bits_per_raw_sample = 24
        }
        layout.copy(to: &context.pointee.ch_layout)
        if let rate = bitRate ?? audioCodec.defaultBitRate(channelCount: layout.channelCount) {
            context.pointee.bit_rate = Int64(rate)
        }
        context.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER
        let opened = avcodec_open2(context, codec, nil)
        frameSize = context.pointee.frame_size > 0 ? Int(context.pointee.frame_size) : 4096
        waiting = Array(repeating: [], count: layout.channelCount)
        try check(
            opened, doing: "opening the \(audioCodec.rawValue) encoder", path, as: .incompatible)
    }

    deinit {
        var context: UnsafeMutablePointer<AVCodecContext>? = context
        avcodec_free_context(&context)
        var frame: UnsafeMutablePointer<AVFrame>? = frame
        av_frame_free(&frame)
    }

    /// The sample rate and channel layout that the codec's encoder would take for sound of a format: the format's
    /// own wherever possible.
    ///
    /// - Throws: ``MediaError`` when the linked FFmpeg has no such encoder.
    package static func encodable(
        _ codec: AudioCodec, format: AudioFormat, path: String
    ) throws -> (sampleRate: Int, layout: ChannelLayout) {
        let encoder = try encoder(for: codec, format: format, path: path)
        if let most = codec.mostChannels, format.channelCount > most {
            let other =
                format.channelCount > 8
                ? "pcm, in .wav, .mov or .mkv" : "aac, in .m4a, .mp4 or .mkv"
            throw MediaError(
                .incompatible, file: path,
                reason: "\(codec.rawValue) can store \(most) channels, and the sound has "
                    + "\(format.channelCount)",
                remedy: "Use \(.audioCodec) \(other)")
        }
        return (
            bestRate(for: format.sampleRate, encoder: encoder),
            bestLayout(for: format.layout, encoder: encoder)
        )
    }

    private static func encoder(
        for codec: AudioCodec, format: AudioFormat, path: String
    ) throws -> UnsafePointer<AVCodec> {
        let name = codec.encoderName(for: format)
        guard let encoder = avcodec_find_encoder_by_name(name) else {
            throw MediaError(
                .unsupported, file: path, reason: "this FFmpeg has no \(name) encoder",
                remedy: "Choose another \(.audioCodec), or install an FFmpeg that has it")
        }
        return encoder
    }

    private static func bestRate(for wanted: Int, encoder: UnsafePointer<AVCodec>) -> Int {
        // Opus is always played at 48 kHz, and files state its encoder delay in 48 kHz samples. At other rates the
        // encoder counts the delay differently, which makes the sound some milliseconds late.
        guard encoder.pointee.id != AV_CODEC_ID_OPUS else {
            return 48_000
        }
        guard var rate = tw_sample_rates(encoder) else {
            return wanted
        }
        var best: Int?
        while rate.pointee != 0 {
            let candidate = Int(rate.pointee)
            // The next higher rate keeps all frequencies; if there is none, the highest rate is best.
            let isBetter =
                best.map { best in
                    candidate >= wanted
                        ? best < wanted || candidate < best
                        : candidate > best
                            && best < wanted
                } ?? true
            best = isBetter ? candidate : best
            rate += 1
        }
        return best ?? wanted
    }

    /// The layouts of Opus and Vorbis by the number of channels (RFC 7845, 5.1.1.2). The encoder takes no others,
    /// but doesn't list them.
    private static let vorbisLayouts = [
        "mono", "stereo", "3.0", "quad", "5.0", "5.1", "6.1", "7.1",
    ]

    private static func bestLayout(
        for wanted: ChannelLayout, encoder: UnsafePointer<AVCodec>
    ) -> ChannelLayout {
        if encoder.pointee.id == AV_CODEC_ID_OPUS,
            vorbisLayouts.indices.contains(wanted.channelCount - 1)
        {
            return ChannelLayout(named: vorbisLayouts[wanted.channelCount - 1]) ?? wanted
        }
        guard var candidate = tw_channel_layouts(encoder) else {
            return wanted
        }
        var sameCount: ChannelLayout?
        while candidate.pointee.nb_channels > 0 {
            let layout = ChannelLayout(copying: candidate)
            if layout == wanted {
                return wanted
            }
            if layout.channelCount == wanted.channelCount {
                sameCount = sameCount ?? layout
            }
            candidate += 1
        }
        return sameCount ?? wanted
    }

    private static func bestSampleFormat(
        for format: AudioFormat, encoder: UnsafePointer<AVCodec>
    ) -> AVSampleFormat {
        guard var candidate = tw_sample_formats(encoder) else {
            return AV_SAMPLE_FMT_FLTP
        }
        let isDeep = (format.bitsPerSample ?? 16) > 16
        var known: [AVSampleFormat] = []
        while candidate.pointee != AV_SAMPLE_FMT_NONE {
            known.append(candidate.pointee)
            candidate += 1
        }
        let wanted =
            isDeep
            ? [AV_SAMPLE_FMT_FLTP, AV_SAMPLE_FMT_FLT, AV_SAMPLE_FMT_S32, AV_SAMPLE_FMT_S16]
            : [AV_SAMPLE_FMT_FLTP, AV_SAMPLE_FMT_FLT, AV_SAMPLE_FMT_S16, AV_SAMPLE_FMT_S32]
        return wanted.first { known.contains($0) } ?? known.first ?? AV_SAMPLE_FMT_FLTP
    }

    /// The description of the stream that the muxer needs.
    package func encodedFormat() throws -> EncodedFormat {
        try EncodedFormat(of: context, path: path)
    }

    /// Encodes the next samples, which follow the previous ones without a gap.
    ///
    /// - Parameters:
    ///   - channels: one array for each channel, all of one length.
    ///   - emit: called with each packet that comes out, if any.
    package func encode(
        _ channels: [[Float]], _ emit: (Packet) throws -> Void
    ) throws {
        precondition(channels.count == layout.channelCount, "one array a channel")
        for index in waiting.indices {
            waiting[index].append(contentsOf: channels[index])
        }
        var used = 0
        while waiting[0].count - used >= frameSize {
            try send(from: used, count: frameSize, emit)
            used += frameSize
        }
        if used > 0 {
            for index in waiting.indices {
                waiting[index].removeFirst(used)
            }
        }
    }

    /// Encodes the remaining samples and emits the packets that the encoder still holds.
    package func finish(_ emit: (Packet) throws -> Void) throws {
        if !waiting[0].isEmpty {
            try send(from: 0, count: waiting[0].count, emit)
            for index in waiting.indices {
                waiting[index].removeAll()
            }
        }
        try check(
            avcodec_send_frame(context, nil), doing: "finishing the sound", path, as: .library)
        try drain(emit)
    }

    private func send(
        from start: Int, count: Int, _ emit: (Packet) throws -> Void
    ) throws {
        av_frame_unref(frame)
        frame.pointee.format = context.pointee.sample_fmt.rawValue
        frame.pointee.nb_samples = CInt(count)
        frame.pointee.sample_rate = CInt(sampleRate)
        layout.copy(to: &frame.pointee.ch_layout)
        try check(av_frame_get_buffer(frame, 0), doing: "encoding sound", path, as: .library)
        writer.write(waiting, from: start, count: count, into: frame)
        frame.pointee.pts = written
        written += Int64(count)
        try check(
            avcodec_send_frame(context, frame), doing: "encoding sound", path, as: .library)
        try drain(emit)
    }

    private func drain(_ emit: (Packet) throws -> Void) throws {
        while true {
            let packet = try Packet()
            let result = avcodec_receive_packet(context, packet.pointer)
            if result == TW_ERROR_AGAIN || result == TW_ERROR_EOF {
                return
            }
            try check(result, doing: "encoding sound", path, as: .library)
            packet.pointer.pointee.time_base = context.pointee.time_base
            try emit(packet)
        }
    }
}

/// Converts planar Float samples to the sample format that an encoder takes.
struct SampleWriter {
    private enum Sample {
        case float, int16, int32
    }
    private let sample: Sample
    private let isPlanar: Bool

    init(_ format: AVSampleFormat) throws {
        isPlanar = av_sample_fmt_is_planar(format) != 0
        switch av_get_packed_sample_fmt(format) {
        case AV_SAMPLE_FMT_FLT: sample = .float
        case AV_SAMPLE_FMT_S16: sample = .int16
        case AV_SAMPLE_FMT_S32: sample = .int32
        default:
            throw MediaError(.library, file: "", reason: "an encoder needs unknown samples")
        }
    }

    func write(
        _ channels: [[Float]], from start: Int, count: Int,
        into frame: UnsafeMutablePointer<AVFrame>
    ) {
        let stride = isPlanar ? 1 : channels.count
        for (index, channel) in channels.enumerated() {
            guard let plane = frame.pointee.extended_data[isPlanar ? index : 0] else {
                continue
            }
            let raw = UnsafeMutableRawPointer(plane)
            let offset = isPlanar ? 0 : index
            channel.withUnsafeBufferPointer { samples in
                let source = samples.baseAddress! + start
                write(source, count: count, to: raw, offset: offset, stride: stride)
            }
        }
    }

    private func write(
        _ source: UnsafePointer<Float>, count: Int, to raw: UnsafeMutableRawPointer, offset: Int,
        stride: Int
    ) {
        switch sample {
        case .float:
            let target = raw.assumingMemoryBound(to: Float.self) + offset
            for i in 0..<count {
                target[i * stride] = source[i]
            }
        case .int16:
            let target = raw.assumingMemoryBound(to: Int16.self) + offset
            for i in 0..<count {
                let value = Self.scaled(source[i], by: 32768, limit: 32767)
                target[i * stride] = Int16(truncatingIfNeeded: value)
            }
        case .int32:
            let target = raw.assumingMemoryBound(to: Int32.self) + offset
            for i in 0..<count {
                let value = Self.scaled(source[i], by: 2_147_483_648, limit: 2_147_483_647)
                target[i * stride] = Int32(truncatingIfNeeded: value)
            }
        }
    }

    /// The nearest whole number; halves are rounded away from zero. NaN becomes 0.
    private static func scaled(_ value: Float, by scale: Double, limit: Double) -> Int64 {
        let scaled = value == value ? Double(value) * scale : 0
        // Exact, because a Float has 24 bits and a Double 53. `rounded()` would be a call on processors from before
        // 2008.
        let away = scaled + Double(signOf: scaled, magnitudeOf: 0.5)
        return Int64(min(max(away, -scale), limit))
    }
}
