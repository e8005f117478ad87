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
        abstract: "Draw a speed curve or a time map as an image, or write it as numbers.",
        discussion: """
            The extension of the output chooses the format: .svg and .png are images; .json holds \
            samples of the time scale s and its integral, their ranges, and the resulting duration; \
            .framecurve.txt holds the source frame of every output frame, for compositing programs.

              timewarp plot --curve cosine --factor 2 -o curve.svg
              timewarp plot --scale 'sqrt(2*t + 1/9)' --duration 1:30 -o curve.json
              timewarp plot in.mp4 --keyframes '0:1, 3s:0.25, 1:1' -o curve.png
              timewarp plot in.mp4 --factor 2 -o in.framecurve.txt

            Where the time scale can't be drawn over source time, because a keyframe freezes or plays \
            backwards or a time map is given, the speed and the source time are drawn, and written, \
            over output time.

              timewarp plot --keyframes '0:1, 50%:-1, 1:1' -o there-and-back.svg
              timewarp plot in.mp4 --time-map map.json -o map.svg
            """)

    @Argument(
        help: "A clip or project (\(ProjectOptions.endings)) whose duration the curve is for.",
        completion: .file())
    var input: String?

    @OptionGroup(title: "Curve")
    var curveOptions: CurveOptions

    @Option(
        help: ArgumentHelp(
            "Instead of a curve: a time map of the clip, as timewarp warp takes it.",
            valueName: "file"),
        completion: .file())
    var timeMap: String?

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
        guard timeMap == nil || !curveOptions.isGiven else {
            throw ValidationError("--time-map replaces the curve; omit the curve options.")
        }
        guard timeMap == nil || input != nil else {
            throw ValidationError("A time map says when a clip is shown; name the clip.")
        }
    }

    func run() throws {
        let curve = try curveOptions.makeCurve()
        let source = try input.map { try projects.source(at: $0) }
        let existing: ExistingOutput = overwrite ? .overwrite : .refuse
        let plotted = try plotted(curve, of: source)
        let bytes = try bytes(of: plotted) {
            guard let source else {
                throw ValidationError("A frame curve counts the frames of a clip; name the clip.")
            }
            return try clip(of: source, along: curve).frameCurve()
        }
        let map = timeMap.map { TimeMapReference($0).path }
        let read = [curveOptions.curveFile, map, input].compactMap { $0 }
        try FileOutput.requireWritable(output, apartFrom: read, existing: existing)
        try FileOutput.write(bytes, to: output, existing: existing)
        for warning in plotted.warnings {
            Message.note(warning)
        }
    }

    /// What the output file holds, by its ending.
    private func bytes(
        of plotted: Plotted, frameCurve: () throws -> FrameCurve
    ) throws -> [UInt8] {
        switch output.split(separator: ".").last.map({ $0.lowercased() }) ?? "" {
        case "svg":
            return Array(try plotted.svg(width: width, height: height).utf8)
        case "png":
            return try plotted.png(width: width, height: height)
        case "json":
            return Array((try plotted.json() + "\n").utf8)
        case "txt" where output.lowercased().hasSuffix(".framecurve.txt"):
            return Array(try frameCurve().text.utf8)
        default:
            throw ValidationError(
                "The output must end in .svg, .png, .json or .framecurve.txt; \"\(output)\" doesn't."
            )
        }
    }

    private func plotted(_ curve: Curve, of source: MediaSource?) throws -> Plotted {
        if let source, let timeMap {
            let map = try clip(of: source, along: curve).map
            return .map(TimeMapEvaluation(of: map, title: (timeMap as NSString).lastPathComponent))
        }
        return try Plotted(
            curve, duration: duration?.time ?? source?.duration ?? RationalTime(10, over: 1),
            lasting: curveOptions.fit?.time, frameDuration: source?.frameDuration)
    }

    private func clip(of source: MediaSource, along curve: Curve) throws -> Clip {
        guard let timeMap else {
            return try Clip(of: source, warpedBy: curve, lasting: curveOptions.fit?.time)
        }
        return try Clip(of: source, timeMap: timeMap, formats: projects.formats)
    }
}
