import CLibAV

/// A container: a file format that can be written.
public enum Container: String, CaseIterable, Sendable, Codable {
    /// MP4, with H.264, HEVC, AV1 or VP9.
    case mp4
    /// QuickTime, with H.264, HEVC or ProRes.
    case mov
    /// Matroska, which can hold every codec in ``VideoCodec`` and ``AudioCodec``.
    case mkv
    /// WebM, with VP9 or AV1, and Opus.
    case webm
    /// GIF, without sound.
    case gif
    /// MP4 without video, with AAC.
    case m4a
    /// MP3 in a file of its own.
    case mp3
    /// WAV (RIFF WAVE), with PCM.
    case wav
    /// FLAC in a file of its own.
    case flac
    /// Ogg, with Opus.
    case opus
    /// Ogg, with Opus or FLAC.
    case ogg
    /// NUT, which passes video and sound from program to program, uncompressed if nothing else is asked for.
    case nut
    /// YUV4MPEG2: uncompressed video without sound, for programs that encode or measure it.
    case y4m

    /// Chooses the container by the extension of a file name, such as `.mp4` or `.mka`. No file is looked at.
    ///
    /// - Throws: ``MediaError`` with the code ``MediaError/Code/incompatible``, which names the known extensions.
    public init(forFileAt path: String) throws {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        let ending = name.contains(".") ? name.split(separator: ".").last?.lowercased() : nil
        let synonyms = [
            "m4v": "mp4", "m4b": "m4a", "wave": "wav", "oga": "ogg", "mka": "mkv", "qt": "mov",
        ]
        guard let ending, let container = Container(rawValue: synonyms[ending] ?? ending) else {
            let known = Self.allCases.map { "." + $0.rawValue }.joined(separator: " ")
            throw MediaError(
                .incompatible, file: path,
                reason: ending.map { ".\($0) isn't a kind of file that is written" }
                    ?? "its name has no extension that says what kind of file to write",
                remedy: "Use one of \(known)")
        }
        self = container
    }

    /// What people call it.
    package var title: String {
        switch self {
        case .mov: "QuickTime"
        case .mkv: "Matroska"
        case .webm: "WebM"
        case .opus: "Opus"
        case .ogg: "Ogg"
        case .y4m: "YUV4MPEG2"
        case .mp4, .gif, .m4a, .mp3, .wav, .flac, .nut: rawValue.uppercased()
        }
    }

    /// Whether it can hold audio only, no video.
    public var isAudioOnly: Bool {
        switch self {
        case .mp4, .mov, .mkv, .webm, .gif, .nut, .y4m: false
        case .m4a, .mp3, .wav, .flac, .opus, .ogg: true
        }
    }

    /// The video codecs that it can hold, the preferred one first; none if it is audio-only.
    public var videoCodecs: [VideoCodec] {
        switch self {
        case .mp4: [.h264, .hevc, .av1, .vp9]
        case .mov: [.h264, .hevc, .prores, .dnxhd, .mjpeg, .dvvideo]
        case .mkv: [.h264, .hevc, .av1, .vp9, .ffv1, .prores, .mjpeg, .dvvideo]
        case .webm: [.vp9, .av1]
        case .gif: [.gif]
        case .nut: [.rawvideo, .ffv1, .h264, .hevc, .mjpeg]
        case .y4m: [.rawvideo]
        case .m4a, .mp3, .wav, .flac, .opus, .ogg: []
        }
    }

    /// The audio codecs that it can hold, the preferred one first.
    public var audioCodecs: [AudioCodec] {
        switch self {
        case .mp4: [.aac, .opus, .flac]
        case .mov: [.aac, .pcm]
        // Opus is first because FFmpeg before 6.1 can't state AAC's encoder delay in Matroska.
        case .mkv: [.opus, .aac, .flac, .pcm, .mp3]
        case .webm: [.opus]
        case .gif, .y4m: []
        case .nut: [.pcm, .flac, .aac, .opus, .mp3]
        case .m4a: [.aac]
        case .mp3: [.mp3]
        case .wav: [.pcm]
        case .flac: [.flac]
        case .opus: [.opus]
        case .ogg: [.opus, .flac]
        }
    }

