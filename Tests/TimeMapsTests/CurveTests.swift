import Foundation
import Testing

@testable import TimeMaps

@Suite("Built-in curves")
struct BuiltInCurveTests {
    static let factors = [0.1, 0.25, 0.5, 1, 1.5, 2, 3.3, 4]
    static let modifiers = [0.001, 0.1, 0.25, 0.5, 0.8, 1]

    @Test("closed forms agree with quadrature to 1e-12", arguments: BuiltInCurve.allCases)
    func closedForms(curve: BuiltInCurve) throws {
        for factor in Self.factors {
            for modifier in Self.modifiers {
                let scale = try curve.timeScale(factor: factor, modifier: modifier)
                for end in [0.01, 0.3, 0.5, 0.77, 1] {
                    // Near its start a power curve bends too sharply for polynomials, so it is cut ever finer there.
                    let cuts = (1...40).map { end * pow(0.5, Double($0)) }
                    let numeric = integrate(
                        from: 0, to: end, breakpoints: scale.breakpoints + cuts
                    ) { scale.value(at: $0) }
                    #expect(
                        abs(scale.integral(to: end) - numeric.value) < 1e-12,
                        "\(curve) f \(factor) m \(modifier) to \(end)")
                }
            }
        }
    }

    @Test("the whole integral is what the table of curves says")
    func totals() throws {
        for f in Self.factors {
            for m in Self.modifiers {
                let expected: [BuiltInCurve: Double] = [
                    .constant: f, .triangle: (1 - m) + m * (1 + f) / 2,
                    .cosine: 1.5 * f + f * sin(12 * .pi * m) / (12 * .pi * m),
                    .power: 2 * m / (f + 1) + m / 2, .doubleSmoothstep: (1 + f) / 2,
                    .ramp: (1 + f) / 2, .smoothstep: (1 + f) / 2,
                ]
                for (curve, total) in expected {
                    let scale = try curve.timeScale(factor: f, modifier: m)
                    #expect(abs(scale.integral(to: 1) - total) < 1e-13, "\(curve) \(f) \(m)")
                }
            }
        }
    }

    @Test("shapes pass through the values that define them")
    func shapes() throws {
        let double = try BuiltInCurve.doubleSmoothstep.timeScale(factor: 3, modifier: 0.5)
        #expect(double.value(at: 0) == 1)
        #expect(double.value(at: 0.125) == 1)
        #expect(abs(double.value(at: 0.25) - 2) < 1e-15)
        #expect(double.value(at: 0.5) == 3)
        #expect(abs(double.value(at: 0.75) - 2) < 1e-15)
        let triangle = try BuiltInCurve.triangle.timeScale(factor: 2, modifier: 0.5)
        #expect(triangle.value(at: 0.25) == 1)
        #expect(triangle.value(at: 0.375) == 1.5)
        #expect(triangle.value(at: 0.5) == 2)
        let cosine = try BuiltInCurve.cosine.timeScale(factor: 2, modifier: 0.5)
        #expect(cosine.value(at: 0) == 5)
        let tapered = try BuiltInCurve.taperedCosine.timeScale(factor: 2, modifier: 0.5)
        #expect(tapered.value(at: 0) == 1)
        #expect(abs(tapered.value(at: 1) - cosine.value(at: 1)) < 1e-12)
    }

    @Test("a flipped curve runs from its end to its start", arguments: BuiltInCurve.allCases)
    func flipped(curve: BuiltInCurve) throws {
        let ten = RationalTime(10, over: 1)
        let plain = try Curve(.builtIn(curve, factor: 1.7, modifier: 0.3)).timeScale(duration: ten)
        let flipped = try Curve(.builtIn(curve, factor: 1.7, modifier: 0.3), isFlipped: true)
            .timeScale(duration: ten)
        for u in [0, 0.2, 0.5, 0.9, 1] {
            #expect(abs(flipped.value(at: u) - plain.value(at: 1 - u)) < 1e-12)
        }
        #expect(abs(flipped.integral(to: 1) - plain.integral(to: 1)) < 1e-12)
        #expect(flipped.integral(to: 0) == 0)
    }

    @Test("parameters that make no curve are refused")
    func refused() {
        #expect(throws: CurveError.self) { try BuiltInCurve.triangle.timeScale(modifier: 1.5) }
        #expect(throws: CurveError.self) {
            try BuiltInCurve.doubleSmoothstep.timeScale(modifier: -0.1)
        }
        #expect(throws: CurveError.self) { try BuiltInCurve.power.timeScale(factor: -1) }
        #expect(throws: CurveError.self) { try BuiltInCurve.constant.timeScale(factor: .nan) }
    }
}

