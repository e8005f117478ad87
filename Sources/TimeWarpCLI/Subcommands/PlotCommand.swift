import ArgumentParser
import Exchange
import Foundation
import Media
import Plotting
import TimeMaps
import TimeWarp

struct PlotCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plot",
        abstract: "Draw a speed curve as an image, or write it as numbers.",
        discussion: """
            The extension of the output chooses the format: .svg and .png are images; .json holds \
            samples of the time scale s and its integral, their ranges, and the resulting duration; \
            .framecurve.txt holds the source frame of every output frame, for compositing programs.

              timewarp plot --curve cosine --factor 2 -o curve.svg
              timewarp plot --scale 'sqrt(2*t + 1/9)' --duration 1:30 -o curve.json
              timewarp plot in.mp4 --keyframes '0:1, 3s:0.25, 1:1' -o curve.png
              timewarp plot in.mp4 --factor 2 -o in.framecurve.txt
            """)

    @Argument(
        help: "A clip or project (\(ProjectOptions.endings)) whose duration the curve is for.",
        completion: .file())
    var input: String?

    @OptionGroup(title: "Curve")
    var curveOptions: CurveOptions

    @Option(
        help: ArgumentHelp("The duration of the source. (default: 10s)", valueName: "duration"))
    var duration: DurationArgument?

    @Option(
        name: [.short, .long],
        help: ArgumentHelp(
            "The .svg, .png, .json or .framecurve.txt file to write.", valueName: "file"),
        completion: .file(extensions: ["svg", "png", "json", "txt"]))
    var output: String

    @Option(help: "The width of the image in pixels.")
    var width = 1200

    @Option(help: "The height of the image in pixels.")
    var height = 750

    @Flag(help: "Replace the output file if it exists.")
    var overwrite = false

    @OptionGroup(title: "Projects")
    var projects: ProjectOptions

    func validate() throws {
        guard input == nil || duration == nil else {
            throw ValidationError("--duration replaces the clip; give one of them.")
        }
    }

    func run() throws {
        let curve = try curveOptions.makeCurve()
        let source = try input.map { try Clip.Source(at: $0, formats: projects.formats) }
        let sourceDuration = duration?.time ?? source?.duration ?? RationalTime(10, over: 1)
        let existing: ExistingOutput = overwrite ? .overwrite : .refuse
        let evaluation = try CurveEvaluation(
            of: curve, duration: sourceDuration, lasting: curveOptions.fit?.time,
            frameDuration: source?.frameDuration)
        let ending = output.split(separator: ".").last.map { $0.lowercased() } ?? ""
        let bytes: [UInt8]
        switch ending {
        case "svg":
            bytes = Array(try evaluation.plot.svg(width: width, height: height).utf8)
        case "png":
            bytes = try evaluation.plot.png(width: width, height: height)
        case "json":
            bytes = Array((try JSONOutput.text(evaluation) + "\n").utf8)
        case "txt" where output.lowercased().hasSuffix(".framecurve.txt"):
            guard let source else {
                throw ValidationError("A frame curve counts the frames of a clip; name the clip.")
            }
            let clip = try Clip(
                of: source, warpedBy: curve, lasting: curveOptions.fit?.time)
            bytes = Array(try clip.frameCurve().text.utf8)
        default:
            throw ValidationError(
                "The output must end in .svg, .png, .json or .framecurve.txt; \"\(output)\" doesn't."
            )
        }
        let read = [curveOptions.curveFile, input].compactMap { $0 }
        try FileOutput.requireWritable(output, apartFrom: read, existing: existing)
        try FileOutput.write(bytes, to: output, existing: existing)
        for warning in evaluation.warnings {
            StandardError.print("timewarp: note: \(warning)")
        }
    }
}
