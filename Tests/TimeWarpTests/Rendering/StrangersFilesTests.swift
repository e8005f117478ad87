import Foundation
import Media
import TestSupport
import Testing

@testable import TimeWarp

/// Files with the habits of old codecs, broadcasts and programs that aren't ours.
@Suite("Strangers' files")
struct StrangersFilesTests {
    private static let film = ["-f", "lavfi", "-i", "testsrc2=s=176x144:r=15:d=3"]
    private static let tone = ["-f", "lavfi", "-i", "sine=r=48000:d=3"]

    private let lossless = RenderSettings {
        $0.video.rate = .any
        $0.video.codec = .ffv1
    }

    /// Renders a clip without loss, and returns what an independent decoder sees.
    private func frames(
        of clip: Clip, in folder: TemporaryFolder
    ) async throws -> [Finding.DecodedFrame] {
        let output = folder.path("lossless.mkv")
        var settings = lossless
        settings.output.existing = .overwrite
        try await Renderer().render(try RenderPlan(clip, to: output, settings: settings))
        return try Finding.decodedFrames(in: output)
    }

    // MARK: - Containers that can't hold a codec

    struct Misfit: Sendable, CustomTestStringConvertible {
        let name: String
        var options: [String]
        let ending: String
        let remedy: String
        var testDescription: String { "\(name) to .\(ending)" }
    }

    static let misfits = [
        Misfit(
            name: "theora.ogv", options: film + ["-c:v", "libtheora"], ending: "mp4", remedy: ".mkv"
        ),
        Misfit(
            name: "sorenson.flv", options: film + ["-c:v", "flv1"], ending: "mp4", remedy: ".mkv"),
        Misfit(
            name: "vp8.webm",
            options: film + ["-c:v", "libvpx", "-threads", "1", "-cpu-used", "8"],
            ending: "mov", remedy: ".mkv"),
        // FFmpeg says that .mov can hold Opus, and then doesn't write the header.
        Misfit(
            name: "opus.mkv", options: film + tone + ["-c:v", "libx264", "-c:a", "libopus"],
            ending: "mov", remedy: ".mkv or .mp4"),
        Misfit(
            name: "pcm.mov", options: film + tone + ["-c:v", "libx264", "-c:a", "pcm_s16le"],
            ending: "mp4", remedy: ".mkv or .mov"),
        // FFmpeg writes it, without the depth of its pixels, and then can't decode it.
        Misfit(name: "rle.mov", options: film + ["-c:v", "qtrle"], ending: "mkv", remedy: ".mov"),
        Misfit(name: "only.tta", options: tone + ["-c:a", "tta"], ending: "mp4", remedy: ".mkv"),
    ]

