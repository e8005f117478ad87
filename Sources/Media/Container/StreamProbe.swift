import CLibAV
import TimeMaps

extension Asset.Stream {
    init(
        _ stream: UnsafeMutablePointer<AVStream>, span: Asset.Span, origin: RationalTime
    ) {
        let parameters = stream.pointee.codecpar.pointee
        let base = stream.pointee.time_base
        self.init(
            index: Int(stream.pointee.index),
            content: span.isEncrypted ? .other : Self.content(of: stream, span),
            codecName: Self.codecName(of: parameters),
            start: span.start?.relative(to: origin), end: span.end?.relative(to: origin),
            frameCount: span.frameCount,
            longestGap: span.coverage.longestGap?.counted(from: origin),
            tags: Asset.dictionary(stream.pointee.metadata),
            disposition: Asset.Disposition(bits: stream.pointee.disposition),
            sideData: Self.sideData(of: stream), hidesPackets: span.hidesPackets,
            timeBase: TimeBase(numerator: base.num, denominator: base.den),
            timeRounding: FrameCadence.rounding(
                of: span.stamps ?? [], tickSeconds: av_q2d(base),
                areExact: parameters.codec_id == AV_CODEC_ID_GIF))
    }

    /// FFmpeg's name for the codec, such as `h264`; the four letters by which the file names one that FFmpeg doesn't know.
    private static func codecName(of parameters: AVCodecParameters) -> String {
        let letters = (0..<4).map { UInt8(truncatingIfNeeded: parameters.codec_tag >> (8 * $0)) }
        guard parameters.codec_id == AV_CODEC_ID_NONE,
            letters.allSatisfy({ (0x20..<0x7F).contains($0) })
        else {
            return avcodec_get_name(parameters.codec_id).map { String(cString: $0) } ?? "unknown"
        }
        return String(decoding: letters, as: UTF8.self)
    }

    /// Returns the stream with HDR metadata added that its container doesn't state but a frame does.
    ///
    /// - Parameter frame: a decoded frame of the stream.
    package func completed(by frame: Frame) -> Asset.Stream {
        let known = Set(sideData.map(\.type))
        var completed = self
        completed.sideData += frame.lightMetadata.filter { !known.contains($0.type) }
        return completed
    }

    /// Returns the stream for frames that were turned upright: without its rotation.
    ///
    /// - Parameter keepsTags: whether its language, its title and its other tags stay.
    package func upright(keepsTags: Bool) -> Asset.Stream {
        var upright = self
        upright.sideData.removeAll { $0.type == AV_PKT_DATA_DISPLAYMATRIX.rawValue }
        if !keepsTags {
            upright.tags = [:]
        }
        return upright
    }

    /// Whether another stream has the same data for the whole stream (HDR metadata, 360° video), but for the rotation.
    package func looksLike(_ other: Asset.Stream) -> Bool {
        let kinds = Muxer.keptSideData.subtracting([AV_PKT_DATA_DISPLAYMATRIX.rawValue])
        let (one, two) = (sideData, other.sideData)
        return Set(one.filter { kinds.contains($0.type) })
            == Set(two.filter { kinds.contains($0.type) })
    }

    /// Whether it is 360° video, or another projection of a sphere.
    package var isSpherical: Bool {
        sideData.contains { $0.type == AV_PKT_DATA_SPHERICAL.rawValue }
    }

    /// Whether it carries dynamic HDR metadata (Dolby Vision), which changes from frame to frame.
    package var hasDynamicLight: Bool {
        sideData.contains { $0.type == AV_PKT_DATA_DOVI_CONF.rawValue }
    }

    private static func content(
        of stream: UnsafeMutablePointer<AVStream>, _ span: Asset.Span
    ) -> Asset.Content {
        let parameters = stream.pointee.codecpar.pointee
        switch parameters.codec_type {
        case AVMEDIA_TYPE_VIDEO where stream.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC != 0:
            return .cover
        case AVMEDIA_TYPE_VIDEO where parameters.width > 0 && parameters.height > 0:
            var format = VideoFormat(stream).believed(for: span)
            format.cadence = FrameCadence.cadence(
                of: span.stamps, lengths: span.lengths,
                tickSeconds: av_q2d(stream.pointee.time_base), format,
                areExact: parameters.codec_id == AV_CODEC_ID_GIF)
            return .video(format)
        case AVMEDIA_TYPE_AUDIO where parameters.holdsSound:
            return .audio(AudioFormat(parameters))
        case AVMEDIA_TYPE_SUBTITLE:
            let properties = avcodec_descriptor_get(parameters.codec_id)?.pointee.props ?? 0
            return .subtitle(properties & AV_CODEC_PROP_TEXT_SUB != 0 ? .text : .bitmap)
        case AVMEDIA_TYPE_ATTACHMENT:
            return .attachment
        default:
            return .other
        }
    }

    private static func sideData(
        of stream: UnsafeMutablePointer<AVStream>
    ) -> [Asset.SideData] {
        (0..<tw_side_data_count(stream)).compactMap { index in
            guard let data = tw_side_data_at(stream, index)?.pointee, let bytes = data.data else {
                return nil
            }
            return Asset.SideData(
                type: UInt32(data.type.rawValue),
                bytes: Array(UnsafeBufferPointer(start: bytes, count: Int(data.size))))
        }
    }

