import Foundation
import Media
import TestSupport
import Testing
import TimeMaps
import TimeWarp
import Verification

/// Right outputs of files with habits that a measurement could take for faults.
@Suite("Verifying strangers' files")
struct StrangersFilesTests {
    private static let film = [
        "-f", "lavfi", "-i", "testsrc2=s=160x96:r=30:d=3", "-f", "lavfi", "-i",
        "aevalsrc='0.2*sin(2*PI*(300+100*floor(3*t))*t)':s=48000:d=3", "-pix_fmt", "yuv420p",
    ]

    private func copied(_ input: String, to ending: String) async throws -> VerificationReport {
        let asset = try Asset(at: input)
        let output = input + ".copy." + ending
        let plan = try RenderPlan(copying: asset, to: output)
        try await Renderer().render(plan)
        return try await Verifier(plan).verify()
    }

    private func rendered(
        _ input: String, to ending: String, _ change: (inout RenderSettings) -> Void,
        _ curve: Curve? = nil
    ) async throws -> VerificationReport {
        let output = input + ".render." + ending
        let clip =
            try curve.map { try Clip(of: MediaSource(at: input), warpedBy: $0) }
            ?? Clip(of: MediaSource(at: input)) { .identity($0) }
        let settings = RenderSettings(RenderSettings(), change)
        try await Renderer().render(try RenderPlan(clip, to: output, settings: settings))
        return try await Verifier(output, madeFrom: clip, settings: settings).verify()
    }

    @Test(
        "a first packet of AAC that only prepares the next one is no missing sound",
        arguments: [
            ["-use_editlist", "0"], ["-movflags", "frag_keyframe+empty_moov"],
            ["-movflags", "frag_keyframe"],
        ])
    func firstPacket(options: [String]) async throws {
        let folder = try TemporaryFolder()
        let input = folder.path("in.mp4")
        try ReferenceTools.ffmpeg(
            Self.film + ["-c:v", "libx264", "-bf", "2", "-c:a", "aac"] + options + [input])
        for ending in ["mp4", "mov", "mkv"] {
            let found = try await copied(input, to: ending)
            #expect(found.isRight, "\(ending): \(found.text)")
        }
    }

    @Test(
        "a picture whose size changes is compared as it is fitted",
        arguments: ["320x160", "160x240", "320x240"])
    func changingSize(size: String) async throws {
        let folder = try TemporaryFolder()
        let input = folder.path("in.ts")
        var bytes = Data()
        for (number, size) in ["320x240", size].enumerated() {
            let part = folder.path("\(number).ts")
            try ReferenceTools.ffmpeg([
                "-f", "lavfi", "-i", "testsrc2=s=\(size):r=25:d=2", "-c:v", "mpeg2video", "-q:v",
                "2",
                "-output_ts_offset", "\(2 * number)", part,
            ])
            bytes += try Data(contentsOf: URL(fileURLWithPath: part))
        }
        try bytes.write(to: URL(fileURLWithPath: input))
        let found = try await rendered(input, to: "mp4") { $0.video.rate = .any }
        #expect(found.isRight, "\(found.text)")
    }

    @Test(
        "a program stream is reversed, though some of its packets state no time",
        arguments: [25, 29])
    func programStream(rate: Int) async throws {
        let folder = try TemporaryFolder()
        let (input, output) = (folder.path("in.vob"), folder.path("out.mp4"))
        try ReferenceTools.ffmpeg([
            "-f", "lavfi", "-i", "testsrc2=s=160x96:r=\(rate == 25 ? "25" : "30000/1001"):d=3",
            "-f",
            "lavfi", "-i", "sine=r=48000:d=3.01", "-c:v", "mpeg2video", "-bf", "2", "-c:a", "mp2",
            input,
        ])
        let clip = try Clip(reversing: MediaSource(at: input))
        try await Renderer().render(try RenderPlan(clip, to: output))
        let found = try await Verifier(output, madeFrom: clip).verify()
        #expect(found.isRight, "\(found.text)")
    }

    @Test("damage that packets bring along is no fault of their copy")
    func damage() async throws {
        let folder = try TemporaryFolder()
        let (whole, input) = (folder.path("whole.mp4"), folder.path("in.mp4"))
        try ReferenceTools.ffmpeg(
            Self.film + ["-c:v", "libx264", "-bf", "2", "-c:a", "aac", whole])
        var bytes = try Data(contentsOf: URL(fileURLWithPath: whole))
        for place in stride(from: bytes.count / 4, to: bytes.count * 3 / 4, by: bytes.count / 24) {
            bytes.replaceSubrange(place..<place + 40, with: (0..<40).map { UInt8($0 * 37 % 251) })
        }
        try bytes.write(to: URL(fileURLWithPath: input))
        let found = try await copied(input, to: "mp4")
        #expect(!found.faults.contains { $0.kind == .damage }, "\(found.text)")
        #expect(found.notes.contains { $0.contains("The source is damaged") })
    }

