import Testing

@testable import Plotting

@Suite("Line chart")
struct LineChartTests {
    private func chart(
        _ points: [(Double, Double)], x: LineChart.Axis.Spacing = .linear,
        y: LineChart.Axis.Spacing = .linear, copies: Int = 1
    ) throws -> LineChart {
        let line = points.map { LineChart.Point(x: $0.0, y: $0.1) }
        return try LineChart(
            title: "cost", horizontal: .init("length, s", x), vertical: .init("time, s", y),
            series: (0..<copies).map { LineChart.Series("line \($0)", line) })
    }

    @Test("an SVG holds its size, its title, its axes and its figures as text")
    func svg() throws {
        let svg = try chart([(10, 1.5), (60, 9)], copies: 2).svg(width: 641, height: 399)
        #expect(svg.contains("width=\"641px\" height=\"399px\""))
        #expect(svg.contains("<title>cost</title>"))
        #expect(
            svg.contains(
                "<desc>time, s over length, s. line 0: 1.5 at 10, 9 at 60; "
                    + "line 1: 1.5 at 10, 9 at 60.</desc>"))
    }

    @Test("a PNG has its signature and size", arguments: [(320, 240), (960, 600), (400, 2000)])
    func png(width: Int, height: Int) throws {
        let png = try chart([(1, 1), (2, 3)]).png(width: width, height: height)
        #expect(png.prefix(8) == [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
        let size = [png[16..<20], png[20..<24]].map { $0.reduce(0) { $0 << 8 | Int($1) } }
        #expect(size == [width, height])
    }

    @Test("equal charts give equal bytes, others don't")
    func deterministic() throws {
        let rising = try chart([(1, 1), (2, 3)])
        #expect(try rising.svg() == rising.svg())
        #expect(try rising.svg() != chart([(1, 3), (2, 1)]).svg())
        #expect(try rising.svg() != chart([(1, 1), (2, 3)], x: .logarithmic).svg())
    }

    @Test(
        "every shape of data can be drawn, by differences and by ratios",
        arguments: [
            [(1.0, 1.0)], [(1, 2), (2, 2)], [(1e-9, 1e9), (1e9, 1e-9)], [(0.0625, 40), (64, 0.5)],
            [(999.9, 1000), (1000, 1000.1)],
        ] as [[(Double, Double)]])
    func shapes(points: [(Double, Double)]) throws {
        for spacing in [LineChart.Axis.Spacing.linear, .logarithmic] {
            let svg = try chart(points, x: spacing, y: spacing).svg(width: 320, height: 240)
            #expect(svg.contains("</svg>"))
        }
    }

    @Test("equal ratios are equally far apart along a logarithmic axis")
    func logarithmic() throws {
        let layout = try LineChartLayout(
            of: chart([(1, 1), (4, 2), (16, 3)], x: .logarithmic), width: 960, height: 600)
        let places = [1.0, 4, 16].map { layout.horizontal.position(of: $0) }
        // The unit is a pixel, and there are some hundred. The rounding of a logarithm is far smaller.
        #expect(abs((places[1] - places[0]) - (places[2] - places[1])) < 1e-6)
    }

    @Test(
        "all points lie within the panel", arguments: [LineChart.Axis.Spacing.linear, .logarithmic])
    func within(spacing: LineChart.Axis.Spacing) throws {
        let points = [(0.5, 7.0), (3, 900), (600, 0.25)]
        let chart = try chart(points, x: spacing, y: spacing)
        let layout = try LineChartLayout(of: chart, width: 640, height: 400)
        for place in chart.series[0].points.map(layout.place) {
            #expect((layout.panel.x...layout.panel.maxX).contains(place.x))
            #expect((layout.panel.y...layout.panel.maxY).contains(place.y))
        }
    }

    @Test("there is a colour of its own for each of the most lines that are allowed")
    func colours() throws {
        #expect(Set(PlotColour.lines).count == LineChart.mostSeries)
        #expect(try chart([(1, 1)], copies: LineChart.mostSeries).svg().contains("line 5"))
    }

    @Test(
        "data that cannot be drawn is refused",
        arguments: [
            [], [(1.0, .nan)], [(.infinity, 1)], [(2, 1), (1, 1)], [(1, 1), (1, 2)], [(1, 1e10)],
        ] as [[(Double, Double)]])
    func invalid(points: [(Double, Double)]) {
        let error = #expect(throws: PlotError.self) { try chart(points) }
        #expect(error?.code == .invalidData)
    }

    @Test("zero along a logarithmic axis, no lines and too many lines are refused")
    func invalidCounts() {
        #expect(throws: PlotError.self) { try chart([(0, 1)], x: .logarithmic) }
        #expect(throws: PlotError.self) { try chart([(1, 0)], y: .logarithmic) }
        #expect(throws: PlotError.self) { try chart([(1, 1)], copies: 0) }
        #expect(throws: PlotError.self) { try chart([(1, 1)], copies: LineChart.mostSeries + 1) }
    }

    @Test("a picture too small to read is refused", arguments: [(319, 240), (320, 239), (0, 0)])
    func invalidSizes(width: Int, height: Int) throws {
        let chart = try chart([(1, 1)])
        let error = #expect(throws: PlotError.self) { try chart.svg(width: width, height: height) }
        #expect(error?.code == .invalidSize)
    }
}
