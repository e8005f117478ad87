import Testing

@testable import TimeMaps

@Suite("The outline of a map")
struct TimeMapOutlineTests {
    /// The outline's source time, with straight lines between its points.
    private func source(_ outline: TimeMap.Outline, at y: Double) -> Double {
        var (first, end) = (0, outline.output.count)
        while first < end {
            let middle = (first + end) / 2
            (first, end) = outline.output[middle] > y ? (first, middle) : (middle + 1, end)
        }
        let after = min(first, outline.output.count - 1)
        let (a, b) = (after - 1, after)
        let share = (y - outline.output[a]) / (outline.output[b] - outline.output[a])
        return outline.source[a] + share * (outline.source[b] - outline.source[a])
    }

    @Test(
        "it stays as near as was asked, on every built-in curve", arguments: BuiltInCurve.allCases)
    func tolerance(_ curve: BuiltInCurve) throws {
        let duration = RationalTime(600, over: 1)
        let map = try TimeMap(
            warping: duration,
            by: Curve.builtIn(curve, factor: 1.7, modifier: 0.4).timeScale(duration: duration))
        let tolerance = 1 / 240.0
        let outline = map.outline(within: tolerance)
        #expect(outline.output.first == 0)
        #expect(outline.output.last == map.outputDuration)
        #expect(outline.source.last == 600)
        let worst = (1..<50_000).map { step in
            let y = map.outputDuration * Double(step) / 50_000
            return abs(source(outline, at: y) - map.sourceTime(at: y))
        }.max()
        // `outline` checks seven instants of each line. Between them a smooth curve deviates slightly more.
        #expect(try #require(worst) < 1.1 * tolerance)
    }

    @Test("straight maps need their ends alone")
    func straight() throws {
        let map = TimeMap.reversed(RationalTime(5, over: 1))
        let outline = map.outline(within: 0.001)
        #expect(outline == TimeMap.Outline(output: [0, 5], source: [5, 0]))
    }

    @Test("a cut is two points at one output time, a freeze two with one source time")
    func cutsAndFreezes() throws {
        let points = [(0, 0), (2, 2), (4, 2), (4, 3)].map { source, output in
            TimeAnchor(
                source: RationalTime(source, over: 1), output: RationalTime(output, over: 1))
        }
        let map = try TimeMap(through: points, sourceDuration: RationalTime(5, over: 1))
        let outline = map.outline(within: 0.001)
        #expect(outline.output == [0, 2, 2, 3])
        #expect(outline.source == [0, 2, 4, 4])
    }

    @Test("ten hours of a wild curve stay within the points that were allowed")
    func bounded() throws {
        let duration = RationalTime(36_000, over: 1)
        let map = try TimeMap(
            warping: duration,
            by: Curve.builtIn(.cosine, factor: 4, modifier: 1).timeScale(duration: duration))
        #expect(map.outline(within: 1e-9, mostPoints: 1000).output.count < 2 * 1000 + 32)
    }
}
