import ArgumentParser
import Foundation
import Media
import Plotting
import TimeMaps
import TimeWarp

struct PlotCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plot",
        abstract: "Draw a curve, or write it as numbers.",
        discussion: """
            The ending of the output says what: .svg and .png are pictures; .json holds samples \
            of s and its integral, their range, and the duration they give.

              timewarp plot --curve cosine --factor 2 -o curve.svg
              timewarp plot --scale 'sqrt(2*t + 1/9)' --duration 1:30 -o curve.json
            """)

    @OptionGroup(title: "Curve")
    var curveOptions: CurveOptions

    @Option(
        help: ArgumentHelp("How long the source lasts. (default: 10s)", valueName: "duration"))
    var duration: DurationArgument?

    @Option(
        name: [.short, .long],
        help: ArgumentHelp("The .svg, .png or .json to write.", valueName: "file"),
        completion: .file(extensions: ["svg", "png", "json"]))
    var output: String

    @Option(help: "Width of the picture in pixels.")
    var width = 1200

    @Option(help: "Height of the picture in pixels.")
    var height = 750

    @Flag(help: "Replace the output if it is there.")
    var overwrite = false

    func run() throws {
        let curve = try curveOptions.makeCurve()
        let sourceDuration = duration?.time ?? RationalTime(10, over: 1)
        let existing: Muxer.Existing = overwrite ? .overwrite : .refuse
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
                "Name the output .svg, .png or .json; \"\(output)\" is none of them.")
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
