import Foundation
import Testing

@testable import TimeMaps

@Suite("Maps through points")
struct TimeMapPointsTests {
    private let ten = Strip.seconds(10)

    private func anchors(_ pairs: [(Double, Double)]) throws -> [TimeAnchor] {
        try pairs.map { output, source in
            TimeAnchor(
                source: try RationalTime(seconds: source, timescale: 1_000_000_000),
                output: try RationalTime(seconds: output, timescale: 1_000_000_000))
        }
    }

    private func error(_ pairs: [(Double, Double)]) throws -> CurveError? {
        let points = try anchors(pairs)
        do {
            _ = try TimeMap(through: points, sourceDuration: ten)
            return nil
        } catch {
            return error
        }
    }

    @Test("every point is met exactly (seed 41)")
    func pointsAreMet() throws {
        var generator = SplitMix64(seed: 41)
        for round in 0..<100 {
            let map = try Strip.randomMap(&generator)
            for piece in map.pieces {
                let line = try #require(piece.exact, "seed 41, round \(round)")
                #expect(map.sourceTime(at: piece.outputStart) == line.sourceStart.seconds)
                let end = map.sourceTime(at: piece.outputEnd - 1e-12)
                // A picosecond before the end, at a speed of at most 100.
                #expect(abs(end - line.sourceEnd.seconds) < 1e-9)
            }
            #expect(map.exactOutputDuration?.seconds == map.outputDuration)
        }
    }

    @Test("a cut shows what comes after it")
    func cut() throws {
        let map = try TimeMap(
            through: anchors([(0, 0), (2, 2), (2, 7), (4, 7), (5, 6)]), sourceDuration: ten)
        #expect(map.pieces.count == 3)
        #expect(map.sourceTime(at: 2) == 7)
        #expect(map.sourceTime(at: 3.9) == 7)
        #expect(map.speed(at: 3) == 0)
        #expect(map.speed(at: 4.5) == -1)
        #expect(map.exactOutputDuration == Strip.seconds(5))
    }

    @Test("a microsecond outside of the source counts as its end")
    func grace() throws {
        let map = try TimeMap(
            through: anchors([(0, -0.0000009), (5, 10.0000009)]), sourceDuration: ten)
        #expect(map.pieces[0].exact?.sourceStart == .zero)
        #expect(map.pieces[0].exact?.sourceEnd == ten)
    }

    @Test("errors name the point and what is wrong with it")
    func errors() throws {
        let cases: [([(Double, Double)], [String])] = [
            ([], ["two points"]),
            ([(0, 0)], ["two points"]),
            ([(1, 0), (2, 1)], ["output time 0", "1.0 s"]),
            ([(0, 0), (2, 1), (1, 2)], ["point 3", "1.0 s", "point 2", "2.0 s"]),
            ([(0, 0), (2, 1), (2, 2), (2, 3), (4, 4)], ["points 2, 3 and 4", "2.0 s"]),
            ([(0, 0), (2, 12), (3, 4)], ["point 2", "12.0 s", "10.0 s"]),
            ([(0, 0), (2, 1), (3, -0.5)], ["point 3", "-0.5 s"]),
            ([(0, 0), (0, 3)], ["last 0 s"]),
        ]
        for (pairs, words) in cases {
            let text = try #require(try error(pairs)).description
            for word in words {
                #expect(text.contains(word), "\(text)")
            }
        }
        let fast = try #require(try error([(0, 0), (1, 1), (1.0089, 10)]))
        #expect(fast.code == .tooFast)
        #expect(fast.description.contains("1.0089"))
        #expect(try error([(0, 0), (0.0099, 10), (1, 10)])?.code == .tooFast)
        #expect(try error([(0, 0), (0.01, 10), (1, 10)]) == nil)
        #expect(try error([(0, 10), (0.01, 0)]) == nil)
        #expect(try error([(0, 10), (0.009, 0)])?.code == .tooFast)
    }
}

@Suite("Time map files")
struct TimeMapDocumentTests {
    private func read(_ points: String) throws -> TimeMapDocument {
        try TimeMapDocument(
            json: Data("{ \"timewarp\": \"time-map/1\", \"points\": \(points) }".utf8))
    }

    private func message(_ text: String) -> String {
        do {
            _ = try TimeMapDocument(json: Data(text.utf8))
            return "none"
        } catch {
            return error.description
        }
    }

