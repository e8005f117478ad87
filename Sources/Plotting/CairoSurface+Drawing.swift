import CCairo

/// A point of an image, in pixels from its top left corner.
package struct CanvasPoint: Hashable, Sendable {
    package var x: Double
    package var y: Double

    package init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }
}

/// A rectangle of an image, in pixels.
package struct CanvasBox: Hashable, Sendable {
    package var x: Double
    package var y: Double
    package var width: Double
    package var height: Double

    package init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    package var maxX: Double { x + width }
    package var maxY: Double { y + height }
    package var midX: Double { x + width / 2 }
    package var midY: Double { y + height / 2 }
}

/// An sRGB colour with opacity. All components are from 0 to 1.
package struct CanvasColour: Hashable, Sendable {
    package var red: Double
    package var green: Double
    package var blue: Double
    package var opacity: Double

    /// A colour written as `0xRRGGBB`.
    package init(_ hex: UInt32, opacity: Double = 1) {
        red = Double((hex >> 16) & 0xff) / 255
        green = Double((hex >> 8) & 0xff) / 255
        blue = Double(hex & 0xff) / 255
        self.opacity = opacity
    }

    /// The colour with its opacity multiplied by `opacity`.
    package func faded(to opacity: Double) -> CanvasColour {
        var colour = self
        colour.opacity *= opacity
        return colour
    }
}

/// How a line of text looks, and which point of it is drawn at the given position.
package struct TextStyle {
    package enum Weight { case regular, bold }
    package enum Anchor { case start, middle, end }

    /// The font size in pixels.
    package var size: Double
    package var weight: Weight = .regular
    package var anchor: Anchor = .start
    package var colour: CanvasColour
    /// The colour of an outline around the letters that keeps them readable over lines; nil for none.
    package var halo: CanvasColour?

    package init(
        size: Double, weight: Weight = .regular, anchor: Anchor = .start, colour: CanvasColour,
        halo: CanvasColour? = nil
    ) {
        self.size = size
        self.weight = weight
        self.anchor = anchor
        self.colour = colour
        self.halo = halo
    }
}

/// How a line looks.
package struct LineStyle {
    /// In pixels.
    package var width: Double
    package var colour: CanvasColour
    /// The lengths of dashes and gaps in turn, in pixels; empty for a solid line.
    package var dash: [Double] = []

    package init(width: Double, colour: CanvasColour, dash: [Double] = []) {
        self.width = width
        self.colour = colour
        self.dash = dash
    }
}

