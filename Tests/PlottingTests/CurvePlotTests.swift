import Foundation
import Testing

@testable import Plotting

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// Samples of a curve, and its integral by the midpoint rule, which is exact enough for a plot.
private func samples(
    count: Int = 200, of scale: (Double) -> Double = { 1 + $0 }
) -> [CurvePlot.Sample] {
    var integral = 0.0
    return (0...count).map { index in
        let u = Double(index) / Double(count)
        if index > 0 { integral += scale(u - 0.5 / Double(count)) / Double(count) }
        return CurvePlot.Sample(u: u, scale: scale(u), integral: integral)
    }
}

/// The text of every element of an XML document, or `nil` if it is not well formed.
private final class XMLText: NSObject, XMLParserDelegate {
    private(set) var texts: [String: String] = [:]
    private var elements: [String] = []

    static func parse(_ document: String) -> [String: String]? {
        let reader = XMLText()
        let parser = XMLParser(data: Data(document.utf8))
        parser.delegate = reader
        return parser.parse() ? reader.texts : nil
    }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
        qualifiedName: String?, attributes: [String: String]
    ) {
        elements.append(name)
    }

    func parser(
        _ parser: XMLParser, didEndElement name: String, namespaceURI: String?,
        qualifiedName: String?
    ) {
        elements.removeLast()
    }

    func parser(_ parser: XMLParser, foundCharacters text: String) {
        texts[elements.last ?? "", default: ""] += text
    }
}

@Suite("Curve plot")
struct CurvePlotTests {
    @Test("an SVG is well-formed XML with its title and captions as text")
    func svg() throws {
        let plot = try CurvePlot(
            title: "a <b> & \"c\" ]]> é\u{0}\u{8}", samples: samples(), sourceDuration: 10)
        let texts = try #require(XMLText.parse(try plot.svg(width: 640, height: 400)))
        #expect(texts["title"] == "a <b> & \"c\" ]]> é")
        let captions = try #require(texts["desc"])
        #expect(captions.contains("Minimum s: 1 (normal speed)"))
        #expect(captions.contains("Maximum s: 2 (0.5× speed)"))
        #expect(captions.contains("Average s: 1.5 (0.6667× speed)"))
        #expect(captions.contains("Source duration: 10 s"))
        #expect(captions.contains("Expected duration: 15 s (5 s longer)"))
    }

    @Test("an SVG has the size that was asked for, in pixels")
    func svgSize() throws {
        let svg = try CurvePlot(title: "size", samples: samples()).svg(width: 641, height: 399)
        #expect(svg.contains("width=\"641px\" height=\"399px\""))
    }

    @Test(
        "a PNG has its signature and size",
        arguments: [(320, 240), (480, 320), (1920, 1080), (400, 2000), (4000, 240)])
    func png(width: Int, height: Int) throws {
        let png = try CurvePlot(title: "PNG", samples: samples()).png(width: width, height: height)
        #expect(png.prefix(8) == [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
        let size = [png[16..<20], png[20..<24]].map { $0.reduce(0) { $0 << 8 | Int($1) } }
        #expect(size == [width, height])
    }

    @Test("equal plots give equal bytes")
    func deterministic() throws {
        let plot = try CurvePlot(title: "again", samples: samples(), sourceDuration: 3)
        #expect(try plot.png(width: 480, height: 320) == plot.png(width: 480, height: 320))
        #expect(try plot.svg(width: 480, height: 320) == plot.svg(width: 480, height: 320))
    }

    @Test("plots of different curves differ")
    func showsTheCurve() throws {
        let rising = try CurvePlot(title: "x", samples: samples())
        let falling = try CurvePlot(title: "x", samples: samples { 2 - $0 })
        #expect(try rising.png(width: 480, height: 320) != falling.png(width: 480, height: 320))
    }

