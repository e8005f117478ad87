import Foundation
import ProcessorTime
import Testing

@testable import TimeMaps

@Suite("Formulas")
struct FormulaTests {
    static let meanings: [(String, Double)] = [
        ("-2^2", -4), ("2^3^2", 512), ("2^-1", 0.5), ("1 - 2 - 3", -4), ("12/3/2", 2),
        ("1 + 2*3", 7), ("(1 + 2)*3", 9), ("--3", 3), ("2*-3", -6), ("+4", 4), ("1e3", 1000),
        (".5", 0.5), ("2e-1", 0.2), ("pi", Double.pi), ("e", 2.718281828459045),
        ("sin(pi/2)", 1), ("cos(0)", 1), ("tan(0)", 0), ("asin(1)", Double.pi / 2),
        ("acos(1)", 0), ("atan(1)*4", Double.pi), ("sqrt(9)", 3), ("exp(0)", 1), ("log(e)", 1),
        ("log2(8)", 3), ("log10(1000)", 3), ("abs(-2)", 2), ("min(1, 2)", 1), ("max(1,2)", 2),
        ("pow(2, 10)", 1024), ("floor(-1.5)", -2), ("ceil(1.2)", 2), ("clamp(5, 0, 1)", 1),
        ("mix(2, 4, 0.25)", 2.5), ("smoothstep(0, 2, 1)", 0.5), ("1 < 2", 1), ("2 <= 1", 0),
        ("1 > 2", 0), ("2 >= 2", 1), ("1 == 1", 1), ("1 != 1", 0), ("1 < 2 ? 10 : 20", 10),
        ("0 ? 1 : 0 ? 2 : 3", 3), ("t", 0.25), ("4*t^2", 0.25), ("2*e", 5.43656365691809),

    ]

    @Test("mean what mathematics means", arguments: meanings)
    func values(text: String, expected: Double) throws {
        #expect(abs(try Formula(text)(0.25) - expected) < 1e-12)
    }

    @Test(
        "name the column and what would have fitted",
        arguments: [
            ("1 +", 4, "a number"), ("", 1, "a number"), ("1 2", 3, "an operator or the end"),
            ("sin t", 5, "'(' after sin"), ("sin(t", 6, "')'"), ("min(1)", 6, "','"),
            ("foo(1)", 1, "one of t, pi"), ("1 $ 2", 3, "a number, a name or an operator"),
            ("(1", 3, "')'"), ("t ? 1", 6, "':'"), ("1..2", 3, "an operator or the end"),
            ("max(1,2,3)", 8, "')'"), ("2x", 2, "an operator or the end"),
        ])
    func errors(text: String, column: Int, expected: String) {
        do {
            _ = try Formula(text)
            Issue.record("\(text) was read")
        } catch {
            #expect(error.column == column, "\(text): \(error)")
            #expect(error.expected.contains(expected), "\(text): \(error)")
        }
    }

    @Test("other variables may be named")
    func variables() throws {
        let formula = try Formula("courage + 2*luck", variables: ["courage", "luck"])
        #expect(formula.value([1, 3]) == 7)
        #expect(throws: FormulaError.self) { try Formula("t", variables: ["courage"]) }
    }

    @Test("hostile text is refused at once")
    func hostile() {
        let texts = [
            String(repeating: "(", count: 100_000), String(repeating: "(", count: 9_000),
            String(repeating: "-", count: 9_000) + "1", String(repeating: "1+", count: 5_000_000),
            String(repeating: "sin(", count: 2_000), String(repeating: "2^", count: 4_000) + "2",
            String(repeating: "1?", count: 4_000),
        ]
        var seconds = 0.0
        for text in texts {
            seconds += processorSeconds {
                #expect(throws: FormulaError.self) { try Formula(text) }
            }
        }
        #expect(seconds < 5)
    }

    @Test("mangled text never crashes (seed 4)")
    func mangled() {
        var generator = SplitMix64(seed: 4)
        let alphabet = Array("0123456789.+-*/^()<>=!?:, tesincoqrabmxpωé\n")
        var read = 0
        for _ in 0..<10_000 {
            let length = Int.random(in: 0...24, using: &generator)
            let text = String((0..<length).map { _ in alphabet.randomElement(using: &generator)! })
            if let formula = try? Formula(text) {
                read += 1
                _ = formula(0.5)
            }
        }
        #expect(read > 0)
    }
}

@Suite("Keyframes and curve files")
struct CurveDescriptionTests {
    private let ten = RationalTime(10, over: 1)

    @Test("keyframes hold the speed at their instants, and before and after")
    func keyframes() throws {
        let keyframes = try Keyframe.list(
            parsing: "10%:1, 40%:0.25, 6s:0.5, 0.9:2", easing: .linear)
        let scale = try Curve.keyframes(keyframes).timeScale(duration: ten)
        for (u, speed) in [(0.0, 1.0), (0.1, 1), (0.4, 0.25), (0.6, 0.5), (0.9, 2), (1, 2)] {
            #expect(abs(scale.value(at: u) - 1 / speed) < 1e-12)
        }
        #expect(abs(scale.value(at: 0.25) - 1 / 0.625) < 1e-12)
        let numeric = integrate(from: 0, to: 1, breakpoints: scale.breakpoints) {
            scale.value(at: $0)
        }
        #expect(abs(scale.integral(to: 1) - numeric.value) < 1e-10)
    }

