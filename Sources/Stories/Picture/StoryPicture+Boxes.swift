extension StoryPicture {
    func draw(_ box: GraphLayout.Box, _ writer: inout SVGWriter) {
        let found = findings[box.name] ?? []
        writer.open("g")
        let told = [box.name] + found.map { "\($0.severity.rawValue): \($0.sentence)" }
        writer.element("title", holding: told.joined(separator: " — "))
        guard let segment = story.segments[box.name] else {
            drawMissing(box, &writer)
            writer.close("g")
            return
        }
        let colours = PictureStyle.colours(of: segment.role)
        writer.element(
            "rect",
            [
                "x": SVGWriter.number(box.x), "y": SVGWriter.number(box.y),
                "width": SVGWriter.number(GraphLayout.boxWidth),
                "height": SVGWriter.number(box.height), "rx": "8", "fill": colours.fill,
                "stroke": found.isEmpty ? colours.stroke : PictureStyle.wrong,
                "stroke-width": found.isEmpty ? "1.4" : "2.4",
            ])
        write(box, box.name, "\(segment.role.rawValue) · \(Self.name(of: segment.media))", &writer)
        if box.name == story.start {
            drawStart(box, &writer)
        }
        if let visits {
            drawVisits(box, visits, &writer)
        }
        if !found.isEmpty {
            drawBadge(box, found.count, &writer)
        }
        writer.close("g")
    }

    /// The name of a media file without its folders.
    private static func name(of media: String) -> Substring {
        media.split(separator: "/").last ?? media[...]
    }

    /// Writes below the box how often the segment began, and how often the story ended there.
    private func drawVisits(
        _ box: GraphLayout.Box, _ visits: StoryVisits, _ writer: inout SVGWriter
    ) {
        let ended = visits.ended[box.name].map { ", \($0) ended" } ?? ""
        writer.element(
            "text",
            [
                "class": "legend", "x": SVGWriter.number(box.x + GraphLayout.boxWidth),
                "y": SVGWriter.number(box.y + box.height + 12), "text-anchor": "end",
            ], holding: "\(visits.begun[box.name] ?? 0)×\(ended)")
    }

    private func drawMissing(_ box: GraphLayout.Box, _ writer: inout SVGWriter) {
        writer.element(
            "rect",
            [
                "x": SVGWriter.number(box.x), "y": SVGWriter.number(box.y),
                "width": SVGWriter.number(GraphLayout.boxWidth),
                "height": SVGWriter.number(box.height), "rx": "8",
                "fill": PictureStyle.wrongGround, "stroke": PictureStyle.wrong,
                "stroke-width": "2", "stroke-dasharray": "6 4",
            ])
        write(box, box.name, "missing", &writer)
    }

    private func write(
        _ box: GraphLayout.Box, _ name: String, _ line: String, _ writer: inout SVGWriter
    ) {
        let x = SVGWriter.number(box.x + 12)
        let middle = box.middle + layout.pictureHeight / 2
        writer.element(
            "text", ["class": "name", "x": x, "y": SVGWriter.number(middle - 3)],
            holding: SVGWriter.fitted(name, letters: 19))
        writer.element(
            "text", ["class": "role", "x": x, "y": SVGWriter.number(middle + 13)],
            holding: SVGWriter.fitted(line, letters: 25))
    }

    /// Draws a triangle at the left side of the box, and the word "start".
    private func drawStart(_ box: GraphLayout.Box, _ writer: inout SVGWriter) {
        let (x, y) = (box.x, box.middle)
        let points = [(x - 16, y - 8), (x - 3, y), (x - 16, y + 8)]
            .map { "\(SVGWriter.number($0.0)),\(SVGWriter.number($0.1))" }
        writer.element(
            "polygon", ["points": points.joined(separator: " "), "fill": PictureStyle.ink])
        writer.element(
            "text",
            [
                "class": "legend", "x": SVGWriter.number(x), "y": SVGWriter.number(box.y - 6),
            ], holding: "start")
    }

    private func drawBadge(_ box: GraphLayout.Box, _ count: Int, _ writer: inout SVGWriter) {
        let (x, y) = (box.x + GraphLayout.boxWidth - 4, box.y + 2)
        writer.element(
            "circle",
            [
                "cx": SVGWriter.number(x), "cy": SVGWriter.number(y), "r": "10",
                "fill": PictureStyle.wrong,
            ])
        writer.element(
            "text",
            [
                "class": "badge", "x": SVGWriter.number(x), "y": SVGWriter.number(y + 4),
                "text-anchor": "middle",
            ], holding: count > 99 ? "99" : "\(count)")
    }
}
