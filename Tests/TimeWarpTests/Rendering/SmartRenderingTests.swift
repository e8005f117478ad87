import Foundation
import TestSupport
import Testing
import TimeMaps

@testable import Media
@testable import TimeWarp

@Suite("Only what changes is encoded")
struct SmartRenderingTests {
    private static let files = KeptFiles()
    private static let scene = "testsrc2=size=160x96:rate=25:duration=6,noise=alls=4:allf=t"

    /// How sources are encoded. The first frames of a group are shown before its keyframe where it is open.
    static let sources = [
        "h264 mp4 libx264 -g 25", "h264 ts libx264 -g 30 -bf 8 -b_strategy 2",
        "h264 mkv libx264 -g 25 -profile:v baseline", "h264 mov libx264 -g 25 -bf 1",
        "h264 mp4 libx264 -g 25 -x264-params open-gop=1",
        "h264 mkv libx264 -g 25 -x264-params repeat-headers=1",
        "h264 mp4 libx264 -g 25 -pix_fmt yuv420p10le",
        "hevc mp4 libx265 -x265-params log-level=error:keyint=25:open-gop=0",
        "hevc mkv libx265 -x265-params log-level=error:keyint=25:bframes=0:open-gop=0",
        "hevc mp4 libx265 -x265-params log-level=error:keyint=25:bframes=4:open-gop=1",
        "prores mov prores_ks -pix_fmt yuv422p10le", "ffv1 mkv ffv1 -level 3 -slicecrc 1",
        "dnxhd mov dnxhd -profile:v dnxhr_sq -s 256x144 -pix_fmt yuv422p",
        "mjpeg mov mjpeg -q:v 3 -pix_fmt yuvj422p",
        "dvvideo mov dvvideo -s 720x576 -pix_fmt yuv420p",
    ]

    private static func source(_ text: String, seconds: Int = 6) throws -> Asset {
        let words = text.split(separator: " ").map(String.init)
        let path = try files.file("\(abs(text.hashValue)).\(words[1])") { path in
            _ = try ReferenceTools.ffmpeg(
                ["-f", "lavfi", "-i", scene, "-f", "lavfi", "-i", "sine=duration=\(seconds)"]
                    + (text.contains("pix_fmt") ? [] : ["-pix_fmt", "yuv420p"])
                    + ["-c:v"] + words[2...] + ["-c:a", "aac", path])
        }
        return try Asset(at: path)
    }

    /// Half speed from 2 s to 2.4 s.
    private static func slowed(_ asset: Asset) throws -> Clip {
        let anchors = [(0, 0), (20, 20), (24, 28), (60, 64)].map { source, output in
            TimeAnchor(
                source: RationalTime(source, over: 10), output: RationalTime(output, over: 10))
        }
        return try Clip(of: MediaSource(asset)) { duration in
            try TimeMap(through: anchors, sourceDuration: duration)
        }
    }

    private static var settings: RenderSettings {
        RenderSettings {
            $0.video.keepsPackets = true
            $0.audio.mode = .mute
        }
    }

    /// What FFmpeg's decoder makes of a file's video, and what it says of it.
    private static func frames(of path: String) throws -> (digests: [Substring], words: String) {
        let result = try ReferenceTools.run(
            "ffmpeg",
            [
                "-v", "warning", "-i", path, "-map", "0:v:0", "-fps_mode", "passthrough", "-f",
                "framemd5", "-",
            ])
        let lines = result.output.split(separator: "\n").filter { !$0.hasPrefix("#") }
        return (lines.map { $0.split(separator: ",").last ?? "" }, result.errors)
    }

