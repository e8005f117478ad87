import Foundation
import TestSupport
import Testing
import TimeWarp
import Verification

@Suite("verify and --report")
struct VerifyCommandTests {
    private func folder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try TestClip { $0.frameCount = 60 }.write(to: folder.path("in.mp4"))
        let made = try timewarp(
            [
                "warp", "in.mp4", "-o", "out.mp4", "--curve", "ramp", "--factor", "2", "--preset",
                "ultrafast", "--report", "report.json", "--progress", "none",
            ], in: folder)
        #expect(made.exitCode == 0, "\(made.errors)")
        return folder
    }

    @Test("a report holds what was measured against the source")
    func report() throws {
        struct Measured: Decodable {
            let verification: VerificationReport
        }
        let folder = try folder()
        let report = try JSONDecoder().decode(
            Measured.self, from: Data(contentsOf: folder.url.appendingPathComponent("report.json")))
        #expect(report.verification.isRight, "\(report.verification.text)")
        #expect(report.verification.video[0].frames == 90)
    }

    @Test("verify exits with 0 or 1, as text, JSON and a page")
    func verify() throws {
        let folder = try folder()
        let right = try timewarp(
            [
                "verify", "in.mp4", "out.mp4", "--curve", "ramp", "--factor", "2", "--page",
                "page.html",
            ], in: folder)
        #expect(right.exitCode == 0, "\(right.output)\(right.errors)")
        let page = try String(contentsOfFile: folder.path("page.html"), encoding: .utf8)
        #expect(page.hasPrefix("<!doctype html>"))
        #expect(page.contains("<img alt=\"Sound against the map\""))
        let wrong = try timewarp(
            ["verify", "in.mp4", "out.mp4", "--curve", "ramp", "--factor", "1.9", "--json"],
            in: folder)
        #expect(wrong.exitCode == 1)
        #expect(wrong.errors.isEmpty)
        let found = try JSONDecoder().decode(VerificationReport.self, from: Data(wrong.output.utf8))
        #expect(found.faults.contains { $0.kind == .duration })
        let unnamed = try timewarp(["verify", "in.mp4", "out.mp4", "--factor", "2"], in: folder)
        #expect(unnamed.exitCode == 1)
        #expect(unnamed.errors.contains("warp's default curve"), "\(unnamed.errors)")
        #expect(try folder.contents == ["in.mp4", "out.mp4", "page.html", "report.json"])
    }

    @Test("compose reports, and verify takes its project and leaves the output alone")
    func compose() throws {
        let folder = try TemporaryFolder()
        try TestClip { $0.frameCount = 60 }.write(to: folder.path("a.mp4"))
        try TestClip { $0.frameCount = 90 }.write(to: folder.path("b.mp4"))
        let saved = try timewarp(["compose", "b.mp4", "a.mp4", "-o", "edit.json"], in: folder)
        #expect(saved.exitCode == 0, "\(saved.errors)")
        let made = try timewarp(
            [
                "compose", "edit.json", "-o", "out.mp4", "--size", "320x320", "--report",
                "report.json", "--preset", "ultrafast", "--progress", "none",
            ], in: folder)
        #expect(made.exitCode == 0 && !made.errors.contains("measured:"), "\(made.errors)")
        let bytes = try Data(contentsOf: folder.url.appendingPathComponent("out.mp4"))
        // Whatever its name, an output is measured.
        try bytes.write(to: folder.url.appendingPathComponent("film"))
        for output in ["out.mp4", "film"] {
            let right = try timewarp(
                ["verify", "edit.json", output, "--size", "320x320"], in: folder)
            #expect(right.exitCode == 0, "\(right.output)\(right.errors)")
        }
        let wrong = try timewarp(["verify", "edit.json", "out.mp4", "--fps", "50"], in: folder)
        #expect(wrong.exitCode == 1)
        #expect(try Data(contentsOf: folder.url.appendingPathComponent("out.mp4")) == bytes)
        let misused = try timewarp(["verify", "a.mp4", "out.mp4", "--size", "2x2"], in: folder)
        #expect(misused.exitCode == 64)
    }

    @Test("a copy of uneven times is unchanged, and no report takes the place of a map")
    func unchanged() throws {
        let folder = try TemporaryFolder()
        try TestClip {
            $0.frameCount = 60
            $0.times = ((0..<60).map { $0 * 3000 + $0 % 3 * 700 }, end: 180_000, perSecond: 90_000)
        }.write(to: folder.path("phone.mp4"))
        let copied = try timewarp(["copy", "phone.mp4", "-o", "copy.mp4"], in: folder)
        #expect(copied.exitCode == 0, "\(copied.errors)")
        let found = try timewarp(["verify", "phone.mp4", "copy.mp4", "--unchanged"], in: folder)
        #expect(found.exitCode == 0, "\(found.output)\(found.errors)")
        let map =
            #"{"timewarp":"time-map/1","points":[{"output":0,"source":0},{"output":2,"source":2}]}"#
        try Data(map.utf8).write(to: folder.url.appendingPathComponent("map.json"))
        let replaced = try timewarp(
            [
                "verify", "phone.mp4", "copy.mp4", "--time-map", "map.json", "--page", "map.json",
                "--overwrite",
            ], in: folder)
        #expect(replaced.exitCode == 73, "\(replaced.errors)")
        #expect(try String(contentsOfFile: folder.path("map.json"), encoding: .utf8) == map)
    }

    @Test(
        "what can't be read or asked is refused",
        arguments: [
            (["verify", "in.mp4", "no.mp4"], 66), (["verify", "no.mp4", "out.mp4"], 66),
            (["verify", "in.mp4", "report.json"], 65),
            (["verify", "in.mp4", "out.mp4", "--reverse", "--curve", "ramp"], 64),
            (["verify", "in.mp4", "out.mp4", "--sample", "0"], 64),
            (["verify", "in.mp4", "out.mp4", "--page", "-"], 64),
        ] as [([String], Int32)])
    func refusals(_ arguments: [String], _ exitCode: Int32) throws {
        let folder = try folder()
        let result = try timewarp(arguments, in: folder)
        #expect(result.exitCode == exitCode, "\(result.errors)")
        #expect(result.output.isEmpty)
    }
}
