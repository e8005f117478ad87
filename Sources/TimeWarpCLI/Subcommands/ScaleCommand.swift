import ArgumentParser
import Media
import TimeMaps
import TimeWarp

struct ScaleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scale",
        abstract: "Slow motion or time lapse: change the speed of a whole clip by a factor.",
        discussion: """
              timewarp scale in.mp4 -o out.mp4 --factor 2        half speed
              timewarp scale in.mp4 -o out.mp4 --speed 4/3       a third faster
              timewarp scale in.mp4 -o out.mp4 --to 1:30         exactly this long
              timewarp scale *.mp4 -o out/ --factor 2            many, into a folder
            """)

    @Argument(
        help: "The clips or projects (\(ProjectOptions.endings)) to scale.", completion: .file())
    var inputs: [String]

    @Option(
        // A number below 0 gets an answer of its own.
        parsing: .unconditional,
        help: "Output seconds per source second: 2 is half speed. Also 4/3 or 200%.")
    var factor: DecimalFraction?

    @Option(
        parsing: .unconditional,
        help: "Source seconds per output second: 2 is double speed. Also 4/3, 2x or 50%.")
    var speed: DecimalFraction?

    @Option(
        help: ArgumentHelp(
            "The duration of the output, such as 12.5s or 1:30.", valueName: "duration"))
    var to: DurationArgument?

    @OptionGroup(title: "Output")
    var outputOptions: OutputOptions<RetimedSound>

    func validate() throws {
        let given = [factor != nil, speed != nil, to != nil].filter { $0 }.count
        guard given == 1 else {
            throw ValidationError(
                given == 0
                    ? "Give --factor, --speed or --to."
                    : "Give only one of --factor, --speed and --to.")
        }
        for (name, number) in [("--factor", factor), ("--speed", speed)]
        where number.map({ $0.numerator <= 0 }) == true {
            throw ValidationError(
                "\(name) must be above 0. To freeze use warp --keyframes, to play backwards use reverse."
            )
        }
    }

    /// How long a range lasts afterwards, exactly.
    private func duration(of range: RationalTime) throws -> RationalTime {
        if let factor {
            return try range.multiplied(by: factor.numerator, over: factor.denominator)
        }
        if let speed {
            return try range.multiplied(by: speed.denominator, over: speed.numerator)
        }
        return to?.time ?? .zero
    }

    func run() async throws {
        try await outputOptions.render(inputs) { source, range in
            try Segment(
                of: source, range: range,
                lasting: duration(of: range?.duration ?? source.duration))
        }
    }
}
