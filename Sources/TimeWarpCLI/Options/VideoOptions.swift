import ArgumentParser
import TimeWarp

/// The options for video: frame rate, in-between frames, codec and quality.
struct VideoOptions: ParsableArguments {
    @OptionGroup
    var making: FrameOptions

    @Option(
        help: ArgumentHelp(
            """
            The video codec. With copy, which needs --fps any, packets get new timestamps and \
            nothing is decoded. (default: the container's usual codec)
            """, valueName: "codec"))
    var videoCodec: VideoCodecArgument?

    @Flag(
        help: """
            Encode only what changes: keep the source's packets where the output shows a run of its frames unchanged, \
            and encode the rest in its codec. Packets of AAC are kept where the sound plays unchanged. --dry-run says \
            how much and why.
            """)
    var smart = false

    @Option(
        help: ArgumentHelp(
            """
            How pixels are stored, such as yuv420p, which everything plays, or yuv420p10le. (default: as in \
            the source, or the nearest that the codec has)
            """, valueName: "name"))
    var pixelFormat: PixelFormatArgument?

    @Option(
        help: ArgumentHelp(
            """
            Encode in hardware: auto takes the first encoder that works here, or else software, and says which; a name \
            that doesn't work is an error. Hardware's output isn't reproducible, so it can't be made in pieces.
            """, valueName: "name"))
    var hardware = HardwareEncoding.off

    @Option(
        help:
            "Quality: lower is better and larger. (default: \(VideoOptions.usual { $0.quality.map { "\(Int($0.usual))" } }))"
    )
    var crf: Double?

    @Option(
        help: ArgumentHelp(
            "Bits per second of the video, such as 8M, instead of a quality.", valueName: "rate"))
    var videoBitrate: BitRate?

    @Option(
        help:
            "The encoder's preset: speed against file size. (default: \(VideoOptions.usual { $0.presets?.usual }))"
    )
    var preset: String?

    @Option(
        help: ArgumentHelp(
            """
            Decode in hardware if its first frames equal those of software: auto takes the first kind that does, or \
            else software, and says which; a name that doesn't work is an error.
            """, valueName: "name"))
    var hardwareDecoding = HardwareDecoding.off

    @Option(help: "Threads for each codec; 0 uses one per core.")
    var threads = 0

    @Option(
        help: ArgumentHelp(
            """
            Encode the video in pieces, this many at a time, and join them without encoding again. \
            Helps if the machine has more cores than one encoder uses. Memory use grows with it.
            """, valueName: "number"))
    var jobs = 1

    /// What the encoders take if nothing is asked for: `h264 20, hevc 23`.
    private static func usual(_ setting: (EncoderDescription) -> String?) -> String {
        EncoderDescription.all.filter { $0.hardware == nil }.compactMap { encoder in
            setting(encoder).map { "\(encoder.codec.rawValue) \($0)" }
        }.joined(separator: ", ")
    }

    func validate() throws {
        guard (1...64).contains(jobs) else {
            throw ValidationError("--jobs takes 1 to 64.")
        }
        guard (0...256).contains(threads) else {
            throw ValidationError("--threads takes 0 to 256.")
        }
        guard !smart || videoCodec != .copy else {
            throw ValidationError(
                "--video-codec copy keeps all packets: pass it or --smart, not both.")
        }
    }

    func apply(to settings: inout RenderSettings) {
        making.apply(to: &settings)
        switch videoCodec {
        case .codec(let codec): settings.video.codec = codec
        case .copy: settings.video.mode = .restamped
        case nil: break
        }
        settings.video.pixelFormat = pixelFormat?.format
        settings.video.hardware = hardware
        settings.video.quality = crf
        settings.video.bitRate = videoBitrate?.bitsPerSecond
        settings.video.preset = preset
        settings.video.keepsPackets = smart
        settings.resources.hardwareDecoding = hardwareDecoding
        settings.resources.threads = threads
        settings.resources.jobs = jobs
    }
}

extension HardwareEncoding: ExpressibleByArgument {}
extension HardwareDecoding: ExpressibleByArgument {}
