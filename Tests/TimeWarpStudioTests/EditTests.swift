import Foundation
import TestSupport
import Testing
import TimeWarp

@testable import TimeWarpStudio

@Suite("Edits of a studio")
struct EditTests {
    private func clip(
        _ media: String, factor: Double = 1, _ more: [String: Any] = [:]
    ) -> [String: Any] {
        let segment: [String: Any] = ["media": media, "scale": factor]
        return ["segment": segment].merging(more) { $1 }
    }

    private func body(_ name: String, _ clips: [String: Any]...) -> [String: Any] {
        ["name": name, "clips": clips]
    }

    @Test("clips are trimmed in their own retimed time, and follow each other; the edit is a clip")
    func add() async throws {
        let folder = try TemporaryFolder()
        try await RunningStudio.run(in: folder) { studio in
            let media = try await studio.sample()
            let answer = try await studio.ask(
                "POST", "/api/edits",
                json: body(
                    "Opening", clip(media, factor: 2, ["start": "4", "end": "7"]),
                    clip(media, ["start": "1", "dissolve": "1"])))
            #expect(answer.status == 201)
            #expect(answer["duration"] == 12.0)
            #expect(answer["name"] == "Opening.json")
            let id: String = answer["id"] ?? ""
            let file = folder.path("workspace/edits/Opening.json")
            let project = try JSONSerialization.jsonObject(
                with: Data(contentsOf: URL(fileURLWithPath: file)))
            let tracks = (project as? [String: Any])?["tracks"] as? [[String: Any]]
            #expect((tracks?.first?["segments"] as? [Any])?.count == 2)
            let evaluation = try await studio.ask(
                "POST", "/api/evaluate",
                json: PageRequest(media: id, segment: ["scale": 0.5]).json)
            #expect(evaluation["outputDuration"] == 6.0)
            let found = try await studio.ask("GET", "/api/edits/\(id)")
            #expect(found["name"] == "Opening")
            for format in ["otio", "fcpxml", "xml", "edl", "mlt", "kdenlive", "json"] {
                let file = try await studio.ask("GET", "/api/edits/\(id)/file?format=\(format)")
                #expect(file["name"] == "Opening.\(format)")
            }
            #expect(try await studio.ask("GET", "/api/edits/\(id)/file?format=x").status == 422)
        }
    }

