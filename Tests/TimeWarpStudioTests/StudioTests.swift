import Exchange
import Foundation
import TestSupport
import Testing
import TimeWarp

@testable import TimeWarpStudio

// Each test runs a studio; two cores are busy with one studio at a time.
@Suite("The studio's server", .serialized)
struct StudioTests {
    @Test("a new workspace has a sample, and what it tells of it is true")
    func sample() async throws {
        let folder = try TemporaryFolder()
        try await RunningStudio.run(folder.path("workspace")) { studio in
            let id = try await studio.sample()
            let media = try await studio.ask("GET", "/api/media/\(id)")
            #expect(media["duration"] == 10.0)
            let file = try FileManager.default.attributesOfItem(
                atPath: folder.path("workspace/media/\(id)/sample.mp4"))
            #expect(file[.size] as? Int == media["bytes", as: Int.self])
        }
    }

    @Test("an upload keeps its name in a folder of its own, and in what editors get")
    func namesOfUploads() async throws {
        let folder = try TemporaryFolder()
        try TestClip { $0.frameCount = 30 }.write(to: folder.path("clip.mp4"))
        let content = try Data(contentsOf: URL(fileURLWithPath: folder.path("clip.mp4")))
        try await RunningStudio.run(in: folder) { studio in
            let made = try await studio.ask("POST", "/api/uploads?name=the%20film.mp4", content)
            let id: String = made["id"] ?? ""
            let file = folder.path("workspace/media/\(id)/the film.mp4")
            #expect(FileManager.default.fileExists(atPath: file))
            let project = try await studio.ask(
                "POST", "/api/export",
                json: PageRequest(media: id, segment: ["speed": 2], more: ["format": "fcpxml"]).json
            )
            let text: String = project["content"] ?? ""
            #expect(text.contains("<asset id=\"r2\" name=\"the film.mp4\""))
            #expect(try await studio.ask("DELETE", "/api/media/\(id)").status == 204)
        }
        // Nobody can bring it back any more.
        try await RunningStudio.run(in: folder) { _ in }
        let left = try FileManager.default.contentsOfDirectory(
            atPath: folder.path("workspace/media"))
        #expect(left.count == 1)
    }

