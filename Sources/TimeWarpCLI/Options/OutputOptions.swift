import ArgumentParser
import Media
import TimeMaps
import TimeWarp

/// Where the output goes and what it is made of.
struct OutputOptions<Sound: SoundChoice>: ParsableArguments {
    @Option(
        name: [.short, .long],
        help: ArgumentHelp(
            "The file to write; its ending says what kind: "
                + Container.allCases.map { "." + $0.rawValue }.joined(separator: " "),
            valueName: "file"),
        completion: .file())
    var output: String

    @OptionGroup(title: "Pictures")
    var pictures: VideoOptions

    @OptionGroup(title: "Sound")
    var sound: SoundOptions<Sound>

    @OptionGroup(title: "Running")
    var running: RunOptions

    @Option(
        help: ArgumentHelp(
            "Use this part of the input only, such as 1:30..1:45.", valueName: "start..end"))
    var range: RangeArgument?

    @Flag(help: "Play the result to its end and then back to its start.")
    var boomerang = false

    /// Plans, and prints the plan or carries it out.
    ///
    /// - Parameter others: files that were read besides the clip's.
    func render(_ clip: Clip, reading others: [String] = []) async throws {
        let settings = RenderSettings {
            pictures.apply(to: &$0)
            sound.apply(to: &$0)
            running.apply(to: &$0)
        }
        let clip = boomerang ? try clip.thereAndBack(at: settings.rate) : clip
        try await running.run(
            try RenderPlan(clip, to: output, settings: settings), reading: others)
    }
}