    /// The shortest tick of its timestamps, in seconds: 0.001 for Matroska and WebM, 0.01 for GIF; 0 if the muxer chooses
    /// the tick.
    package var tickSeconds: Double {
        switch self {
        case .mkv, .webm: 0.001
        case .gif: 0.01
        case .mp4, .mov, .m4a, .mp3, .wav, .flac, .opus, .ogg, .nut, .y4m: 0
        }
    }

    /// The forms of text subtitles that it can hold; others are converted to the first one.
    var textSubtitleCodecs: [AVCodecID] {
        switch self {
        case .mp4, .mov: [AV_CODEC_ID_MOV_TEXT]
        case .mkv: [AV_CODEC_ID_SUBRIP, AV_CODEC_ID_ASS, AV_CODEC_ID_WEBVTT]
        case .webm: [AV_CODEC_ID_WEBVTT]
        case .gif, .m4a, .mp3, .wav, .flac, .opus, .ogg, .nut, .y4m: []
        }
    }

    /// Whether it can hold subtitles of a kind, in any form.
    package func holds(_ subtitles: Asset.SubtitleKind) -> Bool {
        switch subtitles {
        case .text: !textSubtitleCodecs.isEmpty
        case .bitmap: holdsBitmapSubtitles
        }
    }

    private var holdsBitmapSubtitles: Bool {
        switch self {
        case .mkv: true
        case .mp4, .mov, .webm, .gif, .m4a, .mp3, .wav, .flac, .opus, .ogg, .nut, .y4m: false
        }
    }

    /// Whether it can hold only one track.
    package var holdsOneTrack: Bool {
        switch self {
        case .gif, .mp3, .wav, .flac, .opus, .ogg, .y4m: true
        case .mp4, .mov, .mkv, .webm, .m4a, .nut: false
        }
    }

    /// Whether it can hold cover art.
    package var holdsCover: Bool {
        switch self {
        case .mp4, .m4a, .mp3, .mkv, .flac: true
        // FFmpeg's MOV muxer takes a cover and writes nothing of it.
        case .mov, .webm, .gif, .wav, .opus, .ogg, .nut, .y4m: false
        }
    }

    /// Whether it can state by how much a player has to rotate the video.
    ///
    /// For Matroska and WebM that depends on the linked FFmpeg.
    package var holdsRotation: Bool {
        switch self {
        case .mp4, .mov: true
        case .mkv, .webm: MatroskaWriter.statesRotation
        case .gif, .m4a, .mp3, .wav, .flac, .opus, .ogg, .nut, .y4m: false
        }
    }

    /// Whether it can state that the video is a sphere (360°).
    package var holdsSphere: Bool {
        switch self {
        case .mp4, .mkv, .webm: true
        // FFmpeg's MOV muxer writes nothing of it.
        case .mov, .gif, .m4a, .mp3, .wav, .flac, .opus, .ogg, .nut, .y4m: false
        }
    }

    /// Whether frames before the start of the presentation can be hidden, by an edit list.
    package var hidesLeadIn: Bool {
        switch self {
        case .mp4, .mov: true
        case .mkv, .webm, .gif, .m4a, .mp3, .wav, .flac, .opus, .ogg, .nut, .y4m: false
        }
    }

    /// Whether it can hold a title for each track.
    package var holdsTrackTitles: Bool {
        switch self {
        case .mkv, .webm: true
        case .mp4, .mov, .gif, .m4a, .mp3, .wav, .flac, .opus, .ogg, .nut, .y4m: false
        }
    }

    /// Whether it is a kind of MP4, whose edit lists state what is played of a track, in ticks that the muxer may choose.
    package var hasEditLists: Bool {
        switch self {
        case .mp4, .mov, .m4a: true
        case .mkv, .webm, .gif, .mp3, .wav, .flac, .opus, .ogg, .nut, .y4m: false
        }
    }

