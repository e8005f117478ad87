import Foundation
import TestSupport
import Testing

@testable import TimeWarpStudio

@Suite("Beats, and what is shown of a part of a clip")
struct CloseLookTests {
    @Test("a part of a curve is evaluated closely, and only there")
    func detail() async throws {
        let folder = try TemporaryFolder()
        try await RunningStudio.run(in: folder) { studio in
            let sample = try await studio.sample()
            let request = PageRequest(
                media: sample, segment: ["warp": ["curve": "double-smoothstep"]]
            ).json
            let answer = try await studio.ask(
                "POST", "/api/evaluate?from=0.4&to=0.401", json: request)
            let curve: [String: Any] = try #require(answer["curve"])
            let places = try #require(curve["u"] as? [Double])
            #expect(places.filter { (0.4...0.401).contains($0) }.count >= 513)
            #expect(places.count < 1100)
            #expect(places == places.sorted())
            for query in ["from=0.5&to=0.5", "from=-1&to=1", "from=0&to=x", "from=0&to=1.1"] {
                #expect(
                    try await studio.ask("POST", "/api/evaluate?\(query)", json: request).status
                        == 400)
            }
        }
    }

    @Test(
        "keyframes are found that follow a curve, and its exact length, but none for a curve that can't be"
    )
    func followed() async throws {
        let folder = try TemporaryFolder()
        try await RunningStudio.run(in: folder) { studio in
            let sample = try await studio.sample()
            func keyframes(_ segment: [String: any Sendable]) async throws -> RunningStudio.Answer {
                try await studio.ask(
                    "POST", "/api/keyframes",
                    json: PageRequest(media: sample, segment: segment).json)
            }
            let curve: [String: any Sendable] = ["curve": "ramp", "factor": 2, "modifier": 0.5]
            let plain: [[String: Any]] = try #require(
                await keyframes(["warp": curve])["keyframes"])
            #expect(plain.compactMap { $0["at"] as? String } == ["0%", "100%"])
            #expect(plain.compactMap { $0["speed"] as? Double } == [1, 0.5])
            let fitted: [[String: Any]] = try #require(
                await keyframes(["warp": curve, "duration": "7.5"])["keyframes"])
            #expect(fitted.compactMap { $0["speed"] as? Double } == [2, 1])
            #expect(try await keyframes(["warp": ["speed": "1 - 2*t"]]).status == 422)
        }
    }

    @Test(
        "a keyframe is brought to an instant of the output, by speeds or by its place",
        arguments: ["speed", "place"])
    func hit(way: String) async throws {
        let folder = try TemporaryFolder()
        try await RunningStudio.run(in: folder) { studio in
            let sample = try await studio.sample()
            for (easing, fit, output) in [
                ("smooth", nil, 6.0), ("linear", nil, 7.25), ("hold", nil, 6.5),
                ("bezier(0.3,0.2,0.6,1.4)", nil, 6.8), ("smooth", "12", 5.5),
            ] {
                let easing: String = easing
                var keyframes: [[String: any Sendable]] = [
                    ["at": "0%", "speed": 1.0, "easing": easing],
                    ["at": "30%", "speed": 0.5, "easing": easing],
                    ["at": "5s", "speed": 0.8, "easing": easing],
                    ["at": "100%", "speed": 1.5],
                ]
                func request(_ more: [String: any Sendable] = [:]) -> [String: any Sendable] {
                    var request = PageRequest(
                        media: sample, segment: ["warp": ["keyframes": keyframes]], more: more)
                    request.segment["duration"] = fit
                    return request.json
                }
                let answer = try await studio.ask(
                    "POST", "/api/hit",
                    json: request(["keyframe": 2, "output": output, "way": way]))
                #expect(answer.status == 200, "\(easing)")
                let reached: Double = try #require(answer["output"])
                #expect(abs(reached - output) < 1e-6)
                let changes: [[String: Any]] = try #require(answer["changes"])
                #expect(
                    changes.compactMap { $0["keyframe"] as? Int }
                        == (way == "speed" ? [0, 1] : [2]))
                for change in changes {
                    let number = try #require(change["keyframe"] as? Int)
                    if let speed = change["speed"] as? Double { keyframes[number]["speed"] = speed }
                    if let place = change["place"] as? Double {
                        keyframes[number]["at"] = "\(100 * place)%"
                    }
                }
                // Evaluated anew, the keyframe's instant is there: the map is within a quarter of a frame.
                let place = (changes[0]["place"] as? Double ?? 0.5) * 10
                let evaluation = try await studio.ask("POST", "/api/evaluate", json: request())
                let map: [String: [Double]] = try #require(evaluation["map"])
                let (outputs, sources) = (map["output"] ?? [], map["source"] ?? [])
                let next = try #require(sources.firstIndex { $0 >= place })
                let share = (place - sources[next - 1]) / (sources[next] - sources[next - 1])
                let found = outputs[next - 1] + share * (outputs[next] - outputs[next - 1])
                #expect(abs(found - output) < 0.02, "\(easing)")
            }
        }
    }

    @Test("an instant that no speed reaches is refused, and so is a keyframe that isn't there")
    func missedHit() async throws {
        let folder = try TemporaryFolder()
        try await RunningStudio.run(in: folder) { studio in
            let sample = try await studio.sample()
            let keyframes: [[String: any Sendable]] = [
                ["at": "0", "speed": 1.0], ["at": "0.5", "speed": 0.5], ["at": "1", "speed": 1.0],
            ]
            for (keyframe, output) in [(1, 5000.0), (7, 3), (0, 1)] {
                let request = PageRequest(
                    media: sample, segment: ["warp": ["keyframes": keyframes]],
                    more: ["keyframe": keyframe, "output": output, "way": "speed"])
                let answer = try await studio.ask("POST", "/api/hit", json: request.json)
                #expect(answer.status == 422)
            }
        }
    }

    @Test("beats are found when they are asked for, and parts of strip and waveform made")
    func beatsAndTiles() async throws {
        let folder = try TemporaryFolder()
        try await RunningStudio.run(in: folder) { studio in
            let sample = try await studio.sample()
            async let first = studio.ask("GET", "/api/media/\(sample)/beats")
            async let second = studio.ask("GET", "/api/media/\(sample)/beats")
            let (one, other) = try await (first, second)
            #expect(one.status == 200)
            let (beats, others): ([Double]?, [Double]?) = (one["beats"], other["beats"])
            #expect(beats == others)
            // The sample has a click at each second.
            let onsets: [Double] = try #require(one["onsets"])
            for second in 1..<9 {
                #expect(onsets.contains { abs($0 - Double(second)) < 0.005 }, "\(second)")
            }
            let strip = try await studio.ask("GET", "/api/media/\(sample)/strip?level=3&tile=7")
            #expect(strip.status == 200)
            #expect(strip.body.starts(with: [0x89, 0x50, 0x4E, 0x47]))
            let waveform = try await studio.ask(
                "GET", "/api/media/\(sample)/waveform?level=2&tile=1")
            let maximum: [Double] = try #require(waveform["maximum"])
            #expect(maximum.count == 2000)
            for query in ["level=0&tile=0", "level=2&tile=4", "level=99&tile=0", "level=x&tile=1"] {
                #expect(
                    try await studio.ask("GET", "/api/media/\(sample)/strip?\(query)").status == 400
                )
            }
            #expect(try await studio.ask("GET", "/api/media/none/beats").status == 404)
        }
    }
}
