import Foundation
import Media
import TestSupport
import Testing
import TimeMaps

@testable import TimeWarp

@Suite("Source frames that repeat the one before")
struct RepeatedFramesTests {
    private static let size = PannedClip.width * PannedClip.height

    /// The five frames of a pan, each shown twice.
    private func onTwos(in folder: TemporaryFolder, times: Int = 2) throws -> Clip {
        let path = try PannedClip.write(
            "yuv420p", in: folder, then: "fps=\(10 * times),setpts=N/10/TB")
        return try Clip(of: MediaSource(at: path), scaled: .factor(2, over: 1))
    }

    @Test("frames are made between distinct ones, at even steps")
    func distinct() async throws {
        let folder = try TemporaryFolder()
        let clip = try onTwos(in: folder)
        let output = folder.path("out.mkv")
        let report = try await PannedClip.render(clip, to: output) { $0.video.skipsRepeats = true }
        #expect(report.video[0].repeatsSkipped == 5)
        #expect(report.video[0].framesRead == 10)
        #expect(report.video[0].framesSynthesised == 12)
        let source = try PannedClip.frames(clip.source.path, as: "gray", Self.size)
        let made = try PannedClip.frames(output, as: "gray", Self.size)
        try #require(source.count == 10 && made.count == 20)
        for number in 0..<4 {
            #expect(made[4 * number] == source[2 * number])
            for step in 1...3 {
                // A quarter of the way from one distinct frame to the next is one sample.
                let truth = PannedClip.moved(
                    source[2 * number], source[2 * number + 2], by: step, bytesPerPixel: 1)
                #expect(TestPlane.ratio(made[4 * number + step], truth) > 32)
            }
        }
    }

    @Test("without the option they are shown, and the report says that there are some")
    func found() async throws {
        let folder = try TemporaryFolder()
        let clip = try onTwos(in: folder)
        let report = try await PannedClip.render(clip, to: folder.path("out.mkv"))
        // The run of the last two frames isn't ended by a distinct one.
        #expect(report.video[0].repeatsFound == 4)
        #expect(report.video[0].repeatsSkipped == 0)
        #expect(report.warnings.contains { $0.contains("skip repeats") })
        let moving = try Clip(
            of: MediaSource(at: try PannedClip.write("gray", in: folder)),
            scaled: .factor(2, over: 1))
        let quiet = try await PannedClip.render(moving, to: folder.path("quiet.mkv"))
        #expect(quiet.video[0].repeatsFound == 0)
        #expect(quiet.warnings.isEmpty)
    }

    @Test("a scene that stands still for five frames or longer is kept", arguments: [4, 5])
    func stillness(times: Int) async throws {
        let folder = try TemporaryFolder()
        let clip = try onTwos(in: folder, times: times)
        let report = try await PannedClip.render(clip, to: folder.path("out.mkv")) {
            $0.video.skipsRepeats = true
        }
        #expect(report.video[0].repeatsSkipped == (times == 4 ? 15 : 0))
    }

    @Test(
        "film in a video of another rate moves at even steps, away from its ends",
        arguments: [18, 24])
    func cadence(rate: Int) async throws {
        let folder = try TemporaryFolder()
        let input = folder.path("in.mkv")
        // A pan by four samples from frame to frame.
        try ReferenceTools.ffmpeg([
            "-f", "lavfi", "-i", "testsrc2=s=640x192:r=1:d=1", "-vf",
            """
            settb=1/720,loop=35:1:0,setpts=N*720/\(rate),gblur=sigma=2,crop=160:96:4*n+50:40,format=yuv420p,\
            fps=30:round=down
            """,
            "-r", "30", "-c:v", "ffv1", input,
        ])
        let clip = try Clip(of: MediaSource(at: input), scaled: .factor(2, over: 1))
        let output = folder.path("out.mkv")
        _ = try await PannedClip.render(clip, to: output) { $0.video.skipsRepeats = true }
        let made = try PannedClip.frames(output, as: "gray", Self.size)
        for number in 24..<made.count - 24 {
            // Five frames are a twelfth of a second, in which it moves by whole samples.
            let shift = 4 * rate / 12
            func columns(_ frame: [UInt8], from first: Int) -> [UInt8] {
                stride(from: 0, to: Self.size, by: PannedClip.width).flatMap {
                    frame[$0 + first..<$0 + first + PannedClip.width - shift]
                }
            }
            let early = columns(made[number], from: shift)
            #expect(TestPlane.ratio(early, columns(made[number + 5], from: 0)) > 40, "\(number)")
        }
    }

    @Test("any number of jobs makes the same frames, and backwards the same in the other order")
    func same() async throws {
        let folder = try TemporaryFolder()
        // Pulldown: of five frames one is repeated, and the last run lies at the end; small GOPs, so that there are many chunks.
        let input = folder.path("in.mkv")
        try ReferenceTools.ffmpeg([
            "-f", "lavfi", "-i", "testsrc2=s=160x90:r=24:d=5", "-vf", "gblur=sigma=1.5,fps=30",
            "-c:v", "libx264", "-g", "7", "-bf", "2", "-crf", "10", "-pix_fmt", "yuv420p", input,
        ])
        let asset = try Asset(at: input)
        let clip = try Clip(of: MediaSource(asset), scaled: .factor(3, over: 1))
        var prints: [[String]] = []
        for jobs in [1, 4] {
            for frames in [RenderSettings.FrameSynthesis.motion, .blend] {
                let output = folder.path("\(jobs) \(frames).mkv")
                let report = try await PannedClip.render(clip, to: output) {
                    $0.video.skipsRepeats = true
                    $0.video.frames = frames
                    $0.resources.jobs = jobs
                }
                #expect(report.video[0].repeatsSkipped == 29)
                #expect(report.video[0].framesRead == 150)
                prints.append(try Finding.frameChecksums(in: output))
            }
        }
        #expect(prints[0].count == 450)
        #expect(prints[0] != prints[1])
        #expect(prints[2] == prints[0])
        #expect(prints[3] == prints[1])
        let backwards = try Clip(of: MediaSource(asset)) { duration in
            let lasts = try duration.multiplied(by: 3, over: 1)
            return try TimeMap(
                pieces: [TimeMap.Piece(ExactLine(.zero, lasts, from: duration, to: .zero))],
                sourceDuration: duration)
        }
        let output = folder.path("backwards.mkv")
        _ = try await PannedClip.render(backwards, to: output) { $0.video.skipsRepeats = true }
        #expect(try Finding.frameChecksums(in: output) == prints[0].reversed())
    }
}
