import ArgumentParser
import TimeWarp

/// The options for what the clips of a composition are converted to.
struct CompositionFormatOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The size of the output in pixels, such as 1280x720; even numbers.", valueName: "WxH"))
    var size: FrameSize?

    @Option(
        help: ArgumentHelp(
            "The duration of the sound's crossfade between clips. (default: 5ms)",
            valueName: "duration"))
    var crossfade: DurationArgument?

    /// Whether any of the options was given.
    var isGiven: Bool { size != nil || crossfade != nil }

    func apply(to composition: inout Composition, rate: RenderSettings.OutputRate) {
        if let size {
            composition.format.size = size.size
        }
        if case .fixed(let rate) = rate {
            composition.format.frameRate = rate
        }
        composition.format.crossfade = crossfade?.time ?? composition.format.crossfade
    }
}

/// The size of a frame in pixels, two even numbers: `1280x720`.
struct FrameSize: ExpressibleByArgument {
    let size: Composition.Size

    init?(argument: String) {
        let parts = argument.lowercased().split { "x×".contains($0) }.map { Int($0) }
        guard parts.count == 2, let width = parts[0], let height = parts[1],
            (2...32_768).contains(width), (2...32_768).contains(height),
            width % 2 == 0, height % 2 == 0
        else {
            return nil
        }
        size = Composition.Size(known: width, height: height)
    }
}
