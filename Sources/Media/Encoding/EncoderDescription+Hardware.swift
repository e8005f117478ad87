import CLibAV

/// Whether hardware encodes video.
public enum HardwareEncoding: String, CaseIterable, Sendable, Codable {
    /// Software encodes, the same everywhere.
    case off
    /// The first hardware that works encodes, else software.
    case auto
    /// NVIDIA's encoders.
    case nvenc
    /// Intel's Quick Sync Video.
    case qsv
    /// AMD's encoders, by its Advanced Media Framework.
    case amf
    /// Apple's encoders.
    case videotoolbox
    /// Encoders of Linux' graphics drivers.
    case vaapi
    /// Encoders of small boards, by Video4Linux.
    case v4l2m2m
}

extension EncoderDescription {
    /// Encoders on hardware, in the order in which they are tried.
    ///
    /// Each has a scale of qualities of its own: a number of one isn't as good as the same number of another. What they cost is the
    /// copying of frames.
    static let onHardware =
        nvenc + quickSync + advancedMediaFramework + videoToolbox + videoAcceleration
        + videoForLinux

    private static let plain = [AV_PIX_FMT_YUV420P, AV_PIX_FMT_NV12]

    /// By variable bit rate with a constant quality; 0 would leave it to the encoder.
    private static let nvenc = [(VideoCodec.h264, 23.0), (.hevc, 26), (.av1, 30)].map {
        codec, usual in
        EncoderDescription(
            name: "\(codec.rawValue)_nvenc", codec: codec, hardware: .nvenc,
            quality: QualityScale(range: 1...51, usual: usual), takesBitRate: true,
            presets: Presets(names: (1...7).map { "p\($0)" }, usual: "p4"), cost: 1,
            pixelFormats: plain + (codec == .h264 ? [] : [AV_PIX_FMT_P010LE]),
            qualityOptions: { ["rc": "vbr", "cq": String($0), "b": "0"] })
    }

    /// By intelligent constant quality, which FFmpeg chooses where there is no bit rate.
    private static let quickSync = [(VideoCodec.h264, 23.0), (.hevc, 25), (.av1, 30)].map {
        codec, usual in
        EncoderDescription(
            name: "\(codec.rawValue)_qsv", codec: codec, hardware: .qsv,
            quality: QualityScale(range: 1...51, usual: usual), takesBitRate: true,
            presets: Presets(
                names: ["veryfast", "faster", "fast", "medium", "slow", "slower", "veryslow"],
                usual: "medium"),
            cost: 1,
            pixelFormats: [AV_PIX_FMT_NV12] + (codec == .h264 ? [] : [AV_PIX_FMT_P010LE]),
            qualityOptions: { ["global_quality": String(Int($0.rounded())), "b": "0"] })
    }

    private static let advancedMediaFramework = [VideoCodec.h264, .hevc].map { codec in
        EncoderDescription(
            name: "\(codec.rawValue)_amf", codec: codec, hardware: .amf,
            quality: QualityScale(range: 0...51, usual: 23), takesBitRate: true,
            presets: Presets(
                names: ["speed", "balanced", "quality"], usual: "balanced", option: "quality"),
            cost: 1, pixelFormats: [AV_PIX_FMT_NV12, AV_PIX_FMT_YUV420P],
            qualityOptions: { quality in
                let number = String(Int(quality.rounded()))
                return ["rc": "cqp", "qp_i": number, "qp_p": number]
            })
    }

    /// Its own scale goes from 0 to 100, and higher is better. Only the encoders of Apple silicon have it.
    private static let videoToolbox = [VideoCodec.h264, .hevc].map { codec in
        EncoderDescription(
            name: "\(codec.rawValue)_videotoolbox", codec: codec, hardware: .videotoolbox,
            quality: QualityScale(range: 0...51, usual: 20), takesBitRate: true, cost: 1,
            pixelFormats: plain + (codec == .h264 ? [] : [AV_PIX_FMT_P010LE]),
            qualityOptions: { quality in
                let own = 100 * (1 - quality / 51)
                return [
                    "flags": "+qscale", "global_quality": String(Int(own * Double(FF_QP2LAMBDA))),
                ]
            })
    }

    /// By a constant quantiser. The driver's memory takes frames in these formats.
    private static let videoAcceleration = [VideoCodec.h264, .hevc].map { codec in
        EncoderDescription(
            name: "\(codec.rawValue)_vaapi", codec: codec, hardware: .vaapi,
            quality: QualityScale(range: 1...51, usual: 23), takesBitRate: true, cost: 1,
            device: AV_HWDEVICE_TYPE_VAAPI,
            pixelFormats: [AV_PIX_FMT_NV12] + (codec == .h264 ? [] : [AV_PIX_FMT_P010LE]),
            qualityOptions: { ["rc_mode": "CQP", "qp": String(Int($0.rounded()))] })
    }

    /// They know bit rates alone.
    private static let videoForLinux = [VideoCodec.h264, .hevc].map { codec in
        EncoderDescription(
            name: "\(codec.rawValue)_v4l2m2m", codec: codec, hardware: .v4l2m2m,
            takesBitRate: true, cost: 1, pixelFormats: [AV_PIX_FMT_NV12, AV_PIX_FMT_YUV420P])
    }

    /// The pixel format in which it stores what is asked for: the same samples, perhaps in another order.
    package func stored(_ wanted: PixelFormat) -> PixelFormat {
        let twins = [
            (AV_PIX_FMT_YUV420P, AV_PIX_FMT_NV12), (AV_PIX_FMT_YUV420P10LE, AV_PIX_FMT_P010LE),
        ]
        guard let known = pixelFormats, !known.contains(wanted.raw),
            let twin = twins.first(where: { $0.0 == wanted.raw })?.1, known.contains(twin)
        else {
            return wanted
        }
        return PixelFormat(twin)
    }
}