    @Test(
        "sounds begin at their times, beside each other where they overlap, and end with the picture"
    )
    func sounds() async throws {
        let folder = try TemporaryFolder()
        try await RunningStudio.run(in: folder) { studio in
            let media = try await studio.sample()
            var edit = body("Scored", clip(media, ["end": "8", "gain": -96]))
            edit["sounds"] = [
                clip(media, ["at": "5", "gain": -6]),
                clip(media, ["start": "1", "end": "3.5", "at": "1"]),
                clip(media, ["start": "2", "end": "4", "at": "3"]), clip(media, ["at": "9"]),
                ["segment": ["media": media, "duration": "11"], "at": "0"],
            ]
            let answer = try await studio.ask("POST", "/api/edits", json: edit)
            #expect(answer.status == 201, "\(answer.message ?? "")")
            #expect(answer["duration"] == 8.0)
            let file = URL(fileURLWithPath: folder.path("workspace/edits/Scored.json"))
            let project = try CompositionProject(contentsOfFile: file.path)
            let tracks = try project.timeline.tracks
            #expect(tracks.map(\.carries) == [.both, .sound, .sound, .sound])
            #expect(tracks[0].segments[0].blending.gain == (try Gain(decibels: -96)))
            #expect(
                tracks.dropFirst().map { track in
                    track.segments.map { ($0.clip == nil ? -1 : 1) * $0.duration.seconds }
                } == [[8], [-1, 2.5, -1.5, 3], [-3, 2]])
            let kept: [[String: Any]] =
                try await studio.ask("GET", "/api/edits/\(answer["id"] ?? "")")["sounds"] ?? []
            #expect(kept.count == 5)
            edit["sounds"] = [clip(media, ["at": "soon"])]
            #expect(try await studio.ask("POST", "/api/edits", json: edit).status == 422)
            edit["sounds"] = [clip(media, ["gain": 30])]
            #expect(try await studio.ask("POST", "/api/edits", json: edit).status == 422)
        }
    }

    @Test("a sound fades in and out within what is heard of it, and dissolves with no other")
    func fades() async throws {
        let folder = try TemporaryFolder()
        try await RunningStudio.run(in: folder) { studio in
            let media = try await studio.sample()
            var edit = body("Faded", clip(media, ["end": "8"]))
            edit["sounds"] = [
                clip(media, ["end": "2"]),
                clip(media, ["end": "2", "at": "2", "dissolve": "0.5", "fadeOut": "1"]),
                clip(media, ["at": "6", "dissolve": "0.5", "fadeOut": "9"]),
            ]
            let answer = try await studio.ask("POST", "/api/edits", json: edit)
            #expect(answer.status == 201, "\(answer.message ?? "")")
            let file = folder.path("workspace/edits/Faded.json")
            let tracks = try CompositionProject(contentsOfFile: file).timeline.tracks
            let fades = tracks.dropFirst().map { track in
                track.segments.filter { $0.clip != nil }.map {
                    [$0.duration, $0.blending.dissolve, $0.blending.fadeOut].map(\.seconds)
                }
            }
            // The last one ends with the picture, and what it fades out fits beside what it fades in.
            #expect(fades == [[[2, 0, 0], [2, 0.5, 1.5]], [[2, 0.5, 1]]])
            let kept: [[String: Any]] =
                try await studio.ask("GET", "/api/edits/\(answer["id"] ?? "")")["sounds"] ?? []
            #expect(kept.last?["fadeOut"] as? String == "9")
            edit["sounds"] = [clip(media, ["fadeOut": "-1"])]
            #expect(try await studio.ask("POST", "/api/edits", json: edit).status == 422)
        }
    }

    @Test("an edit has the size of its largest picture, whichever clip comes first")
    func size() async throws {
        let folder = try TemporaryFolder()
        let small = TestClip { ($0.frameCount, $0.width, $0.height) = (30, 120, 200) }
        try small.write(to: folder.path("small.mp4"))
        let content = try Data(contentsOf: URL(fileURLWithPath: folder.path("small.mp4")))
        try await RunningStudio.run(in: folder) { studio in
            let media = try await studio.sample()
            let other: String = try #require(
                try await studio.ask("POST", "/api/uploads?name=small.mp4", content)["id"])
            for (name, clips) in [
                ("Small first", [clip(other), clip(media)]),
                ("Large first", [clip(media), clip(other)]),
            ] {
                let edit = try await studio.ask(
                    "POST", "/api/edits", json: ["name": name, "clips": clips])
                let video: [String: Any] = try #require(edit["video"])
                #expect(video["width"] as? Int == 640)
                #expect(video["height"] as? Int == 360)
            }
            let edit = try await studio.ask("POST", "/api/edits", json: body("Small", clip(other)))
            let video: [String: Any] = try #require(edit["video"])
            #expect(video["width"] as? Int == 120)
        }
    }

    @Test(
        "a clip that plays there and back is as long as it was evaluated",
        arguments: ["60", "any", "24"])
    func turning(rate: String) async throws {
        let folder = try TemporaryFolder()
        try await RunningStudio.run(in: folder) { studio in
            let media = try await studio.sample()
            let segment: [String: any Sendable] = ["speed": 2, "thereAndBack": true]
            let evaluation = try await studio.ask(
                "POST", "/api/evaluate",
                json: PageRequest(media: media, segment: segment, video: ["rate": rate]).json)
            let lasts: Double = try #require(evaluation["outputDuration"])
            let clip: [String: Any] = [
                "segment": segment.merging(["media": media]) { $1 }, "rate": rate,
                "end": "\((lasts * 1e6).rounded() / 1e6)",
            ]
            let edit = try await studio.ask("POST", "/api/edits", json: body("e", clip))
            #expect(edit.status == 201)
            #expect(abs((edit["duration"] ?? 0.0) - lasts) < 1e-4)
            let id: String = edit["id"] ?? ""
            let kept: [[String: Any]] =
                try await studio.ask("GET", "/api/edits/\(id)")["clips"] ?? []
            #expect(kept.first?["rate"] as? String == rate)
        }
    }

    @Test("an edit keeps the words in which a clip was evaluated")
    func words() async throws {
        let folder = try TemporaryFolder()
        try await RunningStudio.run(in: folder) { studio in
            let media = try await studio.sample()
            for segment: [String: any Sendable] in [
                ["duration": "0:05.0"], ["speed": 0.333_333_333_3], ["speed": "6/4"],
                ["scale": "1001/1000"],
                ["range": ["1", "90s"], "oneWay": "2700/25s", "thereAndBack": true],
            ] {
                let evaluation = try await studio.ask(
                    "POST", "/api/evaluate", json: PageRequest(media: media, segment: segment).json)
                let told: [String: Any] = try #require(evaluation["segment"])
                let edit = try await studio.ask(
                    "POST", "/api/edits", json: body("e", ["segment": told]))
                #expect(edit.status == 201)
                let id: String = edit["id"] ?? ""
                let kept: [[String: Any]] =
                    try await studio.ask("GET", "/api/edits/\(id)")["clips"] ?? []
                #expect(kept.first?["segment"] as? NSDictionary == told as NSDictionary)
            }
        }
    }

    @Test(
        "a changed edit is the same clip with another duration, and another edit gets another file")
    func change() async throws {
        let folder = try TemporaryFolder()
        try await RunningStudio.run(in: folder) { studio in
            let media = try await studio.sample()
            let first = try await studio.ask(
                "POST", "/api/edits", json: body("a/b", clip(media)))
            let second = try await studio.ask(
                "POST", "/api/edits", json: body("a/b", clip(media)))
            #expect(first["name"] == "a-b.json")
            #expect(second["name"] == "a-b 2.json")
            let id: String = first["id"] ?? ""
            let changed = try await studio.ask(
                "PUT", "/api/edits/\(id)", json: body("c", clip(media), clip(media, factor: 0.5)))
            #expect(changed["id"] == id)
            #expect(changed["name"] == "c.json")
            let file = try await studio.ask("GET", "/api/edits/\(id)/file?format=otio")
            #expect(file["name"] == "c.otio")
            #expect(changed["duration"] == 15.0)
            #expect(changed["analysis"] == "waiting")
            let around = try await studio.ask(
                "PUT", "/api/edits/\(id)", json: body("c", clip(id), clip(media)))
            #expect(around.status == 422)
            #expect(around.message == "An edit can't contain itself.")
            let nested = try await studio.ask(
                "POST", "/api/edits", json: body("outer", clip(id, ["end": "12"])))
            #expect(nested["duration"] == 12.0)
            let outer: String = nested["id"] ?? ""
            #expect(try await studio.ask("DELETE", "/api/media/\(outer)").status == 204)
            #expect(try await studio.ask("DELETE", "/api/media/\(id)").status == 204)
            #expect(try await studio.ask("GET", "/api/edits/\(id)").status == 404)
            #expect(FileManager.default.fileExists(atPath: folder.path("workspace/edits/a-b.json")))
        }
    }

    @Test("edits that are made at the same time get files of their own")
    func sameTime() async throws {
        let folder = try TemporaryFolder()
        try await RunningStudio.run(in: folder) { studio in
            let media = try await studio.sample()
            let made = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        try await studio.ask(
                            "POST", "/api/edits", json: body("Edit", clip(media))
                        ).status
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(made == [201, 201, 201, 201])
            let files = try FileManager.default.contentsOfDirectory(
                atPath: folder.path("workspace/edits"))
            #expect(files.sorted() == ["Edit 2.json", "Edit 3.json", "Edit 4.json", "Edit.json"])
        }
    }

    @Test("of two changes of the same version the second is refused")
    func versions() async throws {
        let folder = try TemporaryFolder()
        try await RunningStudio.run(in: folder) { studio in
            let media = try await studio.sample()
            let edit = try await studio.ask("POST", "/api/edits", json: body("e", clip(media)))
            let path = "/api/edits/\(edit["id", as: String.self] ?? "")"
            #expect(try await studio.ask("GET", path)["version"] == 1)
            var change = body("e", clip(media), clip(media))
            change["basis"] = 1
            let changed = try await studio.ask("PUT", path, json: change)
            #expect(changed.status == 200)
            #expect(changed["stamp", as: String.self] != edit["stamp"])
            let late = try await studio.ask("PUT", path, json: change)
            #expect(late.status == 409)
            #expect(late.message == "This edit was changed in another tab.")
            #expect(try await studio.ask("GET", path)["version"] == 2)
            // Who doesn't say what the change was made from replaces any version.
            change["basis"] = nil
            #expect(try await studio.ask("PUT", path, json: change).status == 200)
            #expect(try await studio.ask("GET", path)["version"] == 3)
        }
    }

    @Test("parts of the strip are those of the edit as it is now")
    func freshFrames() async throws {
        let folder = try TemporaryFolder()
        try await RunningStudio.run(in: folder) { studio in
            let media = try await studio.sample()
            let part = { start, end in clip(media, ["start": start, "end": end]) }
            let edit = try await studio.ask("POST", "/api/edits", json: body("e", part("0", "1")))
            let id: String = edit["id"] ?? ""
            let paths = ["strip", "strip?level=1&tile=0"]
            func shown() async throws -> [Data] {
                try await waitUntil("the edit can be shown") {
                    try await studio.ask("GET", "/api/media/\(id)")["analysis"] == "ready"
                }
                var found: [Data] = []
                for path in paths {
                    let answer = try await studio.ask("GET", "/api/media/\(id)/\(path)")
                    #expect(answer.status == 200)
                    found.append(answer.body)
                }
                return found
            }
            let before = try await shown()
            _ = try await studio.ask("PUT", "/api/edits/\(id)", json: body("e", part("5", "6")))
            // A page that hasn't heard of the change yet still finds what it shows.
            #expect(try await studio.ask("GET", "/api/media/\(id)/poster").status == 200)
            let after = try await shown()
            #expect(zip(before, after).allSatisfy { $0 != $1 })
        }
    }

    @Test("a clip that an edit uses isn't removed")
    func usedClip() async throws {
        let folder = try TemporaryFolder()
        try await RunningStudio.run(in: folder) { studio in
            let media = "/api/media/\(try await studio.sample())"
            let edit = try await studio.ask(
                "POST", "/api/edits", json: body("Opening", clip(try await studio.sample())))
            let refused = try await studio.ask("DELETE", media)
            #expect(refused.status == 409)
            #expect(
                refused.message
                    == "sample.mp4 is used in the edit Opening. Take it out there first.")
            let id: String = edit["id"] ?? ""
            #expect(try await studio.ask("DELETE", "/api/media/\(id)").status == 204)
            #expect(try await studio.ask("DELETE", media).status == 204)
        }
    }

    @Test("a clip of a project that is being rendered isn't removed")
    func renderedClip() async throws {
        let folder = try TemporaryFolder()
        try await RunningStudio.run(in: folder) { studio in
            let sample = try await studio.sample()
            let project = """
                {"timewarp": "composition/1", "tracks": [{"segments": [
                {"media": "media/\(sample)/sample.mp4", "range": ["0", "9"]}]}]}
                """
            try project.write(
                toFile: folder.path("workspace/own.json"), atomically: true, encoding: .utf8)
            let files = try await studio.ask("GET", "/api/files")["files", as: [[String: Any]].self]
            let own = try await studio.ask(
                "POST", "/api/media", json: ["file": files?.first?["id"] ?? ""])
            let request = PageRequest(
                media: own["id"] ?? "", segment: ["scale": 400], video: ["preset": "ultrafast"])
            let render = try await studio.ask("POST", "/api/renders", json: request.json)
            #expect(render.status == 201)
            let refused = try await studio.ask("DELETE", "/api/media/\(sample)")
            #expect(refused.status == 409)
            #expect(refused.message == "A queued or running render needs this clip.")
            let id: String = render["id"] ?? ""
            #expect(try await studio.ask("DELETE", "/api/renders/\(id)").status == 204)
            #expect(try await studio.ask("DELETE", "/api/media/\(sample)").status == 204)
        }
    }

    @Test("what can't be put together is told with the clip that is wrong")
    func impossible() async throws {
        let folder = try TemporaryFolder()
        try await RunningStudio.run(in: folder) { studio in
            let media = try await studio.sample()
            let cases: [([String: Any], Int, String)] = [
                (body("e"), 422, "An edit needs a clip."),
                (body(" ", clip(media)), 400, "Give the edit a name."),
                (body("e", clip("gone")), 404, "This clip no longer exists."),
                (
                    body("e", clip(media, ["start": "2", "end": "11"])), 422,
                    "Clip 1, sample.mp4: It lasts 10 s, and the part from 2 s to 11 s isn't in it."
                ),
                (
                    body("e", clip(media), clip(media, ["start": "1", "dissolve": "1"])), 422,
                    "The dissolve into clip 2 needs 0.5 s beyond the end of clip 1, sample.mp4, "
                        + "which has 0 s there. Trim it, or choose a shorter dissolve."
                ),
                (
                    body("e", ["segment": ["media": media, "longerBy": "1"]]), 422,
                    "Clip 1, sample.mp4: Whole clips of an edit are warped, scaled or reversed."
                ),
                (
                    body("e", ["segment": ["media": media, "window": ["1", "2"]]]), 422,
                    "Clip 1, sample.mp4: Whole clips of an edit are warped, scaled or reversed."
                ),
                (
                    body(
                        "e", ["segment": ["media": media, "thereAndBack": true], "rate": "fast"]),
                    422, "fast is no frame rate."
                ),
                (
                    body("e", ["segment": ["media": media, "anchors": []]]), 422,
                    "Clip 1, sample.mp4: Whole clips of an edit are warped, scaled or reversed."
                ),
            ]
            for (json, status, message) in cases {
                let answer = try await studio.ask("POST", "/api/edits", json: json)
                #expect(answer.status == status)
                #expect(answer.message == message)
            }
            #expect(!FileManager.default.fileExists(atPath: folder.path("workspace/edits")))
        }
    }
}
