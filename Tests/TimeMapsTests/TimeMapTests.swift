import Foundation
import ProcessorTime
import Testing

@testable import TimeMaps

@Suite("Time maps")
struct TimeMapTests {
    private let ten = RationalTime(10, over: 1)

    private func map(_ curve: Curve, _ duration: RationalTime? = nil) throws -> TimeMap {
        let duration = duration ?? ten
        return try TimeMap(warping: duration, by: curve.timeScale(duration: duration))
    }

    private func randomMap(_ generator: inout SplitMix64) throws -> TimeMap {
        let curve = BuiltInCurve.allCases.randomElement(using: &generator) ?? .ramp
        return try map(
            .builtIn(
                curve, factor: .random(in: 0.2...4, using: &generator),
                modifier: .random(in: 0.1...1, using: &generator)))
    }

    @Test("source time x is shown at D·F(x/D), and back", arguments: BuiltInCurve.allCases)
    func integralAndInverse(curve: BuiltInCurve) throws {
        let scale = try curve.timeScale(factor: 1.7, modifier: 0.6)
        let map = try map(.builtIn(curve, factor: 1.7, modifier: 0.6))
        #expect(abs(map.outputDuration - 10 * scale.integral(to: 1)) < 1e-12)
        #expect(map.isRising)
        for step in 0...500 {
            let x = Double(step) / 50
            let y = map.outputTime(of: x)
            #expect(abs(y - 10 * scale.integral(to: x / 10)) < 1e-11)
            #expect(abs(map.sourceTime(at: y) - x) < 1e-9)
        }
    }

    @Test("maps rise and invert, whatever the curve (seed 1)")
    func property() throws {
        var generator = SplitMix64(seed: 1)
        for _ in 0..<60 {
            let map = try randomMap(&generator)
            var last = -1.0
            for _ in 0..<50 {
                let y = Double.random(in: 0...map.outputDuration, using: &generator)
                let x = map.sourceTime(at: y)
                #expect(abs(map.outputTime(of: x) - y) < 1e-9)
                #expect(map.speed(at: y) >= 0)
            }
            for step in 0...100 {
                let x = map.sourceTime(at: map.outputDuration * Double(step) / 100)
                #expect(x > last)
                last = x
            }
        }
    }

    @Test("a cursor answers as the map does, forward, backward and far apart (seed 2)")
    func cursor() throws {
        var generator = SplitMix64(seed: 2)
        for _ in 0..<20 {
            let map = try randomMap(&generator)
            var cursor = map.cursor()
            for step in 0..<2000 {
                let y = Double(step) / 48_000 + map.outputDuration / 3
                let (source, speed) = cursor.position(at: y)
                #expect(abs(source - map.sourceTime(at: y)) < 1e-11)
                #expect(abs(speed - map.speed(at: y)) < 1e-6 * max(1, speed))
            }
            for _ in 0..<200 {
                let y = Double.random(in: 0...map.outputDuration, using: &generator)
                #expect(abs(cursor.position(at: y).source - map.sourceTime(at: y)) < 1e-11)
            }
        }
    }

    @Test("a map ends at its source's ends, also where the time scale touches 0 there")
    func ends() throws {
        let duration = RationalTime(10, over: 1)
        for isFlipped in [false, true] {
            var curve = Curve.scale(try Formula("1.2 * smoothstep(0, 8.501, t)"))
            curve.isFlipped = isFlipped
            let map = try TimeMap(warping: duration, by: curve.timeScale(duration: duration))
            var cursor = map.cursor()
            for step in 0...40 {
                let y = map.outputDuration * Double(step) / 40
                let (walked, there) = (cursor.position(at: y).source, map.sourceTime(at: y))
                #expect(abs(walked - there) < 1e-9)
                if step % 40 == 0 {
                    #expect(there == (step == 0 ? 0 : 10))
                }
            }
            #expect(map.outputTime(of: 0) == 0)
        }
    }

