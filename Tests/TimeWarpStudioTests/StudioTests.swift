import Foundation
import TestSupport
import Testing

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
