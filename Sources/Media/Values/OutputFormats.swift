import CLibAV

/// A kind of file that can be written.
public enum Container: String, CaseIterable, Sendable {
    /// MPEG-4, with h264, hevc, av1 or vp9.
    case mp4
    /// QuickTime, with h264, hevc or prores.
    case mov
    /// Matroska, which holds every codec that is written here.
    case mkv
    /// WebM, with vp9 or av1 and Opus.
    case webm
    /// MPEG-4 with AAC alone.
    case m4a
    /// RIFF WAVE with PCM.
    case wav
    /// FLAC by itself.
    case flac
    /// Ogg with Opus.
    case opus
    /// Ogg with Opus or FLAC.
    case ogg

    /// The container that a file name's ending asks for.
    ///
    /// - Throws: ``MediaError`` naming the endings that would work.
    public init(forFileAt path: String) throws {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        let ending = name.contains(".") ? name.split(separator: ".").last?.lowercased() : nil
        let synonyms = ["m4v": "mp4", "wave": "wav", "oga": "ogg", "mka": "mkv", "qt": "mov"]
        guard let ending, let container = Container(rawValue: synonyms[ending] ?? ending) else {
            let known = Self.allCases.map { "." + $0.rawValue }.joined(separator: " ")
            throw MediaError(
                .incompatible, file: path,
                reason: "the name doesn't say what kind of file to write",
                remedy: "End it in one of \(known)")
        }
        self = container
    }

    /// Whether it holds sound alone.
    public var isAudioOnly: Bool {
        switch self {
        case .mp4, .mov, .mkv, .webm: false
        case .m4a, .wav, .flac, .opus, .ogg: true
        }
    }

    /// Picture codecs it holds, the preferred one first.
    public var videoCodecs: [VideoCodec] {
        switch self {
        case .mp4: [.h264, .hevc, .av1, .vp9]
        case .mov: [.h264, .hevc, .prores]
        case .mkv: [.h264, .hevc, .av1, .vp9, .ffv1, .prores]
        case .webm: [.vp9, .av1]
        case .m4a, .wav, .flac, .opus, .ogg: []
        }
    }

    /// Sound codecs it holds, the preferred one first.
    public var audioCodecs: [AudioCodec] {
        switch self {
        case .mp4: [.aac, .opus, .flac]
        case .mov: [.aac, .pcm]
        // Opus first: FFmpeg before 6.1 has no way to say how long AAC's encoder delay is here.
        case .mkv: [.opus, .aac, .flac, .pcm]
        case .webm: [.opus]
        case .m4a: [.aac]
        case .wav: [.pcm]
        case .flac: [.flac]
        case .opus: [.opus]
        case .ogg: [.opus, .flac]
        }
    }

    /// The finest tick that times are kept to, in seconds; 0 where the writer chooses.
    public var tickSeconds: Double {
        switch self {
        case .mkv, .webm: 0.001
        case .mp4, .mov, .m4a, .wav, .flac, .opus, .ogg: 0
        }
    }

    /// The kinds of text subtitles it holds; others are turned into the first one.
    var textSubtitleCodecs: [AVCodecID] {
        switch self {
        case .mp4, .mov: [AV_CODEC_ID_MOV_TEXT]
        case .mkv: [AV_CODEC_ID_SUBRIP, AV_CODEC_ID_ASS, AV_CODEC_ID_WEBVTT]
        case .webm: [AV_CODEC_ID_WEBVTT]
        case .m4a, .wav, .flac, .opus, .ogg: []
        }
    }

    /// Whether it holds subtitles of a kind, in one form or another.
    public func holds(_ subtitles: Asset.SubtitleKind) -> Bool {
        switch subtitles {
        case .text: !textSubtitleCodecs.isEmpty
        case .pictures: self == .mkv
        }
    }

    /// Whether there is room for a single track only.
    public var holdsOneTrack: Bool {
        switch self {
        case .wav, .flac, .opus, .ogg: true
        case .mp4, .mov, .mkv, .webm, .m4a: false
        }
    }

    /// Whether it can carry cover art.
    public var holdsCover: Bool {
        switch self {
        case .mp4, .mov, .m4a, .mkv, .flac: true
        case .webm, .wav, .opus, .ogg: false
        }
    }

    /// Whether a turn of the picture by the player can be kept.
    public var holdsRotation: Bool {
        switch self {
        case .mp4, .mov: true
        case .mkv, .webm: MatroskaWriter.statesRotation
        case .m4a, .wav, .flac, .opus, .ogg: false
        }
    }

    /// Whether pictures that come before its start can be hidden, by an edit list.
    public var hidesLeadIn: Bool {
        self == .mp4 || self == .mov
    }

    /// Whether the title of a single track can be kept.
    public var holdsTrackTitles: Bool {
        self == .mkv || self == .webm
    }

    /// Whether lengths are stated in ticks that the writer may choose.
    var statesLengthsInTicks: Bool {
        self == .mp4 || self == .mov || self == .m4a
    }

    /// Whether named ranges can be kept.
    public var holdsChapters: Bool {
        switch self {
        case .mp4, .mov, .mkv, .webm, .m4a: true
        case .wav, .flac, .opus, .ogg: false
        }
    }

    var muxerName: String {
        switch self {
        case .mkv: "matroska"
        case .m4a: "ipod"
        default: rawValue
        }
    }
}

