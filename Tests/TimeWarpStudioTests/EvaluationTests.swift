import Exchange
import Foundation
import TestSupport
import Testing
import TimeWarp

@testable import TimeWarpStudio

@Suite("Jobs that a studio evaluates and exports", .serialized)
struct EvaluationTests {
    @Test("a request is evaluated: samples, range, duration, rate, command")
    func evaluation() async throws {
        let folder = try TemporaryFolder()
        try await RunningStudio.run(in: folder) { studio in
            let answer = try await studio.ask(
                "POST", "/api/evaluate",
                json: PageRequest(
                    media: try await studio.sample(),
                    segment: [
                        "warp": ["curve": "constant", "factor": 2] as [String: any Sendable],
                        "range": ["1", "4"],
                    ], output: ["path": "sample-warped.mp4"], video: ["rate": "any"]
                ).json)
            #expect(answer["outputDuration"] == 6.0)
            #expect(answer["sourceStart"] == 1.0)
            #expect(answer["averageFrameRate"] == 15.0)
            #expect(answer["sourceFrameRate"] == 15.0)
            #expect(answer["frames"] == 90)
            #expect(
                answer["command"]
                    == "timewarp warp sample.mp4 -o sample-warped.mp4 --curve constant --factor 2 "
                    + "--range 1..4 --fps any")
        }
    }

    @Test(
        "a retimed clip is exported for editors, and imported again as a clip",
        arguments: ["fcpxml", "xml", "otio", "edl", "mlt", "kdenlive"])
    func export(format: String) async throws {
        let folder = try TemporaryFolder()
        try await RunningStudio.run(in: folder) { studio in
            let warp = ["curve": "double-smoothstep"]
            let ways: [[String: any Sendable]] = [
                ["warp": warp], ["play": "reversed"], ["warp": warp, "thereAndBack": true],
            ]
            for way in ways {
                var request = PageRequest(
                    media: try await studio.sample(), segment: way,
                    output: ["path": "sample-made.mp4"])
                let evaluation = try await studio.ask("POST", "/api/evaluate", json: request.json)
                request.more["format"] = format
                let answer = try await studio.ask("POST", "/api/export", json: request.json)
                #expect(answer.status == 200)
                let name: String = answer["name"] ?? ""
                #expect(name.hasPrefix("sample-") && name.hasSuffix("." + format))
                let content: String = answer["content"] ?? ""
                let path = folder.path("workspace/" + name)
                try Data(content.utf8).write(to: URL(fileURLWithPath: path))
                let project = try CompositionProject(contentsOfFile: path, formats: .all)
                let duration: Double = evaluation["outputDuration"] ?? 0
                #expect(abs(project.composition.duration.seconds - duration) < 1.0 / 30)
            }
        }
    }

    @Test(
        "what is wrong with a request is told with its place",
        arguments: [
            (PageRequest(segment: ["warp": ["scale": "1 + sin(pi*t"]]), "curve", 13),
            (PageRequest(segment: ["warp": ["scale": "1 + q"]]), "curve", 5),
            (PageRequest(segment: ["duration": "soon"]), "length", nil),
            (PageRequest(segment: ["scale": -1]), "length", nil),
            (PageRequest(segment: ["duration": "1e9"]), "length", nil),
            (PageRequest(segment: ["range": ["50"]]), "range", nil),
            (PageRequest(segment: ["freeze": "1", "duration": "1"]), nil, nil),
            (PageRequest(segment: ["windo": ["1", "2"]]), nil, nil),
            (PageRequest(segment: ["window": ["1", "2"]]), nil, nil),
            (PageRequest(segment: ["play": "reversed", "speed": 2]), nil, nil),
            (PageRequest(segment: ["longerBy": "1"]), nil, nil),
            (PageRequest(segment: ["gain": -6]), nil, nil),
            (PageRequest(segment: ["thereAndBack": "1"]), nil, nil),
            (PageRequest(segment: ["thereAndBack": true, "duration": "6"]), nil, nil),
            (PageRequest(segment: ["oneWay": "6"]), nil, nil),
            (PageRequest(isSound: true), nil, nil),
            (
                PageRequest(segment: ["range": ["0", "1"], "duration": "2"], isSound: true), nil,
                nil
            ),
            (PageRequest(segment: ["thereAndBack": true, "oneWay": "soon"]), "length", nil),
            (PageRequest(output: ["path": "a.exe"]), "container", nil),
            (PageRequest(output: ["path": "a.html", "container": "mp4"]), "container", nil),
            (PageRequest(output: ["path": "a.mp4", "range": ["3", "2"]]), "sample", nil),
            (PageRequest(video: ["rate": "fast"]), "video", nil),
            (PageRequest(audio: ["bitRate": -1]), "sound", nil),
            (
                PageRequest(segment: ["longerBy": "1"], isSound: true, audio: ["mode": "mute"]),
                "sound", nil
            ),
            (PageRequest(segment: ["longerBy": "-60"], isSound: true), "length", nil),
        ] as [(PageRequest, String?, Int?)])
    func errors(request: PageRequest, field: String?, column: Int?) async throws {
        let folder = try TemporaryFolder()
        try await RunningStudio.run(in: folder) { studio in
            var request = request
            request.media = try await studio.sample()
            let answer = try await studio.ask("POST", "/api/evaluate", json: request.json)
            #expect(answer.status == 422)
            let error: [String: Any] = answer["error"] ?? [:]
            #expect(error["field"] as? String == field)
            #expect(error["column"] as? Int == column)
            #expect((error["message"] as? String)?.hasPrefix("job") == (field == nil))
        }
    }

    @Test("what is wrong with a curve that is saved is told with its place in the curve")
    func savedCurveErrors() async throws {
        let folder = try TemporaryFolder()
        try await RunningStudio.run(in: folder) { studio in
            let keyframes: [[String: any Sendable]] = [["at": "0", "speed": "fast"]]
            let answer = try await studio.ask(
                "POST", "/api/curves", json: ["name": "x", "curve": ["keyframes": keyframes]])
            #expect(answer.status == 422)
            let error: [String: Any] = answer["error"] ?? [:]
            #expect(error["field"] as? String == "curve")
            #expect((error["message"] as? String)?.contains("keyframes[0].speed") == true)
        }
    }

    @Test("a part of the output is looked at, and all of it is exported")
    func exportOfSample() async throws {
        let folder = try TemporaryFolder()
        try await RunningStudio.run(in: folder) { studio in
            var request = PageRequest(
                media: try await studio.sample(), segment: ["scale": 2],
                output: ["path": "sample-scaled.mp4", "range": ["100", "200"]])
            #expect(try await studio.ask("POST", "/api/evaluate", json: request.json).status == 422)
            request.more["format"] = "json"
            #expect(try await studio.ask("POST", "/api/export", json: request.json).status == 200)
        }
    }

    @Test("keyframes that come to rest are evaluated, over output time")
    func rest() async throws {
        let folder = try TemporaryFolder()
        try await RunningStudio.run(in: folder) { studio in
            for speeds in [[1.0, 0], [0, 1], [1, 0, 1]] {
                let keyframes = speeds.enumerated().map { place, speed in
                    ["at": "\(100 * place / (speeds.count - 1))%", "speed": speed]
                        as [String: any Sendable]
                }
                let answer = try await studio.ask(
                    "POST", "/api/evaluate",
                    json: PageRequest(
                        media: try await studio.sample(),
                        segment: ["warp": ["keyframes": keyframes]]
                    ).json)
                #expect(answer.status == 200)
                #expect(
                    (answer["map", as: [String: Any].self]?["output"] as? [Double])?.isEmpty
                        == false)
            }
        }
    }

    @Test("a request that would last for ages is refused, and the studio goes on")
    func ages() async throws {
        let folder = try TemporaryFolder()
        try await RunningStudio.run(in: folder) { studio in
            let keyframes: [[String: any Sendable]] = [
                ["at": "0s", "speed": 1, "easing": "hold"],
                ["at": "1s", "speed": 0, "easing": "hold"],
                ["at": "9000000000000000000s", "speed": 0],
            ]
            let answer = try await studio.ask(
                "POST", "/api/evaluate",
                json: PageRequest(
                    media: try await studio.sample(), segment: ["warp": ["keyframes": keyframes]]
                ).json)
            #expect(answer.status == 422)
            #expect(try await studio.ask("GET", "/api/media").status == 200)
        }
    }
}