    @Test("two keyframes at one instant are a jump, from the first to the second")
    func jumps() throws {
        let keyframes = try Keyframe.list(parsing: "0:1, 4s:0.5, 4s:2, 1:2", easing: .linear)
        let scale = try Curve.keyframes(keyframes).timeScale(duration: ten)
        #expect(scale.value(at: 0.4) == 0.5)
        #expect(abs(scale.value(at: 0.4.nextDown) - 2) < 1e-12)
        // ∫ 1/v: of the falling speed 0.4·ln 2/0.5, of the constant one 0.6/2.
        #expect(abs(scale.integral(to: 1) - (0.8 * 0.6931471805599453 + 0.3)) < 1e-9)
    }

    @Test("easings start and end where they should, and differ between")
    func easings() throws {
        for name in Easing.titles.map(\.name) where name != "hold" {
            let easing = try Easing(parsing: name == "bezier" ? "bezier(0.42,0,0.58,1)" : name)
            #expect(abs(easing.share(at: 0)) < 1e-12)
            #expect(abs(easing.share(at: 1) - 1) < 1e-12)
            #expect(abs(easing.share(at: 0.5) - 0.5) < 1e-9)
            #expect(try Easing(parsing: easing.description) == easing)
        }
        #expect(try Easing(parsing: "hold").share(at: 0.99) == 0)
        // From a published table of the CSS "ease" curve: half of the time is 80 % of the way.
        let ease = try Easing(parsing: "bezier(0.25, 0.1, 0.25, 1)")
        #expect(abs(ease.share(at: 0.5) - 0.8024) < 1e-4)
        for text in ["", "cubic", "bezier(1,2,3)", "bezier(2,0,0,1)", "bezier(a,0,0,1)"] {
            #expect(throws: CurveError.self) { try Easing(parsing: text) }
        }
    }

    @Test(
        "keyframes that can't be are refused",
        arguments: [
            "", "0", "0:0", "0:-1", "0:x", "120%:1", "11s:1", "0:1,0:2,0:3", "0:1,,1:1", "0:inf",
        ])
    func refusedKeyframes(text: String) {
        #expect(throws: CurveError.self) {
            try Curve.keyframes(Keyframe.list(parsing: text)).timeScale(duration: ten)
        }
    }

    static let curves: [Curve] = [
        .builtIn(.triangle, factor: 2, modifier: 0.25), .builtIn(.doubleSmoothstep),
        Curve(.builtIn(.ramp, factor: 3, modifier: 0.5), isFlipped: true),
        .scale(try! Formula("1 + t")), .speed(try! Formula("1 + t")),
        .integral(try! Formula("t^2/2 + t")),
        .keyframes(try! Keyframe.list(parsing: "0:1, 40%:0.25, 6s:0.5", easing: .hold)),
        .components([
            try! Curve.Component(from: 0.1, to: 0.4, curve: .builtIn(.triangle, factor: 3)),
            try! Curve.Component(from: 0.5, to: 1, curve: .scale(try! Formula("2"))),
        ]),
    ]

    @Test("curve files round-trip", arguments: curves)
    func roundTrip(curve: Curve) throws {
        #expect(try Curve(json: curve.json()) == curve)
    }

    @Test("components each have their part, the gaps are normal speed")
    func components() throws {
        let scale = try Self.curves[7].timeScale(duration: ten)
        #expect(scale.value(at: 0.05) == 1)
        #expect(abs(scale.value(at: 0.25) - 3) < 1e-12)
        #expect(scale.value(at: 0.45) == 1)
        #expect(scale.value(at: 0.7) == 2)
        let numeric = integrate(from: 0, to: 1, breakpoints: scale.breakpoints) {
            scale.value(at: $0)
        }
        #expect(abs(scale.integral(to: 1) - numeric.value) < 1e-12)
        let map = try TimeMap(warping: ten, by: scale)
        #expect(abs(map.outputDuration - 10 * numeric.value) < 1e-9)
    }

    @Test(
        "a wrong file names the place",
        arguments: [
            ("{}", "timewarp"), ("[]", "it is a list, not an object"),
            ("nonsense", "1:1: the file: this isn't valid"),
            (#"{"timewarp":"curve/2","curve":"ramp"}"#, "curve/1"),
            (#"{"timewarp":"curve/1"}"#, "needs one of"),
            (#"{"timewarp":"curve/1","curve":"wobble"}"#, "curve: there is no curve"),
            (#"{"timewarp":"curve/1","curve":"ramp","factr":2}"#, "factr"),
            (#"{"timewarp":"curve/1","curve":"ramp","factor":"2"}"#, "factor"),
            (#"{"timewarp":"curve/1","scale":"1 +"}"#, "column 4"),
            (
                #"{"timewarp":"curve/1","components":[{"range":[0,1],"curve":{"curve":"ramp","factor":true}}]}"#,
                "components[0].curve.factor"
            ),
            (
                #"{"timewarp":"curve/1","components":[{"range":[0.5,0.1],"curve":{"curve":"ramp"}}]}"#,
                "0.5"
            ),
            (
                #"{"timewarp":"curve/1","keyframes":[{"at":"5x","speed":1}]}"#,
                "1:42: keyframes[0].at"
            ),
        ])
    func wrongFiles(json: String, names: String) {
        do {
            _ = try Curve(json: Data(json.utf8))
            Issue.record("\(json) was read")
        } catch {
            #expect(error.description.contains(names), "\(error)")
        }
    }

    @Test("mangled files never crash (seed 5)")
    func mangled() throws {
        var generator = SplitMix64(seed: 5)
        let files = try Self.curves.map { Array(try $0.json()) }
        for _ in 0..<2_000 {
            var bytes = files.randomElement(using: &generator) ?? []
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let place = Int.random(in: 0..<bytes.count, using: &generator)
                bytes[place] = UInt8.random(in: 0...255, using: &generator)
            }
            if let curve = try? Curve(json: Data(bytes)) {
                _ = try? curve.timeScale(duration: ten)
            }
        }
    }
}
