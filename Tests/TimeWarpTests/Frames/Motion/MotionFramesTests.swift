import Foundation
import Media
import TestSupport
import Testing
import TimeMaps

@testable import TimeWarp

@Suite("Frames made from motion, in every pixel format")
struct MotionFramesTests {
    @Test(
        "frames between others are where the pan would be, and the others are passed through",
        arguments: [
            "yuv420p", "yuv422p", "yuv444p", "yuv410p", "gray", "nv12", "yuva420p", "bgr0",
            "yuv420p10le", "yuv422p10le", "yuv444p12le", "gray16le", "gbrp10le",
            "yuv420p16le", "gbrp16le", "bgra",
        ])
    func formats(format: String) async throws {
        let folder = try TemporaryFolder()
        let input = try PannedClip.write(format, in: folder)
        let asset = try Asset(at: input)
        #expect(asset.streams[0].videoFormat?.pixelFormat.description == format)
        let clip = try Clip(of: MediaSource(asset), scaled: .factor(2, over: 1))
        let output = folder.path("out.mkv")
        let report = try await PannedClip.render(clip, to: output)
        #expect(report.video[0].framesSynthesised == 4)
        // Compared in red, green, blue and alpha, to which every format can be converted.
        let size = 160 * 96 * 4
        let source = try PannedClip.frames(input, as: "rgba", size)
        let made = try PannedClip.frames(output, as: "rgba", size)
        try #require(source.count == 5)
        try #require(made.count == 10)
        for number in 0..<5 {
            // FFV1 has no semi-planar format, and the other program converts planar chroma in another way.
            #expect(
                TestPlane.ratio(made[2 * number], source[number]) > (format == "nv12" ? 40 : 60))
        }
        for number in 0..<4 {
            // Two samples to the left: between the two by half of the way. The right edge comes from the later one.
            let own = made[2 * number + 1]
            let truth = PannedClip.moved(
                source[number], source[number + 1], by: 2, bytesPerPixel: 4)
            #expect(TestPlane.ratio(own, truth) > (format == "yuv410p" ? 28 : 32))
        }
    }

    @Test(
        "something small and fast keeps its colours, in every sampling of them",
        arguments: ["yuv420p", "yuv444p10le", "gbrp"])
    func smallObject(format: String) async throws {
        let folder = try TemporaryFolder()
        func write(_ name: String, rate: Int, select: String) throws -> String {
            let path = folder.path(name)
            try ReferenceTools.ffmpeg([
                "-f", "lavfi", "-i", "testsrc2=s=320x192:r=20:d=1", "-f", "lavfi", "-i",
                "color=0xF0E020:s=10x8:r=20:d=1", "-filter_complex",
                "[0]loop=-1:1:0,setpts=N/20/TB,hue=s=0,lutyuv=y=val*0.4,gblur=sigma=1[a];[a][1]overlay=x='30+14*n':y='60+5*n':"
                    + "eval=frame:format=gbrp,format=\(format),\(select),setpts=N/\(rate)/TB",
                "-frames:v", "\(9 * rate / 20)", "-r", "\(rate)", "-c:v", "ffv1", path,
            ])
            return path
        }
        let truth = try PannedClip.frames(
            write("all.mkv", rate: 20, select: "null"), as: "rgb24", 320 * 192 * 3)
        let input = try write("half.mkv", rate: 10, select: "select=not(mod(n\\,2))")
        let clip = try Clip(of: MediaSource(Asset(at: input)), scaled: .factor(2, over: 1))
        let output = folder.path("out.mkv")
        _ = try await PannedClip.render(clip, to: output)
        let made = try PannedClip.frames(output, as: "rgb24", 320 * 192 * 3)
        for number in [1, 3, 5] {
            #expect(TestPlane.ratio(made[number], truth[number]) > 38, "frame \(number)")
        }
    }

    @Test("frames of interlaced clips keep their fields apart: nothing is combed")
    func interlaced() async throws {
        let folder = try TemporaryFolder()
        let input = folder.path("in.mkv")
        // Fields that follow each other: 20 a second, each 4 samples further.
        try ReferenceTools.ffmpeg([
            "-f", "lavfi", "-i", "testsrc2=s=640x192:r=1:d=1", "-vf",
            "settb=AVTB,loop=11:1:0,setpts=N/20/TB,gblur=sigma=2,crop=160:96:4*n+100:40,format=yuv420p,"
                + "tinterlace=interleave_top,fieldorder=tff",
            "-flags", "+ilme+ildct", "-r", "10", "-c:v", "ffv1", input,
        ])
        let asset = try Asset(at: input)
        let clip = try Clip(of: MediaSource(asset), scaled: .factor(2, over: 1))
        let output = folder.path("out.mkv")
        _ = try await PannedClip.render(clip, to: output)
        let size = 160 * 96
        let source = try PannedClip.frames(input, as: "gray", size)
        let made = try PannedClip.frames(output, as: "gray", size)
        try #require(source.count >= 4 && made.count == 2 * source.count)
        for number in 0..<3 {
            // A frame's fields move by eight samples to the next frame's, so by four in between.
            let truth = PannedClip.moved(
                source[number], source[number + 1], by: 4, bytesPerPixel: 1)
            #expect(TestPlane.ratio(made[2 * number + 1], truth) > 32)
        }
    }

    // MARK: - Whole renders

    private static let kept = KeptFiles()

    private static var people: String {
        get throws {
            try kept.file("moving.mkv") { path in
                try ReferenceTools.ffmpeg([
                    "-f", "lavfi", "-i", "testsrc2=s=160x90:r=15:d=4", "-vf", "gblur=sigma=1.5",
                    "-c:v", "libx264", "-g", "12", "-bf", "2", "-crf", "12", "-pix_fmt", "yuv420p",
                    path,
                ])
            }
        }
    }

    @Test("any number of threads and jobs makes the same frames")
    func same() async throws {
        let folder = try TemporaryFolder()
        let clip = try Clip(
            of: MediaSource(at: try Self.people), warpedBy: .builtIn(.triangle, factor: 3))
        var prints: [[String]] = []
        for (threads, jobs) in [(1, 1), (2, 1), (5, 1), (1, 4)] {
            let output = folder.path("\(threads)-\(jobs).mkv")
            let report = try await PannedClip.render(clip, to: output) {
                $0.resources.threads = threads
                $0.resources.jobs = jobs
                $0.video.rate = .fixed(FrameRate(known: 30))
            }
            #expect(report.video[0].framesSynthesised > 50)
            prints.append(try Finding.frameChecksums(in: output))
        }
        for other in prints.dropFirst() {
            #expect(other == prints[0])
        }
    }

    @Test("backwards the same frames are made, in the other order")
    func backwards() async throws {
        let folder = try TemporaryFolder()
        let asset = try Asset(at: try Self.people)
        func prints(_ backwards: Bool) async throws -> [String] {
            let clip = try Clip(of: MediaSource(asset)) { duration in
                let lasts = try duration.multiplied(by: 3, over: 1)
                let line =
                    backwards
                    ? ExactLine(.zero, lasts, from: duration, to: .zero)
                    : ExactLine(.zero, lasts, from: .zero, to: duration)
                return try TimeMap(pieces: [TimeMap.Piece(line)], sourceDuration: duration)
            }
            let output = folder.path("\(backwards).mkv")
            _ = try await PannedClip.render(clip, to: output)
            return try Finding.frameChecksums(in: output)
        }
        let forward = try await prints(false)
        #expect(forward.count == 180)
        #expect(try await prints(true) == forward.reversed())
    }

    @Test(
        "a frame that falls on an instant is passed through bit for bit, also as a frame-rate converter"
    )
    func passedThrough() async throws {
        let folder = try TemporaryFolder()
        let input = try Self.people
        let clip = try Clip(of: MediaSource(at: input), scaled: .factor(1, over: 1))
        let output = folder.path("out.mkv")
        let report = try await PannedClip.render(clip, to: output) {
            $0.video.rate = .fixed(FrameRate(known: 60))
        }
        let (source, made) = (
            try Finding.frameChecksums(in: input), try Finding.frameChecksums(in: output)
        )
        #expect(made.count == 240)
        #expect((0..<60).allSatisfy { made[4 * $0] == source[$0] })
        let video = report.video[0]
        #expect(video.framesSynthesised + video.framesHeld + video.framesRepeated == 180)
        #expect(video.framesSynthesised > 150)
    }

    @Test("a composition's clip has the frames that it has alone, with any number of jobs")
    func composed() async throws {
        let folder = try TemporaryFolder()
        let input = try Self.people
        let alone = folder.path("alone.mkv")
        _ = try await PannedClip.render(
            try Clip(of: MediaSource(at: input), warpedBy: .builtIn(.triangle, factor: 3)),
            to: alone)
        let range = try TimeRange(start: .zero, end: .seconds(4))
        let other = try Segment(PlacedClip(input, range: range))
        let slow = try Segment(
            PlacedClip(input, range: range, retiming: .curve(.builtIn(.triangle, factor: 3))))
        let composition = try Composition(tracks: [Track(segments: [other, slow])])
        for jobs in [1, 4] {
            let output = folder.path("\(jobs).mkv")
            let plan = try RenderPlan(
                composition, to: output,
                settings: RenderSettings {
                    $0.video.codec = .ffv1
                    $0.video.frames = .motion
                    $0.resources.jobs = jobs
                })
            let report = try await Renderer().render(plan)
            #expect(report.video[0].framesSynthesised > 30)
            let prints = try Finding.frameChecksums(in: output)
            #expect(try prints.dropFirst(60) == Finding.frameChecksums(in: alone)[...])
        }
    }

    @Test("with a shutter, few frames smear as many would")
    func shutter() async throws {
        let folder = try TemporaryFolder()
        // A bright bar that moves by 16 samples a frame before grey.
        let input = folder.path("bar.mkv")
        try ReferenceTools.ffmpeg([
            "-f", "lavfi", "-i", "color=0x404040:s=256x64:r=20:d=0.5", "-vf",
            "geq=lum='if(between(X-16*N,0,19),220,64+20*sin(X/9)*sin(Y/7))':cb=128:cr=128",
            "-pix_fmt", "yuv420p", "-c:v", "ffv1", input,
        ])
        let clip = try Clip(of: MediaSource(at: input), scaled: .factor(1, over: 2))
        func profile(_ frames: RenderSettings.FrameSynthesis) async throws -> [Int] {
            let output = folder.path("\(frames).mkv")
            let report = try await PannedClip.render(clip, to: output) {
                $0.video.frames = frames
                $0.video.shutterDegrees = 360
            }
            #expect((report.video[0].framesSynthesised > 0) == (frames == .motion))
            // The third frame: source frames 4 and 5, in which the bar is at 64 and 80.
            let frame = try PannedClip.frames(output, as: "gray", 256 * 64)[2]
            return (60..<110).map { Int(frame[32 * 256 + $0]) }
        }
        func largestStep(_ row: [Int]) -> Int {
            zip(row, row.dropFirst()).map { abs($1 - $0) }.max() ?? 0
        }
        // Two bars side by side without motion; with it one trace, whose edges rise slowly.
        let (bars, trace) = (try await profile(.hold), try await profile(.motion))
        #expect(largestStep(bars) > 60)
        #expect(largestStep(trace) < 35)
    }
}
