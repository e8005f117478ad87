import Foundation
import Testing

@testable import TimeMaps

/// What an enclosure says about a formula holds for every value of it.
@Suite("Enclosures of formulas")
struct EnclosureTests {
    @Test("random formulas lie within their enclosures, on wide pieces and narrow ones (seed 27)")
    func randomFormulas() throws {
        var generator = SplitMix64(seed: 27)
        var (enclosed, tight) = (0, 0)
        for _ in 0..<5000 {
            let formula = try Formula(Self.text(depth: 4, &generator))
            let low = Double.random(in: 0..<0.99, using: &generator)
            let width = pow(10, Double.random(in: -9...0, using: &generator))
            let high = min(1, low + width)
            let (value, _) = formula.enclosed(from: low, to: high)
            for step in 0...20 {
                let z = Double(step) / 10 - 1
                let u = low + (z + 1) / 2 * (high - low)
                let number = formula(u)
                guard value.range.isDefined, number.isFinite else {
                    #expect(!value.range.isFinite, "\(formula) at \(u)")
                    continue
                }
                enclosed += 1
                // The formula's own rounding errors in plain arithmetic, which the enclosure isn't about.
                let rounding = 1e-11 * max(1, value.range.isFinite ? value.range.magnitude : 1)
                #expect(
                    number >= value.range.low - rounding && number <= value.range.high + rounding,
                    "\(formula) at \(u)")
                guard value.hasPolynomial else {
                    continue
                }
                tight += 1
                #expect(
                    abs(number - value.terms.value(at: z)) <= value.error + rounding,
                    "\(formula) at \(u)")
            }
        }
        #expect(enclosed > 50_000 && tight > 50_000)
    }

    /// A random formula whose values stay moderate, so that rounding errors do.
    private static func text(depth: Int, _ generator: inout SplitMix64) -> String {
        guard depth > 0, Int.random(in: 0..<8, using: &generator) > 0 else {
            let number = (Double.random(in: -2...3, using: &generator) * 100).rounded() / 100
            return Bool.random(using: &generator) ? "t" : "(\(number))"
        }
        func part() -> String { Self.text(depth: depth - 1, &generator) }
        let patterns = [
            "(a + b)", "(a - b)", "a*b", "sin(a)", "cos(a)", "tan(a/4)", "asin(sin(a))",
            "acos(cos(a)/2)", "atan(a)", "sqrt(abs(a))", "exp(-a^2)", "log(1 + a^2)",
            "log2(1.5 + cos(a))", "log10(2 + abs(a))", "abs(a)", "floor(a)", "ceil(a)", "min(a, b)",
            "max(a, b)", "pow(abs(a) + 0.1, sin(b))", "sin(a)^3", "(1.1 + sin(a))^-2",
            "(1.5 + cos(a))^0.3", "clamp(a, -1, b)", "mix(a, b, sin(c))", "smoothstep(0, 1.5, a)",
            "(a < b ? b : c)", "(a >= 0.5 ? b : c)", "a/(1 + b^2)", "a/b", "sqrt(a)", "2^sin(a)",
            "abs(a)^1.5", "-a", "(a == b)", "(a != 0 ? b : c)",
        ]
        let pattern = patterns.randomElement(using: &generator)!
        var text = ""
        var previous: Character = " "
        for (index, character) in pattern.enumerated() {
            let next = pattern.dropFirst(index + 1).first ?? " "
            let isPart = "abc".contains(character) && !previous.isLetter && !next.isLetter
            text += isPart ? "(\(part()))" : String(character)
            previous = character
        }
        return text
    }

    @Test("intervals contain the results for their ends and what lies between (seed 28)")
    func intervals() {
        var generator = SplitMix64(seed: 28)
        func random() -> Interval {
            let scale = pow(10, Double.random(in: -12...12, using: &generator))
            let ends = (0..<2).map { _ in Double.random(in: -scale...scale, using: &generator) }
            return Interval(low: min(ends[0], ends[1]), high: max(ends[0], ends[1]))
        }
        for _ in 0..<20_000 {
            let (a, b) = (random(), random())
            for (x, y) in [(a.low, b.low), (a.high, b.low), (a.middle, b.middle), (a.low, b.high)] {
                #expect((a + b).contains(x + y))
                #expect((a - b).contains(x - y))
                #expect((a * b).contains(x * y))
                #expect(!(a / b).isDefined || (a / b).contains(x / y))
            }
        }
        #expect(Interval(1) - Interval(1) == Interval(0))
        #expect(
            (Interval(1) / Interval(low: 0, high: 2))
                == Interval(low: 0.5.nextDown, high: .infinity))
        #expect(!(Interval(0) / Interval(low: -1, high: 1)).isDefined)
    }

    @Test("the smallest numbers and rounded constants are enclosed, not taken for exact")
    func roundedConstants() throws {
        let quotient = Interval(1e-310) / Interval(3e-310)
        #expect(quotient.low < quotient.high)
        let product = Interval(-1e-200) * Interval(1e-200)
        #expect(product.low < 0 && product.high >= 0)
        // π/2 as a Double lies below π/2.
        let (value, _) = try Formula("acos(1e-18*t + 1e-19)").enclosed(from: 0, to: 1)
        #expect(value.range.high > Double.pi / 2)
        // Nothing is decided that rounding decides.
        let (compared, open) = try Formula("acos(1e-18*t + 1e-19) > pi/2 ? 1 : 2")
            .enclosed(from: 0, to: 1)
        #expect(compared.range == Interval(low: 1, high: 2) && open != nil)
    }
}
