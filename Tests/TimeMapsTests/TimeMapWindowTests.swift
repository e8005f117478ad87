import Testing

@testable import TimeMaps

@Suite("Windows of time maps")
struct TimeMapWindowTests {
    private static let maps: [TimeMap] = {
        let six = RationalTime(6, over: 1)
        return [
            .identity(six), .reversed(six),
            try! .uniform(from: six, to: RationalTime(7, over: 3)),
            try! TimeMap(
                warping: six,
                by: Curve.builtIn(.doubleSmoothstep, factor: 2).timeScale(duration: six),
                frameDuration: nil, lasting: nil),
            // Its speed still changes at its end.
            try! TimeMap(
                warping: six, by: Curve.builtIn(.ramp, factor: 3).timeScale(duration: six),
                frameDuration: nil, lasting: nil),
            try! TimeMap(
                through: [
                    TimeAnchor(source: .zero, output: .zero),
                    TimeAnchor(source: six, output: RationalTime(2, over: 1)),
                    TimeAnchor(source: six, output: RationalTime(3, over: 1)),
                    TimeAnchor(source: RationalTime(1, over: 1), output: RationalTime(5, over: 1)),
                ], sourceDuration: six),
        ]
    }()

    @Test("inside, a window shows what the map shows", arguments: maps.indices)
    func inside(index: Int) throws {
        let map = Self.maps[index]
        let end = map.outputDuration
        let from = try RationalTime(seconds: end * 0.13, timescale: 90_000)
        let to = try RationalTime(seconds: end * 0.87, timescale: 90_000)
        let window = try map.window(from: from, to: to)
        #expect(abs(window.map.outputDuration - (to.seconds - from.seconds)) < 1e-9)
        for step in 0...200 {
            let y = Double(step) / 200 * window.map.outputDuration
            let found = window.sourceStart.seconds + window.map.sourceTime(at: y)
            #expect(abs(found - map.sourceTime(at: from.seconds + y)) < 1e-8, "y = \(y)")
        }
        // The window keeps no more of the source than it shows.
        #expect(window.sourceDuration.seconds <= map.sourceDuration)
    }

    @Test("outside, it goes on at the speed that the map has at its ends", arguments: maps.indices)
    func outside(index: Int) throws {
        let map = Self.maps[index]
        let end = map.outputDuration
        let from = RationalTime(-1, over: 400)
        let to = try RationalTime(seconds: end, timescale: 90_000).sum(
            RationalTime(1, over: 400))
        let window = try map.window(from: from, to: to)
        let (first, last) = (map.speed(at: 0), map.speed(at: end))
        for step in 0...100 {
            let y = from.seconds + Double(step) / 100 * (to.seconds - from.seconds)
            let expected =
                y < 0
                ? map.sourceTime(at: 0) + y * first
                : y > end ? map.sourceTime(at: end) + (y - end) * last : map.sourceTime(at: y)
            let found =
                window.sourceStart.seconds + window.map.sourceTime(at: y - from.seconds)
            #expect(abs(found - expected) < 1e-8, "y = \(y)")
        }
    }

    @Test("of a straight map it is one exact line, before its start too")
    func straight() throws {
        let window = try TimeMap.identity(RationalTime(6, over: 1)).window(
            from: RationalTime(-1, over: 1001), to: RationalTime(3, over: 1))
        #expect(window.map.pieces.count == 1)
        #expect(window.map.constantSpeed == 1)
        #expect(window.sourceStart == RationalTime(-1, over: 1001))
        #expect(window.map.exactOutputDuration == RationalTime(3004, over: 1001))
    }

    @Test("one that lies wholly outside is refused")
    func empty() {
        let map = TimeMap.identity(RationalTime(6, over: 1))
        #expect(throws: CurveError.self) {
            try map.window(from: RationalTime(6, over: 1), to: RationalTime(7, over: 1))
        }
        #expect(throws: CurveError.self) {
            try map.window(from: RationalTime(2, over: 1), to: RationalTime(2, over: 1))
        }
    }
}
