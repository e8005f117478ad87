import ArgumentParser
import TimeWarp

/// The options for which frames are shown when: frame rate, in-between frames and motion blur.
struct FrameOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Frames per second: a number, a fraction such as 30000/1001, source, or any. With any, \
            every source frame is written once, with exactly its new time (variable frame rate). \
            source does the same where the source's own frames are uneven, as those of phones.
            """, valueName: "rate"))
    var fps = RenderSettings.OutputRate.source

    @Option(
        help: """
            What slow motion shows between two source frames: hold repeats the earlier one, blend \
            mixes both by their distance in time, motion makes the frame in between from the \
            motion of what they show. (default: hold, or what a project says)
            """)
    var frames: RenderSettings.FrameSynthesis?

    @Flag(
        help: """
            With --frames motion or blend, drop source frames that repeat the one before \
            (animation "on twos", film in a 30 Hz video), and make frames between distinct ones, at \
            even steps.
            """)
    var skipRepeats = false

    @Option(
        help: ArgumentHelp(
            """
            Motion blur for fast motion: where the output skips source frames, average those that \
            fall within the shutter's opening. 360 is open all the time, 180 half of it. With --frames \
            motion, frames are also made between them, so that even a few source frames blur as film does.
            """, valueName: "degrees"))
    var shutter: Double?

    func validate() throws {
        try Self.require(shutter: shutter)
        try Self.require(skipRepeats: skipRepeats, with: frames)
    }

    /// Checks the options that `verify` shares with the commands that render.
    static func require(shutter: Double?) throws {
        guard shutter.map({ $0 > 0 && $0 <= 360 }) ?? true else {
            throw ValidationError("--shutter takes an angle above 0 and up to 360 degrees.")
        }
    }

    /// Checks the options that `verify` shares with the commands that render.
    static func require(
        skipRepeats: Bool, with frames: RenderSettings.FrameSynthesis?
    ) throws {
        guard !skipRepeats || frames ?? .hold != .hold else {
            throw ValidationError("--skip-repeats needs --frames motion or --frames blend.")
        }
    }

    func apply(to settings: inout RenderSettings) {
        settings.video.rate = fps
        settings.video.frames = frames ?? settings.video.frames
        settings.video.skipsRepeats = skipRepeats
        settings.video.shutterDegrees = shutter
    }
}
