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
    /// Avid DNxHR, which encodes every frame by itself.
    case dnxhd
    /// Motion JPEG, which encodes every frame by itself.
    case mjpeg
    /// DV, which encodes every frame by itself, in the formats of its tapes.
    case dvvideo
    /// FFV1, which is lossless.
    case ffv1
    /// GIF, of at most 256 colours in a frame.
    case gif
    /// Uncompressed frames, in planes of Y, U and V.
    case rawvideo

    /// What people call it.
    package var title: String {
        switch self {
        case .h264: "H.264"
        case .hevc, .av1, .vp9, .ffv1, .gif: rawValue.uppercased()
        case .prores: "ProRes"
        case .dnxhd: "DNxHR"
        case .mjpeg: "Motion JPEG"
        case .dvvideo: "DV"
        case .rawvideo: "uncompressed"
        }
    }

    /// Whether every frame is a keyframe.
    package var isIntraOnly: Bool {
        switch self {
        case .prores, .dnxhd, .mjpeg, .dvvideo, .ffv1, .rawvideo: true
        case .h264, .hevc, .av1, .vp9, .gif: false
        }
    }

    /// Whether every frame says by itself how it is decoded, whatever the header of the stream says.
    package var hasHeaderInFrames: Bool { isIntraOnly && self != .ffv1 && self != .rawvideo }

    /// The matrix that players take for that of its colours whatever a file says, by its number in H.273: JFIF has that of
    /// BT.601.
    var onlyMatrix: UInt32? { self == .mjpeg ? 5 : nil }

    /// Whether it stores whole samples of chroma only, so that a last column or row may have to be cropped.
    var wantsWholeChroma: Bool {
        switch self {
        case .h264, .hevc, .av1: true
        case .vp9, .prores, .dnxhd, .mjpeg, .dvvideo, .ffv1, .gif, .rawvideo: false
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

    /// What people call it.
    package var title: String {
        switch self {
        case .opus: "Opus"
        case .aac, .mp3, .flac, .pcm: rawValue.uppercased()
        }
    }

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
