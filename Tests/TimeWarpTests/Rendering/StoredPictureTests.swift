import Foundation
import Media
import TestSupport
import Testing
import TimeMaps

@testable import TimeWarp

/// Pictures that a codec can't store as they are: in RGB, and with odd sides.
@Suite("How pictures are stored")
struct StoredPictureTests {
    struct Source: Sendable, CustomTestStringConvertible {
        let name: String
        let options: [String]
        var testDescription: String { name }
    }

    static let rgb = [
        Source(name: "h264.mkv", options: ["-c:v", "libx264rgb", "-qp", "0"]),
        Source(name: "ffv1.mkv", options: ["-c:v", "ffv1", "-pix_fmt", "gbrp"]),
        Source(
            name: "vp9.webm", options: ["-c:v", "libvpx-vp9", "-pix_fmt", "gbrp", "-lossless", "1"]),
        Source(name: "hevc.mp4", options: ["-c:v", "libx265", "-pix_fmt", "gbrp", "-qp", "0"]),
        Source(name: "png.mov", options: ["-c:v", "png", "-pix_fmt", "rgb24"]),
    ]

    /// The first pixel of a file's first frame as an independent decoder sees it.
    private func pixel(in path: String, _ folder: TemporaryFolder) throws -> [Int] {
        let raw = folder.path("frame.rgb")
        try ReferenceTools.ffmpeg([
            "-y", "-i", path, "-frames:v", "1", "-vf", "scale=sws_flags=accurate_rnd", "-pix_fmt",
            "rgb24", "-f", "rawvideo", raw,
        ])
        return try Data(contentsOf: URL(fileURLWithPath: raw)).prefix(3).map(Int.init)
    }

    @Test("RGB keeps its colours, and says the matrix that it got", arguments: rgb, [240, 720])
    func colours(source: Source, height: Int) async throws {
        let folder = try TemporaryFolder()
        let path = folder.path(source.name)
        let (colour, expected) =
            height < 720 ? ("0xFF0000", [255, 0, 0]) : ("0x20A0F0", [32, 160, 240])
        try ReferenceTools.ffmpeg(
            [
                "-f", "lavfi", "-i",
                "color=\(colour):s=160x\(height):r=10:d=0.2,format=gbrp",
            ] + source.options + [path])
        let settings = RenderSettings {
            ($0.video.codec, $0.video.quality, $0.output.existing) = (.h264, 1, .overwrite)
        }
        let output = folder.path("out.mp4")
        for plan in try plans(of: path, to: output, settings) {
            try await Renderer().render(plan)
            let found = try pixel(in: output, folder)
            let off = zip(found, expected).map { abs($0 - $1) }.max() ?? 255
            #expect(off <= 1, "\(found) of \(expected)")
            let matrix = try ReferenceTools.ffprobe([
                "-show_entries", "stream=color_space", output,
            ])
            #expect(matrix == [height < 720 ? "bt470bg" : "bt709"])
        }
    }

    @Test(
        "grey without a range is full, as decoders take it, and says so",
        arguments: [("gray", "unknown"), ("gray10le", "unknown"), ("gray10le", "tv")],
        [VideoCodec.h264, .vp9])
    func grey(source: (format: String, range: String), codec: VideoCodec) async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("in.mkv")
        let range = source.range == "tv" ? "tv" : "pc"
        try ReferenceTools.ffmpeg([
            "-f", "lavfi", "-i",
            "color=0x303030:s=160x96:r=10:d=0.2,scale=out_range=\(range),format=\(source.format)",
            "-c:v", "ffv1", "-color_range", source.range, path,
        ])
        let settings = RenderSettings {
            ($0.video.codec, $0.video.quality, $0.output.existing) = (codec, 1, .overwrite)
        }
        let expected = try pixel(in: path, folder)
        #expect(source.range == "tv" || expected == [0x30, 0x30, 0x30])
        let output = folder.path("out.mkv")
        for plan in try plans(of: path, to: output, settings) {
            try await Renderer().render(plan)
            let found = try pixel(in: output, folder)
            let off = zip(found, expected).map { abs($0 - $1) }.max() ?? 255
            #expect(off <= 2, "\(found) of \(expected)")
        }
    }

    /// A render of a clip and one of a composition of it.
    private func plans(
        of path: String, to output: String, _ settings: RenderSettings
    ) throws -> [RenderPlan] {
        let asset = try Asset(at: path)
        let placed = Composition(tracks: [
            try Track(segments: [Segment(PlacedClip(MediaSource(asset)))])
        ])
        return [
            try RenderPlan(
                Clip(of: MediaSource(asset), scaled: .factor(2, over: 1)), to: output,
                settings: settings),
            try RenderPlan(placed, to: output, settings: settings),
        ]
    }

    struct Odd: Sendable, CustomTestStringConvertible {
        let codec: VideoCodec
        let output: String
        let size: String
        var pixels = "yuv420p"
        var testDescription: String { "\(codec.rawValue) \(pixels) \(size)" }
    }

    static let odd = [
        Odd(codec: .h264, output: "out.mp4", size: "266,80"),
        Odd(codec: .h264, output: "out.mp4", size: "267,81", pixels: "yuv444p"),
        Odd(codec: .h264, output: "out.mkv", size: "266,81", pixels: "yuv422p"),
        Odd(codec: .hevc, output: "out.mov", size: "266,80"),
        Odd(codec: .av1, output: "out.webm", size: "266,80"),
        Odd(codec: .vp9, output: "out.webm", size: "267,81"),
        Odd(codec: .ffv1, output: "out.mkv", size: "267,81"),
    ]

    @Test("an odd column or row that a codec can't store is cropped, and told", arguments: odd)
    func oddSizes(odd: Odd) async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("in.mkv")
        // Columns of one pixel, which scaling would turn grey.
        try ReferenceTools.ffmpeg([
            "-f", "lavfi", "-i",
            "color=black:s=268x82:r=10:d=0.5,format=\(odd.pixels),geq=lum='40+160*mod(X\\,2)':cb=128:cr=128,"
                + "crop=267:81:0:0:exact=1",
            "-c:v", "ffv1", path,
        ])
        let settings = RenderSettings {
            ($0.video.codec, $0.output.existing) = (odd.codec, .overwrite)
            $0.video.quality = odd.codec == .ffv1 ? nil : 10
        }
        let output = folder.path(odd.output)
        for plan in try plans(of: path, to: output, settings) {
            let isTold = plan.warnings.contains { $0.contains("cropped") }
            #expect(isTold == (odd.size != "267,81"), "\(plan.warnings)")
            try await Renderer().render(plan)
            let size = try ReferenceTools.ffprobe(["-show_entries", "stream=width,height", output])
            #expect(size == [odd.size])
            let raw = folder.path("frame.grey")
            try ReferenceTools.ffmpeg([
                "-y", "-i", output, "-frames:v", "1", "-vf", "extractplanes=y", "-pix_fmt", "gray",
                "-f", "rawvideo", raw,
            ])
            let row = try Data(contentsOf: URL(fileURLWithPath: raw)).prefix(260).map(Int.init)
            let contrast = zip(row, row.dropFirst()).map { abs($0 - $1) }.min() ?? 0
            #expect(contrast > 100)
        }
    }
}
