import Foundation
import Testing

@testable import TimeMaps

@Suite("Keyframes that freeze or play backwards")
struct SignedKeyframeTests {
    private let four = Strip.seconds(4)
    private let ten = Strip.seconds(10)

    private func map(
        _ text: String, _ easing: Easing = .linear, of duration: RationalTime,
        lasting: RationalTime? = nil
    ) throws -> TimeMap {
        try TimeMap(
            keyframes: Keyframe.list(parsing: text, easing: easing), sourceDuration: duration,
            lasting: lasting)
    }

    private func error(
        _ text: String, of duration: RationalTime, lasting: RationalTime? = nil
    ) -> CurveError? {
        do {
            _ = try map(text, of: duration, lasting: lasting)
            return nil
        } catch {
            return error as? CurveError
        }
    }

    static let examples = [
        ("0s:1, 2s:0, 4s:1", "ABCCCD"), ("0:-1", "DCBA"), ("0s:-1", "DCBA"), ("0:1", "ABCD"),
        ("0s:0, 2s:1", "AAABCD"), ("0s:0, 2s:-1", "DDDCBA"), ("0s:1, 4s:-1", "ABCDDCBA"),
        ("0s:1, 2s:-0.5", "ABBBAA"), ("0:1, 50%:-1", "ABCDDCBA"), ("0s:2, 1s:0, 3s:0", "ACC"),
        ("0:1, 3s:0, 5s:0", "ABCDD"), ("0s:-1, 4s:1, 8s:0", "DCBAABCD"),
    ]

    @Test("strips of held speeds", arguments: examples)
    func strips(text: String, shown: String) throws {
        let map = try map(text, .hold, of: four)
        #expect(Strip.shown(by: map, of: "ABCD") == shown)
        #expect(map.pieces.allSatisfy { $0.isLine })
        #expect(abs(map.outputDuration - Double(shown.count)) < 1e-12)
    }

