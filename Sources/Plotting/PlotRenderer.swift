/// Draws a curve plot on any Cairo surface.
struct PlotRenderer {
    private let plot: CurvePlot
    private let content: PlotContent
    private let layout: PlotLayout
    private let surface: CairoSurface

    private let sourceAxis: PlotScale
    private let scaleAxis: PlotScale
    private let outputAxis: PlotScale

    init(content: PlotContent, layout: PlotLayout, surface: CairoSurface) {
        let (upper, lower) = (layout.scalePanel, layout.timePanel)
        self.plot = content.plot
        self.content = content
        self.layout = layout
        self.surface = surface
        sourceAxis = content.sourceAxis.placed(from: upper.x, to: upper.maxX)
        scaleAxis = content.scaleAxis.placed(from: upper.maxY, to: upper.y)
        outputAxis = content.outputAxis.placed(from: lower.maxY, to: lower.y)
    }

    func draw() {
        surface.prepareText()
        let page = CanvasBox(x: 0, y: 0, width: layout.width, height: layout.height)
        surface.fill(page, PlotColour.paper)
        drawHeader()
        drawScalePanel()
        drawTimePanel()
        drawSourceLabels()
    }

    private var letter: Double { layout.letter }

    // MARK: Header

    private func drawHeader() {
        surface.heading(plot.title, atX: layout.captions.x, width: layout.captions.width, letter)
        drawCaptions()
    }

    private func drawCaptions() {
        let captions = plot.captions
        let column = layout.captions.width / Double(captions.count)
        let size = 0.92 * letter
        let areNarrow = captions.contains {
            surface.width(of: $0.name, size: size) > column - 0.5 * letter
        }
        for (index, caption) in captions.enumerated() {
            let x = layout.captions.x + Double(index) * column
            draw(caption, named: areNarrow ? caption.shortName : caption.name, atX: x)
        }
    }

    private func draw(_ caption: CurvePlot.Caption, named name: String, atX x: Double) {
        let (y, names) = (
            layout.captions.y, TextStyle(size: 0.92 * letter, colour: PlotColour.muted)
        )
        let values = TextStyle(size: 1.25 * letter, weight: .bold, colour: PlotColour.ink)
        surface.text(name, at: CanvasPoint(x: x, y: y + letter), names)
        surface.text(caption.value, at: CanvasPoint(x: x, y: y + 2.5 * letter), values)
        guard layout.showsNotes else { return }
        surface.text(caption.note, at: CanvasPoint(x: x, y: y + 3.8 * letter), names)
    }

    // MARK: Time scale

    private func drawScalePanel() {
        let panel = layout.scalePanel
        ground(of: panel).drawFrame(
            columns: content.sourceTicks, along: sourceAxis, rows: content.scaleTicks,
            along: scaleAxis)
        let normal = scaleAxis.position(of: 1)
        let points = plot.samples.map { sample in
            CanvasPoint(
                x: sourceAxis.position(of: sample.u * content.unit),
                y: scaleAxis.position(of: sample.scale))
        }
        drawAreas(under: points, normal: normal)
        drawNormalLine(at: normal)
        drawCurve(points)
        drawSpeedBands(normal: normal)
        drawNormalLabel(at: normal, beside: points)
        let suffix = scaleAxis.kind == .logarithmic ? ", logarithmic" : ""
        ground(of: panel).drawTitle(
            anyOf: [
                "time scale s, output s per source s" + suffix, "time scale s" + suffix,
                "time scale s", "s",
            ])
    }

    /// Fills the area between the curve and normal speed, in one colour for slower and another for faster.
    private func drawAreas(under points: [CanvasPoint], normal: Double) {
        let (panel, first, last) = (layout.scalePanel, points[0], points[points.count - 1])
        let outline =
            [CanvasPoint(x: first.x, y: normal)] + points + [CanvasPoint(x: last.x, y: normal)]
        let above = CanvasBox(x: panel.x, y: panel.y, width: panel.width, height: normal - panel.y)
        let below = CanvasBox(
            x: panel.x, y: normal, width: panel.width, height: panel.maxY - normal)
        surface.clipped(to: above) {
            surface.fill(polygon: outline, PlotColour.slower.faded(to: 0.16))
        }
        surface.clipped(to: below) {
            surface.fill(polygon: outline, PlotColour.faster.faded(to: 0.2))
        }
    }

    private func drawNormalLine(at y: Double) {
        let dashes = [0.5 * letter, 0.35 * letter]
        surface.stroke(
            [
                CanvasPoint(x: layout.scalePanel.x, y: y),
                CanvasPoint(x: layout.scalePanel.maxX, y: y),
            ],
            LineStyle(width: 0.11 * letter, colour: PlotColour.muted, dash: dashes))
    }

