/// Draws the background of a panel: its grid, axes, labels and titles.
struct PlotPanel {
    let box: CanvasBox
    let letter: Double
    let surface: CairoSurface

    /// Draws the grid, the axes and the labels of the rows.
    func drawFrame(
        columns: PlotTicks, along horizontal: PlotScale, rows: PlotTicks,
        along vertical: PlotScale
    ) {
        surface.fill(box, PlotColour.panel)
        let grid = LineStyle(width: 0.08 * letter, colour: PlotColour.grid)
        for tick in columns.ticks {
            let x = horizontal.position(of: tick.value)
            surface.stroke([CanvasPoint(x: x, y: box.y), CanvasPoint(x: x, y: box.maxY)], grid)
        }
        for tick in rows.ticks {
            let y = vertical.position(of: tick.value)
            surface.stroke([CanvasPoint(x: box.x, y: y), CanvasPoint(x: box.maxX, y: y)], grid)
            surface.text(
                tick.label, at: CanvasPoint(x: box.x - 0.6 * letter, y: y + 0.34 * letter),
                TextStyle(size: 0.92 * letter, anchor: .end, colour: PlotColour.muted))
        }
        let axes = LineStyle(width: 0.1 * letter, colour: PlotColour.axis)
        surface.stroke(
            [
                CanvasPoint(x: box.x, y: box.y), CanvasPoint(x: box.x, y: box.maxY),
                CanvasPoint(x: box.maxX, y: box.maxY),
            ], axes)
    }

    /// Draws the first title that isn't longer than the panel is high, along the vertical axis.
    func drawTitle(anyOf titles: [String]) {
        let fitting = titles.first { surface.width(of: $0, size: letter) <= box.height }
        guard let title = fitting else { return }
        surface.text(
            title, at: CanvasPoint(x: 1.6 * letter, y: box.midY), turn: -.pi / 2,
            TextStyle(size: letter, anchor: .middle, colour: PlotColour.ink))
    }

    /// Draws the labels of the columns, and the title of the horizontal axis.
    func drawLabels(beneath columns: PlotTicks, along horizontal: PlotScale, title: String) {
        for tick in columns.ticks {
            let x = horizontal.position(of: tick.value)
            surface.text(
                tick.label, at: CanvasPoint(x: x, y: box.maxY + 1.35 * letter),
                TextStyle(size: 0.92 * letter, anchor: .middle, colour: PlotColour.muted))
        }
        surface.text(
            title, at: CanvasPoint(x: box.midX, y: box.maxY + 2.9 * letter),
            TextStyle(size: letter, anchor: .middle, colour: PlotColour.ink))
    }
}

extension CairoSurface {
    /// Draws a plot's title at the top of the page, shortened if it is too long.
    func heading(_ title: String, atX x: Double, width: Double, _ letter: Double) {
        let size = 1.5 * letter
        let shown = PlotText.ellipsised(title, to: width) {
            self.width(of: $0, size: size, weight: .bold)
        }
        text(
            shown, at: CanvasPoint(x: x, y: 2.25 * letter),
            TextStyle(size: size, weight: .bold, colour: PlotColour.ink))
    }
}
