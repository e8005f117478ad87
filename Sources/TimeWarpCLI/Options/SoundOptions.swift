import ArgumentParser
import TimeWarp

/// What a command does with sound: each command has its own choices.
protocol SoundChoice: ParsableArguments {
    /// Nil if nothing was chosen.
    var sound: RenderSettings.AudioMode? { get }
    var freezeSound: RenderSettings.FreezeSound { get }
    var tune: RenderSettings.PitchTune { get }
}

extension SoundChoice {
    func apply(to settings: inout RenderSettings) {
        settings.audio.mode = sound ?? settings.audio.mode
        settings.audio.freeze = freezeSound
        settings.audio.tune = tune
    }
}

/// The choices of commands that change speed.
struct RetimedSound: SoundChoice {
    @Option(
        help: """
            Sound: varispeed (pitch follows speed), keep-pitch (time stretching), keep (the \
            original speed), or mute. (default: varispeed, or what a project says)
            """)
    var audio: RenderSettings.AudioMode?

    @Option(
        help: ArgumentHelp(
            """
            Tune --audio keep-pitch for music (or any mix), or for speech (one voice alone stays \
            clearer; chords waver).
            """, valueName: "kind"))
    var tune = RenderSettings.PitchTune.music

    @Option(
        help: ArgumentHelp(
            """
            The sound of a freeze with --audio keep-pitch: silence, or hold (the sound of that \
            instant continues).
            """, valueName: "what"))
    var freezeSound = RenderSettings.FreezeSound.silence

    var sound: RenderSettings.AudioMode? { audio }

    func validate() throws {
        guard freezeSound == .silence || audio == .keepPitch else {
            throw ValidationError("--freeze-sound hold needs --audio keep-pitch.")
        }
        guard tune == .music || audio == .keepPitch else {
            throw ValidationError("--tune speech needs --audio keep-pitch.")
        }
    }
}

/// The choices of `reverse`.
struct ReversedSound: SoundChoice {
    enum Choice: String, ExpressibleByArgument, CaseIterable {
        case reverse, keep, mute
    }

    @Option(help: "Sound: reverse, keep (forwards, as in the source), or mute.")
    var audio = Choice.reverse

    var freezeSound: RenderSettings.FreezeSound { .silence }
    var tune: RenderSettings.PitchTune { .music }

    var sound: RenderSettings.AudioMode? {
        switch audio {
        case .reverse: .varispeed
        case .keep: .keep
        case .mute: .mute
        }
    }
}

/// The options for audio: what happens to it, and how it is resampled and encoded.
struct SoundOptions<Choice: SoundChoice>: ParsableArguments {
    @OptionGroup
    var choice: Choice

    @Option(help: "Interpolation between audio samples: sinc (band-limited), smooth, or linear.")
    var interpolation = Interpolation.sinc

    @Option(help: "The audio codec. (default: the container's usual codec)")
    var audioCodec: AudioCodec?

    @Option(
        help: ArgumentHelp("Bits per second of each audio track, such as 192k.", valueName: "rate"))
    var audioBitrate: BitRate?

    func apply(to settings: inout RenderSettings) {
        choice.apply(to: &settings)
        settings.audio.interpolation = interpolation
        settings.audio.codec = audioCodec
        settings.audio.bitRate = audioBitrate?.bitsPerSecond
    }
}
