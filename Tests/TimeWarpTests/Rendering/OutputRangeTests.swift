import Foundation
import Media
import TestSupport
import Testing
import TimeMaps

@testable import TimeWarp

@Suite("A part of what a clip plays")
struct OutputRangeTests {
    private let folder: TemporaryFolder
    private let asset: Asset

    init() throws {
        folder = try TemporaryFolder()
        let path = folder.path("in.mkv")
        try ReferenceTools.ffmpeg([
            "-f", "lavfi", "-i", "testsrc2=s=128x72:r=25:d=4", "-f", "lavfi", "-i",
            "aevalsrc='0.5*sin(300*t*t)':s=48000:d=4", "-c:v", "libx264", "-g", "20", "-crf", "10",
            "-pix_fmt", "yuv420p", "-c:a", "pcm_s16le", path,
        ])
        asset = try Asset(at: path)
    }

    private func rendered(
        _ clip: Clip, _ name: String, _ frames: RenderSettings.FrameSynthesis
    ) async throws -> (prints: [String], samples: [Float]) {
        let path = folder.path("\(name).mkv")
        let settings = RenderSettings {
            $0.video.codec = .ffv1
            $0.audio.codec = .pcm
            $0.video.frames = frames
            $0.video.rate = .fixed(FrameRate(known: 50))
        }
        _ = try await Renderer().render(try RenderPlan(clip, to: path, settings: settings))
        return (
            try Finding.frameChecksums(in: path), try Finding.sound(in: path, channelCount: 1)[0]
        )
    }

    @Test(
        "has the same frames and samples as the whole",
        arguments: ["triangle 3", "backwards", "scale 1.7", "there and back"])
    func same(name: String) async throws {
        let whole: Clip
        switch name {
        case "triangle 3":
            whole = try Clip(
                of: MediaSource(asset), warpedBy: .builtIn(.triangle, factor: 3, modifier: 0.5))
        case "backwards": whole = try Clip(reversing: MediaSource(asset))
        case "scale 1.7": whole = try Clip(of: MediaSource(asset), scaled: .factor(17, over: 10))
        default: whole = try Clip(of: MediaSource(asset)) { .identity($0) }.thereAndBack()
        }
        let part = try whole.playing(from: .seconds(1), to: .seconds(3))
        #expect(part.map.outputDuration == 2)
        for frames in [RenderSettings.FrameSynthesis.hold, .motion] {
            let all = try await rendered(whole, "\(frames) whole", frames)
            let own = try await rendered(part, "\(frames) part", frames)
            #expect(own.prints.count == 100)
            // At the ends, frames aren't made with source frames outside of the part.
            #expect(own.prints[2..<95] == all.prints[52..<145])
            #expect(own.samples.count == 96_000)
            // At the ends, samples outside of the part are missing.
            let inside = 1000..<95_000
            let largest = inside.map { abs(own.samples[$0] - all.samples[48_000 + $0]) }.max() ?? 1
            #expect(largest < 1e-4)
        }
    }

    @Test("beyond the output there is nothing, and the end is its end")
    func bounds() throws {
        let whole = try Clip(of: MediaSource(asset), scaled: .factor(2, over: 1))
        #expect(try whole.playing(from: .seconds(7), to: .seconds(99)).map.outputDuration == 1)
        #expect(try whole.playing(from: .seconds(7), to: nil).map.outputDuration == 1)
        #expect(throws: CurveError.self) { try whole.playing(from: .seconds(8), to: nil) }
        #expect(throws: CurveError.self) {
            try whole.playing(from: .seconds(3), to: .seconds(3))
        }
    }
}
