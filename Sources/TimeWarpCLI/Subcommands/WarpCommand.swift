import ArgumentParser
import Exchange
import Media
import TimeWarp

struct WarpCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "warp",
        abstract: "Speed ramp: slow down and speed up video and sound along a curve.",
        discussion: """
            The curve is the time scale s over the clip (t from 0 to 1): output seconds per source \
            second. s = 2 is half speed (slow motion), s = 0.5 is double speed. Without a curve \
            option it is double-smoothstep: normal speed, a smooth slowing to 1/1.5, and back.

              timewarp warp in.mp4 -o out.mp4 --curve triangle --factor 3
              timewarp warp in.mp4 -o out.mp4 --scale '1 + sin(pi*t)' --fps 60
              timewarp warp in.mp4 -o out.mov --keyframes '0:1, 40%:0.25, 1:1' --fps any
              timewarp warp in.mp4 -o out.mp4 --curve ramp --fit 1:30
              timewarp warp in.mp4 -o out.mp4 --keyframes '0:1, 50%:-1, 1:1'
              timewarp warp in.mp4 -o out.mp4 --time-map map.json
              timewarp warp *.mp4 -o out/ --curve ramp

            Two keyframes at one instant make the speed jump. A keyframe speed of 0 freezes the \
            frame, and a speed below 0 plays backwards. With such \
            speeds the instants of keyframes are those of the output. Given as shares (50%), the \
            output becomes as long as it takes to show the whole clip: '0:1, 50%:0, 1:1' doubles it. \
            Given in seconds (4s), it begins at the clip's start (or at its end, if the first speed is below 0) and ends where the clip ends. \
            In seconds a keyframe may also cut to a time of the clip: '0s:1, 2s:-1@4s, 4s:1@4s' plays \
            the third and the fourth second backwards, and continues after them.

            A time map is a list of points joined by straight lines. Two points with the same output \
            time make a cut, two with the same source time a freeze, and a falling source time \
            plays backwards:

              { "timewarp": "time-map/1", "points": [ { "output": 0, "source": 0 },
                { "output": "2s", "source": "4s" }, { "output": "3s", "source": "4s" },
                { "output": "5s", "source": "0s" } ] }

            A framecurve (framecurve.org) works too: each line has at_frame, a tab, and \
            use_frame_of_source, both counted from 1.

            Formulas may use + - * / ^, parentheses, pi, e, comparisons, c ? a : b, and sin cos tan \
            asin acos atan sqrt exp log log2 log10 abs min max pow floor ceil clamp mix \
            smoothstep(a,b,t).
            """)

    @Argument(
        help: "The clips or projects (\(ProjectOptions.endings)) to warp.", completion: .file())
    var inputs: [String]

    @OptionGroup(title: "Curve")
    var curveOptions: CurveOptions

    @Option(
        help: ArgumentHelp(
            """
            Instead of a curve: a time map (which source instant is shown when) as JSON, a framecurve, \
            or a clip of a project, such as 'edit.fcpxml#clip name'.
            """, valueName: "file"),
        completion: .file())
    var timeMap: String?

    @OptionGroup(title: "Output")
    var outputOptions: OutputOptions<RetimedSound>

    func validate() throws {
        if timeMap != nil && curveOptions.isGiven {
            throw ValidationError("--time-map replaces the curve; omit the curve options.")
        }
    }

    func run() async throws {
        let curve = try curveOptions.makeCurve()
        let files = [timeMap.map { TimeMapReference($0).path }, curveOptions.curveFile]
            .compactMap { $0 }
        try await outputOptions.render(inputs, reading: files) { source, range in
            if let timeMap {
                try Segment(
                    of: source, range: range, timeMap: timeMap,
                    rate: outputOptions.video.making.fps,
                    formats: outputOptions.projects.formats)
            } else {
                try Segment(
                    of: source, range: range, retiming: .curve(curve),
                    lasting: curveOptions.fit?.time)
            }
        }
    }
}
