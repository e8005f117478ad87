import Foundation
import Media
import Synchronization
import TestSupport
import Testing
import TimeMaps

@testable import TimeWarp

@Suite("Playing backwards")
struct ReverseTests {
    private func reverse(
        _ input: String, to output: String, _ change: (inout RenderSettings) -> Void = { _ in }
    ) async throws -> RenderReport {
        let settings = RenderSettings {
            $0.output.existing = .overwrite
            change(&$0)
        }
        let clip = try Clip(reversing: MediaSource(at: input))
        return try await Renderer().render(try RenderPlan(clip, to: output, settings: settings))
    }

    /// Checksums of decoded frames, and when each is shown, in milliseconds.
    private func shownFrames(_ path: String) throws -> [(ticks: Int, print: String)] {
        try Finding.decodedFrames(in: path).map {
            (Int(($0.seconds * 1000).rounded()), $0.checksum)
        }
    }

    @Test(
        "frames come last to first, at a fixed and at a variable rate",
        arguments: [256 << 20, 100_000, 1])
    func order(memory: Int) async throws {
        let folder = try TemporaryFolder()
        let (input, output) = (folder.path("in.mp4"), folder.path("out.mp4"))
        let clip = TestClip { $0.frameCount = 70 }
        try clip.write(to: input)
        for rate in [RenderSettings.OutputRate.source, .any] {
            let report = try await reverse(input, to: output) {
                $0.video.rate = rate
                $0.resources.memoryBytes = memory
            }
            let shown = try Finding.shownFrames(in: output)
            #expect(shown.map(\.number) == (0..<70).reversed().map { $0 })
            for (place, frame) in shown.enumerated() {
                #expect(abs(frame.seconds - Double(place) / 30) < 1e-5)
            }
            #expect(report.video[0].framesDecoded == 70)
            #expect((report.peakSpillBytes > 70 * 28_800 / 2) == (memory < 1 << 20))
            #expect(report.audio[0].lengthErrorSamples == 0)
        }
    }

    @Test("a flash that began with a click ends with it")
    func together() async throws {
        let folder = try TemporaryFolder()
        let (input, output) = (folder.path("in.mp4"), folder.path("out.mp4"))
        try TestClip { $0.frameCount = 100 }.write(to: input)
        let report = try await reverse(input, to: output)
        let shown = try Finding.shownFrames(in: output)
        let flashes = shown.filter(\.isFlash).map { $0.seconds + 1.0 / 30 }
        let sound = try Finding.sound(in: output, channelCount: 2)[0]
        let clicks = Finding.clicks(in: sound, sampleRate: 48_000)
        #expect(flashes.count >= 3)
        for flash in flashes where flash < report.outputDurationSeconds - 0.01 {
            let nearest = clicks.map { abs($0 - flash) }.min() ?? 1
            #expect(nearest < 0.002, "flash until \(flash), clicks at \(clicks)")
        }
    }

    @Test("reversed twice, frames and times are what they were, bit for bit")
    func twice() async throws {
        let folder = try TemporaryFolder()
        let uneven = folder.path("in.mkv")
        let ticks: [Int64] = [0, 40, 73, 200, 233, 300, 333, 367, 500]
        try TestClip {
            $0.frameCount = ticks.count
            $0.videoCodec = .ffv1
            $0.audioCodec = nil
            $0.times = (ticks, 540, 1000)
        }.write(to: uneven)
        let (once, back) = (folder.path("once.mkv"), folder.path("back.mkv"))
        for output in [(uneven, once), (once, back)] {
            _ = try await reverse(output.0, to: output.1) {
                $0.video.rate = .any
                $0.video.codec = .ffv1
            }
        }
        let (first, reversed, last) = (
            try shownFrames(uneven), try shownFrames(once), try shownFrames(back)
        )
        #expect(reversed.map(\.print) == first.map(\.print).reversed())
        #expect(last.map(\.print) == first.map(\.print))
        #expect(last.map(\.ticks) == first.map(\.ticks))
        #expect(first.map(\.ticks) == ticks.map(Int.init))
        // The frame before the last was shown from 367 to 500 ms, and the last for 40 ms.
        #expect(abs(reversed[1].ticks - 40) <= 1)
        #expect(abs(reversed[2].ticks - 173) <= 1)
    }

    @Test("interlaced frames keep their flag, and the other field comes first")
    func fields() async throws {
        let folder = try TemporaryFolder()
        let (input, output) = (folder.path("in.mp4"), folder.path("out.mkv"))
        try ReferenceTools.ffmpeg([
            "-f", "lavfi", "-i", "testsrc2=s=160x96:r=25:d=1", "-vf", "setfield=tff", "-pix_fmt",
            "yuv420p", "-c:v", "libx264", "-flags", "+ildct+ilme", input,
        ])
        _ = try await reverse(input, to: output) { $0.video.codec = .ffv1 }
        func flags(_ path: String) throws -> Set<String> {
            let frames = try ReferenceTools.ffprobe([
                "-show_entries", "frame=interlaced_frame,top_field_first", path,
            ])
            return Set(frames.filter { !$0.isEmpty })
        }
        #expect(try flags(input) == ["1,1"])
        #expect(try flags(output) == ["1,0"])
    }