    /// Renders a plan, and compares its frames with those of the same render without loss.
    ///
    /// - Returns: the number of frames that are the source's.
    @discardableResult
    private static func check(
        _ plan: RenderPlan, like lossless: RenderPlan,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Int64 {
        try await Renderer().render(lossless)
        let report = try await Renderer().render(plan)
        let (made, wanted) = (
            try frames(of: plan.destination), try frames(of: lossless.destination)
        )
        #expect(made.words == "", sourceLocation: sourceLocation)
        #expect(made.digests.count == wanted.digests.count, sourceLocation: sourceLocation)
        let same = zip(made.digests, wanted.digests).count { $0 == $1 }
        let kept = try #require(report.video.first).framesKept
        #expect(same >= kept, sourceLocation: sourceLocation)
        let likeness = try ReferenceTools.run(
            "ffmpeg",
            [
                "-v", "error", "-i", plan.destination, "-i", lossless.destination, "-lavfi",
                "[0:v]settb=1/25,setpts=N[a];[1:v]settb=1/25,setpts=N[b];[a][b]psnr=stats_file=-",
                "-f",
                "null", "-",
            ])
        let worst =
            likeness.output.split(separator: " ").filter { $0.hasPrefix("psnr_avg:") }
            .compactMap { Double($0.dropFirst(9)) }.min() ?? 0
        // What is encoded is the right frame: a neighbour is at 20 dB.
        #expect(worst > 27, sourceLocation: sourceLocation)
        return kept
    }

    private static func lossless(_ settings: RenderSettings) -> RenderSettings {
        RenderSettings(settings) {
            $0.video.keepsPackets = false
            $0.video.codec = .ffv1
        }
    }

    @Test(
        "around slow motion packets are kept, frames are the right ones, and the decoder says nothing",
        arguments: sources.map { ($0, 1) } + [0, 1, 4, 9].map { (sources[$0], 2) })
    func slowMotion(source: String, jobs: Int) async throws {
        let folder = try TemporaryFolder()
        let asset = try Self.source(source)
        let words = source.split(separator: " ")
        let ending = words[1] == "ts" ? "mp4" : words[1]
        let clip = try Self.slowed(asset)
        let lossless = try RenderPlan(
            clip, to: folder.path("lossless.mkv"), settings: Self.lossless(Self.settings))
        let settings = RenderSettings(Self.settings) { $0.resources.jobs = jobs }
        let plan = try RenderPlan(clip, to: folder.path("kept." + ending), settings: settings)
        let keeping = try #require(plan.video.first?.keeping)
        #expect(abs(keeping.keptSeconds + keeping.encodedSeconds - 6.4) < 1e-6)
        let kept = try await Self.check(plan, like: lossless)
        #expect(abs(Double(kept) / 25 - keeping.keptSeconds) < 1e-6)
        // Two seconds before, and what comes after the next keyframe, if decoding can begin there.
        let isOpen = source.contains("x264-params open-gop=1")
        #expect(keeping.keptSeconds > (isOpen ? 1.5 : words[1] == "ts" ? 3.7 : 4.7))
    }

    @Test(
        "with each frame at its own time all packets of what plays forward are kept, at any speed")
    func variableRate() async throws {
        let folder = try TemporaryFolder()
        let asset = try Self.source(Self.sources[0])
        let anchors = [(0, 0), (20, 20), (40, 80), (30, 90), (60, 120)].map { source, output in
            TimeAnchor(
                source: RationalTime(source, over: 10), output: RationalTime(output, over: 10))
        }
        let clip = try Clip(of: MediaSource(asset)) { duration in
            try TimeMap(through: anchors, sourceDuration: duration)
        }
        for ending in ["mp4", "mkv"] {
            let settings = RenderSettings(Self.settings) { $0.video.rate = .any }
            let plan = try RenderPlan(clip, to: folder.path("out." + ending), settings: settings)
            let kept = try await Self.check(
                plan,
                like: RenderPlan(
                    clip, to: folder.path(ending + ".mkv"), settings: Self.lossless(settings)))
            // Four seconds forward, and two after the first keyframe behind the one that plays backwards.
            #expect(kept == 150)
            let written = try Asset(at: plan.destination).videoStreams[0]
            #expect(abs((written.end?.seconds ?? 0) - 12) < 0.002)
        }
    }

    @Test("what is kept whole stays as it is stored, with its header in front")
    func whole() async throws {
        let folder = try TemporaryFolder()
        let asset = try Self.source(Self.sources[0])
        let clip = try Clip(of: MediaSource(asset)) { .identity($0) }
        let plan = try RenderPlan(clip, to: folder.path("out.mp4"), settings: Self.settings)
        #expect(plan.video.first?.keeping?.encoded.isEmpty == true)
        let report = try await Renderer().render(plan)
        #expect(report.video.first?.framesKept == 150)
        let (made, source) = (
            try Self.frames(of: plan.destination), try Self.frames(of: asset.path)
        )
        #expect(made.words == "")
        #expect(made.digests == source.digests)
        let tag = try ReferenceTools.ffprobe([
            "-select_streams", "v", "-show_entries", "stream=codec_tag_string", plan.destination,
        ])
        #expect(tag == ["avc1"])
    }

    @Test("H.264 of one source has the headers of both encoders in front, and needs no others")
    func headers() async throws {
        let folder = try TemporaryFolder()
        let clip = try Self.slowed(try Self.source(Self.sources[0]))
        let plan = try RenderPlan(clip, to: folder.path("out.mp4"), settings: Self.settings)
        try await Renderer().render(plan)
        let tag = try ReferenceTools.ffprobe([
            "-select_streams", "v", "-show_entries", "stream=codec_tag_string", plan.destination,
        ])
        #expect(tag == ["avc1"])
        _ = try ReferenceTools.ffmpeg([
            "-i", plan.destination, "-c", "copy", "-bsf:v", "filter_units=remove_types=7|8",
            folder.path("without.mp4"),
        ])
        let (made, without) = (
            try Self.frames(of: plan.destination), try Self.frames(of: folder.path("without.mp4"))
        )
        #expect(without.words == "")
        #expect(made.digests == without.digests)
    }

    @Test("HEVC that is encoded says the level and the tier of the source")
    func level() async throws {
        let folder = try TemporaryFolder()
        let source = try Self.source(
            "hevc mp4 libx265 -x265-params log-level=error:keyint=25:level-idc=51:high-tier=1")
        let plan = try RenderPlan(
            Self.slowed(source), to: folder.path("out.mp4"), settings: Self.settings)
        let kept = try await Renderer().render(plan).video.first?.framesKept
        #expect((50..<150).contains(kept ?? 0))
        let headers = try ReferenceTools.run(
            "ffmpeg",
            [
                "-v", "verbose", "-i", plan.destination, "-c", "copy", "-bsf:v", "trace_headers",
                "-f", "null", "-",
            ])
        for (name, value) in [("general_level_idc", "153"), ("general_tier_flag", "1")] {
            let stated = headers.errors.split(separator: "\n").filter { $0.contains(name) }
            #expect(stated.count > 4)
            #expect(stated.allSatisfy { $0.hasSuffix(" " + value) })
        }
    }

    @Test("a part of a file is kept from the first keyframe on, wherever it begins and ends")
    func range() async throws {
        let folder = try TemporaryFolder()
        let asset = try Self.source(Self.sources[0])
        let clip = try Clip(of: MediaSource(asset)) { .identity($0) }
            .playing(from: .milliseconds(1360), to: .milliseconds(4720))
        let plan = try RenderPlan(clip, to: folder.path("out.mp4"), settings: Self.settings)
        let kept = try await Self.check(
            plan,
            like: RenderPlan(
                clip, to: folder.path("lossless.mkv"), settings: Self.lossless(Self.settings)))
        #expect(plan.video.first?.keeping?.encoded.map(\.seconds).reduce(0, +) ?? 9 < 0.9)
        #expect(kept >= 84 - 16 - 4)
    }

    @Test("of a composition clips of the source's own speed are kept, and dissolves are encoded")
    func composition() async throws {
        let folder = try TemporaryFolder()
        let (first, other) = (try Self.source(Self.sources[0]), try Self.source(Self.sources[3]))
        var track = Track()
        try track.append(TimeRange(start: .seconds(1), end: .seconds(4)), of: first.path)
        try track.append(TimeRange(start: .zero, end: .seconds(3)), of: other.path)
        try track.append(
            Segment(
                PlacedClip(first.path, range: TimeRange(start: .seconds(2), end: .seconds(5))),
                blending: Blending(dissolve: .milliseconds(400))))
        let composition = Composition(tracks: [track])
        let plan = try RenderPlan(
            composition, to: folder.path("out.mp4"), settings: Self.settings)
        let kept = try await Self.check(
            plan,
            like: RenderPlan(
                composition, to: folder.path("lossless.mkv"),
                settings: Self.lossless(Self.settings)))
        #expect(kept > 150)
        #expect(
            plan.video.first?.keeping?.encoded.contains {
                $0.reason == "clips are seen through each other"
            } == true)
    }