    @Test("what isn't media is refused with a sentence, and nothing of it stays")
    func notMedia() async throws {
        let folder = try TemporaryFolder()
        try await RunningStudio.run(in: folder) { studio in
            let before = try FileManager.default.subpathsOfDirectory(
                atPath: folder.path("workspace/media"))
            let answer = try await studio.ask(
                "POST", "/api/uploads?name=notes.mp4", Data("These are notes.".utf8))
            #expect(answer.status == 415)
            #expect(answer.message?.hasPrefix("notes.mp4: ") == true)
            let after = try FileManager.default.subpathsOfDirectory(
                atPath: folder.path("workspace/media"))
            #expect(before == after)
            #expect(
                try FileManager.default.subpathsOfDirectory(
                    atPath: folder.path("workspace/uploads")) == [])
        }
    }

    @Test("an upload that grows beyond the limit is refused, announced or not")
    func tooLarge() async throws {
        let folder = try TemporaryFolder()
        var limits = Studio.Limits()
        limits.largestUpload = 100_000
        try await RunningStudio.run(in: folder, limits: limits) { studio in
            let large = Data(count: 200_000)
            try large.write(to: folder.url.appendingPathComponent("large"))
            for header in ["Content-Length: 200000", "Transfer-Encoding: chunked"] {
                let result = try await blocking {
                    try ReferenceTools.run(
                        "curl",
                        [
                            "-s", "-w", "%{http_code}", "-H", header,
                            "-H", "Expect:", "-H", "Authorization: Bearer \(studio.token)",
                            "--data-binary", "@" + folder.path("large"),
                            "http://127.0.0.1:\(studio.port)/api/uploads?name=a.mp4",
                        ])
                }
                #expect(result.output.hasSuffix("413"), "\(header): \(result.output)")
            }
            #expect(
                try FileManager.default.subpathsOfDirectory(
                    atPath: folder.path("workspace/uploads")) == [])
        }
    }

    @Test("whoever asks before an upload is told what the upload would be told")
    func room() async throws {
        let folder = try TemporaryFolder()
        var limits = Studio.Limits()
        limits.largestUpload = 100_000
        try await RunningStudio.run(in: folder, limits: limits) { studio in
            let answer = try await studio.ask("GET", "/api/uploads/room?bytes=100000")
            #expect(answer["largest"] == 100_000)
            let refused = try await studio.ask("GET", "/api/uploads/room?bytes=100001")
            #expect(refused.status == 413)
        }
        try await RunningStudio.run(in: folder) { studio in
            let answer = try await studio.ask("GET", "/api/uploads/room")
            let largest: Int = answer["largest"] ?? 0
            let refused = try await studio.ask(
                "GET", "/api/uploads/room?bytes=\(largest + (1 << 30))")
            #expect([413, 507].contains(refused.status))
        }
    }

    @Test("a workspace with more files than are looked at says so")
    func manyFiles() async throws {
        let folder = try TemporaryFolder()
        let workspace = try Workspace(at: folder.path("workspace"))
        for number in 0..<20 {
            try Data().write(to: URL(fileURLWithPath: workspace.path(to: "\(number).mp4")))
        }
        let all = try await WorkspaceFiles(workspace).list()
        #expect(all.files.count == 20)
        #expect(!all.isCut)
        let some = try await WorkspaceFiles(workspace, mostVisits: 10).list()
        #expect((1..<20).contains(some.files.count))
        #expect(some.isCut)
    }

    @Test("a client that stops in the middle of a request is let go, and holds up nobody")
    func slowClient() async throws {
        let folder = try TemporaryFolder()
        var limits = Studio.Limits()
        limits.idleSeconds = 1
        try await RunningStudio.run(in: folder, limits: limits) { studio in
            let head =
                "POST /api/uploads?name=a.mp4 HTTP/1.1\\r\\nHost: 127.0.0.1:\(studio.port)"
                + "\\r\\nAuthorization: Bearer \(studio.token)\\r\\nContent-Length: 1000\\r\\n\\r\\nabc"
            async let slow = blocking {
                // Ends when the server closes the connection.
                try ReferenceTools.run(
                    "bash",
                    [
                        "-c",
                        "exec 3<>/dev/tcp/127.0.0.1/\(studio.port); printf '\(head)' >&3; cat <&3",
                    ])
            }
            #expect(try await studio.ask("GET", "/api/media").status == 200)
            _ = try await slow
            // The client may see the end of the connection before what it began is removed.
            try await waitUntil("the upload is removed") {
                try FileManager.default.subpathsOfDirectory(
                    atPath: folder.path("workspace/uploads")) == []
            }
        }
    }

    @Test("a workspace belongs to one studio at a time")
    func oneAtATime() async throws {
        let folder = try TemporaryFolder()
        try await RunningStudio.run(in: folder) { _ -> Void in
            #expect(throws: (any Error).self) {
                _ = try Studio(workspace: folder.path("workspace"))
            }
        }
        _ = try Studio(workspace: folder.path("workspace"))
    }

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

    @Test("a person's own folder called uploads is left alone")
    func ownFolders() async throws {
        let folder = try TemporaryFolder()
        let own = folder.path("workspace/uploads/mine")
        try FileManager.default.createDirectory(
            atPath: own, withIntermediateDirectories: true)
        let left = folder.path("workspace/uploads/0123456789abcdef")
        for path in [own + "/notes.txt", folder.path("workspace/uploads/clip.mp4"), left] {
            try Data("mine".utf8).write(to: URL(fileURLWithPath: path))
        }
        try await RunningStudio.run(folder.path("workspace")) { _ in
            let files = try FileManager.default.subpathsOfDirectory(
                atPath: folder.path("workspace/uploads"))
            #expect(files.sorted() == ["clip.mp4", "mine", "mine/notes.txt"])
        }
    }

    @Test("pictures that went missing are made again, and a file that changed is opened again")
    func missing() async throws {
        let folder = try TemporaryFolder()
        let id = try await RunningStudio.run(in: folder) { try await $0.sample() }
        try FileManager.default.removeItem(atPath: folder.path("workspace/cache"))
        try await RunningStudio.run(in: folder) { studio in
            try await waitUntil("the clip is analysed") {
                try await studio.ask("GET", "/api/media/\(id)")["analysis"] == "ready"
            }
            #expect(try await studio.ask("GET", "/api/media/\(id)/strip").status == 200)
            try TestClip { $0.frameCount = 90 }.write(to: folder.path("other.mp4"))
            let file = folder.path("workspace/media/\(id)/sample.mp4")
            try FileManager.default.removeItem(atPath: file)
            try FileManager.default.copyItem(atPath: folder.path("other.mp4"), toPath: file)
            let answer = try await studio.ask(
                "POST", "/api/evaluate",
                json: PageRequest(media: id, segment: ["scale": 2]).json)
            #expect(answer["sourceDuration"] == 3.0)
        }
    }

    @Test("curves are kept, changed, downloaded and forgotten")
    func curves() async throws {
        let folder = try TemporaryFolder()
        try await RunningStudio.run(in: folder) { studio in
            let kept = try await studio.ask(
                "POST", "/api/curves", json: ["name": " Slow ", "curve": ["curve": "ramp"]])
            #expect(kept.status == 201)
            #expect(kept["name"] == "Slow")
            let id: String = kept["id"] ?? ""
            let changed = try await studio.ask(
                "PUT", "/api/curves/\(id)", json: ["name": "Slower", "curve": ["scale": "1+t"]])
            #expect(changed["name"] == "Slower")
            let picture: [String: [Double]] = changed["picture"] ?? [:]
            #expect(picture["u"]?.last == 1)
            #expect(picture["scale"]?.last == 2)
            let file = try await studio.ask("GET", "/api/curves/\(id)/file")
            #expect(file["timewarp"] == "curve/1")
            #expect(file["scale"] == "1+t")
            #expect(try await studio.ask("DELETE", "/api/curves/\(id)").status == 204)
            #expect(try await studio.ask("GET", "/api/curves/\(id)/file").status == 404)
        }
    }
}

/// Runs work that waits for other programs on a thread of its own.
func blocking<Result: Sendable>(
    _ work: @escaping @Sendable () throws -> Result
) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
        Thread { continuation.resume(with: Swift.Result { try work() }) }.start()
    }
}
