import ArgumentParser
import TimeWarp

/// The option for the part of the output that is rendered.
struct SampleOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Render only this part of the result, such as 0:12..0:14, to look at a sample of it.
            """, valueName: "start..end"))
    var outputRange: RangeArgument?

    /// The part; nil for all of the output.
    var range: RenderJob.OutputRange? {
        outputRange.map { RenderJob.OutputRange(from: $0.start ?? .zero, to: $0.end) }
    }
}
