import Foundation
import Media
import TestSupport
import Testing
import TimeMaps

@testable import TimeWarp

@Suite("Passing over frames")
struct PassingOverTests {
    /// The source frame that each output frame must show: the last one whose retimed time has come.
    private func expected(_ clip: Clip, _ plan: RenderPlan, times: [Double]) throws -> [Int] {
        guard case .fixed(let rate, let count) = plan.video[0].timing else {
            return []
        }
        // Matroska rounds times to the millisecond; other times are printed with microseconds.
        let isCoarse = clip.source.assets[0].formatName.contains("matroska")
        let tolerance = isCoarse ? 0.0006 : 2e-6
        return (0..<count).map { tick in
            let x = clip.map.sourceTime(at: Double(tick) / rate.framesPerSecond) + tolerance
            return times.lastIndex { $0 <= x } ?? 0
        }
    }

    private func check(
        _ all: [Finding.DecodedFrame], _ output: String, _ clip: Clip,
        decodesAtMost share: Double = 1,
        _ change: (inout RenderSettings) -> Void = { _ in }
    ) async throws {
        let settings = RenderSettings {
            $0.output.existing = .overwrite
            $0.video.codec = .ffv1
            $0.audio.mode = .mute
            // By itself an uneven source keeps every frame.
            if clip.source.assets[0].videoStreams[0].videoFormat?.cadence == .variable {
                $0.video.rate = .fixed(FrameRate(known: 30))
            }
            change(&$0)
        }
        let plan = try RenderPlan(clip, to: output, settings: settings)
        #expect(plan.video[0].segments[0].frames?.index != nil, "frames are passed over")
        let report = try await Renderer().render(plan)
        let first = all.first?.seconds ?? 0
        let shown = try expected(clip, plan, times: all.map { $0.seconds - first })
        #expect(try Finding.frameChecksums(in: output) == shown.map { all[$0].checksum })
        let video = report.video[0]
        #expect(video.framesRead == Int64(all.count))
        #expect(video.framesSkipped == Int64(all.count - Set(shown).count))
        #expect(Double(video.framesDecoded) <= Double(all.count) * share)
    }

    @Test(
        "what is shown is what it is when everything is decoded",
        arguments: HardClip.all.filter { $0.name != "one.mp4" }, [3, 16] as [Int64])
    func same(hard: HardClip, speed: Int64) async throws {
        let folder = try TemporaryFolder()
        let input = try hard.write(to: folder)
        let clip = try Clip(of: MediaSource(at: input), scaled: .factor(1, over: speed))
        try await check(
            hard.decodedFrames(), folder.path("out.mkv"), clip, decodesAtMost: hard.work)
    }

    @Test("along a curve too, from normal speed to 30 times")
    func curve() async throws {
        let folder = try TemporaryFolder()
        let hard = HardClip.all[3]
        let clip = try Clip(
            of: MediaSource(at: hard.write(to: folder)), warpedBy: .speed(Formula("1 + 29*t^2")))
        try await check(hard.decodedFrames(), folder.path("out.mkv"), clip, decodesAtMost: 0.9)
    }

    @Test("GOPs of which nothing is shown are not decoded, nor frames that no other needs")
    func work() async throws {
        let folder = try TemporaryFolder()
        let input = folder.path("in.mp4")
        try ReferenceTools.ffmpeg([
            "-f", "lavfi", "-i", "testsrc2=s=160x96:r=30:d=20", "-c:v", "libx264", "-g", "15",
            "-bf",
            "3", "-pix_fmt", "yuv420p", input,
        ])
        let (asset, frames) = (try Asset(at: input), try Finding.decodedFrames(in: input))
        // One frame in 64 is shown, so three of four GOPs aren't decoded.
        let fast = try Clip(of: MediaSource(asset), scaled: .factor(1, over: 64))
        try await check(frames, folder.path("fast.mkv"), fast, decodesAtMost: 0.16)
        let half = try Clip(of: MediaSource(asset), scaled: .factor(1, over: 8))
        try await check(frames, folder.path("half.mkv"), half, decodesAtMost: 0.75)
    }

    @Test("blended, they are what they are when nothing is left out")
    func blended() async throws {
        let folder = try TemporaryFolder()
        let input = try HardClip.all[3].write(to: folder)
        let clip = try Clip(of: MediaSource(at: input), scaled: .factor(100, over: 733))
        func settings(_ memory: Int) -> RenderSettings {
            RenderSettings {
                $0.video.codec = .ffv1
                $0.video.frames = .blend
                $0.resources.memoryBytes = memory
            }
        }
        var prints: [[String]] = []
        for memory in [256 << 20, 1] {
            let output = folder.path("\(memory).mkv")
            let plan = try RenderPlan(clip, to: output, settings: settings(memory))
            #expect(plan.video[0].segments[0].frames?.index != nil)
            let report = try await Renderer().render(plan)
            #expect(report.video[0].framesBlended > 10)
            prints.append(try Finding.frameChecksums(in: output))
        }
        let output = folder.path("all.mkv")
        var plan = try RenderPlan(clip, to: output, settings: settings(256 << 20))
        plan.video[0].segments[0].frames?.index = nil
        try await Renderer().render(plan)
        prints.append(try Finding.frameChecksums(in: output))
        #expect(prints[0] == prints[1])
        #expect(prints[0] == prints[2])
    }
}