    static func rotation(in sideData: [Asset.SideData]) -> Double {
        guard
            let matrix = sideData.first(where: { $0.type == AV_PKT_DATA_DISPLAYMATRIX.rawValue }),
            matrix.bytes.count >= 36
        else {
            return 0
        }
        let counterclockwise = matrix.bytes.withUnsafeBytes { bytes in
            av_display_rotation_get(bytes.bindMemory(to: Int32.self).baseAddress)
        }
        guard counterclockwise.isFinite else {
            return 0
        }
        let clockwise = (-counterclockwise).truncatingRemainder(dividingBy: 360)
        return clockwise < 0 ? clockwise + 360 : clockwise + 0
    }
}

extension FrameRate {
    init?(_ rational: AVRational) {
        guard let rational = rational.known else {
            return nil
        }
        self.init(known: rational.num, over: rational.den)
    }

    var rational: AVRational {
        AVRational(num: numerator, den: denominator)
    }
}

extension AVCodecParameters {
    /// Whether it is audio with at least one channel and a sample rate that is supported.
    var holdsSound: Bool {
        codec_type == AVMEDIA_TYPE_AUDIO && ch_layout.nb_channels > 0
            && MediaLimits.sampleRates.contains(Int(sample_rate))
    }
}

extension VideoFormat {
    /// Returns the format with frame rates that are too high replaced: rates at which there would be many more
    /// frames than there are. They are replaced by the average rate, or by none if that is beyond every camera.
    fileprivate func believed(for span: Asset.Span) -> VideoFormat {
        guard let count = span.frameCount, let start = span.start, let end = span.end,
            end > start
        else {
            return self
        }
        let borneOut = Double(count) / end.relative(to: start).seconds
        let highest = max(
            MediaLimits.plainFrameRate, min(4 * borneOut, MediaLimits.highestFrameRate))
        let rates = [frameRate, nominalRate].compactMap { $0?.framesPerSecond }
        guard let stated = rates.max(), stated > highest else {
            return self
        }
        var format = self
        format.frameRate =
            (0.001...MediaLimits.highestFrameRate).contains(borneOut)
            ? FrameRate(known: Int32((borneOut * 1000).rounded(.up)), over: 1000) : nil
        format.nominalRate = nil
        return format
    }

    init(_ stream: UnsafeMutablePointer<AVStream>) {
        let parameters = stream.pointee.codecpar.pointee
        let aspect =
            stream.pointee.sample_aspect_ratio.known ?? parameters.sample_aspect_ratio.known
        let pixelFormat = PixelFormat(AVPixelFormat(parameters.format))
        self.init(
            width: Int(parameters.width), height: Int(parameters.height), pixelFormat: pixelFormat,
            frameRate: FrameRate(stream.pointee.avg_frame_rate),
            nominalRate: FrameRate(stream.pointee.r_frame_rate),
            sampleAspectRatio: aspect.map { Ratio($0.num, over: $0.den) },
            color: ColorDescription(
                primaries: UInt32(parameters.color_primaries.rawValue),
                transfer: UInt32(parameters.color_trc.rawValue),
                matrix: UInt32(parameters.color_space.rawValue),
                range: UInt32(parameters.color_range.rawValue),
                chromaLocation: UInt32(parameters.chroma_location.rawValue)
            ).of(pixelFormat),
            fieldOrder: FieldOrder(parameters.field_order))
        codedAspectRatio = parameters.sample_aspect_ratio.known.map { Ratio($0.num, over: $0.den) }
    }
}

extension VideoFormat.FieldOrder {
    init(_ order: AVFieldOrder) {
        switch order {
        case AV_FIELD_TT, AV_FIELD_TB: self = .topFirst
        case AV_FIELD_BB, AV_FIELD_BT: self = .bottomFirst
        default: self = .progressive
        }
    }

    var raw: AVFieldOrder {
        switch self {
        case .progressive: AV_FIELD_PROGRESSIVE
        case .topFirst: AV_FIELD_TT
        case .bottomFirst: AV_FIELD_BB
        }
    }
}

extension AudioFormat {
    init(_ parameters: AVCodecParameters) {
        var layout = parameters.ch_layout
        let sampleFormat = AVSampleFormat(parameters.format)
        let packed = av_get_packed_sample_fmt(sampleFormat)
        let exactBits = Int(av_get_exact_bits_per_sample(parameters.codec_id))
        let rawBits = Int(parameters.bits_per_raw_sample)
        let properties = avcodec_descriptor_get(parameters.codec_id)?.pointee.props ?? 0
        let isLossless = properties & AV_CODEC_PROP_LOSSLESS != 0
        let bits = rawBits > 0 ? rawBits : exactBits
        self.init(
            sampleRate: Int(parameters.sample_rate), layout: ChannelLayout(copying: &layout),
            bitsPerSample: isLossless && bits > 0 ? bits : nil,
            isFloat: isLossless && (packed == AV_SAMPLE_FMT_FLT || packed == AV_SAMPLE_FMT_DBL))
    }
}