    /// Draws the curve. It is interrupted at jumps, which are thin dotted lines between two dots.
    private func drawCurve(_ points: [CanvasPoint]) {
        let line = LineStyle(width: 0.2 * letter, colour: PlotColour.line)
        var run: [CanvasPoint] = []
        for (index, point) in points.enumerated() {
            let before = index == 0 ? nil : plot.samples[index - 1]
            if let before, before.u == plot.samples[index].u, let last = run.last {
                surface.stroke(run, line)
                if before.scale != plot.samples[index].scale { drawJump(from: last, to: point) }
                run = []
            }
            run.append(point)
        }
        surface.stroke(run, line)
    }

    private func drawJump(from: CanvasPoint, to: CanvasPoint) {
        let dashes = [0.25 * letter, 0.25 * letter]
        let thin = LineStyle(
            width: 0.11 * letter, colour: PlotColour.line.faded(to: 0.7), dash: dashes)
        surface.stroke([from, to], thin)
        for end in [from, to] {
            surface.fill(circleAt: end, radius: 0.22 * letter, PlotColour.line)
        }
    }

    /// Draws coloured bands on the right that say which side plays slower and which faster.
    private func drawSpeedBands(normal: Double) {
        let panel = layout.scalePanel
        let bands = [
            ("slower", PlotColour.slower, panel.y, normal),
            ("faster", PlotColour.faster, normal, panel.maxY),
        ]
        for (word, colour, top, bottom) in bands where bottom - top > 0.1 * letter {
            surface.fill(
                CanvasBox(
                    x: panel.maxX + 0.3 * letter, y: top, width: 0.3 * letter,
                    height: bottom - top),
                colour.faded(to: 0.75))
            let style = TextStyle(
                size: 0.92 * letter, weight: .bold, anchor: .middle, colour: colour)
            guard surface.width(of: word, size: style.size, weight: .bold) < bottom - top else {
                continue
            }
            let place = CanvasPoint(x: panel.maxX + 1.6 * letter, y: (top + bottom) / 2)
            surface.text(word, at: place, turn: -.pi / 2, style)
        }
    }

    /// Draws the label of the line of normal speed at the first place that the curve doesn't cross.
    private func drawNormalLabel(at y: Double, beside points: [CanvasPoint]) {
        let panel = layout.scalePanel
        let size = 0.88 * letter
        let text = "normal speed, s = 1"
        let width = surface.width(of: text, size: size)
        let places = [
            (panel.maxX - width - 0.5 * letter, y - 0.45 * letter),
            (panel.maxX - width - 0.5 * letter, y + 1.15 * letter),
            (panel.x + 0.5 * letter, y - 0.45 * letter),
            (panel.x + 0.5 * letter, y + 1.15 * letter),
            (panel.midX - width / 2, y - 0.45 * letter),
            (panel.midX - width / 2, y + 1.15 * letter),
        ]
        let boxes = places.map {
            CanvasBox(x: $0.0, y: $0.1 - 0.95 * letter, width: width, height: 1.25 * letter)
        }
        .filter { $0.y > panel.y && $0.maxY < panel.maxY }
        guard let box = boxes.first(where: { !$0.isCrossed(by: points) }) ?? boxes.first else {
            return
        }
        surface.text(
            text, at: CanvasPoint(x: box.x, y: box.y + 0.95 * letter),
            TextStyle(size: size, colour: PlotColour.muted, halo: PlotColour.panel.faded(to: 0.85)))
    }

    // MARK: Output time

    private func drawTimePanel() {
        let panel = layout.timePanel
        ground(of: panel).drawFrame(
            columns: content.sourceTicks, along: sourceAxis, rows: content.outputTicks,
            along: outputAxis)
        let points = plot.samples.map { sample in
            CanvasPoint(
                x: sourceAxis.position(of: sample.u * content.unit),
                y: outputAxis.position(of: sample.integral * content.unit))
        }
        surface.clipped(to: panel) {
            let diagonal = [0, content.unit].map {
                CanvasPoint(x: sourceAxis.position(of: $0), y: outputAxis.position(of: $0))
            }
            let dashes = [0.5 * letter, 0.35 * letter]
            surface.stroke(
                diagonal, LineStyle(width: 0.11 * letter, colour: PlotColour.muted, dash: dashes))
        }
        surface.stroke(points, LineStyle(width: 0.2 * letter, colour: PlotColour.time))
        surface.fill(circleAt: points[points.count - 1], radius: 0.3 * letter, PlotColour.time)
        ground(of: panel).drawTitle(
            anyOf: ["output time" + content.unit(of: content.outputTicks), "output time"])
        drawTimeLegend()
    }

    private func drawTimeLegend() {
        let panel = layout.timePanel
        let style = TextStyle(
            size: 0.88 * letter, colour: PlotColour.muted, halo: PlotColour.panel.faded(to: 0.85))
        surface.text(
            "dashed: as long as the source",
            at: CanvasPoint(x: panel.x + 0.6 * letter, y: panel.y + 1.25 * letter), style)
    }

    private func drawSourceLabels() {
        ground(of: layout.timePanel).drawLabels(
            beneath: content.sourceTicks, along: sourceAxis,
            title: "source time" + content.unit(of: content.sourceTicks))
    }

    private func ground(of box: CanvasBox) -> PlotPanel {
        PlotPanel(box: box, letter: letter, surface: surface)
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