    @Test(
        "a container that can't hold a track is refused before anything is written",
        arguments: misfits)
    func misfit(m: Misfit) throws {
        let folder = try TemporaryFolder()
        try ReferenceTools.ffmpeg(m.options + [folder.path(m.name)])
        let output = folder.path("out." + m.ending)
        let error = #expect(throws: MediaError.self) {
            try RenderPlan(copying: Asset(at: folder.path(m.name)), to: output)
        }
        #expect(error?.code == .incompatible)
        #expect(error?.remedy?.description.contains(m.remedy) == true)
        #expect(try folder.contents == [m.name])
    }

    /// Flash video with VP6, whose crop is in a byte of the container. Any bytes after the header are a picture.
    private func croppedVP6() -> Data {
        func big(_ number: Int, bytes: Int) -> [UInt8] {
            (0..<bytes).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        }
        var file = Data("FLV".utf8) + Data([1, 1, 0, 0, 0, 9, 0, 0, 0, 0])
        var noise = 1
        for number in 0..<20 {
            // A keyframe of VP6 whose crop is 8 columns and 4 rows; 6 × 8 blocks of 16 pixels.
            var frame: [UInt8] = [0x14, 0x84, 40, 48, 0, 60, 6, 8, 6, 8]
            for _ in 0..<3000 {
                noise = (noise * 1_103_515_245 + 12_345) & 0x7fff_ffff
                frame.append(UInt8(truncatingIfNeeded: noise >> 16))
            }
            let head = [9] + big(frame.count, bytes: 3) + big(40 * number, bytes: 3) + [0, 0, 0, 0]
            file += Data(head + frame + big(head.count + frame.count, bytes: 4))
        }
        return file
    }

    @Test("a container that doesn't store the crop of a codec is refused")
    func crop() throws {
        let folder = try TemporaryFolder()
        try croppedVP6().write(to: URL(fileURLWithPath: folder.path("in.flv")))
        let asset = try Asset(at: folder.path("in.flv"))
        #expect(asset.videoStreams.first?.videoFormat?.width == 120)
        let error = #expect(throws: MediaError.self) {
            try RenderPlan(copying: asset, to: folder.path("out.mkv"))
        }
        #expect(error?.code == .incompatible)
        #expect(error?.reason.contains("another size") == true)
        #expect(try folder.contents == ["in.flv"])
    }

    @Test("packets that get new times are tried before anything is written, too")
    func restampedMisfit() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("rle.mov")
        try ReferenceTools.ffmpeg(Self.film + ["-c:v", "qtrle", path])
        let asset = try Asset(at: path)
        let settings = RenderSettings { ($0.video.rate, $0.video.mode) = (.any, .restamped) }
        let placed = Composition(tracks: [
            try Track(segments: [Segment(PlacedClip(MediaSource(asset)))])
        ])
        for (ending, isHeld) in [("mkv", false), ("mov", true)] {
            let output = folder.path("out." + ending)
            let clip = try Clip(of: MediaSource(asset), scaled: .factor(2, over: 1))
            for make in [
                { try RenderPlan(clip, to: output, settings: settings) },
                { try RenderPlan(placed, to: output, settings: settings) },
            ] {
                if isHeld {
                    _ = try make()
                } else {
                    let error = #expect(throws: MediaError.self) { try make() }
                    #expect(error?.code == .incompatible)
                    #expect(error?.remedy?.description.contains(".mov") == true)
                }
            }
        }
        #expect(try folder.contents == ["rle.mov"])
    }

    @Test("a sound track that nobody can decode is left out and named, and the rest is used")
    func undecodable() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("in.mov")
        try ReferenceTools.ffmpeg(
            Self.film + Self.tone + Self.tone + [
                "-map", "0", "-map", "1", "-map", "2", "-c:v", "libx264", "-c:a:0", "aac",
                "-c:a:1", "pcm_s16le", path,
            ])
        // As a phone writes its spatial sound beside AAC.
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        let name = try #require(bytes.range(of: Data("sowt".utf8), options: .backwards))
        bytes.replaceSubrange(name, with: Data("apac".utf8))
        try bytes.write(to: URL(fileURLWithPath: path))
        let asset = try Asset(at: path)
        #expect(asset.streams.map(\.codecName) == ["h264", "aac", "apac"])
        #expect(asset.audioStreams.map(\.index) == [1])
        let clip = try Clip(of: MediaSource(asset), scaled: .factor(2, over: 1))
        let placed = Composition(tracks: [
            try Track(segments: [Segment(PlacedClip(MediaSource(asset)))])
        ])
        for plan in try [
            RenderPlan(clip, to: folder.path("a.mp4")),
            RenderPlan(placed, to: folder.path("b.mp4")),
            RenderPlan(copying: asset, to: folder.path("c.mov")),
            RenderPlan(copying: asset, to: folder.path("d.mkv")),
        ] {
            #expect(plan.warnings.contains { $0.contains("apac") }, "\(plan.warnings)")
            try await Renderer().render(plan)
            let written = try Asset(at: plan.destination)
            #expect(written.streams.map(\.codecName) == ["h264", "aac"])
        }
    }

    // MARK: - Frames

    @Test(
        "H.263 shows the right frames in both directions, and keeps its shape in a copy",
        arguments: ["h263", "h263p"])
    func falseKeyframes(codec: String) async throws {
        let folder = try TemporaryFolder()
        for name in ["in.mkv", "in.3gp"] where codec == "h263" || name == "in.mkv" {
            let input = folder.path(name)
            try ReferenceTools.ffmpeg(Self.film + ["-c:v", codec, input])
            let before = try Finding.frameChecksums(in: input)
            let backward = try Clip(reversing: MediaSource(at: input))
            #expect(try await frames(of: backward, in: folder).map(\.checksum) == before.reversed())
            for ending in ["mkv", "mov"] {
                let copy = folder.path("\(name).\(ending)")
                try await Renderer().render(try RenderPlan(copying: Asset(at: input), to: copy))
                #expect(try Finding.frameChecksums(in: copy) == before)
                let shape = ["-show_entries", "stream=display_aspect_ratio"]
                #expect(try ReferenceTools.ffprobe(shape + [copy]) == ["11:9"])
            }
        }
    }

    @Test("Matroska may begin before zero: its frames stay beside its sound")
    func beforeZero() async throws {
        let folder = try TemporaryFolder()
        let input = folder.path("in.mkv")
        // The sound begins 0.5 s before the video, and both before zero.
        try ReferenceTools.ffmpeg([
            "-itsoffset", "0.5", "-f", "lavfi", "-i", "testsrc2=s=160x96:r=30:d=3", "-f", "lavfi",
            "-i", "sine=r=48000:d=3", "-pix_fmt", "yuv420p", "-c:v", "libx264", "-bf", "2", "-c:a",
            "pcm_s16le", "-output_ts_offset", "-0.7", "-avoid_negative_ts", "disabled", input,
        ])
        let asset = try Asset(at: input)
        let start = try #require(asset.videoStreams.first?.start)
        #expect(abs(start.seconds - 0.5) < 0.0011)
        let copy = folder.path("copy.mkv")
        try await Renderer().render(try RenderPlan(copying: asset, to: copy))
        let clip = try Clip(of: MediaSource(asset)) { .identity($0) }
        for shown in [
            try await frames(of: clip, in: folder), try Finding.decodedFrames(in: copy),
        ] {
            #expect(shown.count == 90)
            for (number, frame) in shown.enumerated() {
                #expect(abs(frame.seconds - 0.5 - Double(number) / 30) < 0.0021, "frame \(number)")
            }
        }
    }

    @Test(
        "a raw stream without any times plays at its rate, and is copied in the order of its frames"
    )
    func rawStream() async throws {
        let folder = try TemporaryFolder()
        let input = folder.path("in.h264")
        try ReferenceTools.ffmpeg(
            Self.film + [
                "-pix_fmt", "yuv420p", "-c:v", "libx264", "-bf", "2", "-bsf:v",
                "h264_metadata=aud=remove", "-f", "h264", input,
            ])
        let before = try Finding.frameChecksums(in: input)
        let asset = try Asset(at: input)
        #expect(abs(asset.duration.seconds - 3) < 0.1)
        let backward = try Clip(reversing: MediaSource(asset))
        #expect(try await frames(of: backward, in: folder).map(\.checksum) == before.reversed())
        for ending in ["mkv", "mp4"] {
            let copy = folder.path("copy." + ending)
            try await Renderer().render(try RenderPlan(copying: asset, to: copy))
            let shown = try Finding.decodedFrames(in: copy)
            #expect(shown.map(\.checksum) == before)
            let steps = zip(shown, shown.dropFirst()).map { $1.seconds - $0.seconds }
            #expect((steps.max() ?? 1) - (steps.min() ?? 0) < 0.0021)
        }
    }

    @Test(
        "a copy from Matroska to MP4 keeps the last frame at 1000 frames a second",
        arguments: ["mp4", "mov"])
    func fastFrames(ending: String) async throws {
        let folder = try TemporaryFolder()
        let (input, copy) = (folder.path("in.mkv"), folder.path("copy." + ending))
        try ReferenceTools.ffmpeg([
            "-f", "lavfi", "-i", "testsrc2=s=96x64:r=1000:d=0.2", "-pix_fmt", "yuv420p", "-c:v",
            "libx264", "-bf", "2", input,
        ])
        try await Renderer().render(try RenderPlan(copying: Asset(at: input), to: copy))
        #expect(try Finding.frameChecksums(in: copy) == Finding.frameChecksums(in: input))
    }

    @Test(
        "lossless video of a few pixels is lossless",
        arguments: ["2x2", "6x2", "2x16", "4x4", "64x2"])
    func fewPixels(size: String) async throws {
        let folder = try TemporaryFolder()
        let input = folder.path("in.mkv")
        try ReferenceTools.ffmpeg([
            "-f", "lavfi", "-i", "testsrc2=s=64x64:r=30:d=0.3", "-vf",
            "scale=" + size.replacing("x", with: ":"), "-pix_fmt", "yuv444p", "-c:v", "ffv1",
            "-level", "1", input,
        ])
        let clip = try Clip(of: MediaSource(at: input)) { .identity($0) }
        let shown = try await frames(of: clip, in: folder).map(\.checksum)
        #expect(shown == (try Finding.frameChecksums(in: input)))
    }

    @Test("of two films in one file each is shown as it is, and the longer one gives the length")
    func twoFilms() async throws {
        let folder = try TemporaryFolder()
        let (input, output) = (folder.path("in.mkv"), folder.path("out.mkv"))
        let other = ["-f", "lavfi", "-i", "testsrc2=s=96x64:r=25:d=4"]
        try ReferenceTools.ffmpeg(
            Self.film + other + Self.tone + [
                "-map", "0", "-map", "1", "-map", "2", "-pix_fmt", "yuv420p", "-c:v", "libx264",
                "-bf", "2", "-c:a", "libopus", input,
            ])
        let asset = try Asset(at: input)
        #expect(abs(asset.duration.seconds - 4) < 0.01)
        let clip = try Clip(of: MediaSource(asset)) { .identity($0) }
        try await Renderer().render(try RenderPlan(clip, to: output, settings: lossless))
        for stream in ["0:v:0", "0:v:1"] {
            func checksums(_ path: String) throws -> [Substring] {
                let listing = try ReferenceTools.ffmpeg([
                    "-i", path, "-map", stream, "-fps_mode", "passthrough", "-f", "framemd5", "-",
                ])
                return listing.split(separator: "\n").filter { !$0.hasPrefix("#") }
                    .map { $0.split(separator: ",").last ?? "" }
            }
            #expect(try checksums(output) == checksums(input))
        }
    }
}
