import Foundation
import Media
import TestSupport
import Testing
import TimeWarp

@Suite("Copying every packet")
struct CopyTests {
    @Test("a rotation that the container can't state is told")
    func rotation() throws {
        let folder = try TemporaryFolder()
        let (upright, turned) = (folder.path("upright.mp4"), folder.path("turned.mp4"))
        try TestClip { $0.frameCount = 5 }.write(to: upright)
        try ReferenceTools.ffmpeg([
            "-i", upright, "-c", "copy", "-metadata:s:v", "rotate=90", turned,
        ])
        for (input, ending, isLost) in [
            (upright, "mkv", false), (turned, "mov", false),
            (turned, "mkv", !Container.mkv.holdsRotation),
        ] {
            let plan = try RenderPlan(
                copying: Asset(at: input), to: folder.path("out.\(ending)"))
            #expect(plan.warnings.contains { $0.contains("video is rotated by") } == isLost)
        }
    }

    @Test(
        "an AVI, which doesn't say when frames are shown, is copied in their order and beside its sound",
        arguments: [
            ["libx264", "-bf", "2"], ["libx264", "-bf", "0"], ["mpeg4", "-bf", "2"],
            ["mpeg4", "-bf", "0"], ["mjpeg"],
        ])
    func decodingTimesOnly(codec: [String]) async throws {
        let folder = try TemporaryFolder()
        let (even, input) = (folder.path("even.mp4"), folder.path("in.avi"))
        try TestClip { $0.frameCount = 90 }.write(to: even)
        try ReferenceTools.ffmpeg(
            ["-i", even, "-pix_fmt", codec[0] == "mjpeg" ? "yuvj420p" : "yuv420p", "-q:v", "2"]
                + ["-c:v"] + codec + ["-c:a", "pcm_s16le", input])
        for ending in ["mkv", "mov"] {
            let plan = try RenderPlan(copying: Asset(at: input), to: folder.path("out.\(ending)"))
            try await Renderer().render(plan)
            let shown = try Finding.shownFrames(in: plan.destination)
            #expect(shown.map(\.number) == (0..<90).map { $0 })
            for (number, frame) in shown.enumerated() {
                let due = (shown.first?.seconds ?? 0) + Double(number) / 30
                #expect(abs(frame.seconds - due) < 0.0011, "frame \(number)")
            }
            if ending == "mkv" {
                let sound = try Finding.sound(in: plan.destination, channelCount: 2)[0]
                let clicks = Finding.clicks(in: sound, sampleRate: 48_000)
                let flashes = shown.filter(\.isFlash).map(\.seconds)
                #expect(clicks.count == 2)
                for click in clicks {
                    #expect((flashes.map { abs($0 - click) }.min() ?? 1) < 0.002)
                }
            }
        }
    }

    @Test("a cover stays a cover, in Matroska too")
    func cover() async throws {
        let folder = try TemporaryFolder()
        let (picture, film) = (folder.path("cover.png"), folder.path("film.mp4"))
        try TestClip { $0.frameCount = 30 }.write(to: film)
        try ReferenceTools.ffmpeg([
            "-f", "lavfi", "-i", "color=red:s=64x64", "-frames:v", "1", picture,
        ])
        try ReferenceTools.ffmpeg([
            "-i", film, "-c", "copy", "-attach", picture, "-metadata:s:t", "mimetype=image/png",
            folder.path("in.mkv"),
        ])
        try ReferenceTools.ffmpeg([
            "-i", film, "-i", picture, "-map", "0", "-map", "1", "-c", "copy", "-disposition:v:1",
            "attached_pic", folder.path("in.mp4"),
        ])
        let whole = try Data(contentsOf: URL(fileURLWithPath: picture))
        for (input, output) in [
            ("in.mkv", "a.mkv"), ("in.mkv", "b.mp4"), ("in.mp4", "c.mkv"), ("in.mp4", "d.mov"),
        ] {
            let asset = try Asset(at: folder.path(input))
            let path = folder.path(output)
            let settings = RenderSettings { $0.output.existing = .overwrite }
            for plan in try [
                RenderPlan(copying: asset, to: path),
                RenderPlan(
                    Clip(of: MediaSource(asset), scaled: .factor(2, over: 1)), to: path,
                    settings: settings),
            ] {
                try await Renderer().render(plan)
                let written = try Asset(at: path)
                #expect(written.videoStreams.count == 1)
                let isHeld = plan.container.holdsCover
                #expect(plan.warnings.contains { $0.contains("(cover, png)") } != isHeld)
                let covers = written.streams.filter { $0.kindName == "cover" }
                #expect(covers.count == (isHeld ? 1 : 0))
                guard let cover = covers.first else {
                    continue
                }
                let found = folder.path("found")
                try ReferenceTools.ffmpeg([
                    "-y", "-i", path, "-map", "0:\(cover.index)", "-c", "copy", "-f", "rawvideo",
                    found,
                ])
                let bytes = try Data(contentsOf: URL(fileURLWithPath: found))
                #expect(bytes == whole, "\(input) to \(output)")
            }
        }
    }

