extension StoryPicture {
    func drawWays(_ writer: inout SVGWriter) {
        for (index, edge) in graph.edges.enumerated() {
            let isWrong = !findings(on: edge).isEmpty || story.segments[edge.to] == nil
            var style = "way"
            switch edge.kind {
            case .otherwise, .loop: style += " default"
            case .choice, .then: break
            }
            style += isWrong ? " wrong" : ""
            let weight = followed(edge).map {
                $0 == 0 ? "opacity:0.35" : "stroke-width:\(SVGWriter.number(lineWidth($0)))"
            }
            let path = layout.loops[index].map { loopPath(edge, $0) } ?? wayPath(index)
            if let weight {
                writer.element("path", ["class": style, "d": path, "style": weight])
            } else {
                writer.element("path", ["class": style, "d": path])
            }
            drawHead(index, edge, isWrong: isWrong, &writer)
        }
    }

    /// How often viewers followed an edge; nil if nobody counted.
    private func followed(_ edge: StoryEdge) -> Int? {
        visits.map { $0.ways[edge] ?? 0 }
    }

    /// The width of an edge that was followed so often.
    private func lineWidth(_ count: Int) -> Double {
        1.4 + 4.6 * Double(count) / Double(max(mostFollowed, 1))
    }

    private func wayPath(_ index: Int) -> String {
        var path = ""
        for bend in layout.bends[index] {
            let pull = (bend.toX - bend.fromX) / 2
            path += path.isEmpty ? "M" : "L"
            path += point(bend.fromX, bend.fromY)
            path += " C" + point(bend.fromX + pull, bend.fromY)
            path += " " + point(bend.toX - pull, bend.toY) + " " + point(bend.toX, bend.toY) + " "
        }
        return path
    }

    private func point(_ x: Double, _ y: Double) -> String {
        "\(SVGWriter.number(x)) \(SVGWriter.number(y))"
    }

    /// The curve of a loop: above the box, from right to left. Further loops are drawn above it.
    private func loopPath(_ edge: StoryEdge, _ number: Int) -> String {
        guard let box = layout.box(named: edge.from) else {
            return ""
        }
        let (from, to) = (box.x + GraphLayout.boxWidth - 34, box.x + 34)
        let rise = box.y - 30 - 22 * Double(number)
        return "M\(point(from, box.y)) C\(point(from, rise)) \(point(to, rise)) "
            + point(to, box.y)
    }

    private func drawHead(
        _ index: Int, _ edge: StoryEdge, isWrong: Bool, _ writer: inout SVGWriter
    ) {
        // A head is wider than its line, however wide that is.
        let half = max(4, (followed(edge).map(lineWidth) ?? 0) / 2 + 3)
        var corners: [(Double, Double)] = []
        if layout.loops[index] != nil, let box = layout.box(named: edge.from) {
            let x = box.x + 34
            corners = [(x, box.y), (x - half, box.y - 9), (x + half, box.y - 9)]
        } else if let last = layout.bends[index].last {
            let back = last.toX > last.fromX ? -9.0 : 9.0
            corners = [
                (last.toX, last.toY), (last.toX + back, last.toY - half),
                (last.toX + back, last.toY + half),
            ]
        }
        let points = corners.map { "\(SVGWriter.number($0.0)),\(SVGWriter.number($0.1))" }
        writer.element(
            "polygon",
            [
                "class": isWrong ? "wrong-head" : "head", "points": points.joined(separator: " "),
            ])
    }

    // MARK: Labels

