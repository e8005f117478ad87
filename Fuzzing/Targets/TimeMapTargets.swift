import Foundation
import TimeMaps
import TimeWarp

extension FuzzTarget {
    /// `--time-map` with JSON.
    static let timeMap = FuzzTarget(
        "time-map",
        data: { json in
            let document = try TimeMapDocument(json: json)
            attempt {
                let again = try TimeMapDocument(json: document.json())
                require(again == document, "written and read again it is another time map")
            }
            let last = document.points.map(\.source).max() ?? .zero
            for duration in [RationalTime(10, over: 1), last] {
                attempt {
                    let map = try TimeMap(through: document.points, sourceDuration: duration)
                    map.checkPromises()
                    checkUse(of: map)
                }
            }
        })

    /// `--time-map` with a framecurve.
    static let frameCurve = FuzzTarget(
        "framecurve",
        text: { text in
            let curve = try FrameCurve(parsing: text)
            let last = curve.points.map(\.sourceFrame).max() ?? 1
            let whole = try RationalTime(seconds: last.rounded(.up) / 25, timescale: 25)
            for duration in [RationalTime(10, over: 1), whole] {
                attempt {
                    let map = try curve.map(
                        outputFrameDuration: RationalTime(1001, over: 30_000),
                        frameStart: { $0 / 25 }, sourceDuration: duration)
                    map.checkPromises()
                    checkUse(of: map)
                }
            }
        })

    /// Applies the usual operations to a parsed map.
    private static func checkUse(of map: TimeMap) {
        let outline = map.outline(within: 0.01)
        require(
            outline.output.count <= 2 * map.pieces.count + 50_000,
            "an outline of \(outline.output.count) points")
        require(outline.output.count == outline.source.count, "half a point")
        require(
            zip(outline.output, outline.output.dropFirst()).allSatisfy { $0 <= $1 },
            "an outline that goes back")
        attempt { try map.thereAndBack(turningAt: map.outputDuration / 3).checkPromises() }
    }

    /// Durations, rates, fractions and anchors as people write them, one on each line.
    static let texts = FuzzTarget(
        "texts",
        text: { text in
            for line in text.split(separator: "\n", omittingEmptySubsequences: false).prefix(100) {
                check(String(line))
            }
        })

    private static func check(_ text: String) {
        attempt {
            let time = try RationalTime(parsing: text)
            require(time >= .zero, "\(text) is a negative duration")
            require(try RationalTime(parsing: "\(time.value)/\(time.timescale)") == time, text)
            _ = try time.multiplied(by: 1001, over: 30_000)
            _ = try time.converted(to: 90_000, rounding: .nearest)
            _ = try TimeMap.uniform(from: RationalTime(10, over: 1), to: time)
        }
        attempt {
            let time = try RationalTime(parsingSigned: text)
            _ = try time + RationalTime(1, over: 3)
            _ = try RationalTime(1, over: 3) - time
            _ = time.hashValue
        }
        if let rate = RenderSettings.OutputRate(parsing: text) {
            require(RenderSettings.OutputRate(parsing: rate.text) == rate, "\(text): \(rate.text)")
        }
        if let fraction = DecimalFraction(parsing: text) {
            require(fraction.value.isFinite, text)
        }
        attempt { _ = try Easing(parsing: text) }
    }
}
