import Figures
import Foundation
import TimeMaps

private let duration = RationalTime(10, over: 1)

private func curves() throws -> [Curve] {
    BuiltInCurve.allCases.map { .builtIn($0, factor: 1.7, modifier: 0.6) }
        + [
            .scale(try Formula("1 + 0.8*sin(2*pi*t)")), .scale(try Formula("sqrt(2*t + 1/9)")),
            .integral(try Formula("t^2/2 + t")),
            .keyframes(try Keyframe.list(parsing: "0:1, 40%:0.25, 6s:2, 1:1")),
        ]
}

// MARK: - One sample after another

private let sampleCount = 480_000
private let blockSize = 4096

/// What it costs to find the source position of the next sound sample, compared with four calls of `sin`,
/// which are measured alternately with it.
func walkTable() throws -> String {
    var table = MarkdownTable(["curve", "ns a sample", "four sines, ns", "ratio"])
    for curve in try curves() {
        let map = try TimeMap(warping: duration, by: curve.timeScale(duration: duration))
        let times = try nanoseconds(
            "walk", beside: { keep(fourSines()) }, { keep(walk(map)) })
        table.add([
            "\(curve)", figure(times.work / Double(sampleCount)),
            figure(times.other / Double(sampleCount)),
            String(format: "%.2f", times.work / times.other),
        ])
    }
    return table.text
}

private func walk(_ map: TimeMap) -> Double {
    var cursor = map.cursor()
    let sources = UnsafeMutableBufferPointer<Double>.allocate(capacity: blockSize)
    let speeds = UnsafeMutableBufferPointer<Double>.allocate(capacity: blockSize)
    defer {
        sources.deallocate()
        speeds.deallocate()
    }
    let rate = Double(sampleCount) / map.outputDuration
    var sum = 0.0
    for first in stride(from: 0, to: sampleCount, by: blockSize) {
        cursor.fill(sources, speeds, firstTick: Int64(first), ticksPerSecond: rate)
        sum += sources[blockSize - 1]
    }
    return sum
}

private func fourSines() -> Double {
    var sum = 0.0
    for index in 0..<sampleCount {
        let x = Double(index) * 0.001
        sum += sin(x) + sin(x + 1) + sin(x + 2) + sin(x + 3)
    }
    return sum
}

// MARK: - Anywhere

/// The integral and both directions of a map at random positions.
func placesTable() throws -> String {
    var table = MarkdownTable([
        "curve", "F(u), ns", "source time at y, ns", "output time of x, ns",
    ])
    let places = places(20_000)
    let dense = (0...1000).map { "\(Double($0) / 1000):\(1 + 0.5 * sin(Double($0)))" }
    let many = Curve.keyframes(try Keyframe.list(parsing: dense.joined(separator: ", ")))
    for curve in try curves() + [many] {
        let scale = try curve.timeScale(duration: duration)
        let map = try TimeMap(warping: duration, by: scale)
        func each(_ name: String, _ answer: @escaping (Double) -> Double) throws -> String {
            let time = try nanoseconds(name) {
                keep(places.reduce(0) { $0 + answer($1) })
            }
            return figure(time / Double(places.count))
        }
        table.add([
            "\(curve)", try each("integral") { scale.integral(to: $0) },
            try each("source time") { map.sourceTime(at: $0 * map.outputDuration) },
            try each("output time") { map.outputTime(of: $0 * map.sourceDuration) },
        ])
    }
    return table.text
}

// MARK: - Beforehand

func buildingTable() throws -> String {
    var table = MarkdownTable(["formula", "µs", "polynomials"])
    let texts = [
        "1 + 0.8*sin(2*pi*t)", "sqrt(2*t + 1/9)", "1 + 0.9*sin(40*pi*t)", "0.2 + abs(t - 1/3)",
    ]
    for text in texts {
        let formula = try Formula(text)
        let curve = Curve.scale(formula)
        let time = try nanoseconds("table") {
            keep(try curve.timeScale(duration: duration).integral(to: 1))
        }
        let pieces = try IntegratedTimeScale(curve.timeScale(duration: duration)).pieceCount
        table.add([text, figure(time / 1000), "\(pieces)"])
    }
    return table.text
}