    @Test("filling ticks equals asking for each, whatever parts they are filled in (seed 4)")
    func filledTicks() throws {
        var generator = SplitMix64(seed: 4)
        for _ in 0..<8 {
            let map = try randomMap(&generator)
            let rate: Double = [8000.0, 44_100.0, 96_000.0].randomElement(using: &generator) ?? 0
            let count = min(Int(map.outputDuration * rate), 200_000)
            func filled(inPartsOf length: Int) -> (sources: [Double], speeds: [Double]) {
                var (sources, speeds) = (
                    [Double](repeating: 0, count: count), [Double](repeating: 0, count: count)
                )
                var cursor = map.cursor()
                for start in stride(from: 0, to: count, by: length) {
                    let part = start..<min(start + length, count)
                    sources.withUnsafeMutableBufferPointer { sources in
                        speeds.withUnsafeMutableBufferPointer { speeds in
                            cursor.fill(
                                UnsafeMutableBufferPointer(rebasing: sources[part]),
                                UnsafeMutableBufferPointer(rebasing: speeds[part]),
                                firstTick: Int64(start), ticksPerSecond: rate)
                        }
                    }
                }
                return (sources, speeds)
            }
            let whole = filled(inPartsOf: count)
            #expect(filled(inPartsOf: 1000) == whole)
            #expect(filled(inPartsOf: 37) == whole)
            let errors = whole.sources.enumerated().map {
                abs($0.element - map.sourceTime(at: Double($0.offset) / rate))
            }
            #expect((errors.max() ?? 1) < 1e-11)
            let speedErrors = whole.speeds.enumerated().map {
                abs($0.element - map.speed(at: Double($0.offset) / rate)) / max(1, $0.element)
            }
            #expect((speedErrors.max() ?? 1) < 1e-6)
        }
    }

    @Test("composing and then applying equals applying twice (seed 3)")
    func composition() throws {
        var generator = SplitMix64(seed: 3)
        for round in 0..<40 {
            let outer = try randomMap(&generator)
            let lasts = RationalTime(Int64(outer.outputDuration * 1e6), over: 1_000_000)
            let inner: TimeMap
            switch round % 3 {
            case 0: inner = try .uniform(from: lasts, to: ten)
            case 1: inner = .reversed(lasts)
            default:
                inner = try TimeMap(
                    warping: lasts, by: BuiltInCurve.triangle.timeScale(factor: 3, modifier: 0.9))
            }
            let composed = try outer.composed(after: inner)
            #expect(abs(composed.outputDuration - inner.outputDuration) < 1e-9)
            for step in 0...100 {
                let z = inner.outputDuration * Double(step) / 100
                let twice = outer.sourceTime(at: inner.sourceTime(at: z))
                #expect(abs(composed.sourceTime(at: z) - twice) < 1e-8, "round \(round) at \(z)")
            }
        }
    }

    @Test("a uniform map is exact over a day")
    func exactUniform() throws {
        let day = RationalTime(86_400, over: 1)
        let map = try TimeMap.uniform(from: day, to: RationalTime(86_424, over: 1))
        let instant = RationalTime(86_399 * 48_000 + 1, over: 48_000)
        let placed = try map.outputTime(of: instant, timescale: 1_000_000_000, rounding: .nearest)
        let exact = Int128(instant.value) * 86_424 * 1_000_000_000 / (48_000 * 86_400)
        #expect(abs(Int128(placed.value) - exact) <= 1)
        #expect(map.exactOutputDuration == RationalTime(86_424, over: 1))
    }

    @Test("reversing twice is the identity")
    func reversedTwice() throws {
        let twice = try TimeMap.reversed(ten).composed(after: .reversed(ten))
        for step in 0...100 {
            let y = Double(step) / 10
            #expect(abs(twice.sourceTime(at: y) - y) < 1e-12)
        }
        #expect(twice.isRising)
        #expect(!TimeMap.reversed(ten).isRising)
    }

