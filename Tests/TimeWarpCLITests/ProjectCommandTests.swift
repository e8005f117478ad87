import Foundation
import Media
import TestSupport
import Testing
import TimeWarp

/// Compositions and stories, used as a person or a script would use them.
@Suite("Projects on the command line")
struct ProjectCommandTests {
    private func folder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try TestClip { $0.frameCount = 30 }.write(to: folder.path("a.mp4"))
        try TestClip {
            ($0.width, $0.height, $0.rate, $0.frameCount) = (320, 240, FrameRate(known: 25), 25)
        }.write(to: folder.path("b.mp4"))
        return folder
    }

    @Test("clips become a film, a project, a timeline for editors, and the same film from either")
    func compose() throws {
        let folder = try folder()
        let runs = [
            ["compose", "a.mp4", "b.mp4", "-o", "film.mp4", "--preset", "ultrafast"],
            ["compose", "a.mp4", "b.mp4", "-o", "edit.json"],
            ["compose", "edit.json", "-o", "edit.otio"],
            ["compose", "edit.otio", "-o", "again.mp4", "--preset", "ultrafast"],
        ]
        for run in runs {
            let result = try timewarp(run, in: folder)
            #expect(result.exitCode == 0, "\(run): \(result.errors)")
        }
        let film = try Finding.shownFrames(in: folder.path("film.mp4"))
        #expect(film.count == 60)
        #expect(film[..<30].map(\.number) == (0..<30).map { $0 })
        #expect(film[59].number == 24)
        #expect(try Finding.shownFrames(in: folder.path("again.mp4")) == film)
        // Paths in a project are relative to the project's folder.
        try FileManager.default.createDirectory(
            atPath: folder.path("sub"), withIntermediateDirectories: false)
        for run in [
            ["compose", "a.mp4", "b.mp4", "-o", "sub/edit.json", "--fps", "24"],
            ["compose", "sub/edit.json", "-o", "back.otio"],
        ] {
            #expect(try timewarp(run, in: folder).exitCode == 0)
        }
        for project in ["sub/edit.json", "back.otio"] {
            let plan = try timewarp(
                ["compose", project, "-o", "x.mp4", "--dry-run"], in: folder)
            #expect(plan.output.contains("24 frames/s, 48 frames"), "\(plan.errors)")
        }
        let plan = try timewarp(
            ["compose", "edit.json", "-o", "x.mp4", "--dry-run"], in: folder)
        #expect(plan.output.contains("2 segments to h264"), "\(plan.output)")
        #expect(plan.output.contains("b.mp4"))
    }

    @Test(
        "what a project asks for is rendered, verified and converted, unless options say otherwise")
    func settings() throws {
        let folder = try folder()
        let file = """
            <fcpxml version="1.10"><resources><asset id="r1" src="a.mp4" duration="1s" hasVideo="1" hasAudio="1"/></resources>
            <project><sequence><spine><asset-clip ref="r1" duration="2s"><timeMap frameSampling="frame-blending">
            <timept time="0s" value="0s"/><timept time="2s" value="1s"/></timeMap></asset-clip></spine></sequence></project>
            </fcpxml>
            """
        try Data(file.utf8).write(to: folder.url.appendingPathComponent("edit.fcpxml"))
        let compose = ["compose", "edit.fcpxml", "-o", "film.mp4", "--preset", "ultrafast"]
        let plan = try timewarp(compose + ["--dry-run"], in: folder)
        #expect(plan.output.contains("pitch kept"), "\(plan.output)")
        #expect(plan.output.contains("0 s to 2 s  a.mp4, 0.5×\n"), "\(plan.output)")
        #expect(plan.errors.contains("project asks: --frames blend"))
        #expect(plan.errors.contains("project asks: --audio keep-pitch"))
        let other = try timewarp(
            compose + ["--dry-run", "--audio", "varispeed", "--frames", "hold"], in: folder)
        #expect(!other.output.contains("pitch kept") && other.errors.isEmpty, "\(other.errors)")
        #expect(try timewarp(compose, in: folder).exitCode == 0)
        let verified = try timewarp(["verify", "edit.fcpxml", "film.mp4"], in: folder)
        #expect(verified.exitCode == 0, "\(verified.output)\(verified.errors)")
        for (options, attributes) in [
            ([], #"frameSampling="frame-blending" preservesPitch="1""#),
            (["--audio", "varispeed"], #"frameSampling="frame-blending" preservesPitch="0""#),
        ] {
            let convert = ["compose", "edit.fcpxml", "-o", "copy.fcpxml", "--overwrite"]
            #expect(try timewarp(convert + options, in: folder).exitCode == 0)
            let copy = try String(contentsOfFile: folder.path("copy.fcpxml"), encoding: .utf8)
            #expect(copy.contains(attributes))
        }
    }

    @Test("a curve that can't be used is refused for the same reason, wherever it is said")
    func curves() throws {
        let folder = try folder()
        let curve = #""keyframes":[{"at":"0","speed":1},{"at":"1","speed":-1}],"flip":true"#
        for (name, text) in [
            ("curve.json", #"{"timewarp":"curve/1",\#(curve)}"#),
            (
                "edit.json",
                #"{"timewarp":"composition/1","tracks":[{"segments":[{"media":"a.mp4","warp":{\#(curve)}}]}]}"#
            ),
            (
                "story.json",
                #"{"timewarp":"story/1","title":"x","start":"a","segments":{"a":{"media":"a.mp4","role":"epilogue","warp":{\#(curve)}}}}"#
            ),
        ] {
            try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path(name)))
        }
        for run in [
            ["warp", "a.mp4", "-o", "x.mp4", "--curve-file", "curve.json"],
            ["compose", "edit.json", "-o", "x.mp4"], ["story", "check", "story.json"],
        ] {
            let result = try timewarp(run, in: folder)
            #expect(result.exitCode == 65, "\(run): \(result.errors)")
            #expect(
                (result.output + result.errors).contains(
                    "keyframes that freeze, play backwards or cut can't be flipped"),
                "\(run): \(result.output)\(result.errors)")
        }
    }

    private static let story = """
        { "timewarp": "story/1", "title": "Two ways", "start": "first", "segments": {
            "first": { "media": "a.mp4",
              "events": [ { "at": "0.2", "do": "showControls" }, { "at": "0.8", "do": "decide" } ],
              "choices": [ { "label": "On", "goto": "last" }, { "label": "Again", "goto": "first" } ],
              "default": "last" },
            "last": { "media": "b.mp4", "role": "epilogue" } } }
        """

    @Test("a story's visits are drawn, and a note about them is no mistake")
    func visits() throws {
        let folder = try folder()
        try Data(
            #"""
            { "timewarp": "story/1", "title": "One way", "start": "first",
              "analytics": "https://example.org/visits", "segments": {
                "first": { "media": "a.mp4", "then": "last" },
                "last": { "media": "b.mp4", "role": "epilogue" } } }
            """#.utf8
        ).write(to: folder.url.appendingPathComponent("one.json"))
        let way = #"""
            {"visit":"0123456789abcdef","story":"x","at":"2026-03-01T10:00:00Z","type":"way",\#
            "from":"first","to":"last","by":"then"}
            """#
        let log = folder.url.appendingPathComponent("visits.jsonl")
        let command = [
            "story", "check", "one.json", "--strict", "--graph", "one.svg", "--log", "visits.jsonl",
            "--overwrite",
        ]
        try Data("\(way)\n\(way.replacing("last", with: "gone"))\n{\"vis".utf8).write(to: log)
        let check = try timewarp(command, in: folder)
        #expect(check.exitCode == 0, "\(check.errors)")
        #expect(check.output.contains("note: analytics: The page sends"))
        #expect(check.output.contains("nothing wrong"))
        #expect(check.errors.contains("visits.jsonl:3: the last line is incomplete"))
        #expect(check.errors.contains("1 way that the story doesn't have isn't drawn"))
        let svg = try String(contentsOfFile: folder.path("one.svg"), encoding: .utf8)
        #expect(svg.contains("1 path, 1 visit<") && svg.contains(">1×<"))
        try Data("nonsense\n\(way)\n".utf8).write(to: log)
        let damaged = try timewarp(command, in: folder)
        #expect(damaged.exitCode == 65)
        #expect(damaged.errors.contains("visits.jsonl:1:"), "\(damaged.errors)")
        let strings = try timewarp(["story", "strings", "de-AT"], in: folder)
        #expect(strings.exitCode == 0 && strings.output.contains("\"play\": \"Abspielen\""))
    }

    @Test("a story is checked, drawn, walked and built")
    func story() throws {
        let folder = try folder()
        try Data(Self.story.utf8).write(to: folder.url.appendingPathComponent("two.json"))
        let check = try timewarp(
            ["story", "check", "two.json", "--graph", "two.svg"], in: folder)
        #expect(check.exitCode == 0, "\(check.output)")
        #expect(check.output.contains("the 0.2 s after it are never seen"))
        // Its only finding is a warning.
        let strict = try timewarp(["story", "check", "two.json", "--strict"], in: folder)
        #expect(strict.exitCode == 65 && strict.output == check.output)
        let svg = try String(contentsOfFile: folder.path("two.svg"), encoding: .utf8)
        #expect(svg.contains("Two ways"))
        let walk = try timewarp(["story", "walk", "two.json"], in: folder)
        #expect(walk.exitCode == 0)
        #expect(walk.output.contains("3 of 3 edges walked"), "\(walk.output)")
        let random = try timewarp(
            ["story", "walk", "two.json", "--random", "5", "--seed", "3"], in: folder)
        #expect(random.output.split(separator: "\n").count == 5)
        let build = try timewarp(
            ["story", "build", "two.json", "-o", "film", "--preset", "ultrafast"], in: folder)
        #expect(build.exitCode == 0, "\(build.errors)")
        #expect(FileManager.default.fileExists(atPath: folder.path("film/story.json")))
        let again = try timewarp(
            ["story", "build", "two.json", "-o", "film", "--preset", "ultrafast"], in: folder)
        #expect(again.exitCode == 73)
        #expect(again.errors.contains("--overwrite"))
        #expect(try timewarp(["story", "schema"], in: folder).output.contains("\"$schema\""))
    }

    @Test("every line about a story file begins with the file, the line and the column")
    func places() throws {
        let folder = try folder()
        let text = "{ \"timewarp\": \"story/1\",\n  \"start\": 3, \"segments\": [] }"
        try Data(text.utf8).write(to: folder.url.appendingPathComponent("bad.json"))
        let check = try timewarp(["story", "check", "bad.json"], in: folder)
        #expect(check.exitCode == 65)
        let lines = check.errors.split(separator: "\n")
        #expect(lines.count > 1)
        for line in lines {
            #expect(line.contains(#/^(timewarp: )?bad\.json:[0-9]+:[0-9]+: /#), "\(line)")
        }
    }

    @Test("a story with an error is told line by line, as data, and as an exit code")
    func brokenStory() throws {
        let folder = try folder()
        let broken = Self.story.replacing("\"goto\": \"last\"", with: "\"goto\": \"lost\"")
        try Data(broken.utf8).write(to: folder.url.appendingPathComponent("two.json"))
        let check = try timewarp(["story", "check", "two.json"], in: folder)
        #expect(check.exitCode == 65)
        #expect(check.output.contains("two.json:4:"), "\(check.output)")
        #expect(check.output.contains("segments.first.choices[0].goto"))
        let json = try timewarp(["story", "check", "two.json", "--json"], in: folder)
        #expect(json.output.contains("\"target-missing\""), "\(json.output)")
        #expect(json.output.contains("\"timewarp\" : \"story-findings/1\""))
        let build = try timewarp(["story", "build", "two.json", "-o", "film"], in: folder)
        #expect(build.exitCode == 65)
        #expect(try folder.contents == ["a.mp4", "b.mp4", "two.json"])
    }
}