    @Test("packets at one time, or a tick apart, stay apart only where the container needs it")
    func equalTimes() async throws {
        let folder = try TemporaryFolder()
        let tone = ["-f", "lavfi", "-i", "sine=r=48000:d=2"]
        // Every second packet is a 90 000th of a second after the one before, which 48 000ths don't hold.
        try ReferenceTools.ffmpeg(
            tone + [
                "-c:a", "mp2", "-bsf:a", "setts=ts='if(mod(N\\,2)\\,PREV_OUTPTS+1\\,PTS)'",
                "-pes_payload_size", "0", folder.path("a.ts"),
            ])
        // A packet of TrueHD lasts 0.83 ms, so some are at the same millisecond.
        try ReferenceTools.ffmpeg(
            tone + ["-c:a", "truehd", "-strict", "-2", folder.path("b.mkv")])
        for (name, output) in [("a.ts", "a.mp4"), ("a.ts", "a.mkv"), ("b.mkv", "c.mkv")] {
            let (source, copy) = (folder.path(name), folder.path(output))
            let plan = try RenderPlan(copying: Asset(at: source), to: copy)
            #expect(plan.warnings.isEmpty, "\(plan.warnings)")
            try await Renderer().render(plan)
            func times(in path: String) throws -> [Double] {
                try ReferenceTools.ffprobe(["-show_entries", "packet=pts_time", path])
                    .compactMap { Double($0.prefix { $0 != "," }) }
            }
            let (before, after) = (try times(in: source), try times(in: copy))
            #expect(before.count == after.count)
            for (was, becomes) in zip(before, after) {
                #expect(abs((was - before[0]) - (becomes - after[0])) < 0.0011, "\(output)")
            }
        }
    }

    @Test("what the container can't state leaves no file")
    func tooShort() async throws {
        let folder = try TemporaryFolder()
        let input = folder.path("in.wav")
        try ReferenceTools.ffmpeg([
            "-f", "lavfi", "-i", "anullsrc", "-af", "atrim=end_sample=1", "-c:a", "pcm_s16le",
            input,
        ])
        let plan = try RenderPlan(copying: Asset(at: input), to: folder.path("out.mkv"))
        let error = await #expect(throws: MediaError.self) { try await Renderer().render(plan) }
        #expect(error?.code == .incompatible)
        #expect(error?.file == plan.destination)
        #expect(try folder.contents == ["in.wav"])
    }

    @Test("what a killed program left of trying a copy is removed by the next trial")
    func remainsOfTrials() throws {
        let folder = try TemporaryFolder()
        let temporary = folder.path("temporary")
        let left = temporary + "/.timewarp-trial.1-abc.timewarp-part"
        try FileManager.default.createDirectory(atPath: left, withIntermediateDirectories: true)
        try Data("half".utf8).write(to: URL(fileURLWithPath: left + "/trial.mp4"))
        let input = folder.path("in.mkv")
        try ReferenceTools.ffmpeg([
            "-f", "lavfi", "-i", "testsrc2=s=64x48:d=1", "-f", "lavfi", "-i", "sine=d=1", input,
        ])
        let asset = try Asset(at: input)
        let settings = RenderSettings {
            $0.video.mode = .copied(from: asset.path)
            $0.resources.temporaryFolder = temporary
        }
        _ = try RenderPlan(
            try Clip(of: MediaSource(asset)) { .identity($0) }, to: folder.path("out.mkv"),
            settings: settings)
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporary).isEmpty)
    }
}