/// A picture codec that can be written.
public enum VideoCodec: String, CaseIterable, Sendable, Codable {
    /// H.264, also known as AVC.
    case h264
    /// H.265, also known as HEVC.
    case hevc
    /// AV1.
    case av1
    /// VP9.
    case vp9
    /// Apple ProRes, where every frame is coded by itself.
    case prores
    /// FFV1, which is lossless.
    case ffv1

    /// The encoder of the linked FFmpeg that is used for it.
    public var encoderName: String {
        switch self {
        case .h264: "libx264"
        case .hevc: "libx265"
        case .av1: "libsvtav1"
        case .vp9: "libvpx-vp9"
        case .prores: "prores_ks"
        case .ffv1: "ffv1"
        }
    }

    /// The constant rate factor used when none is asked for; nil where quality isn't chosen so.
    public var defaultQuality: Double? {
        switch self {
        case .h264: 20
        case .hevc: 23
        case .av1: 30
        case .vp9: 31
        case .prores, .ffv1: nil
        }
    }

    /// The range of the constant rate factor, the best quality first.
    public var qualityRange: ClosedRange<Double>? {
        switch self {
        case .h264, .hevc: 0...51
        case .av1, .vp9: 0...63
        case .prores, .ffv1: nil
        }
    }

    /// The preset used when none is asked for.
    public var defaultPreset: String? {
        switch self {
        case .h264, .hevc: "medium"
        case .av1: "8"
        case .vp9: "4"
        case .prores, .ffv1: nil
        }
    }

    /// Whether every picture is a key picture.
    public var isIntraOnly: Bool {
        switch self {
        case .prores, .ffv1: true
        case .h264, .hevc, .av1, .vp9: false
        }
    }

    /// The presets it knows, the fastest first.
    public var presets: [String] {
        switch self {
        case .h264, .hevc:
            [
                "ultrafast", "superfast", "veryfast", "faster", "fast", "medium", "slow",
                "slower", "veryslow", "placebo",
            ]
        case .av1: (0...13).reversed().map(String.init)
        case .vp9: (0...8).reversed().map(String.init)
        case .prores, .ffv1: []
        }
    }
}

/// A sound codec that can be written.
public enum AudioCodec: String, CaseIterable, Sendable, Codable {
    /// AAC.
    case aac
    /// Opus.
    case opus
    /// FLAC, which is lossless.
    case flac
    /// Samples as they are, not compressed.
    case pcm

    /// The encoder of the linked FFmpeg that is used for sound of this format.
    func encoderName(for format: AudioFormat) -> String {
        switch self {
        case .aac: "aac"
        case .opus: "libopus"
        case .flac: "flac"
        case .pcm: Self.pcmName(for: format)
        }
    }

    /// As deep as the source: nothing is gained by more, and less is heard.
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

    /// Bits a second used when none are asked for; nil where the codec needs no such number.
    public func defaultBitRate(channelCount: Int) -> Int? {
        switch self {
        case .aac: 64_000 * max(channelCount, 2)
        case .opus: channelCount == 1 ? 64_000 : 56_000 * channelCount
        case .flac, .pcm: nil
        }
    }
}

extension Container {
    /// Refuses a pair that can't be, before any work starts.
    ///
    /// - Throws: ``MediaError`` naming the codecs that the container holds and the containers that
    ///   hold the codec.
    public func require(_ codec: VideoCodec, file: String) throws {
        guard !videoCodecs.contains(codec) else {
            return
        }
        throw refusal(
            of: codec.rawValue, file: file, holds: videoCodecs.map(\.rawValue),
            others: Self.allCases.filter { $0.videoCodecs.contains(codec) })
    }

    /// Refuses a pair that can't be, before any work starts.
    public func require(_ codec: AudioCodec, file: String) throws {
        guard !audioCodecs.contains(codec) else {
            return
        }
        throw refusal(
            of: codec.rawValue, file: file, holds: audioCodecs.map(\.rawValue),
            others: Self.allCases.filter { $0.audioCodecs.contains(codec) })
    }

    private func refusal(
        of codec: String, file: String, holds: [String], others: [Container]
    ) -> MediaError {
        let held = holds.isEmpty ? "no pictures" : holds.joined(separator: ", ")
        let names = others.map { "." + $0.rawValue }.joined(separator: " ")
        return MediaError(
            .incompatible, file: file,
            reason: "a .\(rawValue) file can't hold \(codec); it holds \(held)",
            remedy: "For \(codec) write \(names)")
    }
}

extension Container {
    /// Whether a stream's packets can be written as they are.
    public func holdsPackets(of stream: Asset.Stream) -> Bool {
        switch stream.content {
        case .video, .audio, .subtitle:
            guard let codec = avcodec_descriptor_get_by_name(stream.codecName),
                let muxer = av_guess_format(muxerName, nil, nil)
            else {
                return false
            }
            // The writer says yes and then refuses.
            if self == .mov, ["av1", "vp9"].contains(stream.codecName) {
                return false
            }
            return avformat_query_codec(muxer, codec.pointee.id, FF_COMPLIANCE_EXPERIMENTAL) == 1
        case .cover: return holdsCover
        case .attachment: return self == .mkv
        case .other: return false
        }
    }
}

/// What the linked FFmpeg's Matroska writer can do.
package enum MatroskaWriter {
    /// Whether it states any codec's encoder delay, not only Opus's: since FFmpeg 6.1.
    package static var statesEncoderDelay: Bool {
        avformat_version() >= ffmpeg61
    }

    /// Whether it states how a picture is turned for display: since FFmpeg 6.1.
    static var statesRotation: Bool {
        avformat_version() >= ffmpeg61
    }

    private static let ffmpeg61: UInt32 = 60 << 16 | 16 << 8
}
