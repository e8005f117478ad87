import Foundation
import ProcessorTime
import Testing

@testable import TimeMaps

/// Formulas are integrated with a proved error: no feature is missed, however narrow.
@Suite("Certified integration")
struct CertifiedIntegrationTests {
    private func scale(_ text: String) throws -> FormulaScale {
        try FormulaScale(Formula(text), work: IntegrationWork())
    }

    static let narrow: [(String, Double)] = [
        ("abs(t - 0.3712) < 0.015 ? 3 : 1", 1.06), ("abs(t - 0.3712) < 0.03 ? 3 : 1", 1.12),
        ("1 + 2*exp(-((t - 0.3712)/0.004)^2)", 1 + 0.008 * Double.pi.squareRoot()),
        ("abs(t - 0.7) < 0.004 ? 3 : 1", 1.016), ("abs(t - 0.7) < 5e-7 ? 1001 : 1", 1.001),
        ("max(1, 2 - abs(t - 0.61)*1e5)", 1.00001),
        ("1 + (floor(t + 0.2999) - floor(t + 0.2998))*50", 1.005),
        ("clamp(1e6*(t - 0.3), 1, 2)", 1.7 - 1.5e-6),
    ]

    @Test("narrow features count", arguments: narrow)
    func narrowFeatures(text: String, integral: Double) throws {
        let scale = try scale(text)
        #expect(abs(scale.integral(to: 1) - integral) < 1e-9)
        #expect(scale.table.errorBound <= 1e-9)
        let map = try TimeMap(warping: RationalTime(2, over: 1), by: scale)
        #expect(abs(map.outputDuration - 2 * integral) < 2e-9)
    }