    @Test("pieces rendered apart and joined give the same frames")
    func pieces() async throws {
        let folder = try TemporaryFolder()
        let clip = try Self.slowed(try Self.source(Self.sources[0]))
        let settings = RenderSettings(Self.settings) { $0.resources.pieces = 3 }
        let plan = try RenderPlan(clip, to: folder.path("out.mp4"), settings: settings)
        try await Renderer().render(plan, inPiecesIn: folder)
        let whole = try RenderPlan(clip, to: folder.path("whole.mp4"), settings: settings)
        _ = try await Renderer().render(whole)
        let (joined, made) = (
            try Self.frames(of: plan.destination), try Self.frames(of: whole.destination)
        )
        #expect(joined.words == "")
        #expect(joined.digests == made.digests)
        #expect(joined.digests.count == 160)
    }

    @Test(
        "what can't be kept is encoded, and the plan says why",
        arguments: [
            ("mpeg4 mp4 mpeg4 -g 25", "mpeg4"),
            ("h264 mp4 libx264 -flags +ilme+ildct -top 1 -g 25", "interlaced"),
            ("h264 mkv libx264 -g 250", "keyframe"),
            ("prores mov prores_ks -profile:v 4 -pix_fmt yuva444p10le", "yuv"),
        ])
    func encoded(source: String, reason: String) async throws {
        let folder = try TemporaryFolder()
        let clip = try Clip(of: MediaSource(Self.source(source))) { .identity($0) }
            .playing(from: .seconds(1), to: .seconds(2))
        let ending = source.hasPrefix("prores") ? "mov" : "mp4"
        let plan = try RenderPlan(clip, to: folder.path("out." + ending), settings: Self.settings)
        let keeping = try #require(plan.video.first?.keeping)
        #expect(keeping.keptSeconds == 0)
        #expect(keeping.encoded.first?.reason.contains(reason) == true, "\(keeping.encoded)")
        #expect(try await Renderer().render(plan).video.first?.framesWritten == 25)
    }

