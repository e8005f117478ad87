/// The axes of a plot with their ticks: everything that depends on the data and on the available room, but
/// not on positions.
struct PlotContent {
    let plot: CurvePlot
    /// How much one unit of u and of F is on the time axes: the source's duration in seconds, or 1 without a clip.
    let unit: Double
    let sourceAxis: PlotScale
    let scaleAxis: PlotScale
    let outputAxis: PlotScale
    let sourceTicks: PlotTicks
    let scaleTicks: PlotTicks
    let outputTicks: PlotTicks

    init(of plot: CurvePlot, layout: PlotLayout) {
        let integrals = plot.samples.lazy.map(\.integral)
        let isTimed = plot.sourceDuration != nil
        let unit = plot.sourceDuration ?? 1
        let scaleAxis = PlotScale.timeScale(minimum: plot.minimum, maximum: plot.maximum)
        let outputAxis = PlotScale.outputTime(
            highest: (integrals.max() ?? 0) * unit, lowest: (integrals.min() ?? 0) * unit,
            sourceDuration: unit)
        self.plot = plot
        self.unit = unit
        self.sourceAxis = PlotScale(from: 0, to: unit)
        self.scaleAxis = scaleAxis
        self.outputAxis = outputAxis
        sourceTicks = Self.timeTicks(
            along: sourceAxis, count: layout.columns(in: layout.timePanel), isTimed: isTimed)
        outputTicks = Self.timeTicks(
            along: outputAxis, count: layout.rows(in: layout.timePanel), isTimed: isTimed)
        scaleTicks = .round(along: scaleAxis, count: layout.rows(in: layout.scalePanel))
    }

    /// The number of letters in the longest label of the two vertical axes.
    var labelLength: Int {
        (scaleTicks.ticks + outputTicks.ticks).map(\.label.count).max() ?? 0
    }

    /// The unit of a time axis's labels, to be appended to its title.
    func unit(of ticks: PlotTicks) -> String {
        guard plot.sourceDuration != nil else { return " (share of the clip)" }
        switch ticks.ticks.last?.label.split(separator: ":").count ?? 1 {
        case 1: return " (s)"
        case 2: return " (min:s)"
        default: return " (h:min:s)"
        }
    }

    private static func timeTicks(along axis: PlotScale, count: Int, isTimed: Bool) -> PlotTicks {
        isTimed
            ? .seconds(from: axis.lower, to: axis.upper, count: count)
            : .linear(from: axis.lower, to: axis.upper, count: count)
    }
}
