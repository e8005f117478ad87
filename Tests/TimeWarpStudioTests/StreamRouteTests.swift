import Foundation
import Media
import TestSupport
import Testing
import TimeWarp

@testable import TimeWarpStudio

@Suite("Streams of the studio", .serialized)
struct StreamRouteTests {
    private func request(_ media: String, _ how: [String: Any], mode: String = "varispeed")
        -> [String: Any]
    {
        [
            "job": [
                "timewarp": "job/1",
                "timeline": [
                    "format": "source",
                    "tracks": [["segments": [["media": media].merging(how) { $1 }]]],
                ], "output": ["path": "a.mp4"], "audio": ["mode": mode],
            ]
        ]
    }

    /// The numbers of a stream's frames, which have a height.
    private func frames(
        in bytes: Data, height: Int = 180, _ folder: TemporaryFolder
    ) throws -> [Int?] {
        let path = folder.path("\(UUID().uuidString).mp4")
        try bytes.write(to: URL(fileURLWithPath: path))
        let width = (height * 16 / 9) & ~1
        return try Finding.shownFrames(in: path, width: width, height: height).map(\.number)
    }

    @Test("a job plays from any instant on, in the asked size, and so does its file")
    func playing() async throws {
        let folder = try TemporaryFolder()
        try await RunningStudio.run(in: folder) { studio in
            let job = request(try await studio.sample(), ["range": ["0", "2"], "speed": 0.5])
            let stream = try await studio.ask("POST", "/api/stream?from=1.5&size=240", json: job)
            #expect(stream.status == 200)
            let numbers = try frames(in: stream.body, height: 240, folder)
            // From frame 45 of 120 on, each source frame twice.
            #expect(numbers == (45..<120).map { $0 / 2 })
            let render = try await studio.ask("POST", "/api/renders", json: job)
            let id: String = render["id"] ?? ""
            #expect(try await studio.wait(for: id, until: ["finished"]) == "finished")
            let file = try await studio.ask("GET", "/api/renders/\(id)/stream?from=3.5&size=180")
            #expect(try frames(in: file.body, folder) == (105..<120).map { $0 / 2 })
        }
    }

    @Test(
        "decoded frames are kept while something plays, and given back when nothing does any more")
    func keeping() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("clip.mp4")
        try TestClip().write(to: path)
        let source = try MediaSource(at: path, formats: .all)
        let streams = PlayedStreams(rest: .milliseconds(10))
        func play() async throws {
            let response = try await streams.response(of: "", at: .init()) {
                try RenderPlan(
                    streaming: RenderJob(asIs: source), shortSide: $0,
                    MediaCatalogue(holding: source))
            }
            guard case .stream(let pieces) = response.body else {
                Issue.record("it isn't streamed")
                return
            }
            for await _ in pieces {}
            #expect(!streams.isEmpty)
            withExtendedLifetime(response) {}
        }
        try await play()
        while !streams.isEmpty {
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    @Test("stretched sound plays beside the video at its own times")
    func stretched() async throws {
        let folder = try TemporaryFolder()
        try await RunningStudio.run(in: folder) { studio in
            var job = request(try await studio.sample(), ["duration": "12"])
            job["job"] = (job["job"] as? [String: Any])?.merging([
                "timeline": [
                    "format": "source",
                    "tracks": [
                        [
                            "carries": "sound",
                            "segments": [["media": try await studio.sample(), "duration": "12"]],
                        ]
                    ],
                ]
            ]) { $1 }
            let stream = try await studio.ask("POST", "/api/stream?from=8&size=180", json: job)
            #expect(stream.status == 200)
            #expect(try frames(in: stream.body, folder) == Array(240..<300))
            let path = folder.path("sound.mp4")
            try stream.body.write(to: URL(fileURLWithPath: path))
            let asset = try Asset(at: path)
            // It begins up to three coded frames before.
            #expect((4...4.1).contains(asset.soundEnd.seconds))
        }
    }

    @Test("a place that is none, and a clip that is none, are refused")
    func refused() async throws {
        let folder = try TemporaryFolder()
        try await RunningStudio.run(in: folder) { studio in
            let job = request(try await studio.sample(), ["speed": 1])
            for query in ["from=soon", "size=tall", "size=1", "size=100000"] {
                let answer = try await studio.ask("POST", "/api/stream?\(query)", json: job)
                #expect(answer.status == 400, "\(query)")
            }
            let none = try await studio.ask(
                "POST", "/api/stream", json: request("none", ["speed": 1]))
            #expect(none.status == 404)
            #expect(try await studio.ask("GET", "/api/renders/none/stream").status == 404)
        }
    }
}