    @Test("a fitted curve keeps its shape and lasts exactly as long as asked")
    func fit() throws {
        let curve = Curve.builtIn(.triangle, factor: 3, modifier: 1)
        let free = try map(curve)
        let fitted = try TimeMap(
            warping: ten, by: curve.timeScale(duration: ten), lasting: RationalTime(31, over: 7))
        #expect(fitted.exactOutputDuration == RationalTime(31, over: 7))
        let ratio = 31.0 / 7 / free.outputDuration
        for x in [1, 4, 5, 9.5] {
            #expect(abs(fitted.outputTime(of: x) - free.outputTime(of: x) * ratio) < 1e-11)
        }
    }

    /// Integrands, and their integrals over [0,1].
    static let examples: [(String, Double)] = [
        ("1 - 0.9*smoothstep(0,1,1-t)", 0.55), ("0.1 + 0.9*smoothstep(0,1,t)", 0.55),
        ("1 + 2*smoothstep(0,1,t)", 2), ("3 - 2*smoothstep(0,1,t)", 2), ("cos(6*pi*t) + 1", 1),
        ("cos(12*pi*t) + 1", 1), ("sqrt(2*t + 1/9)", (pow(19.0 / 9, 1.5) - 1.0 / 27) / 3),
        ("1/sqrt(2*t + 1/9)", (19.0 / 9).squareRoot() - 1.0 / 3), ("t", 0.5), ("2", 2),
        ("1/2", 0.5),
    ]

    @Test("the examples last what their integrals say", arguments: examples)
    func exampleDurations(formula: String, total: Double) throws {
        let scale = try Curve.scale(Formula(formula)).timeScale(duration: ten)
        let map = try TimeMap(warping: ten, by: scale, frameDuration: 1.0 / 30)
        #expect(abs(map.outputDuration - 10 * total) < 1e-8)
    }

    @Test("antiderivatives last their gain", arguments: [("t/2", 0.5), ("2*t", 2), ("t^2/2", 0.5)])
    func antiderivatives(formula: String, total: Double) throws {
        let scale = try Curve.integral(Formula(formula)).timeScale(duration: ten)
        let map = try TimeMap(warping: ten, by: scale, frameDuration: 1.0 / 30)
        #expect(abs(map.outputDuration - 10 * total) < 1e-8)
    }
}

@Suite("What a curve may do")
struct ValidityTests {
    private func warp(_ formula: String, seconds: Int64 = 10) throws -> TimeMap {
        let duration = RationalTime(seconds, over: 1)
        return try TimeMap(
            warping: duration, by: Curve.scale(Formula(formula)).timeScale(duration: duration),
            frameDuration: 1.0 / 30)
    }

    private func error(_ formula: String) -> CurveError? {
        do {
            _ = try warp(formula)
            return nil
        } catch {
            return error as? CurveError
        }
    }

    @Test("touching zero is fine, also in a long clip")
    func touchingZero() throws {
        for formula in ["t", "cos(6*pi*t) + 1", "cos(12*pi*t) + 1"] {
            #expect(try warp(formula).warnings.isEmpty)
            #expect(try warp(formula, seconds: 3600).isRising)
        }
    }

    @Test("a curve whose output would end at or below zero is rejected")
    func endsBelowZero() throws {
        for formula in ["1 - 3*t", "1 - 2*t", "t < 0.25 ? 1 : -1", "t < 0.8 ? -1 : 1", "-1"] {
            let found = try #require(error(formula))
            #expect(found.code == .fallsBackwards)
            #expect((found.value ?? 1) < 0)
            #expect(found.description.contains("to play backwards, use keyframes"))
        }
        let found = try #require(error("1 - 3*t"))
        #expect(abs((found.sourceTime ?? 0) - 10.0 / 3) < 1e-6)
        #expect(found.description.contains("would end at -5"))
    }

    /// Formulas; the part of a clip of 10 s that is passed over; and the running maximum of F at the clip's end, by hand.
    static let falls: [(String, Range<Double>, Double)] = [
        // Negative for 1/100 s around 5 s, less than a frame.
        ("abs(t - 0.5) < 0.0005 ? -0.5 : 1", 4.995..<5.01, 0.9985),
        // It falls by 0.1 from 4 s to 5 s, and is back at 6 s.
        ("abs(t - 0.45) < 0.05 ? -1 : 1", 4..<6, 0.8),
        // It never comes back: the rest isn't seen.
        ("t < 0.8 ? 1 : -1", 8..<10, 0.8),
        // It falls first, by 0.1 until 1 s.
        ("t < 0.1 ? -1 : 1", 0..<2, 0.8),
        // It is 0 at 1/2 ± √0.05, and F is as high again at 1/2 + 2√0.05.
        ("6*t^2 - 6*t + 1.2", 2.763932..<9.472136, 0.2),
    ]

