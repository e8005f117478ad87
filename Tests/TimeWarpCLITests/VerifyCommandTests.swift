import Foundation
import TestSupport
import Testing
import TimeWarp

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
            let verification: Verification
        }
        let folder = try folder()
        let report = try JSONDecoder().decode(
            Measured.self, from: Data(contentsOf: folder.url.appendingPathComponent("report.json")))
        #expect(report.verification.isRight, "\(report.verification.text)")
        #expect(report.verification.pictures[0].frames == 90)
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
        #expect(page.hasPrefix("<!doctype html>") && page.contains("<svg"))
        let wrong = try timewarp(
            ["verify", "in.mp4", "out.mp4", "--curve", "ramp", "--factor", "1.9", "--json"],
            in: folder)
        #expect(wrong.exitCode == 1)
        #expect(wrong.errors.isEmpty)
        let found = try JSONDecoder().decode(Verification.self, from: Data(wrong.output.utf8))
        #expect(found.faults.contains { $0.kind == .duration })
        #expect(try folder.contents == ["in.mp4", "out.mp4", "page.html", "report.json"])
    }

    @Test(
        "what can't be read or asked is refused",
        arguments: [
            (["verify", "in.mp4", "no.mp4"], 66), (["verify", "no.mp4", "out.mp4"], 66),
            (["verify", "in.mp4", "report.json"], 65),
            (["verify", "in.mp4", "out.mp4", "--reverse", "--curve", "ramp"], 64),
            (["verify", "in.mp4", "out.mp4", "--sample", "0"], 64),
        ] as [([String], Int32)])
    func refusals(_ arguments: [String], _ exitCode: Int32) throws {
        let folder = try folder()
        let result = try timewarp(arguments, in: folder)
        #expect(result.exitCode == exitCode, "\(result.errors)")
        #expect(result.output.isEmpty)
    }
}
