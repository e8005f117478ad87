import Foundation
import Media
import TestSupport
import Testing

@testable import TimeWarp

/// Films whose frames are images, as programs for visual effects write them.
@Suite("Sequences of images")
struct ImageSequenceTests {
    private static let rate = FrameRate(known: 24)

    /// Writes 12 images, numbered from 8 on.
    private func write(_ pattern: String, in folder: TemporaryFolder, _ options: [String] = [])
        throws
    {
        try FileManager.default.createDirectory(
            atPath: folder.path("shot 100%"), withIntermediateDirectories: true)
        try ReferenceTools.ffmpeg(
            [
                "-f", "lavfi", "-i", "nullsrc=s=64x48:r=24,geq=lum='16+16*N':cb=128:cr=128",
                "-frames:v", "12", "-start_number", "8",
            ]
                + options + [folder.path("shot 100%%/" + pattern)])
    }

    private func asset(_ name: String, in folder: TemporaryFolder) throws -> Asset {
        try Asset(of: ImageSequence(at: folder.path(name), rate: Self.rate))
    }

    private func checksums(_ clip: Clip, _ folder: TemporaryFolder) async throws -> [String] {
        let output = folder.path("out.mkv")
        let settings = RenderSettings { ($0.video.codec, $0.output.existing) = (.ffv1, .overwrite) }
        try await Renderer().render(try RenderPlan(clip, to: output, settings: settings))
        return try Finding.frameChecksums(in: output)
    }

    @Test(
        "a folder or a name with a place for the number is a film of its images",
        arguments: [
            ("f_%04d.png", ["shot 100%", "shot 100%/f_####.png", "shot 100%/f_%04d.png"]),
            ("f%d.tif", ["shot 100%/", "shot 100%/f%d.tif", "shot 100%/f#.tif"]),
            ("%02d.bmp", ["shot 100%", "shot 100%/##.bmp"]),
        ])
    func names(pattern: String, ways: [String]) async throws {
        let folder = try TemporaryFolder()
        try write(pattern, in: folder, ["-pix_fmt", "rgb24"])
        try Data().write(to: URL(fileURLWithPath: folder.path("shot 100%/notes 1.txt")))
        let reference = folder.path("reference.mkv")
        try ReferenceTools.ffmpeg([
            "-start_number", "8", "-i", folder.path("shot 100%%/" + pattern), "-c:v", "ffv1",
            "-pix_fmt", "bgr0", reference,
        ])
        let expected = try Finding.frameChecksums(in: reference)
        #expect(Set(expected).count == 12)
        for way in ways {
            let asset = try asset(way, in: folder)
            #expect(asset.duration.seconds == 0.5 && asset.videoStreams[0].frameCount == 12)
            #expect(asset.videoStreams[0].videoFormat?.usualRate == Self.rate)
            let forwards = try await checksums(
                Clip(of: MediaSource(asset), scaled: .factor(2, over: 1)), folder)
            #expect(forwards == expected.flatMap { [$0, $0] })
            let backwards = try await checksums(Clip(reversing: MediaSource(asset)), folder)
            #expect(backwards == expected.reversed())
        }
    }

    @Test(
        "the formats of visual effects are read, and keep their depth",
        arguments: [
            ("dpx", ["-pix_fmt", "gbrp10le"], 10), ("exr", ["-pix_fmt", "gbrpf32le"], 32),
            ("jpg", [], 8), ("tga", [], 8), ("webp", ["-c:v", "libwebp", "-f", "image2"], 8),
            ("jp2", [], 8),
        ])
    func formats(ending: String, options: [String], depth: Int) async throws {
        let folder = try TemporaryFolder()
        try write("f.%04d." + ending, in: folder, options)
        let asset = try asset("shot 100%", in: folder)
        #expect(asset.videoStreams[0].videoFormat?.pixelFormat.bitDepth == depth)
        let clip = try Clip(of: MediaSource(asset), scaled: .factor(3, over: 2))
        #expect(Set(try await checksums(clip, folder)).count == 12)
    }

    @Test("a clip in a composition may be one, beside a film")
    func composition() async throws {
        let folder = try TemporaryFolder()
        try write("f_%04d.png", in: folder)
        let film = folder.path("film.mkv")
        try ReferenceTools.ffmpeg([
            "-f", "lavfi", "-i", "testsrc2=s=64x48:r=24:d=0.5", "-c:v", "ffv1", film,
        ])
        let formats = ProjectFormats.editFiles.playing(imagesAt: Self.rate)
        let images = folder.path("shot 100%/f_####.png")
        let project = try CompositionProject(clips: [images, film], formats: formats)
        let output = folder.path("out.mkv")
        try await Renderer().render(
            try RenderPlan(
                MediaSource(project, path: "a composition"), to: output,
                settings: RenderSettings { $0.video.codec = .ffv1 }))
        #expect(try Finding.frameChecksums(in: output).count == 24)
    }

    @Test("what is missing or unclear is said, and how to name it")
    func errors() throws {
        let folder = try TemporaryFolder()
        try write("f_%04d.png", in: folder)
        func reason(_ name: String) -> String {
            do {
                _ = try asset(name, in: folder)
                return ""
            } catch {
                return "\(error)"
            }
        }
        #expect(reason("shot 100%/f_0009.png").contains("f_####.png, or its folder"))
        #expect(reason("shot 100%/g_####.png").contains("there is no image of such a name"))
        #expect(reason("none/f_####.png").contains("can't be read"))
        // Without a rate it is one image, and a folder is none.
        #expect(try Asset(at: folder.path("shot 100%/f_0009.png")).isPicture)
        #expect(throws: MediaError.self) { try Asset(at: folder.path("shot 100%")) }
        for number in [12, 13] {
            try FileManager.default.removeItem(atPath: folder.path("shot 100%/f_00\(number).png"))
        }
        #expect(reason("shot 100%").contains("f_0012.png is missing, and 1 after it"))
        try FileManager.default.copyItem(
            atPath: folder.path("shot 100%/f_0009.png"), toPath: folder.path("shot 100%/g7.png"))
        #expect(reason("shot 100%").contains("several sequences in this folder"))
    }
}
