import Foundation

/// The positions of a line chart's parts, and its axes.
struct LineChartLayout {
    let width: Double
    let height: Double
    /// The size of ordinary letters in pixels.
    let letter: Double
    let panel: CanvasBox
    /// The area of the legend, beneath the title.
    let legend: CanvasBox
    let horizontal: PlotScale
    let vertical: PlotScale
    let columns: PlotTicks
    let rows: PlotTicks

    /// - Throws: `PlotError` with `.invalidSize` when the size is below 320x240 or above 16384 pixels a side.
    init(of chart: LineChart, width: Int, height: Int) throws {
        letter = try PlotLayout.letter(width: width, height: height)
        self.width = Double(width)
        self.height = Double(height)
        let points = chart.series.flatMap(\.points)
        let across = PlotScale.covering(points.map(\.x), chart.horizontal.spacing)
        let upwards = PlotScale.covering(points.map(\.y), chart.vertical.spacing)

        legend = CanvasBox(
            x: 1.4 * letter, y: 3.3 * letter, width: self.width - 2.8 * letter,
            height: 1.4 * letter)
        let top = legend.maxY + 1.2 * letter
        let room = self.height - 3.8 * letter - top
        let slot = CanvasBox(x: 0, y: top, width: self.width, height: room)
        rows = .round(along: upwards, count: slot.rows(letter: letter))
        let labelLength = rows.ticks.map(\.label.count).max() ?? 0
        let left = (3.2 + 0.62 * Double(max(labelLength, 3))) * letter
        panel = CanvasBox(x: left, y: top, width: self.width - 2.6 * letter - left, height: room)
        columns = .round(along: across, count: panel.columns(letter: letter))
        horizontal = across.placed(from: panel.x, to: panel.maxX)
        vertical = upwards.placed(from: panel.maxY, to: panel.y)
    }

    func place(_ point: LineChart.Point) -> CanvasPoint {
        CanvasPoint(x: horizontal.position(of: point.x), y: vertical.position(of: point.y))
    }
}

extension PlotScale {
    /// An axis with room for all values, of which there must be at least one.
    static func covering(_ values: [Double], _ spacing: LineChart.Axis.Spacing) -> PlotScale {
        let (low, high) = (values.min() ?? 0, values.max() ?? 1)
        switch spacing {
        case .logarithmic:
            let margin = high > low ? pow(high / low, 0.06) : 2
            return PlotScale(.logarithmic, from: low / margin, to: high * margin)
        case .linear:
            let margin = high > low ? 0.07 * (high - low) : max(0.5, 0.1 * abs(high))
            // An axis from zero shows proportions, but wastes room when all values are far above it.
            let floor = low >= 0 && low < 0.6 * high ? 0 : low - margin
            return PlotScale(from: floor, to: high + margin)
        }
    }
}

/// Draws a line chart on any Cairo surface.
struct LineChartRenderer {
    let chart: LineChart
    let layout: LineChartLayout
    let surface: CairoSurface

    private var letter: Double { layout.letter }

    func draw() {
        surface.prepareText()
        surface.fill(
            CanvasBox(x: 0, y: 0, width: layout.width, height: layout.height), PlotColour.paper)
        drawHeader()
        let panel = PlotPanel(box: layout.panel, letter: letter, surface: surface)
        panel.drawFrame(
            columns: layout.columns, along: layout.horizontal, rows: layout.rows,
            along: layout.vertical)
        panel.drawTitle(anyOf: titles(of: chart.vertical))
        panel.drawLabels(
            beneath: layout.columns, along: layout.horizontal,
            title: titles(of: chart.horizontal)[0])
        for (line, colour) in zip(chart.series, PlotColour.lines) {
            draw(line.points.map(layout.place), colour)
        }
    }

    private func titles(of axis: LineChart.Axis) -> [String] {
        switch axis.spacing {
        case .linear: [axis.title]
        case .logarithmic: [axis.title + ", logarithmic", axis.title]
        }
    }

    private func drawHeader() {
        surface.heading(chart.title, atX: layout.legend.x, width: layout.legend.width, letter)
        let column = layout.legend.width / Double(chart.series.count)
        for (index, (line, colour)) in zip(chart.series, PlotColour.lines).enumerated() {
            drawKey(
                line.name, colour, atX: layout.legend.x + Double(index) * column, width: column)
        }
    }

    /// Draws an entry of the legend: a piece of the line, and its name.
    private func drawKey(_ name: String, _ colour: CanvasColour, atX x: Double, width: Double) {
        let y = layout.legend.midY
        let start = CanvasPoint(x: x, y: y)
        let end = CanvasPoint(x: x + 1.8 * letter, y: y)
        draw([start, end], colour)
        let shown = PlotText.ellipsised(name, to: width - 3.4 * letter) {
            surface.width(of: $0, size: letter)
        }
        surface.text(
            shown, at: CanvasPoint(x: end.x + 0.6 * letter, y: y + 0.36 * letter),
            TextStyle(size: letter, colour: PlotColour.ink))
    }

    private func draw(_ points: [CanvasPoint], _ colour: CanvasColour) {
        surface.stroke(points, LineStyle(width: 0.2 * letter, colour: colour))
        for point in points {
            surface.fill(circleAt: point, radius: 0.32 * letter, colour)
        }
    }
}
