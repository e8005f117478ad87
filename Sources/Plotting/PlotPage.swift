/// What a plot shows: two panels over one horizontal axis. The upper one shows a rate, the time scale or the speed,
/// and the lower one the time that follows from it.
struct PlotPage {
    /// A point of a line, in the units of the axes.
    struct Point: Hashable {
        var x: Double
        var y: Double
    }

    /// A figure above the plot: its name, its value, and a note on what the value means.
    struct Caption: Hashable {
        var name: String
        /// The name for plots that are too narrow for `name`.
        var shortName: String
        var value: String
        var note = ""
    }

    /// Times along an axis.
    struct TimeAxis {
        /// What the times are of, such as `source time`.
        var name: String
        var scale: PlotScale
        /// Whether the times are in seconds; otherwise they are shares of the clip.
        var isTimed: Bool
    }

    /// A range of rates with a meaning, such as `faster`. The area between the line and ``base`` is filled.
    struct Band {
        var word: String
        var colour: CanvasColour
        var lower = -Double.infinity
        var upper = Double.infinity
        var base = 1.0
    }

    /// A rate that a dashed line marks.
    struct Mark {
        var rate: Double
        var label: String
    }

    /// One line of text, without control characters.
    let title: String
    /// What the upper panel shows over what, as a sentence for those who can't see it.
    let subject: String
    let captions: [Caption]
    let across: TimeAxis
    let upwards: TimeAxis
    let rateScale: PlotScale
    /// Titles of the rates' axis, the longest first.
    let rateTitles: [String]
    let bands: [Band]
    let marks: [Mark]
    /// The points of both lines, from left to right. Two at the same x are a jump.
    let rates: [Point]
    let times: [Point]
    /// What the dashed line at normal speed in the lower panel means.
    let legend: String

    /// Whether a number isn't too large for a plot.
    static func canShow(_ value: Double) -> Bool {
        value.isFinite && abs(value) <= 1e9
    }

    /// The captions as a text.
    var description: String {
        let figures = captions.map { caption in
            let note = caption.note.isEmpty ? "" : " (\(caption.note))"
            return "\(caption.name): \(caption.value)\(note)"
        }
        return subject + " " + figures.joined(separator: "; ") + "."
    }

    /// The page as an SVG document. Its title and captions are also included as text.
    ///
    /// - Throws: ``PlotError`` with `.invalidSize` or `.drawing`.
    func svg(width: Int, height: Int) throws -> String {
        let surface = try draw(width, height) { try .svg(width: width, height: height) }
        let document = String(decoding: try surface.finishedSVG(), as: UTF8.self)
        return SVGText.describing(
            SVGText.withoutSurfaceNumber(document), title: title, description: description)
    }

    /// The page as a PNG file.
    ///
    /// - Throws: ``PlotError`` with `.invalidSize` or `.drawing`.
    func png(width: Int, height: Int) throws -> [UInt8] {
        try draw(width, height) { try .image(width: width, height: height) }.png()
    }

    private func draw(
        _ width: Int, _ height: Int, on surface: () throws -> CairoSurface
    ) throws -> CairoSurface {
        let content = PlotContent(of: self, layout: try PlotLayout(width: width, height: height))
        let layout = try PlotLayout(
            width: width, height: height, labelLength: content.labelLength)
        let surface = try surface()
        PlotRenderer(content: content, layout: layout, surface: surface).draw()
        return surface
    }
}

extension PlotPage.Caption {
    /// The duration of the source.
    static func source(_ seconds: Double) -> Self {
        Self(name: "Source duration", shortName: "Source", value: PlotText.duration(seconds))
    }

    /// The expected duration of the output, and how it differs from that of the source.
    static func expected(_ seconds: Double, source: Double?) -> Self {
        Self(
            name: "Expected duration", shortName: "Expected", value: PlotText.duration(seconds),
            note: source.map { change(from: $0, to: seconds) } ?? "")
    }

    private static func change(from source: Double, to output: Double) -> String {
        let difference = output - source
        guard abs(difference) >= 0.0005 else { return "unchanged" }
        return PlotText.duration(abs(difference)) + (difference > 0 ? " longer" : " shorter")
    }
}