    @Test("of a thousand formulas with a planted feature, none loses it (seed 25)")
    func planted() throws {
        var generator = SplitMix64(seed: 25)
        for _ in 0..<1000 {
            let planted = PlantedFormula(using: &generator)
            let formula = try Formula(planted.text)
            let reference = planted.integral(of: formula)
            let scale = try FormulaScale(formula, work: IntegrationWork())
            #expect(scale.table.errorBound <= 1e-9)
            #expect(
                abs(scale.integral(to: 1) - reference) <= scale.table.errorBound + 1e-11,
                "\(planted.text)")
            let bounds = try #require(scale.bounds)
            let values = planted.places.map { formula($0) }
            let (least, most) = (values.min() ?? 0, values.max() ?? 0)
            #expect(bounds.lowerBound <= least + 1e-12 && most - 1e-12 <= bounds.upperBound)
            #expect(most >= bounds.upperBound - 0.05 * (bounds.upperBound - bounds.lowerBound))
        }
    }

    @Test("a flipped curve, and one on a part of the clip, are proved as well (seed 28)")
    func composed() throws {
        var generator = SplitMix64(seed: 28)
        let duration = RationalTime(2, over: 1)
        for _ in 0..<200 {
            let planted = PlantedFormula(using: &generator)
            let curve = Curve.scale(try Formula(planted.text))
            let plain = try IntegratedTimeScale(curve.timeScale(duration: duration))
            var turned = curve
            turned.isFlipped = true
            let flipped = try IntegratedTimeScale(turned.timeScale(duration: duration))
            let part = try Curve.Component(from: 0.25, to: 0.75, curve: turned)
            let component = try IntegratedTimeScale(
                Curve.components([part]).timeScale(duration: duration))
            let whole = plain.integral(to: 1)
            for place in planted.places {
                let expected = whole - plain.integral(to: 1 - place)
                let bound = plain.errorBound + flipped.errorBound + 1e-13 * whole
                #expect(abs(flipped.integral(to: place) - expected) <= bound, "\(planted.text)")
                let inside = component.integral(to: 0.25 + place / 2)
                #expect(abs(inside - 0.25 - expected / 2) <= bound, "\(planted.text)")
            }
            #expect(abs(component.integral(to: 1) - 0.5 - whole / 2) <= 2e-9)
            #expect(flipped.errorBound <= 1.1e-9 && component.errorBound <= 1.1e-9)
            for place in planted.places.dropFirst().dropLast() {
                let back = flipped.inverse(of: flipped.integral(to: place))
                #expect(
                    abs(flipped.integral(to: back) - flipped.integral(to: place)) < 1e-12 * whole)
            }
        }
    }

    @Test("jumps are where they were in a flipped curve")
    func flippedBreakpoints() throws {
        var curve = Curve.scale(try Formula("t < 1e-20 ? 5 : t < 0.3 ? 1 : 2"))
        curve.isFlipped = true
        let scale = try curve.timeScale(duration: .seconds(1))
        let table = try IntegratedTimeScale(scale)
        #expect(table.breakpoints.contains { abs($0 - 0.7) < 1e-13 })
        #expect(abs(table.integral(to: 1) - 1.7) < 1e-9)
        #expect(abs(table.integral(to: 0.7) - 1.4) < 1e-9)
    }

    @Test("curves of large numbers are integrated as well as their numbers allow")
    func largeNumbers() throws {
        let scale = try scale("exp(12*t)")
        #expect(abs(scale.integral(to: 1) / ((exp(12) - 1) / 12) - 1) < 1e-13)
        #expect(scale.table.errorBound <= 1e-9)
        for text in ["1.7e308*sin(3*t)", "1e300 + t", "0*t + 1e-320"] {
            // What matters is that there is an end.
            _ = try? self.scale(text)
        }
    }

    @Test(
        "of hundreds of formulas that are no number for an instant, all are refused there (seed 26)"
    )
    func plantedHoles() throws {
        var generator = SplitMix64(seed: 26)
        for _ in 0..<300 {
            let width = pow(10, Double.random(in: -6 ... -1, using: &generator))
            let centre = Double.random(in: 0.15...0.85, using: &generator)
            let distance = "(t - \(centre))"
            let text = [
                "abs\(distance) < \(width) ? sqrt(0 - 1) : 1 + t",
                "1 + sqrt(abs\(distance) - \(width))", "1 + log(\(distance)^2 - \(width)^2)*0.01",
                "2 + asin(1 + \(width)^2 - \(distance)^2)",
                "abs\(distance) < \(width) ? 1/0 : 1",
            ].randomElement(using: &generator)!
            let error = try #require(throws: CurveError.self, "\(text)") { try scale(text) }
            #expect([.notFinite, .tooWild].contains(error.code))
        }
    }

    @Test(
        "s is shown to be finite, or refused",
        arguments: [
            ("clamp(1/(t - 0.37), 0.5, 2)", true), ("sqrt(t - t^2)", true), ("t^t", true),
            ("sqrt(sin(pi*t)) + 0.1", true), ("sqrt(1 - (2*t - 1)^2)", true),
            ("t < 0.5 ? 1 : sqrt(t - 0.5)", true), ("1/(t - 0.37)", false),
            ("sin(t - 0.37)/(t - 0.37)", false), ("log(abs(t - 0.37))", false),
            ("1/sin(pi*t)", false),
        ])
    func finite(text: String, isFinite: Bool) {
        #expect(((try? scale(text)) != nil) == isFinite)
    }

    @Test("bounds of s are as close as rounding lets them be")
    func bounds() throws {
        for (text, low, high) in [
            ("1 + t", 1.0, 2.0), ("4*(t - 0.5)^2", 0, 1), ("1 + 0.8*sin(2*pi*t)", 0.2, 1.8),
            ("1 + 2*exp(-((t - 0.3712)/0.0001)^2)", 1, 3), ("abs(t - 0.7) < 1e-6 ? 3 : 1", 1, 3),
            ("t*(1 - t)*4 + 1", 1, 2), ("1 + t^3 - t", 1 - 2 / 27.0.squareRoot(), 1),
        ] {
            let bounds = try #require(try scale(text).bounds)
            #expect(bounds.lowerBound <= low + 1e-15 && bounds.lowerBound >= low - 2e-12, "\(text)")
            #expect(
                bounds.upperBound >= high - 1e-15 && bounds.upperBound <= high + 2e-12, "\(text)")
        }
    }

    @Test("jumps and bends are found to within a few roundings")
    func breakpoints() throws {
        let places = try scale(
            "(t < 0.2 ? 1 : 2) + abs(t - 0.31) + floor(t + 0.58) + max(t, 0.5) + clamp(t, 0.6, 0.7)"
        ).breakpoints
        for place in [0.2, 0.31, 0.42, 0.5, 0.6, 0.7] {
            #expect(places.contains { abs($0 - place) < 1e-14 }, "\(place)")
        }
        #expect(places.count == 6)
    }

    @Test("where digits are lost, the error says how close the bounds came")
    func cancellation() throws {
        #expect(try scale("(1e6 + t) - 1e6").table.errorBound > 1e-11)
        let error = try #require(throws: CurveError.self) { try scale("(1e10 + t) - 1e10") }
        #expect(error.code == .tooWild)
        #expect(error.description.contains("known only to within"))
    }

    @Test("usual formulas take less than 5 ms")
    func cost() throws {
        for text in [
            "1 + sin(pi*t)", "sqrt(2*t + 1/9)", "1 + 0.8*sin(2*pi*t)", "4*(t - 0.5)^2",
            "1 + smoothstep(0.2, 0.4, t)*(1 - smoothstep(0.6, 0.8, t))", "1.5^(t*4)",
            "t < 0.3 ? 1 : 3", "1 + 3*exp(-((t - 0.5)/0.1)^2)",
        ] {
            let formula = try Formula(text)
            let seconds = try processorSeconds {
                for _ in 0..<10 {
                    _ = try FormulaScale(formula, work: IntegrationWork())
                }
            }
            #expect(seconds < 0.05, "\(text)")
        }
    }

    @Test("a closure's features of the stated width are noticed, narrower ones if they are named")
    func closures() throws {
        for step in 0..<200 {
            let centre = 0.1 + 0.004 * Double(step)
            let half = ClosureScale.narrowestFeature / 2
            let wide = try ClosureScale { abs($0 - centre) <= half ? 3 : 1 }
            #expect(abs(wide.integral(to: 1) - 1 - 4 * half) < 1e-9)
            let slim = half / 100
            let named = try ClosureScale(breakpoints: [centre - slim, centre + slim]) {
                abs($0 - centre) <= slim ? 3 : 1
            }
            #expect(abs(named.integral(to: 1) - 1 - 4 * slim) < 1e-9)
        }
    }
}

