import Documents
import Foundation
import Testing
import TimeMaps

@testable import Stories

@Suite("The values of variables")
struct VariableAnalysisTests {
    /// Formulas over p and q with every function that interval arithmetic supports, and some that it doesn't.
    private static let formulas = [
        "p + q", "p - q", "p * q", "p / q", "-p", "p < q", "p <= q", "p > q", "p >= q", "p == q",
        "p != q", "p ? q : 3", "abs(p) + 1", "min(p, q)", "max(p, q)", "clamp(p, q, 2)",
        "floor(p) / ceil(q)", "sqrt(p)", "sqrt(abs(q))", "p^q", "sin(p) > 2", "cos(p * q)",
        "smoothstep(p, q, 1)", "mix(p, q, 0.5)", "min(1/p, q)", "max(q, sqrt(p))",
        "(p != p) + q", "1/p != 1/p", "log(p) > 3 ? p : q", "p * (1/q)", "p - p / q * 0",
        "exp(p) - exp(p)", "pow(p, 0.5) < 1",
    ]

    @Test("an interval holds what a formula gives", arguments: 1...40 as ClosedRange<UInt64>)
    func sound(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let corners = [-1e308, -3, -1, -0.5, 0, 0.5, 1, 2, 7, 1e308]
        for text in Self.formulas {
            let expression = try StoryExpression(text, variables: ["p", "q"])
            let formula = NumberedFormula(expression.formula, ["p": 0, "q": 1])
            let intervals = (0..<2).map { _ in
                let ends = [corners[random.below(10)], corners[random.below(10)]].sorted()
                return PossibleValues(low: ends[0], high: ends[1])
            }
            let result = formula.value(intervals)
            for _ in 0..<20 {
                let values = intervals.map { interval in
                    let inside = corners.filter { $0 >= interval.low && $0 <= interval.high }
                    return inside[random.below(inside.count)]
                }
                let value = formula.value(values)
                let isHeld =
                    value.isNaN ? result.mayBeNaN : value >= result.low && value <= result.high
                #expect(isHeld, "seed \(seed): \(text) at \(values) is \(value), not in \(result)")
                #expect(
                    value.isNaN || value == 0 || result.mayHold,
                    "seed \(seed): \(text) at \(values) holds")
            }
        }
    }

    @Test("what is ruled out never happens", arguments: 1...150 as ClosedRange<UInt64>)
    func soundness(seed: UInt64) throws {
        var maker = StoryMaker(seed: seed)
        let story = try Sample.file(maker.json(segments: 2 + Int(seed % 9))).story
        let manifest = try StoryManifest.outline(of: story, media: Sample.tenSeconds)
        let findings = StoryLinter(story, media: Sample.tenSeconds).findings()
        let ruledOut = Set(
            findings.filter { ["unreachable", "never-entered"].contains($0.code) }
                .compactMap(\.segment))
        let closed = Set(
            findings.filter { $0.code == "condition-never-holds" }.map { $0.path.description })
        let walker = try StoryWalker(manifest, mostStates: 2000)
        let coverage = walker.walk()
        #expect(coverage.entered.isDisjoint(with: ruledOut), "seed \(seed)")
        for edge in coverage.walked {
            guard case .choice(let index) = edge.kind else {
                continue
            }
            let path = DocumentPath.segment(edge.from).key("choices").index(index).key("when")
            #expect(!closed.contains(path.description), "seed \(seed): \(path)")
        }
    }

    @Test(
        "what can't be entered is ruled out while values are few",
        arguments: 1...150 as ClosedRange<UInt64>)
    func completeness(seed: UInt64) throws {
        var maker = StoryMaker(seed: seed)
        let story = try Sample.file(maker.json(segments: 2 + Int(seed % 5), counters: false)).story
        let manifest = try StoryManifest.outline(of: story, media: Sample.tenSeconds)
        let coverage = try StoryWalker(manifest, mostStates: 5000).walk()
        // If there are too many combinations to follow one by one, the linter may find less.
        guard coverage.stateCount <= SegmentStates.mostCombinations else {
            return
        }
        let findings = StoryLinter(story, media: Sample.tenSeconds).findings()
        let ruledOut = Set(
            findings.filter { ["unreachable", "never-entered"].contains($0.code) }
                .compactMap(\.segment))
        #expect(
            ruledOut == Set(story.segments.keys).subtracting(coverage.entered), "seed \(seed)")
    }

    @Test("an endless counter comes to an end, and what it may reach stays open")
    func counter() throws {
        let story = try Sample.story(
            """
            "a": { "media": "m", "choices": [
              { "label": "up", "goto": "a", "set": { "x": "x + 1" } },
              { "label": "far", "goto": "b", "when": "x > 1000" },
              { "label": "down", "goto": "c", "when": "x < 0" } ] },
            "b": { "media": "m", "role": "epilogue" }, "c": { "media": "m", "role": "epilogue" }
            """, variables: #"{ "x": 0 }"#)
        let findings = StoryLinter(story).findings()
        #expect(
            findings.map { "\($0.code) \($0.path)" } == [
                "condition-never-holds segments.a.choices[2].when", "never-entered segments.c",
            ])
    }
}