    /// Whether it can hold chapters.
    package var holdsChapters: Bool {
        switch self {
        case .mp4, .mov, .mkv, .webm, .m4a, .mp3: true
        case .gif, .wav, .flac, .opus, .ogg, .nut, .y4m: false
        }
    }

    var muxerName: String {
        switch self {
        case .mkv: "matroska"
        case .m4a: "ipod"
        case .y4m: "yuv4mpegpipe"
        case .mp4, .mov, .webm, .gif, .mp3, .wav, .flac, .opus, .ogg, .nut: rawValue
        }
    }

    /// Whether it is for other programs rather than for people.
    package var isForPrograms: Bool { self == .nut || self == .y4m }

    /// Those that can be written into a pipe, where nothing can be changed any more.
    public static let piped: [Container] = [.nut, .mkv, .mp4, .y4m, .wav]

    /// Whether it can say how a pixel format stores pixels.
    package func holds(_ format: PixelFormat) -> Bool { self != .y4m || !format.isRGB }

    /// Whether frames have no times of their own, so that only a constant frame rate can be written.
    package var hasOnlyRate: Bool { self == .y4m }
}

extension Container {
    /// Throws if the container can't hold a video codec.
    ///
    /// - Parameter file: the output that the error names.
    /// - Throws: ``MediaError`` with the code ``MediaError/Code/incompatible``, which names the codecs that the
    ///   container can hold and the containers that can hold the codec.
    package func require(_ codec: VideoCodec, file: String) throws {
        guard !videoCodecs.contains(codec) else {
            return
        }
        throw refusal(
            of: codec.rawValue, file: file, holds: videoCodecs.map(\.rawValue), or: "no video",
            others: Self.allCases.filter { $0.videoCodecs.contains(codec) })
    }

    /// Throws if the container can't hold an audio codec.
    ///
    /// - Parameter file: the output that the error names.
    /// - Throws: ``MediaError`` with the code ``MediaError/Code/incompatible``, which names the codecs that the
    ///   container can hold and the containers that can hold the codec.
    package func require(_ codec: AudioCodec, file: String) throws {
        guard !audioCodecs.contains(codec) else {
            return
        }
        throw refusal(
            of: codec.rawValue, file: file, holds: audioCodecs.map(\.rawValue), or: "no sound",
            others: Self.allCases.filter { $0.audioCodecs.contains(codec) })
    }

    private func refusal(
        of codec: String, file: String, holds: [String], or nothing: String, others: [Container]
    ) -> MediaError {
        let held = holds.isEmpty ? nothing : holds.joined(separator: ", ")
        let names = others.map { "." + $0.rawValue }.joined(separator: " ")
        return MediaError(
            .incompatible, file: file,
            reason: "a .\(rawValue) file can't hold \(codec); it holds \(held)",
            remedy: "Write \(codec) to \(names)")
    }
}

extension Container {
    /// Whether it can hold a stream's packets unchanged.
    ///
    /// The answer may depend on the version of the linked FFmpeg.
    package func holdsPackets(of stream: Asset.Stream) -> Bool {
        switch stream.content {
        case .video, .audio, .subtitle:
            guard let codec = avcodec_descriptor_get_by_name(stream.codecName),
                let muxer = av_guess_format(muxerName, nil, nil)
            else {
                return false
            }
            // FFmpeg says that MOV can hold these, but its muxer then refuses them.
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

/// What the Matroska muxer of the linked FFmpeg can do.
package enum MatroskaWriter {
    /// Whether it states the encoder delay of every codec, not only that of Opus: since FFmpeg 6.1.
    package static var statesEncoderDelay: Bool {
        avformat_version() >= ffmpeg61
    }

    /// Whether it states the rotation of a video: since FFmpeg 6.1.
    static var statesRotation: Bool {
        avformat_version() >= ffmpeg61
    }

    private static let ffmpeg61: UInt32 = 60 << 16 | 16 << 8
}