    /// Draws each label on its edge, near the edge's start, where it doesn't overlap other labels.
    func drawLabels(_ writer: inout SVGWriter) {
        var taken: [Int: [LabelPlace]] = [:]
        for (index, edge) in graph.edges.enumerated() {
            let isWrong = !findings(on: edge).isEmpty || story.segments[edge.to] == nil
            let (words, count) = (label(of: edge), counted(edge))
            guard words != nil || count != nil else {
                continue
            }
            let mark = isWrong ? "! " : ""
            let letters = 25 - (count.map { SVGWriter.letters($0) + 3 } ?? 0)
            let shown = words.map { SVGWriter.fitted(mark + $0, letters: letters) }
            let text = [shown, count].compactMap { $0 }.joined(separator: " · ")
            let tooltip = [words, count].compactMap { $0 }.joined(separator: " · ")
            let width = Double(SVGWriter.letters(text)) * 5.9 + 6
            let places = self.places(for: index, edge, width: width)
            guard let first = places.first else {
                continue
            }
            let column = Int(first.x / 64)
            let near = (column - 4...column + 4).flatMap { taken[$0] ?? [] }
            let place =
                places.first { place in !near.contains { $0.overlaps(place) } } ?? first
            taken[Int(place.x / 64), default: []].append(place)
            draw(text, at: place, isWrong: isWrong, tooltip: tooltip, &writer)
        }
    }

    /// How often an edge was followed, and its share of all that left the segment; nil if nobody counted.
    private func counted(_ edge: StoryEdge) -> String? {
        guard let count = followed(edge) else {
            return nil
        }
        guard let all = leaving[edge.from], all.edges > 1, all.visits > 0 else {
            return "\(count)"
        }
        return "\(count) (\((100 * count + all.visits / 2) / all.visits) %)"
    }

    private func label(of edge: StoryEdge) -> String? {
        switch edge.kind {
        case .then: return nil
        case .otherwise: return "default"
        case .loop: return "loop"
        case .choice(let index):
            guard let choice = story.segments[edge.from]?.choices[index] else {
                return nil
            }
            return choice.label + (choice.condition.map { " [\($0)]" } ?? "")
        }
    }

    private func places(
        for index: Int, _ edge: StoryEdge, width: Double
    ) -> [LabelPlace] {
        if let number = layout.loops[index] {
            guard let box = layout.box(named: edge.from) else {
                return []
            }
            let y = box.y - 26 - 17 * Double(number)
            return [LabelPlace(x: box.x + GraphLayout.boxWidth / 2, y: y, width: width)]
        }
        guard let bend = layout.bends[index].first else {
            return []
        }
        return [0.5, 0.42, 0.58, 0.35, 0.65, 0.28, 0.72].map { share in
            let rest = 1 - share
            // A cubic Bézier curve whose control points are level with its ends.
            let rise = share * share * (3 - 2 * share)
            let bow = 1.5 * share * rest * rest + 1.5 * share * share * rest + share * share * share
            return LabelPlace(
                x: bend.fromX + (bend.toX - bend.fromX) * bow,
                y: bend.fromY + (bend.toY - bend.fromY) * rise, width: width)
        }
    }

    private func draw(
        _ text: String, at place: LabelPlace, isWrong: Bool, tooltip: String,
        _ writer: inout SVGWriter
    ) {
        writer.open("g")
        writer.element("title", holding: tooltip)
        writer.element(
            "rect",
            [
                "x": SVGWriter.number(place.x - place.width / 2),
                "y": SVGWriter.number(place.y - 8), "width": SVGWriter.number(place.width),
                "height": "16", "rx": "3", "fill": PictureStyle.ground, "fill-opacity": "0.88",
            ])
        writer.element(
            "text",
            [
                "class": "label", "x": SVGWriter.number(place.x),
                "y": SVGWriter.number(place.y + 4), "text-anchor": "middle",
                "style": isWrong ? "fill:\(PictureStyle.wrong)" : "",
            ], holding: text)
        writer.close("g")
    }
}

/// The centre and the width of a label.
private struct LabelPlace {
    let x: Double
    let y: Double
    let width: Double

    func overlaps(_ other: LabelPlace) -> Bool {
        abs(x - other.x) < (width + other.width) / 2 && abs(y - other.y) < 16
    }
}
