import ArgumentParser
import Exchange
import Media
import TimeMaps
import TimeWarp

/// The output file, its settings, and the part of the input that is used.
struct OutputOptions<Sound: SoundChoice>: ParsableArguments {
    @Option(
        name: [.short, .long],
        help: ArgumentHelp(
            "The file to write; its extension chooses the container: "
                + Container.allCases.map { "." + $0.rawValue }.joined(separator: " ")
                + ". For several inputs a folder, in which they keep their names.",
            valueName: "file"),
        completion: .file())
    var output: String

    @OptionGroup(title: "Video")
    var video: VideoOptions

    @OptionGroup(title: "Sound")
    var sound: SoundOptions<Sound>

    @OptionGroup(title: "Running")
    var running: RunOptions

    @OptionGroup(title: "Projects")
    var projects: ProjectOptions

    @Option(
        help: ArgumentHelp(
            "Use only this part of the input, such as 1:30..1:45.", valueName: "start..end"))
    var range: RangeArgument?

    @Flag(help: "Play the result forwards and then backwards to its start.")
    var boomerang = false

    @Option(
        help: ArgumentHelp(
            """
            Render only this part of the result, such as 0:12..0:14, to look at a sample of it.
            """, valueName: "start..end"))
    var outputRange: RangeArgument?

    /// Plans the render of each input, and prints the plan or runs it.
    ///
    /// - Parameters:
    ///   - others: further input files.
    ///   - makeClip: makes the clip of a source, or of the part of it that is used.
    func render(
        _ inputs: [String], reading others: [String] = [],
        makeClip: (Clip.Source, TimeRange?) throws -> Clip
    ) async throws {
        try await Batch(inputs, to: output, running).run { item in
            let source = try projects.source(at: item.input)
            try await render(
                try makeClip(source, range?.timeRange(of: source)), item, reading: inputs + others)
        }
    }

    private func render(_ clip: Clip, _ item: Batch.Item, reading others: [String]) async throws {
        let settings = RenderSettings {
            video.apply(to: &$0)
            sound.apply(to: &$0)
            item.running.apply(to: &$0)
        }
        let whole = boomerang ? try clip.thereAndBack(at: settings.video.rate) : clip
        let clip =
            try outputRange.map { try whole.playing(from: $0.start ?? .zero, to: $0.end) } ?? whole
        try await item.running.run(
            try RenderPlan(clip, to: item.output, settings: settings), reading: others)
    }
}
