import ArgumentParser
import TimeWarp

/// What becomes of pictures.
struct VideoOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Frames a second: a number, a fraction such as 30000/1001, source, or any. With any, \
            every source frame is shown once, at exactly its new time.
            """, valueName: "rate"))
    var fps = OutputRate(argument: "source")!

    @Option(
        help: """
            What is shown between source frames: hold repeats the earlier one, blend mixes both \
            by distance.
            """)
    var frames = FramesArgument.hold

    @Option(
        help: ArgumentHelp(
            """
            Where pictures go by faster than frames do, average those that a shutter sees: 360 is \
            open all the time, 180 half of it.
            """, valueName: "degrees"))
    var shutter: Double?

    @Option(
        help: ArgumentHelp(
            """
            h264, hevc, av1, vp9, prores, ffv1, or copy: with --fps any, packets get their new \
            times and are never decoded. (default: the container's usual one)
            """, valueName: "codec"))
    var videoCodec: VideoCodecArgument?

    @Option(
        help: "Quality: lower is better and larger. (default: h264 20, hevc 23, av1 30, vp9 31)")
    var crf: Double?

    @Option(
        help:
            "The encoder's own name for speed against size. (default: medium, 8 for av1, 4 for vp9)"
    )
    var preset: String?

    @Option(help: "Threads for each codec; 0 takes one a core.")
    var threads = 0

    @Option(
        help: ArgumentHelp(
            """
            Render pictures in pieces, so many at a time, and join them without encoding again: for \
            machines with more cores than an encoder uses. Takes about so many times the memory.
            """, valueName: "number"))
    var jobs = 1

    func validate() throws {
        guard (1...64).contains(jobs) else {
            throw ValidationError("--jobs takes 1 to 64.")
        }
        guard (0...256).contains(threads) else {
            throw ValidationError("--threads takes 0 to 256.")
        }
        try Self.require(frames, shutter: shutter)
    }

    /// What `verify` is told too.
    static func require(_ frames: FramesArgument, shutter: Double?) throws {
        guard frames.synthesis != nil else {
            throw ValidationError(
                "--frames motion isn't there yet: in-between pictures are not made up so far. Use "
                    + "--frames blend or hold.")
        }
        guard shutter.map({ $0 > 0 && $0 <= 360 }) ?? true else {
            throw ValidationError("--shutter takes degrees above 0 and up to 360.")
        }
    }

    func apply(to settings: inout RenderSettings) {
        settings.rate = fps.rate
        settings.frames = frames.synthesis ?? .hold
        settings.shutterDegrees = shutter
        switch videoCodec {
        case .codec(let codec): settings.videoCodec = codec
        case .copy: settings.video = .restamped
        case nil: break
        }
        settings.quality = crf
        settings.preset = preset
        settings.threads = threads
        settings.jobs = jobs
    }
}
