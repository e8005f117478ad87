import Foundation
import TestSupport
import Testing

@testable import TimeWarpStudio

// These renders are slow on purpose, so the tests run one at a time.
@Suite("Renders of a studio", .serialized)
struct RenderQueueTests {
    private func request(_ media: String, slow: Bool = false) -> PageRequest {
        PageRequest(
            media: media, segment: ["scale": slow ? 400 : 1],
            output: ["path": "sample-scaled.mp4"], video: ["preset": "ultrafast"])
    }

    private func start(
        _ studio: RunningStudio, slow: Bool = false
    ) async throws -> String {
        let answer = try await studio.ask(
            "POST", "/api/renders", json: request(try await studio.sample(), slow: slow).json)
        #expect(answer.status == 201)
        return answer["id"] ?? ""
    }

    private func results(in folder: TemporaryFolder) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder.path("workspace/results"))
            .sorted()
    }

    @Test("one runs at a time, the others wait in order; the result is a file that lasts as told")
    func queue() async throws {
        let folder = try TemporaryFolder()
        try await RunningStudio.run(in: folder) { studio in
            let slow = try await start(studio, slow: true)
            _ = try await studio.wait(for: slow, until: ["running"])
            let second = try await start(studio)
            let third = try await start(studio)
            #expect(try await studio.ask("GET", "/api/renders/\(second)")["position"] == 1)
            #expect(try await studio.ask("GET", "/api/renders/\(third)")["position"] == 2)
            #expect(try await studio.ask("DELETE", "/api/renders/\(second)").status == 204)
            let cancelled = try await studio.ask("POST", "/api/renders/\(slow)/cancel")
            #expect(cancelled["state"] == "cancelled")
            #expect(try await studio.wait(for: third, until: ["finished"]) == "finished")
            #expect(try results(in: folder) == [third, "\(third)/sample-scaled.mp4"])
            let path = folder.path("workspace/results/\(third)/sample-scaled.mp4")
            let duration = try ReferenceTools.ffprobe(["-show_entries", "format=duration", path])
            #expect(duration == ["10.000000"])
        }
    }

    @Test("what runs when the studio ends is interrupted, leaves nothing, and can be run again")
    func restart() async throws {
        let folder = try TemporaryFolder()
        let (slow, waiting) = try await RunningStudio.run(in: folder) { studio in
            let slow = try await start(studio, slow: true)
            _ = try await studio.wait(for: slow, until: ["running"])
            return (slow, try await start(studio))
        }
        #expect(try results(in: folder) == [])
        try await RunningStudio.run(in: folder) { studio in
            let found = try await studio.ask("GET", "/api/renders/\(slow)")
            #expect(found["state"] == "interrupted")
            #expect(try await studio.wait(for: waiting, until: ["finished"]) == "finished")
            #expect(try await studio.ask("POST", "/api/renders/\(slow)/again").status == 200)
            #expect(try await studio.wait(for: slow, until: ["running"]) == "running")
        }
    }

    @Test("what is finished stays, although its record can't be written; it is written later")
    func recordFails() async throws {
        let folder = try TemporaryFolder()
        let records = folder.path("workspace/studio/renders")
        let finished = try await RunningStudio.run(in: folder) { studio in
            let slow = try await start(studio, slow: true)
            _ = try await studio.wait(for: slow, until: ["running"])
            let next = try await start(studio)
            // Without its folder no record can be written, as on a full disk.
            try FileManager.default.moveItem(atPath: records, toPath: records + ".away")
            #expect(
                try await studio.ask("POST", "/api/renders/\(slow)/cancel")["state"] == "cancelled")
            #expect(try await studio.wait(for: next, until: ["finished"]) == "finished")
            #expect(try results(in: folder) == [next, "\(next)/sample-scaled.mp4"])
            let render = try await studio.ask("GET", "/api/renders/\(next)")
            #expect(render["isRecorded"] == false)
            try FileManager.default.moveItem(atPath: records + ".away", toPath: records)
            let last = try await start(studio)
            #expect(try await studio.ask("GET", "/api/renders/\(next)")["isRecorded"] == true)
            #expect(try await studio.wait(for: last, until: ["finished"]) == "finished")
            return next
        }
        let record = try Data(
            contentsOf: URL(fileURLWithPath: "\(records)/\(finished).json"))
        #expect(String(decoding: record, as: UTF8.self).contains("\"finished\""))
    }

    @Test("a finished file whose record says that it is running is found by the next studio")
    func foundFinished() async throws {
        let folder = try TemporaryFolder()
        let finished = try await RunningStudio.run(in: folder) { studio in
            let render = try await start(studio)
            #expect(try await studio.wait(for: render, until: ["finished"]) == "finished")
            return render
        }
        let path = folder.path("workspace/studio/renders/\(finished).json")
        let record = try String(contentsOfFile: path, encoding: .utf8)
        try record.replacing("\"finished\"", with: "\"running\"")
            .write(toFile: path, atomically: true, encoding: .utf8)
        try await RunningStudio.run(in: folder) { studio in
            let render = try await studio.ask("GET", "/api/renders/\(finished)")
            #expect(render["state"] == "finished")
            #expect(try await studio.ask("GET", "/api/renders/\(finished)/download").status == 200)
        }
    }

    @Test("cancelling and removing at any moment leave what was said")
    func races() async throws {
        let folder = try TemporaryFolder()
        try await RunningStudio.run(in: folder) { studio in
            var removed: [String] = []
            var cancelled: [String] = []
            for number in 0..<12 {
                let render = try await start(studio, slow: true)
                if number % 2 == 0 {
                    #expect(try await studio.ask("DELETE", "/api/renders/\(render)").status == 204)
                    removed.append(render)
                } else {
                    #expect(
                        try await studio.ask("POST", "/api/renders/\(render)/cancel").status == 200)
                    cancelled.append(render)
                }
            }
            for render in cancelled {
                let state = try await studio.wait(for: render, until: ["cancelled"])
                #expect(state == "cancelled")
            }
            for render in removed {
                #expect(try await studio.ask("GET", "/api/renders/\(render)").status == 404)
            }
            let last = try await start(studio)
            #expect(try await studio.wait(for: last, until: ["finished"]) == "finished")
            #expect(try results(in: folder) == [last, "\(last)/sample-scaled.mp4"])
        }
    }

    @Test("what was removed last comes back until something else is removed, or the studio ends")
    func bringingBack() async throws {
        let folder = try TemporaryFolder()
        try await RunningStudio.run(in: folder) { studio in
            let renders = [try await start(studio), try await start(studio)]
            for render in renders {
                #expect(try await studio.wait(for: render, until: ["finished"]) == "finished")
            }
            let paths = renders.map { "/api/renders/\($0)" }
            #expect(try await studio.ask("DELETE", paths[0]).status == 204)
            #expect(try await studio.ask("GET", paths[0]).status == 404)
            let render = try await studio.ask("POST", paths[0] + "/return")
            #expect(render["state"] == "finished")
            #expect(try await studio.ask("GET", paths[0] + "/download").status == 200)
            #expect(try await studio.ask("DELETE", paths[0]).status == 204)
            #expect(try await studio.ask("DELETE", paths[1]).status == 204)
            #expect(try await studio.ask("POST", paths[0] + "/return").status == 404)
            #expect(try results(in: folder) == [renders[1], "\(renders[1])/sample-scaled.mp4"])
            let media = "/api/media/\(try await studio.sample())"
            #expect(try await studio.ask("DELETE", media).status == 204)
            #expect(try await studio.ask("GET", media).status == 404)
            let clip = try await studio.ask("POST", media + "/return")
            #expect(clip["name"] == "sample.mp4")
            #expect(try await studio.ask("GET", media).status == 200)
            #expect(try await studio.ask("DELETE", media).status == 204)
        }
        try await RunningStudio.run(in: folder) { studio in
            let answer = try await studio.ask("POST", "/api/renders/0/return")
            #expect(answer.status == 404)
            #expect(try results(in: folder) == [])
        }
    }

    @Test("a render becomes a clip, which stays when the render is removed")
    func clip() async throws {
        let folder = try TemporaryFolder()
        try await RunningStudio.run(in: folder) { studio in
            let render = try await start(studio)
            #expect(try await studio.wait(for: render, until: ["finished"]) == "finished")
            let clip = try await studio.ask("POST", "/api/renders/\(render)/clip")
            #expect(clip.status == 200)
            #expect(clip["name"] == "sample-scaled.mp4")
            let id = try #require(clip["id", as: String.self])
            #expect(try await studio.ask("DELETE", "/api/renders/\(render)").status == 204)
            // The next removal is when the file of the first one goes.
            let other = try await start(studio)
            #expect(try await studio.wait(for: other, until: ["finished"]) == "finished")
            #expect(try await studio.ask("DELETE", "/api/renders/\(other)").status == 204)
            #expect(try results(in: folder) == [other, "\(other)/sample-scaled.mp4"])
            #expect(try await studio.ask("GET", "/api/media/\(id)/inspect").status == 200)
            let slow = try await start(studio, slow: true)
            #expect(try await studio.ask("POST", "/api/renders/\(slow)/clip").status == 404)
        }
    }

    @Test("a clip that a render needs isn't forgotten before it")
    func neededMedia() async throws {
        let folder = try TemporaryFolder()
        try await RunningStudio.run(in: folder) { studio in
            let media = try await studio.sample()
            let slow = try await start(studio, slow: true)
            #expect(try await studio.ask("DELETE", "/api/media/\(media)").status == 409)
            #expect(try await studio.ask("DELETE", "/api/renders/\(slow)").status == 204)
            #expect(try await studio.ask("DELETE", "/api/media/\(media)").status == 204)
            #expect(try results(in: folder) == [])
        }
    }

    @Test("a sample is a part of the output, and starts at a frame of the whole")
    func sample() async throws {
        let folder = try TemporaryFolder()
        try await RunningStudio.run(in: folder) { studio in
            var request = request(try await studio.sample())
            request.segment["scale"] = 2
            request.output = ["path": "sample-scaled-sample.mp4", "range": ["4.01", "6"]]
            let answer = try await studio.ask("POST", "/api/renders", json: request.json)
            let id: String = answer["id"] ?? ""
            #expect(answer["name"] == "sample-scaled-sample.mp4")
            let command: String? = answer["command"]
            #expect(command?.contains("--output-range 4.01..6") == true)
            #expect(try await studio.wait(for: id, until: ["finished"]) == "finished")
            let path = folder.path("workspace/results/\(id)/sample-scaled-sample.mp4")
            #expect(
                try ReferenceTools.ffprobe(["-show_entries", "format=duration", path]) == [
                    "2.000000"
                ])
            request.output["range"] = ["30"]
            let beyond = try await studio.ask("POST", "/api/renders", json: request.json)
            #expect(beyond.status == 422)
            let error = beyond["error", as: [String: Any].self]
            #expect(error?["field"] as? String == "sample")
        }
    }

    @Test("a request that can't be carried out isn't queued")
    func impossible() async throws {
        let folder = try TemporaryFolder()
        try await RunningStudio.run(in: folder) { studio in
            var impossible = request(try await studio.sample())
            for (name, video) in [("a.wav", ["codec": "prores"]), ("a", [:]), ("a.xyz", [:])] {
                impossible.output = ["path": name]
                impossible.video = video
                let answer = try await studio.ask("POST", "/api/renders", json: impossible.json)
                #expect(answer.status == 422)
                let error: [String: Any] = answer["error"] ?? [:]
                #expect(error["field"] as? String == "container")
            }
            let renders: [[String: Any]] =
                try await studio.ask("GET", "/api/renders")["renders"] ?? []
            #expect(renders.isEmpty)
        }
    }
}