@Suite("Tables of integrated scales")
struct IntegratedTimeScaleTests {
    struct Function: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let scale: @Sendable (Double) -> Double
        let integral: @Sendable (Double) -> Double
    }

    static let functions: [Function] = [
        Function(testDescription: "a constant", scale: { _ in 2 }, integral: { 2 * $0 }),
        Function(
            testDescription: "a fast wave", scale: { 1 + 0.9 * cos(200 * $0) },
            integral: { $0 + 0.9 * sin(200 * $0) / 200 }),
        Function(
            testDescription: "a bend nobody named", scale: { abs($0 - 1 / 3.0) + 0.1 },
            integral: { u in
                let d = u - 1 / 3.0
                return 0.1 * u + (d * abs(d) + 1 / 9.0) / 2
            }),
        Function(
            testDescription: "a jump nobody named", scale: { $0 < 0.3 ? 1 : 4 },
            integral: { $0 < 0.3 ? $0 : 0.3 + 4 * ($0 - 0.3) }),
        Function(
            testDescription: "a root that starts upright", scale: { $0.squareRoot() + 0.1 },
            integral: { 2 * pow($0, 1.5) / 3 + 0.1 * $0 }),
        Function(
            testDescription: "sqrt(2t + 1/9)", scale: { (2 * $0 + 1 / 9.0).squareRoot() },
            integral: { (pow(2 * $0 + 1 / 9.0, 1.5) - 1 / 27.0) / 3 }),
        Function(testDescription: "t", scale: { $0 }, integral: { $0 * $0 / 2 }),
    ]

    @Test("from s: F is within the stated bound", arguments: functions)
    func fromScale(function: Function) throws {
        let scale = try ClosureScale(function.scale)
        #expect(scale.table.errorBound <= 1e-9)
        for step in 0...1000 {
            let u = Double(step) / 1000
            #expect(
                abs(scale.integral(to: u) - function.integral(u)) <= scale.table.errorBound + 1e-13)
        }
    }

    @Test("from F: F is within the stated bound, and s its slope", arguments: functions)
    func fromIntegral(function: Function) throws {
        let scale = try ClosureIntegral(function.integral)
        #expect(scale.table.errorBound <= 1e-9)
        for step in 0...1000 {
            let u = Double(step) / 1000
            #expect(
                abs(scale.integral(to: u) - function.integral(u) + function.integral(0))
                    <= scale.table.errorBound + 1e-13)
        }
        #expect(abs(scale.value(at: 0.61) - function.scale(0.61)) < 1e-6)
    }

    @Test("the inverse undoes the integral", arguments: functions)
    func inverse(function: Function) throws {
        let table = try ClosureScale(function.scale).table
        for step in 1...999 {
            let u = Double(step) / 1000
            #expect(abs(table.inverse(of: table.integral(to: u)) - u) < 1e-9)
        }
    }

    @Test("a ten-hour clip needs no more table than a ten-second one")
    func sizeDoesNotGrow() throws {
        let keyframes = try Keyframe.list(parsing: "0:1, 40%:0.25, 1:1")
        let short = try KeyframeScale(keyframes, duration: RationalTime(10, over: 1))
        let long = try KeyframeScale(keyframes, duration: RationalTime(36_000, over: 1))
        #expect(short.table.pieceCount == long.table.pieceCount)
        #expect(short.table.pieceCount < 200)
    }

    @Test("scales that are no numbers, or never settle, are refused with the place")
    func refused() {
        let ten = RationalTime(10, over: 1)
        func error(_ formula: String) -> CurveError? {
            do {
                _ = try Curve(.scale(Formula(formula))).timeScale(duration: ten)
                return nil
            } catch {
                return error as? CurveError
            }
        }
        #expect(error("sqrt(t - 0.5)")?.code == .notFinite)
        #expect(error("sqrt(t - 0.5)")?.sourceTime == 0)
        #expect(error("1/t")?.code == .notFinite)
        #expect(error("log(t)")?.code == .notFinite)
        #expect(error("1/abs(t - 0.37)") != nil)
        #expect(error("1 + t") == nil)
    }
}

@Suite("Quadrature")
struct QuadratureTests {
    @Test("polynomials and waves are integrated to the last digits")
    func smooth() {
        #expect(abs(integrate(from: 0, to: 1) { pow($0, 20) }.value - 1 / 21.0) < 1e-15)
        #expect(abs(integrate(from: 0, to: .pi) { sin($0) }.value - 2) < 1e-14)
        #expect(
            abs(integrate(from: 0, to: 1) { exp(-$0 * 50) }.value - (1 - exp(-50)) / 50) < 1e-15)
    }

    @Test("the estimate holds for a function that is not smooth")
    func estimate() {
        let result = integrate(from: 0, to: 1) { abs($0 - 1 / 3.0) }
        #expect(abs(result.value - (1 / 9.0 + 4 / 9.0) / 2) <= max(result.errorEstimate, 1e-13))
    }
}
