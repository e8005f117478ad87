/// A chart of named lines over one pair of axes, such as measured values over a varied parameter.
///
/// It is drawn with the same axes, letters and colours as a ``CurvePlot``. On one system, equal charts give
/// equal bytes.
package struct LineChart: Sendable {
    /// A point of a line.
    package struct Point: Hashable, Sendable {
        /// The position on the horizontal axis.
        package var x: Double
        /// The value on the vertical axis.
        package var y: Double

        /// A point with the value `y` at `x`. Nothing is checked; ``LineChart`` does that.
        package init(x: Double, y: Double) {
            self.x = x
            self.y = y
        }
    }

    /// A named line through points.
    package struct Series: Hashable, Sendable {
        /// The name in the legend: one line of text.
        package var name: String
        /// The points, at least one, with increasing `x`.
        package var points: [Point]

        /// A named line through points with increasing `x`.
        package init(_ name: String, _ points: [Point]) {
            self.name = name
            self.points = points
        }
    }

    /// An axis of the chart.
    package struct Axis: Hashable, Sendable {
        /// How values are spread along an axis.
        package enum Spacing: Hashable, Sendable {
            /// Equal differences have equal distances.
            case linear
            /// Equal ratios have equal distances. All values must be at least 1e-9.
            case logarithmic
        }

        /// What the axis shows, with its unit, on one line.
        package var title: String
        /// How values are spread along the axis.
        package var spacing: Spacing

        /// An axis with a title.
        package init(_ title: String, _ spacing: Spacing = .linear) {
            self.title = title
            self.spacing = spacing
        }
    }

    /// The largest number of lines in a chart; more could not be told apart.
    package static let mostSeries = 6

    /// The title of the chart, on one line.
    package let title: String
    /// The horizontal axis: the varied parameter.
    package let horizontal: Axis
    /// The vertical axis: the measured value.
    package let vertical: Axis
    /// The lines, in the order of the legend.
    package let series: [Series]

    /// Checks the data; nothing is drawn yet. O(n) points.
    ///
    /// - Parameter series: 1 to ``mostSeries`` lines, in the order of the legend.
    /// - Throws: `PlotError` with `.invalidData` for no series or too many, for a series without points or
    ///   with points out of order, for numbers that are not finite or are beyond ±1e9, and for numbers below
    ///   1e-9 along a logarithmic axis.
    package init(
        title: String, horizontal: Axis, vertical: Axis, series: [Series]
    ) throws {
        guard (1...Self.mostSeries).contains(series.count) else {
            throw PlotError(
                .invalidData,
                "A chart can have 1 to \(Self.mostSeries) lines, not \(series.count).")
        }
        for line in series {
            try Self.check(line, horizontal, vertical)
        }
        self.title = PlotText.oneLine(title)
        self.horizontal = Axis(PlotText.oneLine(horizontal.title), horizontal.spacing)
        self.vertical = Axis(PlotText.oneLine(vertical.title), vertical.spacing)
        self.series = series.map { Series(PlotText.oneLine($0.name), $0.points) }
    }

    /// The chart as an SVG document, in pixels. Its figures are also included as text, in `<desc>`.
    ///
    /// - Throws: `PlotError` with `.invalidSize` below 320x240 or above 16384 pixels a side, or
    ///   `.drawing` if Cairo fails.
    package func svg(width: Int = 960, height: Int = 600) throws -> String {
        let layout = try LineChartLayout(of: self, width: width, height: height)
        let surface = try CairoSurface.svg(width: width, height: height)
        LineChartRenderer(chart: self, layout: layout, surface: surface).draw()
        let document = String(decoding: try surface.finishedSVG(), as: UTF8.self)
        return SVGText.describing(
            SVGText.withoutSurfaceNumber(document), title: title, description: spokenFigures)
    }

    /// The chart as a PNG file with `width` by `height` pixels.
    ///
    /// - Throws: `PlotError` with `.invalidSize` below 320x240 or above 16384 pixels a side, or
    ///   `.drawing` if Cairo fails.
    package func png(width: Int, height: Int) throws -> [UInt8] {
        let layout = try LineChartLayout(of: self, width: width, height: height)
        let surface = try CairoSurface.image(width: width, height: height)
        LineChartRenderer(chart: self, layout: layout, surface: surface).draw()
        return try surface.png()
    }

    private var spokenFigures: String {
        let lines = series.map { line in
            let points = line.points.map {
                "\(PlotText.number($0.y)) at \(PlotText.number($0.x))"
            }
            return "\(line.name): \(points.joined(separator: ", "))"
        }
        return "\(vertical.title) over \(horizontal.title). \(lines.joined(separator: "; "))."
    }

    private static func check(_ line: Series, _ horizontal: Axis, _ vertical: Axis) throws {
        guard !line.points.isEmpty else {
            throw PlotError(.invalidData, "The line \"\(line.name)\" has no points.")
        }
        for point in line.points where !horizontal.holds(point.x) || !vertical.holds(point.y) {
            throw PlotError(
                .invalidData,
                "The line \"\(line.name)\" cannot be drawn at (\(point.x), \(point.y)): a chart "
                    + "shows numbers up to 1e9, and from 1e-9 along a logarithmic axis.")
        }
        for (point, next) in zip(line.points, line.points.dropFirst()) where next.x <= point.x {
            throw PlotError(
                .invalidData,
                "The points of \"\(line.name)\" must increase along x, but \(next.x) comes after "
                    + "\(point.x).")
        }
    }
}

extension LineChart.Axis {
    fileprivate func holds(_ value: Double) -> Bool {
        value.isFinite && abs(value) <= 1e9 && (spacing == .linear || value >= 1e-9)
    }
}
