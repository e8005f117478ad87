import ArgumentParser
import TimeMaps
import TimeWarp

/// The options for what happens to the result as a whole.
struct ResultOptions: ParsableArguments {
    @Flag(help: "Play the result forwards and then backwards to its start.")
    var boomerang = false

    @Option(
        help: ArgumentHelp(
            "Fade in from black and silence at the start of the result, for this long, such as 0.5s.",
            valueName: "duration"))
    var fadeIn: DurationArgument?

    @Option(
        help: ArgumentHelp(
            "Fade out to black and silence at its end, for this long, such as 0.5s.",
            valueName: "duration"))
    var fadeOut: DurationArgument?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            """
            Make the sound louder or softer by this many decibels, \(Int(Gain.limits.lowerBound)) to \
            \(Int(Gain.limits.upperBound)).
            """, valueName: "dB"))
    var gain: Double?

    var isGiven: Bool { boomerang || isBlended }

    private var isBlended: Bool { fadeIn != nil || fadeOut != nil || gain != nil }

    func validate() throws {
        guard gain.map(Gain.limits.contains) ?? true else {
            throw ValidationError(
                "--gain takes \(Int(Gain.limits.lowerBound)) to \(Int(Gain.limits.upperBound)) dB.")
        }
    }

    /// - Parameter rate: the frame rate of the output.
    func apply(
        to segment: inout Segment, of source: MediaSource, at rate: RenderSettings.OutputRate
    ) throws {
        if boomerang {
            segment = try segment.thereAndBack(of: source, at: rate)
        }
        if isBlended {
            segment.blending = Blending(
                dissolve: fadeIn?.time ?? .zero, fadeOut: fadeOut?.time ?? .zero,
                gain: try gain.map { try Gain(decibels: $0) } ?? .unity)
        }
    }

    /// The same for a project: as a whole it becomes one segment.
    func apply(
        to project: inout CompositionProject, _ media: MediaCatalogue,
        at rate: RenderSettings.OutputRate
    ) throws {
        if isGiven {
            project.composition = try project.composition.asOneSegment(in: project.folder, media) {
                try apply(to: &$0, of: $1, at: rate)
            }
        }
    }
}
