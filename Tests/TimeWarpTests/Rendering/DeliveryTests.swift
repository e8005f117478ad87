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
        "an MP3 has the exact length, the tags, the chapters and the cover",
        arguments: [44_100, 22_050])
    func mp3(sampleRate: Int) async throws {
        let folder = try TemporaryFolder()
        let (input, output) = (folder.path("in.m4a"), folder.path("out.mp3"))
        let chapters = [("0", "1000", "One"), ("1000", "2000", "Two")].map {
            "[CHAPTER]\nTIMEBASE=1/1000\nSTART=\($0)\nEND=\($1)\ntitle=\($2)\n"
        }
        try Data((";FFMETADATA1\ntitle=Tone\n" + chapters.joined()).utf8)
            .write(to: URL(fileURLWithPath: folder.path("tags.txt")))
        try ReferenceTools.ffmpeg([
            "-f", "lavfi", "-i", "sine=r=\(sampleRate):d=2", "-f", "lavfi", "-i",
            "testsrc2=s=64x64:r=1:d=1", "-i", folder.path("tags.txt"), "-map", "0", "-map", "1",
            "-map_metadata", "2", "-c:v", "mjpeg", "-disposition:v", "attached_pic", input,
        ])
        let clip = try Clip(of: MediaSource(at: input), scaled: .factor(3, over: 2))
        try await Renderer().render(try RenderPlan(clip, to: output))
        let decoded = folder.path("out.wav")
        try ReferenceTools.ffmpeg(["-i", output, decoded])
        let length = ["-show_entries", "stream=duration_ts", decoded]
        #expect(try ReferenceTools.ffprobe(length) == ["\(sampleRate * 3)"])
        let written = try Asset(at: output)
        #expect(written.tags["title"] == "Tone")
        // libav counts LAME's delay before the sound, 25 ms or 50, and the chapters without it.
        let starts = written.chapters.map(\.range.start.seconds)
        #expect(starts.count == 2 && abs(starts[1] - 1.5) < 0.051)
        #expect(written.streams.contains { if case .cover = $0.content { true } else { false } })
    }

    @Test("a GIF keeps its colours, its holes and its delays")
    func gif() async throws {
        let folder = try TemporaryFolder()
        let (input, output) = (folder.path("in.gif"), folder.path("out.gif"))
        try ReferenceTools.ffmpeg([
            "-f", "lavfi", "-i",
            "testsrc2=s=160x96:r=10:d=1,format=rgba,colorkey=black:0.01:0,split[a][b];"
                + "[a]palettegen[p];[b][p]paletteuse=alpha_threshold=128",
            input,
        ])
        let asset = try Asset(at: input)
        for (clip, ends) in [
            (try Clip(of: MediaSource(asset), scaled: .factor(3, over: 2)), 1.5),
            (try Clip(reversing: MediaSource(asset)), 1),
        ] {
            let settings = RenderSettings {
                ($0.video.rate, $0.output.existing) = (.any, .overwrite)
            }
            try await Renderer().render(try RenderPlan(clip, to: output, settings: settings))
            let frames = try Finding.frameChecksums(in: input)
            let isReversed = ends == 1
            #expect(
                try Finding.frameChecksums(in: output) == (isReversed ? frames.reversed() : frames))
            for (number, time) in try Finding.frameTimes(in: output).enumerated() {
                #expect(abs(time - Double(number) * ends / 10) < 0.0051)
            }
        }
    }

    @Test("a GIF of many colours is close to them, and one too fast for browsers is refused")
    func gifOfFilm() async throws {
        let folder = try TemporaryFolder()
        let (input, output) = (folder.path("in.mkv"), folder.path("out.gif"))
        try ReferenceTools.ffmpeg([
            "-f", "lavfi", "-i",
            "gradients=s=192x128:r=60:d=0.5:c0=red:c1=blue:c2=green:nb_colors=3:"
                + "x0=0:y0=0:x1=191:y1=127:seed=1",
            "-f", "lavfi", "-i", "sine=d=0.5", "-c:v", "ffv1", "-pix_fmt", "yuv444p", input,
        ])
        let clip = try Clip(of: MediaSource(at: input)) { .identity($0) }
        let error = #expect(throws: MediaError.self) { try RenderPlan(clip, to: output) }
        #expect(error?.description.contains("at most 50 frames of a GIF a second") == true)
        let plan = try RenderPlan(
            clip, to: output,
            settings: RenderSettings { $0.video.rate = .fixed(FrameRate(known: 30)) })
        #expect(plan.warnings.contains { $0.contains("a .gif file can't hold sound") })
        try await Renderer().render(plan)
        let lines = try ReferenceTools.run(
            "ffmpeg",
            [
                "-i", output, "-i", input, "-lavfi",
                "[0]format=gbrp[a];[1]fps=30,format=gbrp[b];[a][b]psnr", "-f", "null", "-",
            ]
        ).errors
        let found = try #require(lines.firstMatch(of: /average:([\d.]+)/))
        // FFmpeg's own palettes of each frame come to 45.5 dB with its pattern, and to 47.3 without any.
        #expect(Double(found.1).map { $0 > 43.5 } == true, "\(found.1) dB")
    }

    @Test("an MP3 of more than two channels is refused with what holds them")
    func surround() throws {
        let folder = try TemporaryFolder()
        let input = folder.path("in.wav")
        try ReferenceTools.ffmpeg(["-f", "lavfi", "-i", "sine=d=1", "-ac", "6", input])
        let clip = try Clip(of: MediaSource(at: input), scaled: .factor(3, over: 2))
        let error = #expect(throws: MediaError.self) {
            try RenderPlan(clip, to: folder.path("out.mp3"))
        }
        #expect(
            error?.description.contains("mp3 can store 2 channels, and the sound has 6") == true)
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
            let settings = RenderSettings { $0.output.putsIndexFirst = isFirst }
            let plans = try [
                RenderPlan(
                    Clip(of: MediaSource(asset), scaled: .factor(2, over: 1)),
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
            let clip = try Clip(of: MediaSource(at: input), scaled: .factor(1, over: 1))
            let usual = try RenderPlan(clip, to: folder.path("usual.mp4"))
            let isNoted = usual.warnings.contains { $0.contains("rarely played") }
            #expect(isNoted == (source != "yuv420p"), "\(source)")
            let output = folder.path("\(source).mp4")
            let settings = RenderSettings { $0.video.pixelFormat = PixelFormat(named: "yuv420p") }
            let plan = try RenderPlan(clip, to: output, settings: settings)
            #expect(!plan.warnings.contains { $0.contains("rarely played") })
            try await Renderer().render(plan)
            let stored = try Asset(at: output).videoStreams[0].videoFormat?.pixelFormat.description
            // The range of RGB is full, which FFmpeg tells by the name.
            #expect(stored == (source == "bgr0" ? "yuvj420p" : "yuv420p"))
            let placed = Composition(tracks: [
                try Track(segments: [Segment(PlacedClip(MediaSource(at: input)))])
            ])
            #expect(
                try RenderPlan(placed, to: folder.path("b.mp4"), settings: settings).video[0]
                    .pixelFormat
                    == PixelFormat(named: "yuv420p"))
            let impossible = RenderSettings { $0.video.pixelFormat = PixelFormat(named: "rgb48le") }
            let error = #expect(throws: MediaError.self) {
                try RenderPlan(clip, to: folder.path("c.mp4"), settings: impossible)
            }
            #expect(error?.remedy?.description.contains("yuv420p") == true)
        }
    }

    @Test("codecs of whole frames are stored as their players expect")
    func wholeFrames() async throws {
        let folder = try TemporaryFolder()
        let kinds: [(codec: VideoCodec, source: String, stored: String)] = [
            (.dnxhd, "yuv420p", "dnxhd,DNXHR HQ,yuv422p,tv"),
            (.dnxhd, "yuv420p10le", "dnxhd,DNXHR HQX,yuv422p10le,tv"),
            (.dnxhd, "yuv444p", "dnxhd,DNXHR 444,yuv444p10le,tv"),
            (.mjpeg, "yuv420p", "mjpeg,Baseline,yuvj420p,pc"),
            (.mjpeg, "yuvj422p", "mjpeg,Baseline,yuvj422p,pc"),
            (.prores, "yuv420p", "prores,HQ,yuv422p10le,tv"),
        ]
        for (number, kind) in kinds.enumerated() {
            let input = folder.path("\(number).mkv")
            try ReferenceTools.ffmpeg([
                "-f", "lavfi", "-i", "smptebars=s=256x144:r=25:d=0.2", "-pix_fmt", kind.source,
                "-color_range", kind.source.hasPrefix("yuvj") ? "pc" : "tv", "-colorspace", "bt709",
                "-c:v", "ffv1", input,
            ])
            let output = folder.path("\(number).mov")
            let clip = try Clip(of: MediaSource(at: input), scaled: .factor(1, over: 1))
            let settings = RenderSettings { $0.video.codec = kind.codec }
            try await Renderer().render(try RenderPlan(clip, to: output, settings: settings))
            let stored = try ReferenceTools.ffprobe([
                "-select_streams", "v", "-show_entries",
                "stream=codec_name,profile,pix_fmt,color_range", output,
            ])
            #expect(stored == [kind.stored])
            let compared = try ReferenceTools.run(
                "ffmpeg",
                [
                    "-i", input, "-i", output, "-lavfi",
                    "[0]format=gbrp[a];[1]format=gbrp[b];[a][b]psnr", "-f", "null", "-",
                ])
            let average = compared.errors.firstMatch(of: /average:([\d.]+)/)
            #expect(average.flatMap { Double($0.1) } ?? 0 > 34, "\(kind): \(compared.errors)")
        }
        let clip = try Clip(
            of: MediaSource(at: folder.path("0.mkv")), scaled: .factor(1, over: 1))
        let tape = RenderSettings { $0.video.codec = .dvvideo }
        let error = await #expect(throws: MediaError.self) {
            try await Renderer().render(
                try RenderPlan(clip, to: folder.path("dv.mov"), settings: tape))
        }
        #expect(error?.remedy?.description.contains("720×576") == true)
        let narrow = RenderSettings {
            ($0.video.codec, $0.video.pixelFormat) = (.mjpeg, PixelFormat(named: "rgb48le"))
        }
        let refusal = #expect(throws: MediaError.self) {
            try RenderPlan(clip, to: folder.path("c.mov"), settings: narrow)
        }
        #expect(refusal?.remedy?.description == "Use one of yuvj420p yuvj422p yuvj444p")
    }

    @Test("more channels than a codec has are refused, with what to use instead")
    func channels() throws {
        let folder = try TemporaryFolder()
        let input = folder.path("in.wav")
        let silence = [String](repeating: "0", count: 10).joined(separator: "|")
        try ReferenceTools.ffmpeg([
            "-f", "lavfi", "-i", "aevalsrc=\(silence):s=48000:d=1", "-c:a", "pcm_s16le", input,
        ])
        let clip = try Clip(of: MediaSource(at: input), scaled: .factor(2, over: 1))
        for ending in ["mp4", "mkv", "flac", "opus", "m4a"] {
            let error = #expect(throws: MediaError.self) {
                try RenderPlan(clip, to: folder.path("out." + ending))
            }
            #expect(error?.code == .incompatible)
            #expect(error?.remedy?.description.contains("pcm") == true)
        }
        for ending in ["wav", "mov", "mkv"] {
            let settings = RenderSettings { $0.audio.codec = .pcm }
            let plan = try RenderPlan(clip, to: folder.path("out." + ending), settings: settings)
            #expect(plan.audio[0].format.channelCount == 10)
        }
    }
}
