import Foundation
import Media
import TestSupport
import Testing

@testable import TimeWarp

/// What the players of others need of a file.
@Suite("Delivery")
struct DeliveryTests {
    private static let film = ["-f", "lavfi", "-i", "testsrc2=s=160x96:r=25:d=2"]

    /// The kinds of an MP4's outer boxes, in order.
    private static func boxes(of path: String) throws -> [String] {
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        var (kinds, place): ([String], Int) = ([], 0)
        while place + 8 <= bytes.count {
            let size = bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
            kinds.append(String(decoding: bytes[place + 4..<place + 8], as: UTF8.self))
            guard size >= 8 else {
                break
            }
            place += size
        }
        return kinds
    }

    @Test(
        "the index of an MP4 comes first, unless it is told to stay at the end",
        arguments: ["mp4", "mov", "m4a"])
    func index(ending: String) async throws {
        let folder = try TemporaryFolder()
        let input = folder.path("in.mov")
        try ReferenceTools.ffmpeg(
            Self.film + [
                "-f", "lavfi", "-i", "sine=r=48000:d=2", "-c:v", "libx264", "-c:a", "aac", input,
            ])
        let asset = try Asset(at: input)
        for isFirst in [true, false] {
            let settings = RenderSettings { $0.putsIndexFirst = isFirst }
            let plans = try [
                RenderPlan(
                    Clip(of: asset, scaled: .factor(2, over: 1)),
                    to: folder.path("\(isFirst).\(ending)"),
                    settings: settings),
                RenderPlan(
                    copying: asset, to: folder.path("\(isFirst)-copy.\(ending)"), settings: settings
                ),
            ]
            for plan in plans {
                try await Renderer().render(plan)
                let kinds = try Self.boxes(of: plan.destination)
                let index = try #require(kinds.firstIndex(of: "moov"))
                let packets = try #require(kinds.firstIndex(of: "mdat"))
                #expect((index < packets) == isFirst, "\(kinds)")
                // Every packet is where the index says.
                let decoded = try ReferenceTools.run(
                    "ffmpeg", ["-v", "error", "-i", plan.destination, "-f", "null", "-"])
                #expect(decoded.errors == "" && decoded.exitCode == 0)
            }
        }
    }

    @Test("pixels are stored as asked, and what is rarely played is said")
    func pixelFormats() async throws {
        let folder = try TemporaryFolder()
        for source in ["yuv420p", "yuv444p", "yuv420p10le", "bgr0"] {
            let input = folder.path("\(source).mkv")
            try ReferenceTools.ffmpeg(Self.film + ["-pix_fmt", source, "-c:v", "ffv1", input])
            let clip = try Clip(of: Asset(at: input), scaled: .factor(1, over: 1))
            let usual = try RenderPlan(clip, to: folder.path("usual.mp4"))
            let isNoted = usual.warnings.contains { $0.contains("rarely played") }
            #expect(isNoted == (source != "yuv420p"), "\(source)")
            let output = folder.path("\(source).mp4")
            let settings = RenderSettings { $0.pixelFormat = PixelFormat(named: "yuv420p") }
            let plan = try RenderPlan(clip, to: output, settings: settings)
            #expect(!plan.warnings.contains { $0.contains("rarely played") })
            try await Renderer().render(plan)
            let stored = try Asset(at: output).videoStreams[0].videoFormat?.pixelFormat.description
            // The range of RGB is full, which FFmpeg tells by the name.
            #expect(stored == (source == "bgr0" ? "yuvj420p" : "yuv420p"))
            let placed = Composition(tracks: [
                try Track(segments: [Segment(PlacedClip(Asset(at: input)))])
            ])
            #expect(
                try RenderPlan(placed, to: folder.path("b.mp4"), settings: settings).video[0]
                    .pixelFormat
                    == PixelFormat(named: "yuv420p"))
            let impossible = RenderSettings { $0.pixelFormat = PixelFormat(named: "rgb48le") }
            let error = #expect(throws: MediaError.self) {
                try RenderPlan(clip, to: folder.path("c.mp4"), settings: impossible)
            }
            #expect(error?.remedy?.description.contains("yuv420p") == true)
        }
    }

    @Test("more channels than a codec has are refused, with what to use instead")
    func channels() throws {
        let folder = try TemporaryFolder()
        let input = folder.path("in.wav")
        let silence = [String](repeating: "0", count: 10).joined(separator: "|")
        try ReferenceTools.ffmpeg([
            "-f", "lavfi", "-i", "aevalsrc=\(silence):s=48000:d=1", "-c:a", "pcm_s16le", input,
        ])
        let clip = try Clip(of: Asset(at: input), scaled: .factor(2, over: 1))
        for ending in ["mp4", "mkv", "flac", "opus", "m4a"] {
            let error = #expect(throws: MediaError.self) {
                try RenderPlan(clip, to: folder.path("out." + ending))
            }
            #expect(error?.code == .incompatible)
            #expect(error?.remedy?.description.contains("pcm") == true)
        }
        for ending in ["wav", "mov", "mkv"] {
            let settings = RenderSettings { $0.audioCodec = .pcm }
            let plan = try RenderPlan(clip, to: folder.path("out." + ending), settings: settings)
            #expect(plan.audio[0].format.channelCount == 10)
        }
    }
}
