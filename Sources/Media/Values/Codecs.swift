/// A video codec that can be written.
public enum VideoCodec: String, CaseIterable, Sendable, Codable {
    /// H.264, also known as AVC.
    case h264
    /// H.265, also known as HEVC.
    case hevc
    /// AV1.
    case av1
    /// VP9.
    case vp9
    /// Apple ProRes, which encodes every frame by itself.
    case prores
    /// FFV1, which is lossless.
    case ffv1
    /// GIF, of at most 256 colours in a frame.
    case gif

    /// FFmpeg's name for the encoder that is used, such as `libx264`.
    package var encoderName: String {
        switch self {
        case .h264: "libx264"
        case .hevc: "libx265"
        case .av1: "libsvtav1"
        case .vp9: "libvpx-vp9"
        case .prores: "prores_ks"
        case .ffv1, .gif: rawValue
        }
    }

    /// The default constant rate factor (CRF); nil if the codec has none.
    package var defaultQuality: Double? {
        switch self {
        case .h264: 20
        case .hevc: 23
        case .av1: 30
        case .vp9: 31
        case .prores, .ffv1, .gif: nil
        }
    }

    /// The range of the constant rate factor (CRF), in which lower means better; nil if the codec has none.
    public var qualityRange: ClosedRange<Double>? {
        switch self {
        case .h264, .hevc: 0...51
        case .av1, .vp9: 0...63
        case .prores, .ffv1, .gif: nil
        }
    }

    /// The default preset, one of ``presets``; nil if the codec has none.
    package var defaultPreset: String? {
        switch self {
        case .h264, .hevc: "medium"
        case .av1: "8"
        case .vp9: "4"
        case .prores, .ffv1, .gif: nil
        }
    }

    /// Whether every frame is a keyframe.
    package var isIntraOnly: Bool {
        switch self {
        case .prores, .ffv1: true
        case .h264, .hevc, .av1, .vp9, .gif: false
        }
    }

    /// The encoder's presets, the fastest first; empty if it has none.
    public var presets: [String] {
        switch self {
        case .h264, .hevc:
            [
                "ultrafast", "superfast", "veryfast", "faster", "fast", "medium", "slow",
                "slower", "veryslow", "placebo",
            ]
        case .av1: (0...13).reversed().map(String.init)
        case .vp9: (0...8).reversed().map(String.init)
        case .prores, .ffv1, .gif: []
        }
    }
}

/// An audio codec that can be written.
public enum AudioCodec: String, CaseIterable, Sendable, Codable {
    /// AAC (Advanced Audio Coding).
    case aac
    /// Opus, which is always stored at 48 kHz.
    case opus
    /// MP3 (MPEG-1 and MPEG-2 audio layer III), of one or two channels.
    case mp3
    /// FLAC, which is lossless.
    case flac
    /// PCM: uncompressed samples of 16, 24 or 32 bits, or 32-bit floats, like the source.
    case pcm

    /// FFmpeg's name for the encoder that is used for sound of this format.
    func encoderName(for format: AudioFormat) -> String {
        switch self {
        case .aac: "aac"
        case .opus: "libopus"
        case .mp3: "libmp3lame"
        case .flac: "flac"
        case .pcm: Self.pcmName(for: format)
        }
    }

    /// As many bits as the source has: more bits add nothing, and fewer can be heard.
    private static func pcmName(for format: AudioFormat) -> String {
        if format.isFloat {
            return "pcm_f32le"
        }
        switch format.bitsPerSample ?? 16 {
        case ...16: return "pcm_s16le"
        case ...24: return "pcm_s24le"
        default: return "pcm_s32le"
        }
    }

    /// How many channels FFmpeg's encoder takes, in layouts that players know; nil for any number.
    var mostChannels: Int? {
        switch self {
        case .aac, .opus, .flac: 8
        case .mp3: 2
        case .pcm: nil
        }
    }

    /// The default bit rate in bits per second, for all channels together; nil if the codec has none.
    package func defaultBitRate(channelCount: Int) -> Int? {
        switch self {
        case .aac: 64_000 * max(channelCount, 2)
        case .opus: channelCount == 1 ? 64_000 : 56_000 * channelCount
        case .mp3: 96_000 * max(channelCount, 1)
        case .flac, .pcm: nil
        }
    }
}