    @Test(
        "every shape of curve can be drawn",
        arguments: [
            [(0.0, 1.0, 0.0), (1, 1, 1)],
            [(0, 1e9, 0), (1, 1e9, 1e9)],
            [(0, -1e9, 0), (1, 1e9, 0)],
            [(0, 0, 0), (1, 0, 0)],
            [(0, 1e-9, 0), (1, 1e-9, 1e-9)],
            [(0, 0.001, 0), (1, 1000, 500)],
            [(0, 1, 0), (0.5, 1, 0.5), (0.5, 4, 0.5), (0.5, 2, 0.5), (1, 2, 1.5)],
            [(0.25, 1, 0.25), (0.25, 2, 0.25), (0.5, 1, 0.5)],
            [(0, 1, -5), (1, 1, -4)],
        ] as [[(Double, Double, Double)]])
    func shapes(points: [(Double, Double, Double)]) throws {
        let samples = points.map { CurvePlot.Sample(u: $0.0, scale: $0.1, integral: $0.2) }
        for duration in [nil, 1e-6, 5, 4000, 1e9] as [Double?] {
            let plot = try CurvePlot(title: "shape", samples: samples, sourceDuration: duration)
            #expect(XMLText.parse(try plot.svg(width: 320, height: 240)) != nil)
        }
    }

    @Test("extremes between the samples and a known output duration are taken")
    func givenFigures() throws {
        let plot = try CurvePlot(
            title: "", samples: samples(), sourceDuration: 10, outputDuration: 15.25, minimum: 0.5,
            maximum: 1.5)
        #expect(plot.minimum == 0.5)
        #expect(plot.maximum == 2)
        #expect(plot.captions.last?.value == "15.25 s")
        // The midpoint rule is exact for a straight line, except for rounding.
        #expect(abs(plot.average - 1.5) < 1e-12)
    }

    @Test("a jump is drawn as one, not as a slope")
    func jump() throws {
        func image(_ places: (Double, Double)) throws -> [UInt8] {
            let points: [(Double, Double, Double)] = [
                (0, 1, 0), (places.0, 1, 0.5), (places.1, 2, 0.5), (1, 2, 1.5),
            ]
            return try CurvePlot(
                title: "", samples: points.map { .init(u: $0.0, scale: $0.1, integral: $0.2) }
            ).png(width: 480, height: 320)
        }
        #expect(try image((0.5, 0.5)) != image((0.5, 0.5.nextUp)))
    }

    @Test(
        "data that cannot be drawn is refused",
        arguments: [
            [], [(0.0, 1.0, 0.0)], [(0.5, 1, 0), (0.5, 2, 0)], [(0.5, 1, 0), (0.2, 1, 0)],
            [(0, .nan, 0), (1, 1, 1)], [(0, 1, 0), (1, .infinity, 1)], [(-0.1, 1, 0), (1, 1, 1)],
            [(0, 1, 0), (1.1, 1, 1)], [(.nan, 1, 0), (1, 1, 1)], [(0, 1, 0), (1, 1e300, 1)],
        ] as [[(Double, Double, Double)]])
    func invalidSamples(points: [(Double, Double, Double)]) {
        let samples = points.map { CurvePlot.Sample(u: $0.0, scale: $0.1, integral: $0.2) }
        let error = #expect(throws: PlotError.self) { try CurvePlot(title: "", samples: samples) }
        #expect(error?.code == .invalidData)
    }

    @Test("durations of zero, below and beyond are refused", arguments: [0, -1, .nan, 1e10])
    func invalidDurations(duration: Double) {
        #expect(throws: PlotError.self) {
            try CurvePlot(title: "", samples: samples(), sourceDuration: duration)
        }
        #expect(throws: PlotError.self) {
            try CurvePlot(title: "", samples: samples(), outputDuration: duration)
        }
    }

    @Test(
        "a picture too small to read or too large for Cairo is refused",
        arguments: [(319, 240), (320, 239), (0, 0), (-5, 400), (16385, 400), (400, .max)])
    func invalidSizes(width: Int, height: Int) throws {
        let plot = try CurvePlot(title: "", samples: samples())
        for draw in [
            { _ = try plot.png(width: width, height: height) },
            {
                _ = try plot.svg(width: width, height: height)
            },
        ] {
            let error = #expect(throws: PlotError.self, performing: draw)
            #expect(error?.code == .invalidSize)
        }
    }
}