    @Test("5.1 sound is reversed sample for sample")
    func surround() async throws {
        let folder = try TemporaryFolder()
        let (input, output) = (folder.path("in.wav"), folder.path("out.wav"))
        var generator = SplitMix64(seed: 3)
        let channels = (0..<6).map { _ in (0..<70_001).map { _ in generator.unit() - 0.5 } }
        try ReferenceTools.writeSound(channels, sampleRate: 48_000, to: folder.path("raw.wav"))
        try ReferenceTools.ffmpeg([
            "-i", folder.path("raw.wav"), "-af", "aformat=channel_layouts=5.1", "-c:a", "pcm_f32le",
            input,
        ])
        _ = try await reverse(input, to: output)
        let sound = try Finding.sound(in: output, channelCount: 6)
        for (channel, samples) in channels.enumerated() {
            #expect(sound[channel] == samples.reversed())
        }
    }

    @Test(
        "lossy sound backwards is the forward decoding backwards",
        arguments: [("in.m4a", "aac"), ("in.opus", "libopus"), ("in.mp3", "libmp3lame")])
    func lossy(name: String, codec: String) async throws {
        let folder = try TemporaryFolder()
        let input = folder.path(name)
        try ReferenceTools.ffmpeg([
            "-f", "lavfi", "-i", "anoisesrc=d=3:r=48000:a=0.3", "-ac", "2", "-c:a", codec, "-b:a",
            "64k", input,
        ])
        let (forward, backward) = (folder.path("forward.wav"), folder.path("backward.wav"))
        let clip = try Clip(of: MediaSource(at: input), scaled: .factor(1, over: 1))
        try await Renderer().render(try RenderPlan(clip, to: forward))
        _ = try await reverse(input, to: backward)
        let played = try Finding.sound(in: forward, channelCount: 2)
        let reversed = try Finding.sound(in: backward, channelCount: 2)
        #expect(played[0].count > 140_000)
        for (a, b) in zip(played, reversed) {
            #expect(a == b.reversed())
        }
    }