    @Test(
        "two keyframes at one instant are a jump: a freeze whose ends are sharp, in the middle of a ramp",
        arguments: [Easing.linear, .smooth])
    func jumps(easing: Easing) throws {
        let map = try map("0s:1, 2s:2, 2s:0, 5s:0, 5s:2, 7s:3", easing, of: ten)
        #expect(abs(map.sourceTime(at: 2) - 3) < 1e-9)
        #expect(abs(map.sourceTime(at: 5) - 3) < 1e-9)
        #expect(abs(map.sourceTime(at: 7) - 8) < 1e-9)
        #expect(abs(map.outputDuration - (7 + 2.0 / 3)) < 1e-9)
        #expect(
            map.speed(at: 1.999) > 1.9 && map.speed(at: 2.001) == 0 && map.speed(at: 5.001) > 1.9)
        // The same as shares.
        let shares = try self.map("0:1, 20%:2, 20%:0, 50%:0, 50%:2, 70%:3", easing, of: ten)
        #expect(
            abs(
                shares.sourceTime(at: 0.4 * shares.outputDuration)
                    - shares.sourceTime(at: 0.2 * shares.outputDuration)) < 1e-9)
    }

    @Test("a turn is found also where a piece of the integration ends: here at exactly 50 %")
    func turnAtEdge() throws {
        let map = try map("0:1, 1:2", .bezier(x1: 0.4, y1: -4, x2: 0.6, y2: 1), of: ten)
        let shown = (0...10_000).map {
            map.sourceTime(at: map.outputDuration * Double($0) / 10_000)
        }
        let least = try #require(shown.min())
        #expect(least >= 0 && least < 1e-6)
        #expect(abs(map.sourceTime(at: map.outputDuration / 2)) < 1e-9)
        #expect(abs(map.speed(at: map.outputDuration / 2)) < 1e-9)
    }

    @Test(
        "a keyframe cuts to a time of the source and goes on there, also backwards",
        arguments: [
            ("0s:1, 1s:-1@3s, 3s:1@3s", "ACBD"), ("0s:1, 2s:-1@4s, 4s:1@4s", "ABDC"),
            ("0s:1@2s", "CD"),
            ("0s:-1@2s", "BA"), ("0s:0@2s, 2s:1@0s", "CCABCD"), ("0s:0@3s, 1s:0@1s, 2s:0", "DB"),
            ("0s:1, 2s:1@0s, 4s:1@0s", "ABABABCD"), ("0s:1, 1s:1@1s", "ABCD"),
        ])
    func cuts(text: String, shown: String) throws {
        #expect(Strip.shown(by: try map(text, .hold, of: four), of: "ABCD") == shown)
        #expect(try Keyframe.list(parsing: text).contains { $0.source != nil })
        #expect(try curve(text).isOverOutput)
    }

    @Test("the speed goes on through a cut")
    func easedCut() throws {
        let map = try map("0s:1, 2s:3@5s, 4s:1", of: ten)
        // 1 + t before the cut, 3 - (t - 2) after it.
        for (output, source) in [(1, 1.5), (1.999_999, 4), (2, 5), (3, 7.5), (4, 9), (5, 10)] {
            #expect(abs(map.sourceTime(at: output) - source) < 1e-5)
        }
        #expect(abs(map.outputDuration - 5) < 1e-9)
    }

    @Test("cuts that can't be are refused")
    func refusedCuts() throws {
        for (text, why) in [
            ("0:1, 50%:-1@3s", "must be in seconds"), ("0s:1, 1s:1@9s", "outside of the clip"),
            (
                "0s:1, 2s:1@3s, 4s:1@0s",
                "end is reached at output second 3.0, before the next cut at 4.0 s"
            ),
        ] {
            #expect(error(text, of: four)?.description.contains(why) == true)
        }
        #expect(throws: CurveError.self) { try Keyframe.list(parsing: "0s:1@soon") }
        let part = try Curve.Component(from: 0, to: 1, curve: try curve("0s:1, 1s:1@2s"))
        #expect(throws: CurveError.self) {
            _ = try TimeMap(warping: four, along: .components([part]))
        }
    }

    @Test("files keep cuts")
    func cutsInFiles() throws {
        let keyframe = Keyframe(
            .seconds(Strip.seconds(2)), speed: -1, source: try RationalTime(parsing: "100/30"))
        let data = try JSONEncoder().encode(keyframe)
        #expect(try JSONDecoder().decode(Keyframe.self, from: data) == keyframe)
    }

    @Test("they lie over output time when one is 0 or below")
    func overOutput() throws {
        #expect(try !curve("0:1, 1:0.5").isOverOutput)
        #expect(try curve("0:1, 0.5:0, 1:0.5").isOverOutput)
        #expect(try curve("0:1, 1:-0.5").isOverOutput)
        #expect(try !curve("0:1, 1:-0.5").statesItsLength)
        #expect(try curve("0s:1, 2s:-0.5").statesItsLength)
        #expect(try !curve("0s:1, 2s:0.5").statesItsLength)
    }

    @Test(
        "a map along a curve lies over the source or over the output, and only one can be flipped")
    func alongCurve() throws {
        let (rising, turning) = (try curve("0:1, 1:0.5"), try curve("0:1, 1:-0.5"))
        #expect(
            try TimeMap(warping: ten, along: turning).outputDuration
                == TimeMap(
                    keyframes: Keyframe.list(parsing: "0:1, 1:-0.5"), sourceDuration: ten
                ).outputDuration)
        #expect(
            try TimeMap(warping: ten, along: rising).outputDuration
                == TimeMap(warping: ten, by: rising.timeScale(duration: ten)).outputDuration)
        _ = try TimeMap(warping: ten, along: Curve(rising.shape, isFlipped: true))
        let error = #expect(throws: CurveError.self) {
            try TimeMap(warping: ten, along: Curve(turning.shape, isFlipped: true))
        }
        #expect(error?.description.contains("can't be flipped") == true)
    }

    private func curve(_ text: String) throws -> Curve {
        .keyframes(try Keyframe.list(parsing: text))
    }

    @Test("straight speeds: the source is their parabola")
    func parabola() throws {
        // v = 1 − 2t, X = t − t²: up to 1/4 and back, so the output lasts 40 s.
        let map = try map("0:1, 1:-1", of: ten)
        #expect(abs(map.outputDuration - 40) < 1e-11)
        for step in 0...40 {
            let t = Double(step) / 40
            #expect(abs(map.sourceTime(at: 40 * t) - 40 * (t - t * t)) < 1e-11)
            #expect(abs(map.speed(at: 40 * t) - (1 - 2 * t)) < 1e-11)
        }
        #expect(map.outputTimes(of: 7.5).count == 2)
        #expect(abs(map.outputTimes(of: 7.5)[0] - 10) < 1e-9)
        #expect(abs(map.outputTimes(of: 7.5)[1] - 30) < 1e-9)
    }

    @Test("a turn is found wherever it lies, also where rounding hides its sign (seed 60)")
    func turns() throws {
        var generator = SplitMix64(seed: 60)
        for round in 0..<200 {
            let speed = Double.random(in: 0.1...1000, using: &generator)
            // Linear from −v to v·k: the turning point is at 1/(1 + k), which is the middle for k = 1.
            let ratio = round % 2 == 0 ? 1 : Double.random(in: 0.1...1, using: &generator)
            let map = try map("0:\(-speed), 1:\(speed * ratio)", of: ten)
            let turn = map.outputDuration / (1 + ratio)
            #expect(map.pieces.count == 2, "seed 60, round \(round)")
            #expect(abs(map.pieces[0].outputEnd / turn - 1) < 1e-9, "seed 60, round \(round)")
            #expect(abs(map.sourceTime(at: 0) - 10) < 1e-11, "seed 60, round \(round)")
        }
    }

    @Test("one speed throughout is an exact line")
    func exact() throws {
        let third = Strip.seconds(10, 3)
        let back = try map("0:-1.2, 1:-1.2", of: third)
        #expect(
            back.pieces.map(\.exact) == [
                ExactLine(.zero, Strip.seconds(25, 9), from: third, to: .zero)
            ])
        #expect(back.exactOutputDuration == Strip.seconds(25, 9))
        let fitted = try map("0:0.7", of: third, lasting: Strip.seconds(1, 7))
        #expect(fitted.pieces[0].exact?.sourceEnd == third)
        #expect(fitted.exactOutputDuration == Strip.seconds(1, 7))
        #expect(try map("0s:-0.5, 3s:-0.5", of: ten).exactOutputDuration == Strip.seconds(20))
    }

    @Test("the source begins where what is visited covers the clip")
    func visited() throws {
        // −1 for a quarter, then 1: from a third of the clip back to 0, and on to its end.
        let map = try map("0:-1, 25%:1", .hold, of: Strip.seconds(9))
        #expect(abs(map.outputDuration - 12) < 1e-12)
        #expect(abs(map.sourceTime(at: 0) - 3) < 1e-12)
        #expect(abs(map.sourceTime(at: 3)) < 1e-12)
        #expect(abs(map.sourceTime(at: 12) - 9) < 1e-12)
    }

    @Test("with a length asked for, the shape stays and all of the clip is visited")
    func fit() throws {
        let lasting = Strip.seconds(31, 7)
        let free = try map("0:1, 60%:-0.5, 1:2", .smooth, of: ten)
        let fitted = try map("0:1, 60%:-0.5, 1:2", .smooth, of: ten, lasting: lasting)
        #expect(fitted.exactOutputDuration == lasting)
        let ratio = lasting.seconds / free.outputDuration
        for step in 0...50 {
            let y = free.outputDuration * Double(step) / 50
            #expect(abs(fitted.sourceTime(at: y * ratio) - free.sourceTime(at: y)) < 1e-11)
            #expect(abs(fitted.speed(at: y * ratio) * ratio - free.speed(at: y)) < 1e-9)
        }
    }

    @Test("speeds are what they integrate to, whatever the easings (seed 61)")
    func integral() throws {
        var generator = SplitMix64(seed: 61)
        for round in 0..<60 {
            let map = try Strip.randomSpeeds(&generator)
            for piece in map.pieces {
                let gain = integrate(from: piece.outputStart, to: piece.outputEnd) {
                    piece.position(at: $0).speed
                }
                // The table's own error bound is 1e-9 of the clip.
                #expect(
                    abs(piece.sourceStart + gain.value - piece.sourceEnd) < 1e-8,
                    "seed 61, round \(round)")
            }
        }
    }

    @Test("pieces meet, and all of the clip is visited and no more (seed 62)")
    func meeting() throws {
        var generator = SplitMix64(seed: 62)
        for round in 0..<100 {
            let map = try Strip.randomSpeeds(&generator)
            for (piece, next) in zip(map.pieces, map.pieces.dropFirst()) {
                #expect(abs(piece.sourceEnd - next.sourceStart) < 1e-11, "seed 62, round \(round)")
                #expect(piece.outputEnd == next.outputStart)
            }
            for piece in map.pieces {
                let (start, end) = (
                    piece.position(at: piece.outputStart), piece.position(at: piece.outputEnd)
                )
                #expect(abs(start.source - piece.sourceStart) < 1e-11)
                #expect(abs(end.source - piece.sourceEnd) < 1e-11)
            }
            let ends = map.pieces.flatMap { [$0.sourceStart, $0.sourceEnd] }
            #expect(abs(ends.min() ?? 1) < 1e-11, "seed 62, round \(round)")
            #expect(abs((ends.max() ?? 0) - 10) < 1e-11, "seed 62, round \(round)")
        }
    }

    @Test("each piece can be inverted, rising or falling (seed 63)")
    func inverse() throws {
        var generator = SplitMix64(seed: 63)
        for round in 0..<100 {
            let map = try Strip.randomSpeeds(&generator)
            for piece in map.pieces where piece.sourceStart != piece.sourceEnd {
                let share = Double.random(in: 0...1, using: &generator)
                let x = piece.sourceStart + (piece.sourceEnd - piece.sourceStart) * share
                let y = piece.outputTime(of: x)
                #expect(
                    abs(piece.position(at: y).source - x) < 1e-11, "seed 63, round \(round)")
            }
        }
    }

    @Test("a cursor answers as the map does (seed 64)")
    func cursor() throws {
        var generator = SplitMix64(seed: 64)
        for round in 0..<40 {
            let map = try Strip.randomSpeeds(&generator)
            var cursor = map.cursor()
            for step in 0...1000 {
                let y = map.outputDuration * Double(step) / 1000
                let (source, speed) = cursor.position(at: y)
                #expect(source == map.sourceTime(at: y), "seed 64, round \(round)")
                #expect(speed == map.speed(at: y), "seed 64, round \(round)")
            }
        }
    }

    @Test("in seconds a ramp to a stop holds, and the output ends with the source")
    func seconds() throws {
        // 2 s down from 1 to 0 move 1 s, 3 s stand, 1 s up move 0.5 s; 8.5 s are left.
        let map = try map("0s:1, 2s:0, 5s:0, 6s:1", of: ten)
        #expect(abs(map.outputDuration - 14.5) < 1e-11)
        #expect(abs(map.sourceTime(at: 3.5) - 1) < 1e-12)
        #expect(abs(map.sourceTime(at: 6) - 1.5) < 1e-12)
        #expect(map.speed(at: 4) == 0)
        #expect(map.playsForward)
        #expect(!map.isRising)
        let stop = try self.map("0s:1, 8s:0", of: ten)
        #expect(stop.exactOutputDuration == Strip.seconds(8))
        #expect(abs(stop.sourceTime(at: 8) - 4) < 1e-12)
        let late = try self.map("0s:0, 3600s:0, 3601s:1", .hold, of: ten)
        #expect(abs(late.outputDuration - 3611) < 1e-9)
        #expect(late.pieces.count == 2)
    }

    @Test("errors say what is wrong and what to do")
    func errors() {
        let cases: [(String, RationalTime?, CurveError.Code, [String])] = [
            ("0:0, 1:0", nil, .invalidParameter, ["nothing moves"]),
            ("0s:0, 5s:0", nil, .invalidParameter, ["nothing moves"]),
            ("0:1, 50%:-1, 3s:1", nil, .malformed, ["0.5", "share"]),
            ("0:1, 3s:1", ten, .invalidParameter, ["a length for it", "shares"]),
            ("0s:2, 6s:2", nil, .invalidParameter, ["second 5.0", "6.0 s", "smaller"]),
            ("0s:1, 2s:-3, 6s:0", nil, .invalidParameter, ["start", "smaller"]),
            ("0:1, 1:1001", nil, .tooFast, ["1000"]),
            ("0s:0, 1s:-1001", nil, .tooFast, ["1000"]),
            ("0:1, 1:-1", Strip.seconds(1, 1000), .tooFast, ["1000"]),
            ("0:1, 1:-1", .zero, .invalidParameter, ["0.0 s"]),
            ("0:1, 0:2, 0:1", nil, .malformed, ["three keyframes", "jump"]),
        ]
        for (text, lasting, code, words) in cases {
            let found = error(text, of: ten, lasting: lasting)
            #expect(found?.code == code, "\(text): \(String(describing: found))")
            for word in words {
                #expect(found?.description.contains(word) == true, "\(text): \(found as Any)")
            }
        }
        #expect(error("0:1000", of: ten) == nil)
        #expect(error("0:-1000, 1:1000", of: ten) == nil)
    }

    @Test("bad instants and speeds given in code are errors, too")
    func badKeyframes() {
        let bad: [[Keyframe]] = [
            [], [Keyframe(.share(1.5), speed: 1)], [Keyframe(.share(-0.5), speed: 1)],
            [Keyframe(.seconds(Strip.seconds(-1)), speed: 1)], [Keyframe(.share(0), speed: .nan)],
        ]
        for keyframes in bad {
            #expect(throws: CurveError.self) {
                try TimeMap(keyframes: keyframes, sourceDuration: ten)
            }
        }
        #expect(throws: CurveError.self) {
            try TimeMap(keyframes: [Keyframe(.share(0), speed: 1)], sourceDuration: .zero)
        }
    }
}
