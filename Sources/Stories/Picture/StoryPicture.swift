/// A diagram of a story's branching graph: boxes for segments, coloured by role, and arrows for the paths
/// between them, from left to right.
///
/// The start is marked. Arrows are labelled with the choice and its condition; those of defaults and loops are
/// dashed. Findings of the linter are red, counted at each box, and explained in tooltips. With a log of visits, arrows tell
/// how often they were followed, by number, share and width, and boxes how often they began and the story ended there.
public struct StoryPicture: Sendable {
    let story: Story
    let graph: StoryGraph
    let layout: GraphLayout
    /// The findings of each segment, by its name.
    let findings: [String: [StoryFinding]]
    /// How often viewers came where; nil if nobody counted.
    let visits: StoryVisits?
    /// How many edges leave each segment, and how often they were followed, by its name.
    let leaving: [String: (edges: Int, visits: Int)]
    /// How often the edge was followed that was followed most.
    let mostFollowed: Int
    static let margin = 32.0
    /// Where the boxes begin: below the title, which a page with pictures has elsewhere.
    var top: Double { layout.pictureHeight > 0 ? 36 : 92 }
    static let bottom = 64.0

    /// Lays out the graph of a story.
    ///
    /// - Parameters:
    ///   - findings: findings to mark; those about the story as a whole aren't drawn.
    ///   - visits: how often viewers came where.
    /// - Complexity: O(n log n) in segments, choices, and columns that long arrows pass.
    public init(
        of story: Story, findings: [StoryFinding] = [], visits: StoryVisits? = nil
    ) {
        self.init(of: story, findings: findings, visits: visits, pictureHeight: 0)
    }

    /// The same, with room for a picture at the top of each box, and without a title.
    package init(
        of story: Story, findings: [StoryFinding], visits: StoryVisits? = nil,
        pictureHeight: Double
    ) {
        self.story = story
        self.visits = visits
        graph = StoryGraph(story)
        mostFollowed = graph.edges.compactMap { visits?.ways[$0] }.max() ?? 0
        leaving = graph.edges.reduce(into: [:]) { leaving, edge in
            leaving[edge.from, default: (0, 0)].edges += 1
            leaving[edge.from, default: (0, 0)].visits += visits?.ways[edge] ?? 0
        }
        layout = GraphLayout(graph, pictureHeight: pictureHeight)
        self.findings = Dictionary(grouping: findings.filter { $0.segment != nil }) {
            $0.segment ?? ""
        }
    }

    /// The size of the diagram, in its pixels.
    package var width: Double { max(layout.width + 2 * Self.margin, 840) }
    package var height: Double { layout.height + top + Self.bottom }

    /// The room for a picture at the top of each box.
    package var pictureHeight: Double { layout.pictureHeight }

    /// Where a segment's box is in the diagram, in its pixels.
    package struct Place: Hashable, Sendable, Codable {
        package let name: String
        package let x: Double
        package let y: Double
        package let width: Double
        package let height: Double
    }

    /// The boxes of all segments, and of targets that don't exist.
    package var places: [Place] {
        layout.boxes.map { box in
            Place(
                name: box.name, x: Self.margin + box.x, y: top + box.y,
                width: GraphLayout.boxWidth, height: box.height)
        }
    }

    /// The diagram as an SVG document. The same story and findings always give the same text.
    public var svg: String {
        var writer = SVGWriter()
        let size = (SVGWriter.number(width), SVGWriter.number(height))
        writer.open(
            "svg",
            [
                "xmlns": "http://www.w3.org/2000/svg", "role": "img", "width": size.0,
                "height": size.1, "viewBox": "0 0 \(size.0) \(size.1)",
            ])
        writer.element("title", holding: story.title)
        writer.element("desc", holding: summary)
        writer.open("style")
        writer.raw(PictureStyle.sheet)
        writer.close("style")
        writer.element(
            "rect", ["width": size.0, "height": size.1, "fill": PictureStyle.ground])
        if layout.pictureHeight == 0 {
            drawTitle(&writer)
        }
        writer.open(
            "g",
            [
                "transform":
                    "translate(\(SVGWriter.number(Self.margin)) \(SVGWriter.number(top)))"
            ])
        drawWays(&writer)
        for box in layout.boxes {
            draw(box, &writer)
        }
        drawLabels(&writer)
        writer.close("g")
        drawLegend(&writer)
        writer.close("svg")
        return writer.text
    }

    private func drawTitle(_ writer: inout SVGWriter) {
        writer.element(
            "text", ["class": "title", "x": SVGWriter.number(Self.margin), "y": "40"],
            holding: SVGWriter.fitted(story.title, letters: 60))
        writer.element(
            "text", ["class": "legend", "x": SVGWriter.number(Self.margin), "y": "60"],
            holding: summary)
    }

    private var summary: String {
        let count = findings.values.reduce(0) { $0 + $1.count }
        let found = count == 0 ? "" : ", \(count) finding\(count == 1 ? "" : "s")"
        let visited = visits.map { ", \($0.count) visit\($0.count == 1 ? "" : "s")" } ?? ""
        let (segments, paths) = (story.segments.count, graph.edges.count)
        return "\(segments) segment\(segments == 1 ? "" : "s"), "
            + "\(paths) path\(paths == 1 ? "" : "s")" + found + visited
    }

    /// The findings about an edge itself.
    func findings(on edge: StoryEdge) -> [StoryFinding] {
        let place = edge.path.steps
        return (findings[edge.from] ?? []).filter { finding in
            if case .choice = edge.kind {
                return finding.path.steps.starts(with: place.dropLast())
            }
            return finding.path.steps == place
        }
    }

    private func drawLegend(_ writer: inout SVGWriter) {
        let y = height - 30
        var x = Self.margin
        func write(_ text: String) {
            writer.element(
                "text",
                [
                    "class": "legend", "x": SVGWriter.number(x), "y": SVGWriter.number(y + 4),
                ], holding: text)
            x += Double(SVGWriter.letters(text)) * 6.4 + 18
        }
        for role in StoryRole.allCases {
            let colours = PictureStyle.colours(of: role)
            writer.element(
                "rect",
                [
                    "x": SVGWriter.number(x), "y": SVGWriter.number(y - 6), "width": "16",
                    "height": "12", "rx": "3", "fill": colours.fill, "stroke": colours.stroke,
                ])
            x += 22
            write(role.rawValue)
        }
        for (name, style) in [
            ("choice, then", "way"), ("default, loop", "way default"), ("finding", "way wrong"),
        ] {
            let (from, to) = (SVGWriter.number(x), SVGWriter.number(x + 28))
            let level = SVGWriter.number(y)
            writer.element("path", ["class": style, "d": "M\(from) \(level) L\(to) \(level)"])
            x += 34
            write(name)
        }
        if visits != nil {
            write("number and width: how often viewers followed it; faint: never")
        }
    }
}
