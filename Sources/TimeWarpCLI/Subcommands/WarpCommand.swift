import ArgumentParser
import Media
import TimeWarp

struct WarpCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "warp",
        abstract: "Speed picture and sound up and down along a curve.",
        discussion: """
            The curve is the time scale s over the clip, t from 0 to 1: output seconds for every \
            source second. s = 2 plays at half speed, s = 0.5 at double speed. Without a curve \
            option it is double-smoothstep: normal speed, a smooth slowing to 1/1.5, and back.

              timewarp warp in.mp4 -o out.mp4 --curve triangle --factor 3
              timewarp warp in.mp4 -o out.mp4 --scale '1 + sin(pi*t)' --fps 60
              timewarp warp in.mp4 -o out.mov --keyframes '0:1, 40%:0.25, 1:1' --fps any
              timewarp warp in.mp4 -o out.mp4 --curve ramp --fit 1:30

            Formulas know + - * / ^, parentheses, pi, e, comparisons, c ? a : b, and sin cos tan \
            asin acos atan sqrt exp log log2 log10 abs min max pow floor ceil clamp mix \
            smoothstep(a,b,t).
            """)

    @Argument(help: "The clip to warp.", completion: .file())
    var input: String

    @OptionGroup(title: "Curve")
    var curveOptions: CurveOptions

    @OptionGroup(title: "Output")
    var outputOptions: OutputOptions

    func run() async throws {
        let curve = try curveOptions.makeCurve()
        let asset = try Asset(at: input)
        let clip = try Clip(
            of: asset, range: outputOptions.range?.timeRange(of: asset), warpedBy: curve,
            lasting: curveOptions.fit?.time)
        try await outputOptions.render(clip)
    }
}