    @Test(
        "what no decoder can show before the first keyframe isn't expected",
        arguments: [
            ["-c:v", "libx264", "-g", "30", "-bf", "2"],
            ["-c:v", "mpeg2video", "-bf", "2", "-g", "15"],
            [
                "-c:v", "libx264", "-x264-params",
                "open-gop=1:keyint=24:bframes=3:scenecut=0:b-adapt=0",
            ],
        ])
    func noKeyframe(encoder: [String]) async throws {
        let folder = try TemporaryFolder()
        let (whole, input) = (folder.path("whole.ts"), folder.path("in.ts"))
        try ReferenceTools.ffmpeg(Self.film + encoder + ["-c:a", "mp2", whole])
        let bytes = try Data(contentsOf: URL(fileURLWithPath: whole))
        try bytes.dropFirst(bytes.count / 188 / 4 * 188).write(to: URL(fileURLWithPath: input))
        let copy = try await copied(input, to: "mkv")
        #expect(copy.isRight, "\(copy.text)")
        let each = try await rendered(input, to: "mkv") { $0.video.rate = .any }
        #expect(each.isRight, "\(each.text)")
        let even = try await rendered(input, to: "mp4") {
            $0.video.rate = .fixed(FrameRate(known: 30))
        }
        #expect(even.isRight, "\(even.text)")
    }

    @Test(
        "frames of a few pixels can't be told apart, and that is said", arguments: ["mp4", "mkv"])
    func fewPixels(ending: String) async throws {
        let folder = try TemporaryFolder()
        let input = folder.path("in.mp4")
        try ReferenceTools.ffmpeg([
            "-f", "lavfi", "-i", "testsrc2=s=16x16:r=30:d=2", "-vf", "scale=2:2", "-pix_fmt",
            "yuv420p", "-c:v", "libx264", input,
        ])
        let found = try await rendered(
            input, to: ending, { _ in }, .builtIn(.ramp, factor: 2, modifier: 0.5))
        #expect(found.isRight, "\(found.text)")
        #expect(found.notes.contains { $0.contains("2 by 2 pixels are too small") })
    }

    @Test(
        "what a codec drops of frames of a few blocks is no other frame; one from elsewhere is",
        arguments: [
            ("testsrc=s=16x16", ["libx264"], 200),
            ("testsrc=s=16x16", ["mpeg4", "-q:v", "5"], 200),
            ("testsrc2=s=16x16", ["mpeg4", "-q:v", "5"], 50),
            ("mandelbrot=end_scale=0.01:s=16x16", ["libx264"], 137),
            ("mandelbrot=end_scale=0.01:s=32x16", ["mpeg4", "-q:v", "5"], 137),
            ("testsrc2=s=16x32", ["mpeg4", "-q:v", "5"], 137),
        ])
    func fewBlocks(source: String, codec: [String], factor: Int64) async throws {
        let folder = try TemporaryFolder()
        let input = folder.path("in.mp4")
        try ReferenceTools.ffmpeg(
            ["-f", "lavfi", "-i", "\(source):r=25", "-t", "4", "-pix_fmt", "yuv420p", "-c:v"]
                + codec + [input])
        let asset = try Asset(at: input)
        let clip = try Clip(of: MediaSource(asset), scaled: .factor(factor, over: 100))
        let output = folder.path("out.mp4")
        try await Renderer().render(try RenderPlan(clip, to: output))
        let found = try await Verifier(output, madeFrom: clip).verify()
        #expect(found.isRight, "\(found.text)")
        let backwards = folder.path("backwards.mp4")
        try await Renderer().render(
            try RenderPlan(try Clip(reversing: MediaSource(asset)), to: backwards))
        let forwards = try Clip(of: MediaSource(asset)) { .identity($0) }
        let wrong = try await Verifier(backwards, madeFrom: forwards).verify()
        // A pattern of 16 pixels that hardly moves has nothing that a codec keeps.
        #expect(
            source.hasPrefix("testsrc=")
                || wrong.faults.contains { $0.kind == .wrongFrames || $0.kind == .frameContent })
    }

    @Test("either of two frames that fall on one tick may be shown")
    func collisions() async throws {
        let folder = try TemporaryFolder()
        let input = folder.path("in.mkv")
        try ReferenceTools.ffmpeg([
            "-f", "lavfi", "-i", "testsrc2=s=160x96:r=1000:d=0.3", "-pix_fmt", "yuv420p", "-c:v",
            "libx264", input,
        ])
        let found = try await rendered(
            input, to: "mkv", { $0.video.rate = .any },
            .builtIn(.constant, factor: 0.5, modifier: 0.5))
        #expect(found.isRight, "\(found.text)")
    }
}
