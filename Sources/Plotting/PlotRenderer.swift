/// Draws the page of a plot on any Cairo surface.
struct PlotRenderer {
    private let page: PlotPage
    private let content: PlotContent
    private let layout: PlotLayout
    private let surface: CairoSurface

    private let across: PlotScale
    private let rateScale: PlotScale
    private let timeScale: PlotScale

    init(content: PlotContent, layout: PlotLayout, surface: CairoSurface) {
        let (upper, lower) = (layout.scalePanel, layout.timePanel)
        self.page = content.page
        self.content = content
        self.layout = layout
        self.surface = surface
        across = page.across.scale.placed(from: upper.x, to: upper.maxX)
        rateScale = page.rateScale.placed(from: upper.maxY, to: upper.y)
        timeScale = page.upwards.scale.placed(from: lower.maxY, to: lower.y)
    }

    func draw() {
        surface.prepareText()
        surface.fill(
            CanvasBox(x: 0, y: 0, width: layout.width, height: layout.height), PlotColour.paper)
        drawHeader()
        drawRates()
        drawTimes()
        ground(of: layout.timePanel).drawLabels(
            beneath: content.columns, along: across,
            title: page.across.title(with: content.columns))
    }

    private var letter: Double { layout.letter }

    private var dashes: [Double] { [0.5 * letter, 0.35 * letter] }

    private func ground(of box: CanvasBox) -> PlotPanel {
        PlotPanel(box: box, letter: letter, surface: surface)
    }

    private func place(_ point: PlotPage.Point, on upwards: PlotScale) -> CanvasPoint {
        CanvasPoint(x: across.position(of: point.x), y: upwards.position(of: point.y))
    }

    // MARK: Header

    private func drawHeader() {
        surface.heading(page.title, atX: layout.captions.x, width: layout.captions.width, letter)
        let column = layout.captions.width / Double(page.captions.count)
        let size = 0.92 * letter
        let areNarrow = page.captions.contains {
            surface.width(of: $0.name, size: size) > column - 0.5 * letter
        }
        for (index, caption) in page.captions.enumerated() {
            let x = layout.captions.x + Double(index) * column
            draw(caption, named: areNarrow ? caption.shortName : caption.name, atX: x)
        }
    }

    private func draw(_ caption: PlotPage.Caption, named name: String, atX x: Double) {
        let (y, names) = (
            layout.captions.y, TextStyle(size: 0.92 * letter, colour: PlotColour.muted)
        )
        let values = TextStyle(size: 1.25 * letter, weight: .bold, colour: PlotColour.ink)
        surface.text(name, at: CanvasPoint(x: x, y: y + letter), names)
        surface.text(caption.value, at: CanvasPoint(x: x, y: y + 2.5 * letter), values)
        guard layout.showsNotes else { return }
        surface.text(caption.note, at: CanvasPoint(x: x, y: y + 3.8 * letter), names)
    }

    // MARK: Rates

    private func drawRates() {
        let panel = layout.scalePanel
        ground(of: panel).drawFrame(
            columns: content.columns, along: across, rows: content.rateTicks, along: rateScale)
        let points = page.rates.map { place($0, on: rateScale) }
        for band in page.bands {
            drawArea(of: band, under: points)
        }
        for mark in page.marks {
            let y = rateScale.position(of: mark.rate)
            drawDashes(CanvasPoint(x: panel.x, y: y), CanvasPoint(x: panel.maxX, y: y))
        }
        draw(page.rates, at: points, PlotColour.line)
        for band in page.bands {
            drawWord(of: band)
        }
        for mark in page.marks {
            let y = rateScale.position(of: mark.rate)
            drawLabel(
                mark.label, in: panel, on: [y - 0.45 * letter, y + 1.15 * letter], from: .right,
                beside: points)
        }
        ground(of: panel).drawTitle(anyOf: page.rateTitles)
    }

    private func drawDashes(_ from: CanvasPoint, _ to: CanvasPoint) {
        surface.stroke(
            [from, to],
            LineStyle(width: 0.11 * letter, colour: PlotColour.muted, dash: dashes))
    }

    /// The top and the bottom of a band in the panel.
    private func reach(of band: PlotPage.Band) -> (top: Double, bottom: Double) {
        let panel = layout.scalePanel
        let top = band.upper.isFinite ? rateScale.position(of: band.upper) : panel.y
        let bottom = band.lower.isFinite ? rateScale.position(of: band.lower) : panel.maxY
        return (max(top, panel.y), min(bottom, panel.maxY))
    }

    /// Fills the area between the curve and the band's base.
    private func drawArea(of band: PlotPage.Band, under points: [CanvasPoint]) {
        let (panel, (top, bottom)) = (layout.scalePanel, reach(of: band))
        guard top < bottom else { return }
        let base = rateScale.position(of: band.base)
        let outline =
            [CanvasPoint(x: points[0].x, y: base)] + points
            + [CanvasPoint(x: points[points.count - 1].x, y: base)]
        let box = CanvasBox(x: panel.x, y: top, width: panel.width, height: bottom - top)
        surface.clipped(to: box) {
            surface.fill(polygon: outline, band.colour.faded(to: 0.18))
        }
    }

