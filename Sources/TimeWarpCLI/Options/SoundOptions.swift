import ArgumentParser
import TimeWarp

/// What becomes of sound, in the words of a command.
protocol SoundChoice: ParsableArguments {
    var sound: RenderSettings.Sound { get }
}

/// For commands that change speed.
struct RetimedSound: SoundChoice {
    @Option(
        help: """
            Sound: varispeed (pitch follows speed), keep-pitch, keep (as it was, at its own speed), \
            or mute.
            """)
    var audio = RenderSettings.Sound.varispeed

    var sound: RenderSettings.Sound { audio }
}

/// For playing backwards.
struct ReversedSound: SoundChoice {
    enum Choice: String, ExpressibleByArgument, CaseIterable {
        case reverse, keep, mute
    }

    @Option(help: "Sound: reverse, keep (forward, as it was), or mute.")
    var audio = Choice.reverse

    var sound: RenderSettings.Sound {
        switch audio {
        case .reverse: .varispeed
        case .keep: .keep
        case .mute: .mute
        }
    }
}

/// What becomes of sound, and how it is made and stored.
struct SoundOptions<Choice: SoundChoice>: ParsableArguments {
    @OptionGroup
    var choice: Choice

    @Option(help: "Between sound samples: sinc (band-limited), smooth, or linear.")
    var interpolation = Interpolation.sinc

    @Option(help: "aac, opus, flac or pcm. (default: the container's usual one)")
    var audioCodec: AudioCodec?

    @Option(
        help: ArgumentHelp("Bits a second of each sound track, such as 192k.", valueName: "rate"))
    var audioBitrate: BitRate?

    func apply(to settings: inout RenderSettings) {
        settings.sound = choice.sound
        settings.interpolation = interpolation
        settings.audioCodec = audioCodec
        settings.audioBitRate = audioBitrate?.bitsPerSecond
    }
}
