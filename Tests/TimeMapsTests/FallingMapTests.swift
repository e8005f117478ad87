import Testing

@testable import TimeMaps

@Suite("Maps that fall, freeze and jump")
struct FallingMapTests {
    private let four = Strip.seconds(4)
    private let ten = Strip.seconds(10)

    private func points(_ pairs: [(Int64, Int64)], of duration: Int64 = 4) throws -> TimeMap {
        try TimeMap(
            through: pairs.map {
                TimeAnchor(source: Strip.seconds($0.1), output: Strip.seconds($0.0))
            }, sourceDuration: Strip.seconds(duration))
    }

    @Test("strips: reversed, there and back, freezes, cuts")
    func strips() throws {
        let forward = TimeMap.identity(four)
        let reversed = TimeMap.reversed(four)
        #expect(Strip.shown(by: reversed, of: "ABCD") == "DCBA")
        #expect(Strip.shown(by: try reversed.composed(after: reversed), of: "ABCD") == "ABCD")
        let back = try forward.thereAndBack(turningAt: 4)
        #expect(Strip.shown(by: back, of: "ABCD") == "ABCDDCBA")
        let short = try forward.thereAndBack(turningAt: 2)
        #expect(Strip.shown(by: short, of: "ABCD") == "ABBA")
        let slow = try TimeMap.uniform(from: four, to: Strip.seconds(8))
        #expect(
            Strip.shown(by: try reversed.composed(after: slow), of: "ABCD") == "DDCCBBAA")
        let freeze = try points([(0, 0), (2, 2), (4, 2), (6, 4)])
        #expect(Strip.shown(by: freeze, of: "ABCD") == "ABCCCD")
        let cut = try points([(0, 0), (2, 2), (2, 4), (4, 2)])
        #expect(Strip.shown(by: cut, of: "ABCD") == "ABDC")
    }

    @Test("forward allows freezes and jumps ahead; backward nothing but falling")
    func directions() throws {
        let cases: [([(Int64, Int64)], Bool, Bool)] = [
            ([(0, 0), (2, 2), (4, 2), (5, 4)], true, false),
            ([(0, 0), (1, 1), (1, 3), (2, 4)], true, false),
            ([(0, 0), (2, 2), (2, 1), (4, 3)], false, false),
            ([(0, 0), (2, 2), (4, 1)], false, false),
            ([(0, 4), (2, 2), (4, 0)], false, true),
            ([(0, 4), (1, 3), (1, 2), (2, 1)], false, true),
            ([(0, 4), (2, 2), (3, 2), (4, 1)], false, false),
            ([(0, 2), (1, 1), (1, 3), (2, 2)], false, false),
        ]
        for (pairs, forward, backward) in cases {
            let map = try points(pairs)
            #expect(map.playsForward == forward, "\(pairs)")
            #expect(map.playsBackward == backward, "\(pairs)")
        }
        let ramp = try TimeMap(warping: ten, by: BuiltInCurve.ramp.timeScale(factor: 3))
        #expect(ramp.playsForward && !ramp.playsBackward)
        let lasts = RationalTime(Int64(ramp.outputDuration), over: 1)
        let reversed = try ramp.composed(after: .reversed(lasts))
        #expect(reversed.playsBackward && !reversed.playsForward)
    }

    @Test("ranges of a subtitle, there and back and in a freeze")
    func ranges() throws {
        let back = try TimeMap.identity(four).thereAndBack(turningAt: 4)
        #expect(back.outputRanges(from: 1, to: 2) == [1..<2, 6..<7])
        #expect(back.outputRanges(from: 3, to: 9) == [3..<5])
        #expect(back.outputRanges(from: 2, to: 2).isEmpty)
        let freeze = try points([(0, 0), (2, 2), (4, 2), (6, 4)])
        #expect(freeze.outputRanges(from: 1, to: 2) == [1..<2])
        #expect(freeze.outputRanges(from: 2, to: 3) == [2..<5])
        #expect(freeze.outputRanges(from: -5, to: 9) == [0..<6])
        let cut = try points([(0, 0), (1, 1), (1, 3), (2, 4)])
        #expect(cut.outputRanges(from: 1.5, to: 2).isEmpty)
        #expect(cut.outputRanges(from: 0.5, to: 3.5) == [0.5..<1.5])
    }

    @Test("ranges cover exactly what shows the source inside (seed 32)")
    func rangesCover() throws {
        var generator = SplitMix64(seed: 32)
        for round in 0..<150 {
            let map = try Strip.randomMap(kind: round, &generator)
            let start = Double.random(in: -1...9, using: &generator)
            let end = start + .random(in: 0.01...4, using: &generator)
            let ranges = map.outputRanges(from: start, to: end)
            for (first, second) in zip(ranges, ranges.dropFirst()) {
                #expect(first.upperBound < second.lowerBound)
            }
            for _ in 0..<200 {
                let y = Double.random(in: 0..<map.outputDuration, using: &generator)
                let x = map.sourceTime(at: y)
                // Where a polynomial is flat at its end, solving it gives only half of the digits.
                guard abs(x - start) > 1e-7, abs(x - end) > 1e-7 else {
                    continue
                }
                let isInside = ranges.contains { $0.contains(y) }
                #expect(isInside == (start < x && x < end), "seed 32, round \(round), at \(y)")
            }
        }
    }

    @Test("the range of a rising map is that of its ends (seed 33)")
    func rangeOfRising() throws {
        var generator = SplitMix64(seed: 33)
        for round in 0..<40 {
            let map = try Strip.randomCurve(&generator)
            let start = Double.random(in: 0...9, using: &generator)
            let end = start + .random(in: 0.1...1, using: &generator)
            let ranges = map.outputRanges(from: start, to: end)
            try #require(ranges.count == 1, "seed 33, round \(round)")
            #expect(ranges[0] == map.outputTime(of: start)..<map.outputTime(of: end))
        }
    }

    @Test("there and back is the same from both ends (seed 34)")
    func symmetry() throws {
        var generator = SplitMix64(seed: 34)
        for round in 0..<60 {
            let map = try [
                Strip.randomMap(&generator), Strip.randomCurve(&generator),
                Strip.randomSpeeds(&generator),
            ][round % 3]
            let turn = map.outputDuration * .random(in: 0.05...1, using: &generator)
            let both = try map.thereAndBack(turningAt: turn)
            #expect(abs(both.outputDuration - 2 * turn) < 1e-9)
            for _ in 0..<100 {
                let y = Double.random(in: 0...turn, using: &generator)
                // Next to a cut, one side shows what comes before the cut and the other what comes after it.
                guard both.pieces.allSatisfy({ abs($0.outputStart - y) > 1e-9 }) else {
                    continue
                }
                let difference = both.sourceTime(at: y) - both.sourceTime(at: 2 * turn - y)
                // How far the source moves in a nanosecond at the points' top speed of 100.
                #expect(abs(difference) < 1e-7, "seed 34, round \(round), at \(y)")
                #expect(abs(both.sourceTime(at: y) - map.sourceTime(at: y)) < 1e-7)
            }
        }
    }

    @Test("there and back of an exact line is exact; a turn must lie inside")
    func exactTurn() throws {
        let slow = try TimeMap.uniform(from: ten, to: Strip.seconds(40, 3))
        let whole = try slow.thereAndBack(turningAt: slow.outputDuration)
        #expect(whole.exactOutputDuration == Strip.seconds(80, 3))
        #expect(whole.pieces.count == 2)
        #expect(whole.pieces[0].exact?.sourceEnd == ten)
        #expect(whole.pieces[1].exact?.sourceStart == ten)
        #expect(whole.pieces[1].exact?.sourceEnd == .zero)
        let part = try slow.thereAndBack(turningAt: 2.5)
        #expect(part.pieces[0].exact?.sourceEnd == Strip.seconds(15, 8))
        #expect(part.exactOutputDuration == Strip.seconds(5))
        for turn in [0, -1, 14, Double.nan] {
            let error = #expect(throws: CurveError.self) { try slow.thereAndBack(turningAt: turn) }
            #expect(error?.code == .invalidParameter)
        }
    }

    @Test("exact lines stay exact when composed")
    func exactComposition() throws {
        let outer = try points([(0, 0), (2, 4), (4, 2)])
        let inner = try TimeMap.uniform(from: four, to: Strip.seconds(12, 7))
        let both = try outer.composed(after: inner)
        #expect(both.pieces.count == 2)
        #expect(
            both.pieces.map(\.exact) == [
                ExactLine(.zero, Strip.seconds(6, 7), from: .zero, to: four),
                ExactLine(
                    Strip.seconds(6, 7), Strip.seconds(12, 7), from: four, to: Strip.seconds(2)),
            ])
        let reversed = try outer.composed(after: .reversed(four))
        #expect(reversed.pieces.map(\.exact?.sourceStart) == [Strip.seconds(2), four])
        let frozen = try points([(0, 1), (4, 1)]).composed(after: inner)
        #expect(frozen.pieces.map(\.exact?.sourceEnd) == [Strip.seconds(1)])
    }

    @Test("a freeze of a curve stands still and has a start")
    func frozenCurve() throws {
        let freeze = try points([(0, 3), (10, 3)], of: 10)
        let curve = try TimeMap(
            warping: ten, by: BuiltInCurve.triangle.timeScale(factor: 2, modifier: 1))
        let both = try freeze.composed(after: curve)
        #expect(both.sourceTime(at: 5) == 3)
        #expect(both.speed(at: 5) == 0)
        #expect(both.outputTime(of: 3) == 0)
    }

    @Test("composing equals applying twice, whatever the two maps (seed 35)")
    func composition() throws {
        var generator = SplitMix64(seed: 35)
        for round in 0..<100 {
            let outer = try Strip.randomMap(kind: round, &generator)
            let inner = try self.inner(round / 5, lasting: outer.outputDuration, &generator)
            let both = try outer.composed(after: inner)
            var cursor = both.cursor()
            for step in 0..<200 {
                let z = inner.outputDuration * (Double(step) + 0.37) / 200
                let y = inner.sourceTime(at: z)
                let twice = outer.sourceTime(at: y)
                let isNearCut = outer.pieces.contains { abs($0.outputStart - y) < 1e-6 }
                // Curves are solved to 1e-9, and the points' speeds go up to 100.
                #expect(
                    isNearCut || abs(both.sourceTime(at: z) - twice) < 1e-6,
                    "seed 35, round \(round), at \(z)")
                #expect(abs(cursor.position(at: z).source - both.sourceTime(at: z)) < 1e-8)
            }
        }
    }

    private func inner(
        _ kind: Int, lasting seconds: Double, _ generator: inout SplitMix64
    ) throws -> TimeMap {
        // A microsecond less, so that the result stays inside.
        let lasts = RationalTime(Int64(seconds * 1e6) - 1, over: 1_000_000)
        switch kind % 4 {
        case 0: return .reversed(lasts)
        case 1: return try TimeMap.identity(lasts).thereAndBack(turningAt: lasts)
        case 2:
            return try TimeMap(
                warping: lasts, by: BuiltInCurve.triangle.timeScale(factor: 3, modifier: 0.9))
        default:
            return try TimeMap(
                keyframes: [
                    Keyframe(.share(0), speed: 2), Keyframe(.share(0.5), speed: 0, easing: .hold),
                    Keyframe(.share(0.7), speed: -1, easing: .linear),
                ], sourceDuration: lasts)
        }
    }
}
