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
                + ". For several inputs a folder, in which they keep their names. - is stdout, for a pipe.",
            valueName: "file"),
        completion: .file())
    var output: String

    @OptionGroup(title: "Video")
    var video: VideoOptions

    @OptionGroup(title: "Sound")
    var sound: SoundOptions<Sound>

    @OptionGroup(title: "Running")
    var running: RunOptions

    @OptionGroup(title: "Running")
    var files: FileOptions

    @OptionGroup(title: "Projects")
    var projects: ProjectOptions

    @Option(
        help: ArgumentHelp(
            "Use only this part of the input, such as 1:30..1:45.", valueName: "start..end"))
    var range: RangeArgument?

    @OptionGroup
    var result: ResultOptions

    @OptionGroup
    var sample: SampleOptions

    /// Makes the job of each input, and prints or runs it.
    ///
    /// - Parameters:
    ///   - others: further input files.
    ///   - makeSegment: makes what is shown of a source, or of the part of it that is used; nil for all of it.
    func render(
        _ inputs: [String], reading others: [String] = [],
        makeSegment: (MediaSource, TimeRange?) throws -> Segment
    ) async throws {
        try await Batch(inputs, to: output, running).run { item in
            let media = MediaCatalogue(projects.formats)
            let source = try projects.source(at: item.input, in: media)
            var segment = try makeSegment(source, try range?.timeRange(of: source))
            try result.apply(to: &segment, of: source, at: video.making.fps)
            let job = RenderJob(
                try Composition(of: segment), to: item.output,
                outputRange: sample.range,
                settings: RenderSettings {
                    video.apply(to: &$0)
                    sound.apply(to: &$0)
                    projects.apply(to: &$0)
                    files.apply(to: &$0)
                    item.running.apply(to: &$0)
                })
            try await item.running.run(job, media, reading: inputs + others)
        }
    }
}
