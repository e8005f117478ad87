import ArgumentParser
import TimeWarp

/// What a command does with sound: each command has its own choices.
protocol SoundChoice: ParsableArguments {
    var sound: RenderSettings.Sound { get }
}

/// The choices of commands that change speed.
struct RetimedSound: SoundChoice {
    @Option(
        help: """
            Sound: varispeed (pitch follows speed), keep-pitch (time stretching), keep (the \
            original speed), or mute.
            """)
    var audio = RenderSettings.Sound.varispeed

    var sound: RenderSettings.Sound { audio }
}

/// The choices of `reverse`.
struct ReversedSound: SoundChoice {
    enum Choice: String, ExpressibleByArgument, CaseIterable {
        case reverse, keep, mute
    }

    @Option(help: "Sound: reverse, keep (forwards, as in the source), or mute.")
    var audio = Choice.reverse

    var sound: RenderSettings.Sound {
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
        settings.sound = choice.sound
        settings.interpolation = interpolation
        settings.audioCodec = audioCodec
        settings.audioBitRate = audioBitrate?.bitsPerSecond
    }
}
