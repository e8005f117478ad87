import Foundation
import TestSupport
import Testing

@Suite("Encoders on the command line")
struct EncoderCommandTests {
    private func run(_ line: String, in folder: TemporaryFolder) throws -> ReferenceTools.Result {
        try timewarp(line.split(separator: " ").map(String.init), in: folder)
    }

    @Test("without hardware auto is software, says so, and writes the same bytes")
    func fallsBack() throws {
        let folder = try folderWithClip()
        let plan = try run(
            "scale in.mp4 -o a.mp4 --speed 2 --hardware auto --dry-run --json", in: folder)
        let auto = try run("scale in.mp4 -o a.mp4 --speed 2 --hardware auto", in: folder)
        #expect(auto.exitCode == 0, "\(auto.errors)")
        // A machine that has some encodes by it, and says so.
        guard plan.output.contains("libx264") else {
            #expect(auto.errors.contains("encodes the video"))
            return
        }
        #expect(auto.errors.contains("no hardware encodes h264 here: libx264 does"))
        #expect(try run("scale in.mp4 -o b.mp4 --speed 2", in: folder).exitCode == 0)
        #expect(
            FileManager.default.contentsEqual(
                atPath: folder.path("a.mp4"), andPath: folder.path("b.mp4")))
    }

    @Test(
        "what can't be encoded so is said, and nothing is written",
        arguments: [
            // Apple's encoders are in no FFmpeg on Linux.
            ("--hardware videotoolbox", 65, "has no h264_videotoolbox encoder"),
            ("--hardware nvenc --video-codec ffv1", 65, "nvenc has no encoder for ffv1"),
            (
                "--hardware nvenc --preset slow", 64,
                "h264_nvenc has no preset \"slow\". Use one of p1"
            ),
            ("--hardware nvenc --crf 0", 64, "Use a number from 1 to 51"),
            ("--hardware-decoding videotoolbox", 65, "h264 by videotoolbox"),
            ("--hardware auto --jobs 2", 64, "isn't encoded in pieces"),
            ("--hardware auto --smart", 64, "packets that are kept"),
            ("--hardware fast", 64, "videotoolbox"),
            ("--video-bitrate 1M --crf 20", 64, "one decides the other"),
            ("--video-bitrate 1M --video-codec ffv1", 64, "Leave --video-bitrate out"),
            ("--video-bitrate 10", 64, "--video-bitrate"),
        ])
    func refusals(options: String, code: Int32, why: String) throws {
        let folder = try folderWithClip()
        let result = try run("scale in.mp4 -o x.mkv --speed 1 " + options, in: folder)
        #expect(result.exitCode == code && result.errors.contains(why), "\(result.errors)")
        #expect(try folder.contents == ["in.mp4"])
    }

    @Test("where no hardware decodes, software does, says so, and the same bytes are written")
    func decodesBySoftware() throws {
        let folder = try folderWithClip()
        let auto = try run(
            "scale in.mp4 -o a.mp4 --speed 2 --hardware-decoding auto", in: folder)
        #expect(auto.exitCode == 0 && auto.errors.contains("decodes"), "\(auto.errors)")
        #expect(try run("scale in.mp4 -o b.mp4 --speed 2", in: folder).exitCode == 0)
        // What hardware decodes is the same, too.
        #expect(
            FileManager.default.contentsEqual(
                atPath: folder.path("a.mp4"), andPath: folder.path("b.mp4")))
    }

    @Test("what hardware decoded is measured where there is none, and its frames are looked at")
    func measuresWithoutHardware() throws {
        let folder = try folderWithClip()
        #expect(try run("scale in.mp4 -o a.mp4 --speed 2", in: folder).exitCode == 0)
        let job = try run(
            "scale in.mp4 -o a.mp4 --speed 2 --hardware-decoding auto --print-job", in: folder)
        let elsewhere = job.output.replacing("\"auto\"", with: "\"videotoolbox\"")
        #expect(elsewhere != job.output)
        try Data(elsewhere.utf8).write(to: folder.url.appendingPathComponent("job.json"))
        let found = try run("verify a.mp4 --job job.json", in: folder)
        #expect(found.exitCode == 0, "\(found.output)\(found.errors)")
    }

    @Test("a bit rate is kept to", arguments: ["h264", "hevc", "vp9", "av1"])
    func bitRate(codec: String) throws {
        let folder = try TemporaryFolder()
        // Noise takes as many bits as it gets.
        try ReferenceTools.ffmpeg([
            "-v", "error", "-f", "lavfi", "-i",
            "testsrc2=size=176x144:rate=25:duration=4,noise=alls=12:allf=t", "-c:v", "ffv1",
            folder.path("in.mkv"),
        ])
        func size(_ rate: String) throws -> Double {
            let preset =
                ["h264": "veryfast", "hevc": "veryfast", "vp9": "8", "av1": "12"][codec] ?? ""
            let line =
                "scale in.mkv -o \(rate).mkv --speed 1 --video-codec \(codec) --preset \(preset)"
            let result = try run(line + " --video-bitrate \(rate)", in: folder)
            #expect(result.exitCode == 0, "\(result.errors)")
            let file = try FileManager.default.attributesOfItem(atPath: folder.path(rate + ".mkv"))
            return Double(try #require(file[.size] as? Int)) * 8 / 4
        }
        // What 100 frames need to settle is a part of them.
        #expect((0.8...1.4).contains(try size("200k") / 200_000))
        #expect((0.8...1.4).contains(try size("0.35M") / 350_000))
    }
}