    /// Draws a coloured bar on the right that says what the band means.
    private func drawWord(of band: PlotPage.Band) {
        let (panel, (top, bottom)) = (layout.scalePanel, reach(of: band))
        guard bottom - top > 0.1 * letter else { return }
        surface.fill(
            CanvasBox(
                x: panel.maxX + 0.3 * letter, y: top, width: 0.3 * letter, height: bottom - top),
            band.colour.faded(to: 0.75))
        let style = TextStyle(
            size: 0.92 * letter, weight: .bold, anchor: .middle, colour: band.colour)
        guard surface.width(of: band.word, size: style.size, weight: .bold) < bottom - top else {
            return
        }
        let place = CanvasPoint(x: panel.maxX + 1.6 * letter, y: (top + bottom) / 2)
        surface.text(band.word, at: place, turn: -.pi / 2, style)
    }

    // MARK: Times

    private func drawTimes() {
        let panel = layout.timePanel
        ground(of: panel).drawFrame(
            columns: content.columns, along: across, rows: content.timeTicks, along: timeScale)
        surface.clipped(to: panel) {
            let end = page.across.scale.upper
            drawDashes(
                place(PlotPage.Point(x: 0, y: 0), on: timeScale),
                place(PlotPage.Point(x: end, y: end), on: timeScale))
        }
        let points = page.times.map { place($0, on: timeScale) }
        draw(page.times, at: points, PlotColour.time)
        surface.fill(circleAt: points[points.count - 1], radius: 0.3 * letter, PlotColour.time)
        ground(of: panel).drawTitle(
            anyOf: [page.upwards.title(with: content.timeTicks), page.upwards.name])
        drawLabel(
            page.legend, in: panel, on: [panel.y + 1.25 * letter, panel.maxY - 0.5 * letter],
            from: .left, beside: points)
    }

    // MARK: Lines and labels

    /// Draws a line. It is interrupted at jumps, which are thin dotted lines between two dots.
    private func draw(_ values: [PlotPage.Point], at points: [CanvasPoint], _ colour: CanvasColour)
    {
        let line = LineStyle(width: 0.2 * letter, colour: colour)
        // Less than half a pixel is rounding.
        let smallest = 0.5
        var run: [CanvasPoint] = []
        for (index, point) in points.enumerated() {
            if index > 0, values[index - 1].x == values[index].x,
                abs(points[index - 1].y - point.y) > smallest
            {
                surface.stroke(run, line)
                drawJump(from: points[index - 1], to: point, colour)
                run = []
            }
            run.append(point)
        }
        surface.stroke(run, line)
    }

    private func drawJump(from: CanvasPoint, to: CanvasPoint, _ colour: CanvasColour) {
        let dots = [0.25 * letter, 0.25 * letter]
        surface.stroke(
            [from, to],
            LineStyle(width: 0.11 * letter, colour: colour.faded(to: 0.7), dash: dots))
        for end in [from, to] {
            surface.fill(circleAt: end, radius: 0.22 * letter, colour)
        }
    }

    private enum Side { case left, right }

    /// Draws a text on one of the base lines, at the first place that the line through the points doesn't cross.
    private func drawLabel(
        _ text: String, in panel: CanvasBox, on lines: [Double], from side: Side,
        beside points: [CanvasPoint]
    ) {
        let size = 0.88 * letter
        let width = surface.width(of: text, size: size)
        let (left, right) = (panel.x + 0.5 * letter, panel.maxX - width - 0.5 * letter)
        let columns = (side == .left ? [left, right] : [right, left]) + [panel.midX - width / 2]
        let boxes = columns.flatMap { x in
            lines.map {
                CanvasBox(x: x, y: $0 - 0.95 * letter, width: width, height: 1.25 * letter)
            }
        }
        .filter { $0.y > panel.y && $0.maxY < panel.maxY }
        guard let box = boxes.first(where: { !$0.isCrossed(by: points) }) ?? boxes.first else {
            return
        }
        surface.text(
            text, at: CanvasPoint(x: box.x, y: box.y + 0.95 * letter),
            TextStyle(size: size, colour: PlotColour.muted, halo: PlotColour.panel.faded(to: 0.85)))
    }
}

extension CanvasBox {
    /// Whether a line through the points, which must go from left to right, may touch the box.
    func isCrossed(by points: [CanvasPoint]) -> Bool {
        zip(points, points.dropFirst()).contains { a, b in
            guard b.x >= x, a.x <= maxX else { return false }
            return max(a.y, b.y) >= y && min(a.y, b.y) <= maxY
        }
    }
}
