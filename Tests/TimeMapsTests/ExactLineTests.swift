import Testing

@testable import TimeMaps

/// A natural number of any size: digits to the base 2³², the lowest first.
private struct Natural: Comparable {
    private var digits: [UInt32] = []

    init(_ value: Int128) {
        precondition(value >= 0)
        var rest = value
        while rest > 0 {
            digits.append(UInt32(rest & 0xFFFF_FFFF))
            rest >>= 32
        }
    }

    static func + (a: Natural, b: Natural) -> Natural {
        var result = Natural(0)
        var carry: UInt64 = 0
        for place in 0..<max(a.digits.count, b.digits.count) {
            let first = place < a.digits.count ? UInt64(a.digits[place]) : 0
            let second = place < b.digits.count ? UInt64(b.digits[place]) : 0
            result.digits.append(UInt32(truncatingIfNeeded: first + second + carry))
            carry = (first + second + carry) >> 32
        }
        result.digits += carry > 0 ? [UInt32(carry)] : []
        return result
    }

    static func * (a: Natural, b: Natural) -> Natural {
        var result = Natural(0)
        result.digits = Array(repeating: 0, count: a.digits.count + b.digits.count)
        for (i, x) in a.digits.enumerated() {
            var carry: UInt64 = 0
            for (j, y) in b.digits.enumerated() {
                let sum = UInt64(result.digits[i + j]) + UInt64(x) * UInt64(y) + carry
                result.digits[i + j] = UInt32(truncatingIfNeeded: sum)
                carry = sum >> 32
            }
            result.digits[i + b.digits.count] = UInt32(carry)
        }
        while result.digits.last == 0 {
            result.digits.removeLast()
        }
        return result
    }

    static func < (a: Natural, b: Natural) -> Bool {
        guard a.digits.count == b.digits.count else {
            return a.digits.count < b.digits.count
        }
        return a.digits.reversed().lexicographicallyPrecedes(b.digits.reversed())
    }
}

@Suite("Exact lines in any direction")
struct ExactLineTests {
    private func time(
        below seconds: Int64, _ generator: inout SplitMix64
    ) -> RationalTime {
        let timescales: [Int32] = [1, 25, 12_800, 30_000, 44_100, 48_000, 90_000, 1_000_000_000]
        let timescale = timescales.randomElement(using: &generator) ?? 1
        return RationalTime(
            .random(in: 0...seconds * Int64(timescale), using: &generator), over: timescale)
    }

    /// |a − b| over the product of the timescales.
    private func difference(_ a: RationalTime, _ b: RationalTime) -> Natural {
        let top =
            Int128(a.value) * Int128(b.timescale) - Int128(b.value) * Int128(a.timescale)
        return Natural(top < 0 ? -top : top)
    }

    @Test("ticks are those of big integers, rising and falling, from anywhere (seed 31)")
    func ticks() throws {
        var generator = SplitMix64(seed: 31)
        for round in 0..<3000 {
            let outputs = [time(below: 40_000, &generator), time(below: 40_000, &generator)]
                .sorted()
            let (from, to) = (time(below: 40_000, &generator), time(below: 40_000, &generator))
            guard outputs[0] < outputs[1], from != to else {
                continue
            }
            let line = ExactLine(outputs[0], outputs[1], from: from, to: to)
            let x = min(max(time(below: 40_000, &generator), min(from, to)), max(from, to))
            let timescale: Int32 = [90_000, 48_000, 30_000][round % 3]
            let found = try #require(
                try line.outputTime(of: x, timescale: timescale, rounding: .down),
                "seed 31, round \(round): \(line) at \(x)")
            // y = c + P/Q in output ticks of 1/ct, everything multiplied out.
            let ct = Natural(Int128(line.outputStart.timescale))
            let p =
                difference(x, from) * difference(line.outputEnd, line.outputStart)
                * Natural(Int128(to.timescale))
            let q =
                Natural(Int128(x.timescale)) * Natural(Int128(line.outputEnd.timescale))
                * ct * difference(to, from)
            let top =
                Natural(Int128(timescale))
                * (Natural(Int128(line.outputStart.value)) * q + p * ct)
            let bottom = ct * q
            #expect(Natural(Int128(found.value)) * bottom <= top, "seed 31, round \(round)")
            #expect(top < Natural(Int128(found.value) + 1) * bottom, "seed 31, round \(round)")
        }
    }

    @Test("a falling line rounds as asked, clamps to its ends, and has no place for a freeze")
    func rounding() throws {
        let second = Strip.seconds(1)
        // From 10 down to 0 between output 1 s and 4 s: source 9 s at 1.3 s.
        let line = ExactLine(second, Strip.seconds(4), from: Strip.seconds(10), to: .zero)
        func tick(_ x: RationalTime, _ rounding: RoundingRule) throws -> Int64? {
            try line.outputTime(of: x, timescale: 4, rounding: rounding)?.value
        }
        #expect(try tick(Strip.seconds(9), .down) == 5)
        #expect(try tick(Strip.seconds(9), .up) == 6)
        #expect(try tick(Strip.seconds(9), .nearest) == 5)
        #expect(try tick(Strip.seconds(11), .nearest) == 4)
        #expect(try tick(Strip.seconds(-1), .nearest) == 16)
        let freeze = ExactLine(.zero, second, from: second, to: second)
        #expect(try freeze.outputTime(of: second, timescale: 4, rounding: .down) == nil)
    }

    @Test("numbers that don't fit fall back on doubles")
    func overflow() throws {
        let odd = RationalTime(.max - 4, over: .max)
        let end = RationalTime(.max - 24, over: .max - 18)
        let line = ExactLine(RationalTime(7, over: .max - 60), end, from: odd, to: .zero)
        let x = RationalTime((1 << 61) - 1, over: .max - 2)
        #expect(try line.outputTime(of: x, timescale: 90_001, rounding: .nearest) == nil)
        let piece = TimeMap.Piece(line)
        let tick = try piece.outputTime(of: x, timescale: 90_001, rounding: .nearest)
        let wanted = piece.outputTime(of: x.seconds)
        // Half a tick.
        let tolerance = 0.5 / 90_001 + 1e-6
        #expect(abs(tick.seconds - wanted) <= tolerance)
    }

    @Test("a map of several exact lines places exactly on each")
    func manyLines() throws {
        let map = try TimeMap(
            through: [
                TimeAnchor(source: .zero, output: .zero),
                TimeAnchor(source: Strip.seconds(1), output: Strip.seconds(1, 3)),
                TimeAnchor(source: Strip.seconds(8), output: Strip.seconds(22, 7)),
            ], sourceDuration: Strip.seconds(10))
        let tick = try map.outputTime(
            of: Strip.seconds(2), timescale: 1_000_000_000, rounding: .down)
        // 1/3 + (22/7 − 1/3)/7 = 108/147
        #expect(tick.value == 108 * 1_000_000_000 / 147)
        let beyond = try map.outputTime(of: Strip.seconds(9), timescale: 7, rounding: .nearest)
        #expect(beyond == Strip.seconds(22, 7))
    }
}
