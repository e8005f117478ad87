import Foundation
import Media
import Plotting
import TestSupport
import Testing
import TimeWarp

/// The program is in the same folder as the test bundle.
let program = URL(fileURLWithPath: CommandLine.arguments[0])
    .deletingLastPathComponent().appendingPathComponent("timewarp").path

func timewarp(_ arguments: [String], in folder: TemporaryFolder) throws -> ReferenceTools.Result {
    try ReferenceTools.run(program, arguments, in: folder.url)
}

private let kept = KeptFiles()

/// A folder with a clip of a second, whose index is at its end.
func folderWithClip() throws -> TemporaryFolder {
    let clip = try kept.file("in.mp4", made: TestClip { $0.frameCount = 30 }.write)
    let folder = try TemporaryFolder()
    try FileManager.default.copyItem(atPath: clip, toPath: folder.path("in.mp4"))
    return folder
}

/// Runs the program itself, as a person or a script would.
@Suite("The command line")
struct CommandLineTests {
    private func folder(with clip: TestClip) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try clip.write(to: folder.path("in.mp4"))
        return folder
    }

    @Test("warp writes the file, the report, and progress as JSON lines")
    func warp() throws {
        let folder = try folderWithClip()
        let result = try timewarp(
            [
                "warp", "in.mp4", "-o", "out.mp4", "--curve", "triangle", "--factor", "2", "--fps",
                "60", "--report", "report.json", "--progress", "json", "--preset", "ultrafast",
            ], in: folder)
        #expect(result.exitCode == 0, "\(result.errors)")
        #expect(try folder.contents == ["in.mp4", "out.mp4", "report.json"])
        let report = try JSONDecoder().decode(
            RenderReport.self,
            from: Data(contentsOf: folder.url.appendingPathComponent("report.json")))
        #expect(abs(report.outputDurationSeconds - 1.25) < 1.0 / 120)
        #expect(report.video[0].framesWritten == 75)
        #expect(report.audio[0].lengthErrorSamples == 0)
        let lines = result.errors.split(separator: "\n")
        #expect(!lines.isEmpty)
        let events = try lines.map { try JSONDecoder().decode(Event.self, from: Data($0.utf8)) }
        #expect(events.dropLast().allSatisfy { (0...1).contains($0.fraction ?? -1) })
        #expect(events.last?.event == "finished")
        #expect(events.last?.report?.video[0].framesWritten == 75)
    }

    @Test("the same input and number of jobs give the same bytes")
    func repeatable() throws {
        let folder = try folder(with: TestClip { $0.frameCount = 400 })
        let outputs = try ["a.mp4", "b.mp4"].map { name in
            let result = try timewarp(
                [
                    "scale", "in.mp4", "-o", name, "--factor", "1.25", "--jobs", "3", "--preset",
                    "veryfast",
                ], in: folder)
            #expect(result.exitCode == 0, "\(result.errors)")
            return try Data(contentsOf: folder.url.appendingPathComponent(name))
        }
        #expect(outputs[0] == outputs[1])
    }

    @Test("reverse and time maps write the file, and say what they did")
    func backwards() throws {
        let folder = try folderWithClip()
        try Data("1\t10\n6\t5\n11\t5\n".utf8)
            .write(to: folder.url.appendingPathComponent("map.framecurve.txt"))
        let runs = [
            ["reverse", "in.mp4", "-o", "a.mp4", "--memory", "64kB", "--report", "a.json"],
            ["warp", "in.mp4", "-o", "b.mp4", "--time-map", "map.framecurve.txt"],
            ["scale", "in.mp4", "-o", "c.mp4", "--speed", "2", "--boomerang", "--shutter", "180"],
        ]
        for run in runs {
            let result = try timewarp(run + ["--preset", "ultrafast"], in: folder)
            #expect(result.exitCode == 0, "\(result.errors)")
        }
        let input = try Finding.shownFrames(in: folder.path("in.mp4"))
        #expect(
            try Finding.shownFrames(in: folder.path("a.mp4")).map(\.number)
                == input.map(\.number).reversed())
        let report = try JSONDecoder().decode(
            RenderReport.self,
            from: Data(contentsOf: folder.url.appendingPathComponent("a.json")))
        #expect(report.video[0].framesDecoded == Int64(input.count))
        #expect(report.peakSpillBytes > 0)
        #expect(
            try Finding.shownFrames(in: folder.path("b.mp4")).map(\.number)
                == [9, 8, 7, 6, 5, 4, 4, 4, 4, 4, 4])
        #expect(try Finding.shownFrames(in: folder.path("c.mp4")).count == 29)
    }

    @Test("a full temporary folder ends it with a sentence, and nothing is left")
    func fullDisk() throws {
        let folder = try folderWithClip()
        // No file may exceed 20 KiB. For a growing file that is like a full disk.
        let result = try ReferenceTools.run(
            "sh",
            [
                "-c", "trap '' XFSZ; ulimit -f 40; exec \"$0\" \"$@\"", program, "reverse",
                "in.mp4",
                "-o", "out.mp4", "--memory", "1kB", "--preset", "ultrafast",
            ], in: folder.url)
        #expect(result.exitCode == 74, "\(result.errors)")
        #expect(result.errors.contains("TMPDIR"), "\(result.errors)")
        #expect(try folder.contents == ["in.mp4"])
    }

    @Test("numbered images are a film for commands that are told so, and for no job")
    func images() throws {
        let folder = try folderWithClip()
        try FileManager.default.createDirectory(
            atPath: folder.path("shot"), withIntermediateDirectories: true)
        try ReferenceTools.ffmpeg([
            "-i", folder.path("in.mp4"), "-frames:v", "6", folder.path("shot/f_%03d.png"),
        ])
        func result(_ command: String) throws -> (exitCode: Int32, text: String) {
            let found = try timewarp(command.split(separator: " ").map(String.init), in: folder)
            return (found.exitCode, found.output + found.errors)
        }
        let rate = "--sequence-rate 24"
        #expect(try result("inspect shot \(rate)").text.contains("0.25 s"))
        #expect(try result("scale shot/f_###.png -o a.mkv --factor 2 \(rate)").exitCode == 0)
        #expect(
            try result("verify shot a.mkv --curve constant --factor 2 \(rate)").exitCode == 0)
        #expect(try result("compose shot in.mp4 -o b.mkv \(rate)").exitCode == 0)
        let one = try result("scale shot/f_001.png -o c.mkv --factor 2 \(rate)")
        #expect(one.exitCode != 0 && one.text.contains("Name shot/f_###.png, or its folder"))
        #expect(try result("scale shot -o c.mkv --factor 2").exitCode != 0)
        let job = try result("scale shot -o c.mkv --factor 2 --plan job --pieces 2 \(rate)")
        #expect(job.exitCode != 0 && job.text.contains("that is one file each"), "\(job.text)")
    }

    @Test("a plot is a picture or numbers, by its name")
    func plot() throws {
        let folder = try TemporaryFolder()
        for ending in ["svg", "png", "json"] {
            let result = try timewarp(
                ["plot", "--curve", "cosine", "--factor", "2", "-o", "c.\(ending)"], in: folder)
            #expect(result.exitCode == 0, "\(result.errors)")
        }
        let evaluation = try JSONDecoder().decode(
            CurveEvaluation.self,
            from: Data(contentsOf: folder.url.appendingPathComponent("c.json")))
        #expect(abs(evaluation.outputDurationSeconds - 30) < 1e-9)
        #expect(abs(evaluation.maximum - 5) < 1e-9)
        let png = try Data(contentsOf: folder.url.appendingPathComponent("c.png"))
        #expect(png.starts(with: [0x89, 0x50, 0x4E, 0x47]))
    }

    @Test("copy passes every packet on: the decoded frames are the same")
    func copy() throws {
        let folder = try folderWithClip()
        for ending in ["mkv", "mov", "mp4"] {
            let result = try timewarp(["copy", "in.mp4", "-o", "out.\(ending)"], in: folder)
            #expect(result.exitCode == 0, "\(result.errors)")
            let shown = try Finding.shownFrames(in: folder.path("out.\(ending)"))
            #expect(shown.map(\.number) == (0..<30).map { $0 })
        }
    }

    @Test("stretch says what it does to the clock, and does it to the sample")
    func stretch() throws {
        let folder = try folder(
            with: TestClip {
                $0.frameCount = 90
                $0.audioCodec = .flac
            })
        for (by, samples) in [("-250ms", 132_000), ("+1ms", 144_048)] {
            let result = try timewarp(
                ["stretch", "in.mp4", "-o", "out.wav", "--by", by, "--overwrite"], in: folder)
            #expect(result.exitCode == 0, "\(result.errors)")
            #expect(result.errors.contains(by == "+1ms" ? "+333.3 ppm" : "-83333.3 ppm"))
            let sound = try Finding.sound(in: folder.path("out.wav"), channelCount: 2)
            #expect(sound[0].count == samples)
        }
        try Data("0 0.5\n3 3.5\n".utf8).write(to: URL(fileURLWithPath: folder.path("a.txt")))
        let moved = try timewarp(
            ["stretch", "in.mp4", "-o", "moved.mkv", "--anchors", "a.txt", "--json"], in: folder)
        #expect(moved.exitCode == 0, "\(moved.errors)")
        let figures =
            try JSONSerialization.jsonObject(with: Data(moved.output.utf8)) as? [String: Any]
        #expect(figures?["outputSeconds"] as? Double == 3.5)
        let clicks = Finding.clicks(
            in: try Finding.sound(in: folder.path("moved.mkv"), channelCount: 2)[0],
            sampleRate: 48_000)
        #expect(clicks.count == 2)
        for (click, second) in zip(clicks, [1.5, 2.5]) {
            #expect(abs(click - second) < 0.001)
        }
        let shown = try Finding.shownFrames(in: folder.path("moved.mkv"))
        #expect(shown.map(\.number) == (0..<90).map { $0 })
    }

    @Test("inspect tells what a file holds, as text and as JSON")
    func inspect() throws {
        let folder = try folderWithClip()
        let text = try timewarp(["inspect", "in.mp4"], in: folder)
        #expect(text.output.contains("h264, 160×120 yuv420p, 30 frames/s"))
        let json = try timewarp(["inspect", "in.mp4", "--json"], in: folder)
        let object =
            try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
        #expect(object?["durationSeconds"] as? Double == 1)
    }

    @Test("inspect tells how a project's clips are retimed, also without their files")
    func inspectProject() throws {
        let folder = try folderWithClip()
        try Data(
            """
            * FRAME RATE: 30
            001  A  V  C     00:00:00:00 00:00:00:20 01:00:00:00 01:00:00:10
            M2   A  060.0    00:00:00:00
            * SOURCE FILE: in.mp4
            002  A  V  C     00:00:00:15 00:00:00:16 01:00:00:10 01:00:00:20
            M2   A  000.0    00:00:00:15
            * SOURCE FILE: in.mp4
            003  A  V  C     00:00:00:29 00:00:01:14 01:00:00:20 01:00:01:05
            M2   A  -030.0   00:00:00:29
            * SOURCE FILE: OTHER
            """.utf8
        ).write(to: URL(fileURLWithPath: folder.path("edit.edl")))
        for file in ["gone.mp4", "in.mp4"] {
            let path = folder.path("edit.edl")
            let text = try String(contentsOfFile: path, encoding: .utf8)
            try Data(text.replacing("OTHER", with: file).utf8).write(
                to: URL(fileURLWithPath: folder.path("one.edl")))
            let words = try timewarp(["inspect", "one.edl"], in: folder)
            #expect(words.exitCode == 0)
            for word in ["speed 2.0", "held at 0.5 s", "backwards"] {
                #expect(words.output.contains(word), "\(words.output)")
            }
            #expect(words.output.contains("can't be found") == (file == "gone.mp4"))
            let json = try timewarp(["inspect", "one.edl", "--json"], in: folder)
            #expect(json.output.contains("\"speed\" : -1"), "\(json.output)")
        }
    }

    @Test("an interrupted render ends with 130 and leaves nothing")
    func interrupted() throws {
        let folder = try folder(with: TestClip { $0.frameCount = 300 })
        let program = URL(fileURLWithPath: CommandLine.arguments[0])
            .deletingLastPathComponent().appendingPathComponent("timewarp")
        let process = Process()
        process.executableURL = program
        process.arguments = [
            "scale", "in.mp4", "-o", "out.mp4", "--factor", "100", "--progress", "json",
        ]
        process.currentDirectoryURL = folder.url
        let pipe = Pipe()
        process.standardError = pipe
        try process.run()
        // The first progress line shows that the render is running.
        _ = pipe.fileHandleForReading.availableData
        process.interrupt()
        _ = try pipe.fileHandleForReading.readToEnd()
        process.waitUntilExit()
        #expect(process.terminationStatus == 130)
        #expect(try folder.contents == ["in.mp4"])
    }
}