/// A random smooth formula with one narrow feature added to it.
private struct PlantedFormula {
    let text: String
    private let centre: Double
    private let width: Double

    init(using generator: inout SplitMix64) {
        func random(_ range: ClosedRange<Double>) -> Double {
            (Double.random(in: range, using: &generator) * 1e4).rounded() / 1e4
        }
        let (a, b) = (random(0.5...4), random(0.1...0.9))
        let bases = [
            "\(a)", "\(a) + \(b)*sin(\(random(1...12))*t)", "sqrt(\(a)*t + \(b))",
            "\(a)*exp(-\(b)*t)", "\(a) + \(b)*cos(pi*t)^2", "\(a)/(\(b) + t)",
            "\(a) + t^\(a + 4)*(1 - t)",
            "log(\(a + 1) + t) + atan(\(b)*t)", "mix(\(a), \(b), smoothstep(0, 1, t))",
        ]
        width = pow(10, Double.random(in: -6 ... -1, using: &generator))
        centre = Double.random(in: 0.11...0.89, using: &generator)
        let (height, distance) = (random(1...20), "(t - \(centre))")
        let features = [
            "(abs\(distance) < \(width) ? \(height) : 0)",
            "\(height)*exp(-(\(distance)/\(width))^2)",
            "max(0, \(height) - abs\(distance)*\(height / width))",
            "\(height)*clamp(2 - 2*abs\(distance)/\(width), 0, 1)",
            "\(height)*(floor(t + \(1 - centre + width)) - floor(t + \(1 - centre - width)))",
            "\(height)*smoothstep(\(centre - width), \(centre), t)*(1 - smoothstep(\(centre), \(centre + width), t))",
            "\(height)/(1 + (\(distance)/\(width))^2)^4",
            "(t > \(centre - width) ? t < \(centre + width) ? \(height)*t : 0 : 0)",
        ]
        text =
            "\(bases.randomElement(using: &generator)!) + \(features.randomElement(using: &generator)!)"
    }

    /// Where the feature begins, bends, and ends, with room for tails.
    private var cuts: [Double] {
        let reaches = [0.5, 1, 2, 4, 8, 16, 64, 256, 1024, 1e4, 1e5].map { $0 * width }
        let inner = ([0] + reaches + reaches.map(-)).map { centre + $0 }.filter { $0 > 0 && $0 < 1 }
        return ([0, 1] + inner).sorted()
    }

    /// Places within the feature and around it.
    var places: [Double] {
        (-200...200).map { centre + 2 * width * Double($0) / 200 }.filter { (0...1).contains($0) }
            + (0...1000).map { Double($0) / 1000 }
    }

    /// The sum of Gauss's rule with three points over 200 equal parts between all cuts.
    func integral(of formula: Formula) -> Double {
        var sum = 0.0
        for (low, high) in zip(cuts, cuts.dropFirst()) {
            let half = (high - low) / 400
            for part in 0..<200 {
                let middle = low + Double(2 * part + 1) * half
                let reach = half * 0.6.squareRoot()
                sum +=
                    half / 9
                    * (5 * formula(middle - reach) + 8 * formula(middle) + 5
                        * formula(middle + reach))
            }
        }
        return sum
    }
}
