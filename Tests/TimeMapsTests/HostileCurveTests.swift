import Foundation
import ProcessorTime
import Testing

@testable import TimeMaps

/// Curves that ask for more work than fits into a second.
@Suite("Hostile curves")
struct HostileCurveTests {
    // MARK: - Work

    @Test("a wild formula is refused within a second, however long it is")
    func wildFormulas() throws {
        let texts = [
            "1 + sin(1e9*t)", "1" + String(repeating: "+sin(1e9*t)", count: 900),
            "1 + floor(t*1e6)/1e6",
        ]
        for text in texts {
            let formula = try Formula(text)
            for curve in [Curve.scale(formula), .speed(formula), .integral(formula)] {
                let seconds = processorSeconds {
                    #expect(throws: CurveError.self) {
                        try TimeMap(
                            warping: RationalTime(10, over: 1),
                            by: curve.timeScale(duration: RationalTime(10, over: 1)))
                    }
                }
                #expect(seconds < 1, "\(curve.description.prefix(60))")
            }
        }
    }

    @Test("a curve of wild parts is refused within a second")
    func wildParts() throws {
        let formula = try Formula("1 + floor(t*5000)/5000")
        let parts = try (0..<100).map { part in
            try Curve.Component(
                from: Double(part) / 100, to: Double(part) / 100 + 0.009, curve: .scale(formula))
        }
        let seconds = processorSeconds {
            #expect(throws: CurveError.self) {
                try Curve.components(parts).timeScale(duration: RationalTime(10, over: 1))
            }
        }
        #expect(seconds < 1)
    }

    @Test("a curve of thousands of tame parts is read within seconds")
    func manyParts() throws {
        let parts = try (0..<4000).map { part in
            try Curve.Component(
                from: Double(part) / 4000, to: (Double(part) + 0.9) / 4000,
                curve: .builtIn(.triangle))
        }
        let duration = RationalTime(10, over: 1)
        let seconds = try processorSeconds {
            _ = try TimeMap(
                warping: duration, by: Curve.components(parts).timeScale(duration: duration))
        }
        #expect(seconds < 2)
    }

    @Test("a scale that is nearly nothing gives a map of numbers (found by fuzzing)")
    func vanishing() throws {
        let duration = RationalTime(10, over: 1)
        let scale = try Curve.scale(Formula("t < 0.5 ? 2 : 1/(1e308 + t)")).timeScale(
            duration: duration)
        let map = try TimeMap(warping: duration, by: scale)
        #expect(abs(map.outputDuration - 10) < 1e-9)
        for y in stride(from: 0, through: 10, by: 0.5) {
            #expect(abs(map.sourceTime(at: y) - y / 2) < 1e-6)
        }
    }

    // MARK: - Frames without number

    @Test("a clip of any number of frames is checked by its curve", arguments: [1e-4, 1e-9, 1e-18])
    func endlessClip(frameDuration: Double) throws {
        let duration = RationalTime(1_000_000_000, over: 1)
        for curve in BuiltInCurve.allCases {
            let seconds = try processorSeconds {
                let map = try TimeMap(
                    warping: duration, by: curve.timeScale(), frameDuration: frameDuration)
                #expect(map.outputDuration > 1e8)
            }
            #expect(seconds < 0.5, "\(curve)")
        }
    }

    @Test("frames of no length, or none that is a number, count as a thousandth of the clip")
    func frameDurations() throws {
        let duration = RationalTime(10, over: 1)
        let scale = try BuiltInCurve.ramp.timeScale()
        for frame in [0, -1, Double.nan, -Double.infinity] {
            let map = try TimeMap(warping: duration, by: scale, frameDuration: frame)
            #expect(map.outputDuration == 12.5)
        }
    }

    @Test("a fall across a frame is found in a clip of a thousand million frames")
    func hiddenFall() throws {
        // Negative for 0.2 s of 1e8 s: that is 6 frames.
        let scale = try ClosureScale(breakpoints: [0.3 - 1e-9, 0.3 + 1e-9]) {
            abs($0 - 0.3) < 1e-9 ? -1 : 1
        }
        let map = try TimeMap(
            warping: RationalTime(100_000_000, over: 1), by: scale, frameDuration: 1.0 / 30)
        #expect(map.warnings.count == 1)
        #expect(map.warnings.first?.contains("negative") == true)
    }

    @Test("an outline of hundreds of thousands of pieces takes no longer than they do")
    func outline() throws {
        let tick = RationalTime(1, over: 1000)
        let points = try (0...200_000).map { (index: Int) -> TimeAnchor in
            TimeAnchor(
                source: try tick.multiplied(by: Int64(index * 7919 % 1000), over: 1),
                output: try tick.multiplied(by: Int64(index), over: 1))
        }
        let map = try TimeMap(through: points, sourceDuration: RationalTime(1, over: 1))
        var count = 0
        let seconds = processorSeconds {
            count = map.outline(within: 1e-3).output.count
        }
        #expect(count >= 200_000)
        #expect(seconds < 1)
    }
}
