import Foundation
import TestSupport
import Testing

@Suite("Dry runs")
struct DryRunTests {
    @Test("a dry run prints the plan and writes nothing")
    func dryRun() throws {
        let folder = try folderWithClip()
        let result = try timewarp(
            ["scale", "in.mp4", "-o", "out.mkv", "--to", "2.5", "--dry-run"], in: folder)
        #expect(result.exitCode == 0)
        #expect(result.output.contains("1 s becomes 2.5 s"))
        #expect(result.output.contains("75 frames (the source's come at about 12 a second)"))
        #expect(try folder.contents == ["in.mp4"])
    }

    @Test("numbers are written as people say them, and a freeze has no speed")
    func sayings() throws {
        let folder = try folderWithClip()
        for (line, says) in [
            ("scale in.mp4 -o x.mkv --speed 50%", "1 s becomes 2 s"),
            ("scale in.mp4 -o x.mkv --speed 4x", "1 s becomes 0.25 s"),
            ("scale in.mp4 -o x.mkv --factor 12.5%", "1 s becomes 0.125 s"),
            ("warp in.mp4 -o x.mkv --curve Ramp --factor 3", "0.3333× to 1×"),
            ("warp in.mp4 -o x.mkv --keyframes 0:1,30%:0,1:1", "0× to 1×"),
            ("stretch in.mp4 -o x.mkv --to 2", "its sound: scale --to stretches both"),
        ] {
            let words = line.split(separator: " ").map(String.init)
            let result = try timewarp(words + ["--dry-run"], in: folder)
            #expect(result.exitCode == 0, "\(line): \(result.errors)")
            #expect((result.output + result.errors).contains(says), "\(result.output)")
        }
    }

    @Test("a dry run prints the plan as JSON, and only that")
    func plannedJSON() throws {
        struct Plan: Decodable {
            struct Video: Decodable {
                let codec, frameRate: String?
                let frames: Int?
            }
            let timewarp, output: String
            let outputExists: Bool
            let outputDurationSeconds: Double
            let lowestSpeed, highestSpeed: Double?
            let video: [Video]
        }
        let folder = try folderWithClip()
        func plan(_ line: String) throws -> Plan {
            let words = line.split(separator: " ").map(String.init) + ["--dry-run", "--json"]
            let output = try timewarp(words, in: folder).output
            return try JSONDecoder().decode(Plan.self, from: Data(output.utf8))
        }
        let slow = try plan("scale in.mp4 -o out.mkv --to 2.5")
        #expect(slow.timewarp == "render-plan/1" && slow.output == "out.mkv" && !slow.outputExists)
        #expect(slow.outputDurationSeconds == 2.5)
        #expect(slow.lowestSpeed == 0.4 && slow.highestSpeed == 0.4)
        #expect(slow.video.map(\.frames) == [75] && slow.video.first?.frameRate == "30")
        #expect(try plan("stretch in.mp4 -o in.mp4.wav --to 2").video.isEmpty)
        #expect(FileManager.default.createFile(atPath: folder.path("old.mkv"), contents: nil))
        #expect(try plan("copy in.mp4 -o old.mkv").outputExists)
        let alone = try timewarp(["reverse", "in.mp4", "-o", "out.mkv", "--json"], in: folder)
        #expect(alone.exitCode == 64 && alone.errors.contains("--dry-run"))
        #expect(try folder.contents.sorted() == ["in.mp4", "old.mkv"])
    }
}