    @Test("at double speed every other frame is dropped, and that is the reason")
    func doubleSpeed() throws {
        let folder = try TemporaryFolder()
        let clip = try Clip(of: MediaSource(Self.source(Self.sources[0]))) { duration in
            try .uniform(from: duration, to: .seconds(3))
        }
        let plan = try RenderPlan(clip, to: folder.path("out.mp4"), settings: Self.settings)
        let encoded = try #require(plan.video.first?.keeping).encoded
        #expect(encoded.map(\.seconds) == [3])
        #expect(encoded[0].reason.contains("dropped"))
    }

    @Test("around a packet that is damaged, frames are encoded")
    func damagedPacket() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("in.mp4")
        let source = try Self.source(Self.sources[0])
        try FileManager.default.copyItem(atPath: source.path, toPath: path)
        let places = try ReferenceTools.ffprobe([
            "-select_streams", "v", "-show_entries", "packet=pos", source.path,
        ]).compactMap { UInt64($0) }
        let file = try #require(FileHandle(forUpdatingAtPath: path))
        try file.seek(toOffset: places[60])
        try file.write(contentsOf: Data([0x7F, 0xFF]))
        try file.close()
        let clip = try Self.slowed(try Asset(at: path))
        let plan = try RenderPlan(clip, to: folder.path("out.mp4"), settings: Self.settings)
        let report = try await Renderer().render(plan)
        #expect(report.video.first?.framesWritten == 160)
        // All that is between two keyframes.
        #expect(report.video.first?.framesKept ?? 0 >= 50 + 74)
    }

    @Test("a file that changes after it was planned is refused, and nothing is left")
    func changedFile() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("in.mp4")
        try FileManager.default.copyItem(
            atPath: Self.source(Self.sources[0]).path, toPath: path)
        let plan = try RenderPlan(
            try Self.slowed(try Asset(at: path)), to: folder.path("out.mp4"),
            settings: Self.settings)
        let file = try #require(FileHandle(forUpdatingAtPath: path))
        try file.truncate(atOffset: 60_000)
        try file.close()
        await #expect(throws: MediaError.self) { _ = try await Renderer().render(plan) }
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["in.mp4"])
    }
}
