import Foundation
import Testing

@testable import Stories

#if canImport(FoundationXML)
    import FoundationXML
#endif

@Suite("The picture of the graph")
struct StoryPictureTests {
    private func isXML(_ text: String) -> Bool {
        XMLParser(data: Data(text.utf8)).parse()
    }

    @Test("shows every segment, label and default, and is well-formed")
    func example() throws {
        let story = try Sample.file(Sample.lockedRoom).story
        let svg = StoryPicture(of: story).svg
        #expect(isXML(svg))
        for text in ["prologue", "door", "garden", "hall", "Open it", "Walk away", "default"] {
            #expect(svg.contains(">\(text)"), "\(text)")
        }
        #expect(svg.contains("4 segments, 5 paths"))
        #expect(svg.contains(">start<"))
        #expect(!svg.contains("class=\"badge\""))
        #expect(StoryPicture(of: story).svg == svg)
    }

    @Test("findings are red, numbered and told")
    func findings() throws {
        let story = try Sample.story(
            """
            "a": { "media": "m", "choices": [ { "label": "On", "goto": "gone" },
                                              { "label": "End", "goto": "end" } ] },
            "end": { "media": "m", "role": "epilogue" }
            """)
        let svg = StoryPicture(of: story, findings: StoryLinter(story).findings()).svg
        #expect(isXML(svg))
        #expect(svg.contains("class=\"badge\""))
        #expect(svg.contains(">! On<"))
        #expect(svg.contains(">missing<"))
        #expect(svg.contains("There is no segment &quot;gone&quot;."))
    }

    @Test("hostile names stay text")
    func escaping() throws {
        let story = try Sample.story(
            #""<script>&\"'": { "media": "m\u0000]]>".., "role": "epilogue" }"#
                .replacingOccurrences(of: "\\u0000]]>\"..", with: "]]>\""),
            start: "<script>&\\\"'")
        let svg = StoryPicture(of: story).svg
        #expect(isXML(svg))
        #expect(!svg.contains("<script"))
    }

    @Test("long labels are cut at a width, wide letters counting twice")
    func fitting() {
        #expect(SVGWriter.fitted("short", letters: 8) == "short")
        #expect(SVGWriter.fitted("a longer label", letters: 8) == "a longe…")
        #expect(SVGWriter.fitted("密室密室密室", letters: 8) == "密室密室…")
        #expect(SVGWriter.number(-0.04) == "0" && SVGWriter.number(12.34) == "12.3")
        #expect(SVGWriter.number(-12.35) == "-12.4" || SVGWriter.number(-12.35) == "-12.3")
    }

    @Test(
        "no two boxes overlap, and arrows go forward unless they are part of a ring",
        arguments: 1...30 as ClosedRange<UInt64>)
    func layout(seed: UInt64) throws {
        var maker = StoryMaker(seed: seed)
        let story = try Sample.file(maker.json(segments: 2 + Int(seed))).story
        let graph = StoryGraph(story)
        let layout = GraphLayout(graph)
        #expect(layout.boxes.count == story.segments.count)
        for (index, box) in layout.boxes.enumerated() {
            #expect(box.y >= -1e-9 && box.y + box.height <= layout.height + 1e-6, "seed \(seed)")
            for other in layout.boxes[..<index] where other.x == box.x {
                let apart = abs(other.middle - box.middle)
                #expect(apart >= (other.height + box.height) / 2, "seed \(seed)")
            }
        }
        for (index, edge) in graph.edges.enumerated() where edge.from != edge.to {
            let first = try #require(layout.bends[index].first)
            let last = try #require(layout.bends[index].last)
            let from = try #require(layout.box(named: edge.from))
            let to = try #require(layout.box(named: edge.to))
            let isForward = first.fromX < last.toX
            #expect(first.fromX == from.x + (isForward ? GraphLayout.boxWidth : 0), "seed \(seed)")
            #expect(last.toX == to.x + (isForward ? 0 : GraphLayout.boxWidth), "seed \(seed)")
            for (bend, next) in zip(layout.bends[index], layout.bends[index].dropFirst()) {
                #expect(
                    bend.toY == next.fromY && abs(bend.toX - next.fromX) == GraphLayout.boxWidth)
            }
        }
    }

    @Test("three hundred segments are drawn")
    func large() throws {
        var maker = StoryMaker(seed: 5)
        let story = try Sample.file(maker.json(segments: 300)).story
        let svg = StoryPicture(of: story, findings: StoryLinter(story).findings()).svg
        #expect(isXML(svg))
        #expect(svg.contains("300 segments"))
    }

    @Test("the places of boxes are those in the document")
    func places() throws {
        let story = try Sample.file(Sample.lockedRoom).story
        let picture = StoryPicture(of: story)
        #expect(picture.places.map(\.name).sorted() == story.segments.keys.sorted())
        for place in picture.places {
            let (x, y) = (place.x - StoryPicture.margin, place.y - picture.top)
            let corner = "x=\"\(SVGWriter.number(x))\" y=\"\(SVGWriter.number(y))\""
            #expect(picture.svg.contains("<rect \(corner)"))
            #expect(place.x + place.width <= picture.width)
            #expect(place.y + place.height <= picture.height)
        }
    }
}
