import ArgumentParser
import TimeWarp

/// What becomes of sound.
struct SoundOptions: ParsableArguments {
    @Option(help: "Sound: varispeed (pitch follows speed), keep-pitch, or mute.")
    var audio = RenderSettings.Sound.varispeed

    @Option(help: "Between sound samples: sinc (band-limited), smooth, or linear.")
    var interpolation = Interpolation.sinc

    @Option(help: "aac, opus, flac or pcm. (default: the container's usual one)")
    var audioCodec: AudioCodec?

    @Option(
        help: ArgumentHelp("Bits a second of each sound track, such as 192k.", valueName: "rate"))
    var audioBitrate: BitRate?

    func apply(to settings: inout RenderSettings) {
        settings.sound = audio
        settings.interpolation = interpolation
        settings.audioCodec = audioCodec
        settings.audioBitRate = audioBitrate?.bitsPerSecond
    }
}