extension CairoSurface {
    /// Turns off hinting, so that text has the same shape on every system and surface.
    package func prepareText() {
        let options = cairo_font_options_create()
        cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY)
        cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE)
        cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
        cairo_set_font_options(context, options)
        cairo_font_options_destroy(options)
    }

    // MARK: Shapes

    package func fill(_ box: CanvasBox, _ colour: CanvasColour) {
        cairo_rectangle(context, box.x, box.y, box.width, box.height)
        paintPath(colour)
    }

    package func fill(polygon points: [CanvasPoint], _ colour: CanvasColour) {
        trace(points)
        cairo_close_path(context)
        paintPath(colour)
    }

    package func fill(circleAt centre: CanvasPoint, radius: Double, _ colour: CanvasColour) {
        cairo_new_path(context)
        cairo_arc(context, centre.x, centre.y, radius, 0, 2 * .pi)
        paintPath(colour)
    }

    /// Fills a sector of a circle. Angles are in radians, clockwise from three o'clock.
    package func fill(
        wedgeAt centre: CanvasPoint, radius: Double, from start: Double, to end: Double,
        _ colour: CanvasColour
    ) {
        cairo_new_path(context)
        cairo_move_to(context, centre.x, centre.y)
        cairo_arc(context, centre.x, centre.y, radius, start, end)
        cairo_close_path(context)
        paintPath(colour)
    }

    package func fill(rounded box: CanvasBox, radius: Double, _ colour: CanvasColour) {
        let r = max(0, min(radius, box.width / 2, box.height / 2))
        cairo_new_path(context)
        cairo_arc(context, box.maxX - r, box.y + r, r, -.pi / 2, 0)
        cairo_arc(context, box.maxX - r, box.maxY - r, r, 0, .pi / 2)
        cairo_arc(context, box.x + r, box.maxY - r, r, .pi / 2, .pi)
        cairo_arc(context, box.x + r, box.y + r, r, .pi, 1.5 * .pi)
        cairo_close_path(context)
        paintPath(colour)
    }

    /// Fills a box with a vertical gradient; the colours' opacity is ignored.
    package func fill(_ box: CanvasBox, from top: CanvasColour, downTo bottom: CanvasColour) {
        let pattern = cairo_pattern_create_linear(box.x, box.y, box.x, box.maxY)
        cairo_pattern_add_color_stop_rgb(pattern, 0, top.red, top.green, top.blue)
        cairo_pattern_add_color_stop_rgb(pattern, 1, bottom.red, bottom.green, bottom.blue)
        cairo_set_source(context, pattern)
        cairo_rectangle(context, box.x, box.y, box.width, box.height)
        cairo_fill(context)
        cairo_pattern_destroy(pattern)
    }

    /// Draws a line through the points.
    package func stroke(_ points: [CanvasPoint], _ style: LineStyle) {
        trace(points)
        strokePath(style)
    }

    package func stroke(circleAt centre: CanvasPoint, radius: Double, _ style: LineStyle) {
        cairo_new_path(context)
        cairo_arc(context, centre.x, centre.y, radius, 0, 2 * .pi)
        strokePath(style)
    }

    /// Limits what `draw` draws to `box`.
    package func clipped(to box: CanvasBox, _ draw: () -> Void) {
        cairo_save(context)
        cairo_rectangle(context, box.x, box.y, box.width, box.height)
        cairo_clip(context)
        draw()
        cairo_restore(context)
    }

    // MARK: Text

    /// The advance width of a text in pixels.
    package func width(of text: String, size: Double, weight: TextStyle.Weight = .regular) -> Double
    {
        select(size: size, weight: weight)
        var extents = cairo_text_extents_t()
        cairo_text_extents(context, text, &extents)
        return extents.x_advance
    }

    /// Draws one line of text with its baseline at `point`, rotated clockwise by `turn` radians.
    package func text(_ text: String, at point: CanvasPoint, turn: Double = 0, _ style: TextStyle) {
        let advance = width(of: text, size: style.size, weight: style.weight)
        cairo_save(context)
        cairo_translate(context, point.x, point.y)
        cairo_rotate(context, turn)
        cairo_move_to(context, -advance * style.anchor.share, 0)
        if let halo = style.halo {
            cairo_text_path(context, text)
            strokePath(LineStyle(width: style.size * 0.3, colour: halo))
            cairo_move_to(context, -advance * style.anchor.share, 0)
        }
        set(style.colour)
        cairo_show_text(context, text)
        cairo_new_path(context)
        cairo_restore(context)
    }

    // MARK: Steps

    private func trace(_ points: [CanvasPoint]) {
        cairo_new_path(context)
        for point in points { cairo_line_to(context, point.x, point.y) }
    }

    private func paintPath(_ colour: CanvasColour) {
        set(colour)
        cairo_fill(context)
    }

    private func strokePath(_ style: LineStyle) {
        set(style.colour)
        cairo_set_line_width(context, style.width)
        cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND)
        cairo_set_line_cap(
            context, style.dash.isEmpty ? CAIRO_LINE_CAP_ROUND : CAIRO_LINE_CAP_BUTT)
        cairo_set_dash(context, style.dash, Int32(style.dash.count), 0)
        cairo_stroke(context)
    }

    private func set(_ colour: CanvasColour) {
        cairo_set_source_rgba(context, colour.red, colour.green, colour.blue, colour.opacity)
    }

    private func select(size: Double, weight: TextStyle.Weight) {
        cairo_select_font_face(
            context, "sans-serif", CAIRO_FONT_SLANT_NORMAL,
            weight == .bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL)
        cairo_set_font_size(context, size)
    }
}

extension TextStyle.Anchor {
    /// The share of the text's width that lies before the anchor.
    fileprivate var share: Double {
        switch self {
        case .start: 0
        case .middle: 0.5
        case .end: 1
        }
    }
}