    @Test("where a scale is negative, the map is the running maximum of F", arguments: falls)
    func falling(formula: String, passed: Range<Double>, end: Double) throws {
        for seconds: Int64 in [10, 36_000] {
            let map = try warp(formula, seconds: seconds)
            let unit = Double(seconds) / 10
            #expect(map.isRising)
            #expect(abs(map.outputDuration / Double(seconds) - end) < 1e-6)
            let warning = try #require(map.warnings.first)
            #expect(map.warnings.count == 1)
            #expect(warning.contains("negative"))
            // What is passed over has one output time, and no output time shows any of it.
            let times = [passed.lowerBound, passed.upperBound].map { map.outputTime(of: $0 * unit) }
            #expect(abs(times[0] - times[1]) < 1e-5 * unit)
            for step in 0...1000 {
                let y = map.outputDuration * Double(step) / 1000
                let source = map.sourceTime(at: y) / unit
                #expect(source < passed.lowerBound + 1e-5 || source > passed.upperBound - 1e-5)
            }
        }
    }

    @Test("a wave that dips below zero is a good curve")
    func waveBelowZero() throws {
        // Three periods, each with the mean 1: what is lost in a fall is gained by the wave's crest.
        let map = try warp("1.5*cos(6*pi*t) + 1")
        #expect(abs(map.outputDuration - 10) < 1e-6)
        #expect(map.warnings.count == 3)
        #expect(map.isRising)
    }

    @Test("too slow and too fast are rejected")
    func limits() {
        #expect(error("2000")?.code == .tooSlow)
        #expect(error("0.0001")?.code == .tooFast)
        #expect(error("0")?.code == .tooFast)
        // 10 s become 1.2 frames, and then 0.9.
        #expect(error("0.004 * t^2 / (1/3)") == nil)
        #expect(error("0.003 * t^2 / (1/3)")?.code == .tooFast)
        #expect(error("999") == nil)
        #expect(error("0.01") == nil)
    }

    static let zeros: [(String, Double)] = [
        ("t^2", 0.3333333), ("t^3", 0.25), ("sin(pi*t)^2", 0.5), ("4*(t-0.5)^2", 0.3333333),
        ("2*0.5*t^1.5", 0.4), ("(1-t)^2", 0.3333333), ("min(1, 1000*abs(t-0.5)^4)", 0.7154755),
        ("t < 0.5 ? 0 : 1", 0.5), ("t < 0.5 ? 1 : 0", 0.5), ("abs(t-0.5) < 0.2 ? 0 : 1", 0.6),
    ]

    @Test(
        "curves that touch zero are good curves, with the integrals they must have",
        arguments: zeros)
    func touchesZero(formula: String, integral: Double) throws {
        for seconds: Int64 in [10, 36_000] {
            let map = try warp(formula, seconds: seconds)
            #expect(abs(map.outputDuration / Double(seconds) - integral) < 1e-6)
            #expect(map.isRising)
            let isFlat = formula.contains("?")
            #expect(map.warnings.count == (isFlat ? 1 : 0))
            // Every instant of the output has its place, and comes back from there.
            for step in 0...100 {
                let y = map.outputDuration * Double(step) / 100
                #expect(abs(map.outputTime(of: map.sourceTime(at: y)) - y) < 1e-6)
            }
        }
    }

    @Test("a curve over ten hours is checked in a moment")
    func longClip() throws {
        var isRising = false
        let seconds = try processorSeconds {
            isRising = try warp("1 + 0.5*sin(2*pi*t)", seconds: 36_000).isRising
        }
        #expect(isRising)
        // For a debug build; released code takes a tenth.
        #expect(seconds < 20)
    }
}
