import Plotting

/// Draws measured values as lines over a varied parameter, with logarithmic axes, as an SVG.
///
/// - Parameter lines: at least one, each with at least one point; `x` increases, and all values are above 1e-9.
/// - Throws: `PlotError` for other values.
public func growthChart(
    _ title: String, horizontal: String, vertical: String,
    lines: [(name: String, points: [(x: Double, y: Double)])]
) throws -> String {
    try LineChart(
        title: title, horizontal: .init(horizontal, .logarithmic),
        vertical: .init(vertical, .logarithmic),
        series: lines.map { line in
            LineChart.Series(line.name, line.points.map { LineChart.Point(x: $0.x, y: $0.y) })
        }
    ).svg()
}