    @Test("times are numbers or texts, exact as decimals")
    func reading() throws {
        let document = try read(
            """
            [ { "output": "0", "source": 0 }, { "output": "2.5s", "source": 10 },
              { "output": "00:01:30.25", "source": 0.1 }, { "output": 91.000000001,
                "source": "1001/30000" }, { "output": 1e2, "source": 1.5e-3 } ]
            """)
        #expect(
            document.points == [
                TimeAnchor(source: .zero, output: .zero),
                TimeAnchor(source: Strip.seconds(10), output: Strip.seconds(5, 2)),
                TimeAnchor(source: Strip.seconds(1, 10), output: Strip.seconds(361, 4)),
                TimeAnchor(
                    source: Strip.seconds(1001, 30_000),
                    output: Strip.seconds(91_000_000_001, 1_000_000_000)),
                TimeAnchor(source: Strip.seconds(3, 2000), output: Strip.seconds(100)),
            ])
    }

    @Test("what is written is read again, exactly (seed 42)")
    func roundTrip() throws {
        var generator = SplitMix64(seed: 42)
        for _ in 0..<50 {
            let points = (0..<20).map { _ in
                TimeAnchor(
                    source: RationalTime(
                        .random(in: 0...1 << 40, using: &generator),
                        over: .random(in: 1...2_000_000, using: &generator)),
                    output: RationalTime(.random(in: 0...1 << 40, using: &generator), over: 90_000))
            }
            let document = TimeMapDocument(points: points)
            #expect(try TimeMapDocument(json: document.json()) == document, "seed 42")
        }
    }

    @Test("a file is written in plain decimals")
    func writing() throws {
        let document = TimeMapDocument(points: [
            TimeAnchor(source: Strip.seconds(10), output: Strip.seconds(5, 2)),
            TimeAnchor(source: Strip.seconds(1, 3), output: Strip.seconds(90_090, 90_000)),
        ])
        let text = String(decoding: try document.json(), as: UTF8.self)
        for word in ["\"2.5\"", "\"10\"", "\"1/3\"", "\"1.001\"", "\"time-map/1\""] {
            #expect(text.contains(word), "\(text)")
        }
        let negative = TimeMapDocument(points: [
            TimeAnchor(source: Strip.seconds(-1), output: .zero)
        ])
        #expect(throws: CurveError.self) { try negative.json() }
    }

    @Test("errors name the place in the file")
    func errors() {
        func file(_ points: String) -> String {
            "{ \"timewarp\": \"time-map/1\", \"points\": \(points) }"
        }
        let good = "{ \"output\": 0, \"source\": 0 }"
        let cases = [
            ("nonsense", "isn't valid JSON"),
            ("[]", "it is a list, not an object"),
            ("{ \"points\": [] }", "\"timewarp\" is missing"),
            ("{ \"timewarp\": \"time-map/1\" }", "\"points\" is missing"),
            ("{ \"timewarp\": \"time-map/2\", \"points\": [] }", "time-map/2"),
            ("{ \"timewarp\": 1, \"points\": [] }", "1:15: timewarp: it is a number, not a text"),
            ("{ \"timewarp\": \"time-map/1\", \"points\": [], \"fps\": 3 }", "\"fps\""),
            (file("{}"), "points: it is an object, not a list"),
            (file("[\(good), { \"output\": 1 }]"), "points[1]: \"source\" is missing"),
            (
                file("[\(good), { \"output\": 1, \"source\": [] }]"),
                "points[1].source: a time must be"
            ),
            (
                file("[\(good), { \"output\": true, \"source\": 1 }]"),
                "points[1].output: a time must be"
            ),
            (
                file("[\(good), { \"output\": null, \"source\": 1 }]"),
                "points[1].output: a time must be"
            ),
            (file("[{ \"output\": 0, \"source\": \"-1\" }]"), "points[0].source: \"-1\""),
            (file("[{ \"output\": 0, \"source\": \"soon\" }]"), "points[0].source: \"soon\""),
            (file("[{ \"output\": 0, \"source\": -1 }]"), "points[0].source: -1.0 s"),
            (file("[{ \"output\": 0, \"source\": 1e30 }]"), "points[0].source: 1e+30 s"),
            (file("[{ \"output\": 0, \"source\": 0, \"at\": 1 }]"), "points[0]: \"at\""),
            (file("[\(String(repeating: " ", count: 1 << 24))]"), "16 MiB"),
        ]
        for (text, word) in cases {
            let found = message(text)
            #expect(found.contains(word), "\(text.prefix(200)) gives: \(found)")
        }
    }
}
