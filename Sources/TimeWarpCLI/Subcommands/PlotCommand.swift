import ArgumentParser
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
            samples of the time scale s and its integral, their ranges, and the resulting duration.

              timewarp plot --curve cosine --factor 2 -o curve.svg
              timewarp plot --scale 'sqrt(2*t + 1/9)' --duration 1:30 -o curve.json
            """)

    @OptionGroup(title: "Curve")
    var curveOptions: CurveOptions

    @Option(
        help: ArgumentHelp("The duration of the source. (default: 10s)", valueName: "duration"))
    var duration: DurationArgument?

    @Option(
        name: [.short, .long],
        help: ArgumentHelp("The .svg, .png or .json file to write.", valueName: "file"),
        completion: .file(extensions: ["svg", "png", "json"]))
    var output: String

    @Option(help: "The width of the image in pixels.")
    var width = 1200

    @Option(help: "The height of the image in pixels.")
    var height = 750

    @Flag(help: "Replace the output file if it exists.")
    var overwrite = false

    func run() throws {
        let curve = try curveOptions.makeCurve()
        let sourceDuration = duration?.time ?? RationalTime(10, over: 1)
        let existing: ExistingOutput = overwrite ? .overwrite : .refuse
        let evaluation = try CurveEvaluation(
            of: curve, duration: sourceDuration, lasting: curveOptions.fit?.time)
        let ending = output.split(separator: ".").last.map { $0.lowercased() } ?? ""
        let bytes: [UInt8]
        switch ending {
        case "svg":
            bytes = Array(try evaluation.plot.svg(width: width, height: height).utf8)
        case "png":
            bytes = try evaluation.plot.png(width: width, height: height)
        case "json":
            bytes = Array((try JSONOutput.text(evaluation) + "\n").utf8)
        default:
            throw ValidationError(
                "The output must end in .svg, .png or .json; \"\(output)\" doesn't.")
        }
        if let file = curveOptions.curveFile {
            try FileOutput.requireWritable(output, apartFrom: [file], existing: existing)
        }
        try FileOutput.write(bytes, to: output, existing: existing)
        for warning in evaluation.warnings {
            StandardError.print("timewarp: note: \(warning)")
        }
    }
}