    @Test("sound may stay as it was, or go")
    func otherSound() async throws {
        let folder = try TemporaryFolder()
        let (input, output) = (folder.path("in.mov"), folder.path("out.mov"))
        try TestClip {
            $0.frameCount = 45
            $0.audioCodec = .pcm
        }.write(to: input)
        _ = try await reverse(input, to: output) {
            $0.audio.mode = .keep
            $0.audio.codec = .pcm
        }
        #expect(
            try Finding.sound(in: output, channelCount: 2)
                == Finding.sound(in: input, channelCount: 2))
        #expect(try Finding.shownFrames(in: output).first?.number == 44)
        _ = try await reverse(input, to: output) { $0.audio.mode = .mute }
        #expect(try Asset(at: output).audioStreams.isEmpty)
    }

    @Test("subtitles and chapters are mirrored, rotation and languages stay")
    func mirrored() async throws {
        let folder = try TemporaryFolder()
        let plain = folder.path("plain.mp4")
        try TestClip { $0.frameCount = 120 }.write(to: plain)
        let cues = folder.path("cues.srt")
        try "1\n00:00:01,000 --> 00:00:02,500\nHello\n\n2\n00:00:03,000 --> 00:00:03,500\nBye\n"
            .write(toFile: cues, atomically: true, encoding: .utf8)
        let marks = folder.path("marks.txt")
        try """
        ;FFMETADATA1
        [CHAPTER]
        TIMEBASE=1/1000
        START=0
        END=1500
        title=One
        [CHAPTER]
        TIMEBASE=1/1000
        START=1500
        END=4000
        title=Two

        """.write(toFile: marks, atomically: true, encoding: .utf8)
        let (input, output) = (folder.path("in.mov"), folder.path("out.mp4"))
        try ReferenceTools.ffmpeg([
            "-i", plain, "-i", cues, "-i", marks, "-map", "0", "-map", "1", "-map_metadata", "2",
            "-c", "copy", "-c:s", "mov_text", "-metadata:s:a", "language=fra", "-metadata:s:v",
            "rotate=90", input,
        ])
        _ = try await reverse(input, to: output)
        let (before, written) = (try Asset(at: input), try Asset(at: output))
        #expect(written.chapters.map { $0.tags["title"] } == ["Two", "One"])
        #expect(abs(written.chapters[0].range.end.seconds - 2.5) < 0.002)
        #expect(before.videoStreams[0].rotation != 0)
        #expect(written.videoStreams[0].rotation == before.videoStreams[0].rotation)
        #expect(written.audioStreams[0].tags["language"] == "fra")
        let shown = try ReferenceTools.ffprobe([
            "-select_streams", "s", "-show_entries", "packet=pts_time,duration_time,size", output,
        ]).compactMap { line -> [Double]? in
            let fields = line.split(separator: ",").compactMap { Double($0) }
            return fields.count == 3 && fields[2] > 2 ? [fields[0], fields[1]] : nil
        }
        #expect(shown.count == 2)
        for (cue, expected) in zip(shown.joined(), [0.5, 0.5, 1.5, 1.5]) {
            #expect(abs(cue - expected) < 0.002)
        }
    }

    @Test("a film whose sound goes on a little longer keeps its first frame")
    func longerSound() async throws {
        let folder = try TemporaryFolder()
        let plain = folder.path("plain.mp4")
        try TestClip { $0.frameCount = 60 }.write(to: plain)
        for extra in [0.011, 0.024] {
            let (input, output) = (folder.path("in.mov"), folder.path("out.mov"))
            try ReferenceTools.ffmpeg([
                "-i", plain, "-f", "lavfi", "-i", "sine=d=\(2 + extra):r=48000", "-map", "0:v",
                "-map", "1:a", "-c:v", "copy", "-c:a", "pcm_s16le", input,
            ])
            _ = try await reverse(input, to: output)
            let shown = try Finding.shownFrames(in: output)
            #expect(shown.map(\.number) == (0..<60).reversed().map { $0 })
            // Within half a frame of the time that the map gives.
            #expect(abs(shown[0].seconds - extra) <= 1.0 / 60 + 1e-3)
        }
    }

    @Test("a clip without times for its packets is reversed all the same")
    func unindexed() async throws {
        let folder = try TemporaryFolder()
        let (input, output) = (folder.path("in.avi"), folder.path("out.mkv"))
        try ReferenceTools.ffmpeg([
            "-f", "lavfi", "-i", "testsrc2=s=160x96:r=30:d=2", "-c:v", "mpeg4", "-bf", "2",
            "-pix_fmt", "yuv420p", input,
        ])
        let report = try await reverse(input, to: output) {
            $0.video.codec = .ffv1
            $0.resources.memoryBytes = 1
        }
        #expect(
            try Finding.frameChecksums(in: output)
                == Finding.frameChecksums(in: input).reversed())
        #expect(report.peakSpillBytes > 0)
    }
}

@Suite("Going wrong while playing backwards")
struct ReverseFailureTests {
    private func input(_ folder: TemporaryFolder) throws -> String {
        let path = folder.path("in.mp4")
        try TestClip {
            $0.width = 640
            $0.height = 480
            $0.frameCount = 240
        }.write(to: path)
        return path
    }

    @Test("cancelled in the middle of a spill, nothing is left")
    func cancelled() async throws {
        let folder = try TemporaryFolder()
        let input = try input(folder)
        let clip = try Clip(reversing: MediaSource(at: input))
        let settings = RenderSettings {
            $0.resources.memoryBytes = 1
            $0.resources.temporaryFolder = folder.url.path
        }
        let plan = try RenderPlan(clip, to: folder.path("out.mp4"), settings: settings)
        let stages = StageGroup()
        let told = Mutex<[RenderProgress]>([])
        await #expect(throws: CancellationError.self) {
            try await runBlocking { _ in
                // Reported on the thread that writes frames to the disk. An event stream would report later.
                try RenderRun(plan, stages: stages) { event in
                    if case .progress(let progress) = event {
                        told.withLock { $0.append(progress) }
                        stages.stop(because: CancellationError())
                    }
                }.run()
            }
        }
        // The first report comes while the only GOP is being written to the disk.
        let first = try #require(told.withLock { $0.first })
        #expect(first.frames == 0)
        #expect(first.fraction < 0.25)
        #expect(try folder.contents == ["in.mp4"])
    }

    @Test("a temporary folder that can't be used is named, with what to do")
    func noFolder() async throws {
        let folder = try TemporaryFolder()
        let clip = try Clip(reversing: MediaSource(at: try input(folder)))
        let settings = RenderSettings {
            $0.resources.memoryBytes = 1
            $0.resources.temporaryFolder = folder.path("nowhere")
        }
        let plan = try RenderPlan(clip, to: folder.path("out.mp4"), settings: settings)
        await #expect {
            try await Renderer().render(plan)
        } throws: { error in
            let error = error as? MediaError
            return error?.code == .writeFailed && error?.file == folder.path("nowhere")
                && error?.description.contains("TMPDIR") == true
        }
        #expect(try folder.contents == ["in.mp4"])
    }
}
