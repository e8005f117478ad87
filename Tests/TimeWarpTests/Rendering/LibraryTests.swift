import Foundation
import TestSupport
import Testing
import TimeWarp

/// The library as the README shows it, and the streams that are rendered with the video.
@Suite("The library")
struct LibraryTests {
    private func source(_ folder: TemporaryFolder) throws -> String {
        let path = folder.path("in.mp4")
        try TestClip { $0.frameCount = 45 }.write(to: path)
        return path
    }

    @Test("ten lines warp a clip, with progress, previews and a report")
    func readme() async throws {
        let folder = try TemporaryFolder()
        let (input, output) = (try source(folder), folder.path("out.mp4"))
        var fractions: [Double] = []
        var previews = 0
        var duration = 0.0

        let asset = try await Asset.load(at: input)
        let clip = try Clip(
            of: MediaSource(asset), warpedBy: .builtIn(.triangle, factor: 2, modifier: 0.5))
        let plan = try RenderPlan(clip, to: output)
        for try await event in Renderer().run(plan) {
            switch event {
            case .progress(let progress): fractions.append(progress.fraction)
            case .preview(let image):
                previews += image.pixels.count / (image.width * image.height * 4)
            case .finished(let report): duration = report.outputDurationSeconds
            }
        }

        #expect(fractions == fractions.sorted())
        #expect(fractions.last == 1)
        #expect(previews > 0)
        #expect(abs(duration - 1.5 * 1.25) < 1.0 / 60)

        let backwards = try Clip(reversing: MediaSource(asset))
        let again = folder.path("backwards.mp4")
        try await Renderer().render(try RenderPlan(backwards, to: again))
        #expect(try Asset(at: again).videoStreams.first?.frameCount == 45)
    }

    @Test(
        "who comes late finds the newest preview only; and what goes wrong has its sentence in Foundation's words"
    )
    func previews() async throws {
        let folder = try TemporaryFolder()
        let clip = try Clip(of: MediaSource(at: try source(folder)), scaled: .factor(60, over: 1))
        let output = folder.path("out.mkv")
        let events = Renderer(secondsBetweenPreviews: 0).run(try RenderPlan(clip, to: output))
        while !FileManager.default.fileExists(atPath: output) {
            try await Task.sleep(for: .milliseconds(20))
        }
        var shown: [Double] = []
        for try await case .preview(let image) in events {
            shown.append(image.outputSeconds)
        }
        #expect(shown.count == 1)
        let newest = try #require(shown.first)
        // A second has 30 frames, and previews are 0.1 s of work apart.
        #expect(newest > 5)

        let error = #expect(throws: MediaError.self) { try MediaSource(at: folder.path("no.mp4")) }
        #expect(error?.localizedDescription == error.map { "\($0.file): \($0.reason)" })
        #expect(error?.recoverySuggestion == error?.remedy?.description)
    }

    @Test("durations are exact fractions, where the curve has one")
    func exactDurations() async throws {
        let folder = try TemporaryFolder()
        let source = try MediaSource(at: try source(folder))
        let plan = try RenderPlan(
            Clip(of: source, scaled: .factor(1001, over: 1000)), to: folder.path("out.mov"))
        let exact = RationalTime(3003, over: 2000)
        #expect(plan.exactOutputDuration == exact)
        let report = try await Renderer().render(plan)
        #expect(report.sourceDuration == RationalTime(3, over: 2))
        #expect(report.expectedDuration == exact)
        #expect(report.outputDuration == (try Asset(at: plan.destination)).duration)
        let curved = try Clip(of: source, warpedBy: .builtIn(.taperedSine, factor: 2, modifier: 1))
        #expect(try RenderPlan(curved, to: folder.path("no.mov")).exactOutputDuration == nil)
    }

    @Test("rates and sizes of nothing are errors")
    func nothing() throws {
        let error = #expect(throws: TimeError.self) { try FrameRate(0) }
        #expect(error?.code == .notPositive)
        #expect(throws: TimeError.self) { try FrameRate(25, over: -1) }
        #expect(try FrameRate(30_000, over: 1001).description == "30000/1001")
        #expect(throws: CompositionError.self) { try Composition.Size(width: 0, height: 9) }
    }

    @Test("closures are time scales or antiderivatives")
    func closures() throws {
        let folder = try TemporaryFolder()
        let asset = try Asset(at: try source(folder))
        let slowing = try Clip(of: MediaSource(asset), warpedBy: ClosureScale { t in 1 + t })
        let fastThenNormal = try Clip(
            of: MediaSource(asset), warpedBy: ClosureIntegral { t in t * t / 2 })
        #expect(abs(slowing.map.outputDuration - 2.25) < 1e-9)
        #expect(abs(fastThenNormal.map.outputDuration - 0.75) < 1e-9)
    }

    @Test("a cancelled render throws, and nothing is left")
    func cancelled() async throws {
        let folder = try TemporaryFolder()
        let input = try source(folder)
        let output = folder.path("out.mp4")
        // High priority, because other tests keep the pool's threads busy for longer than the render takes.
        let task = Task(priority: .high) {
            let clip = try Clip(of: MediaSource(at: input), scaled: .factor(500, over: 1))
            // Three quarters of a million frames: the render can't finish before it is cancelled.
            let settings = RenderSettings { $0.video.rate = .fixed(FrameRate(known: 1000)) }
            let plan = try RenderPlan(clip, to: output, settings: settings)
            for try await event in Renderer().run(plan) {
                if case .progress = event {
                    withUnsafeCurrentTask { $0?.cancel() }
                }
            }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try folder.contents == ["in.mp4"])
    }

    @Test("subtitles and chapters move with the map, tags and rotation stay")
    func theRest() async throws {
        let folder = try TemporaryFolder()
        let plain = folder.path("plain.mp4")
        try TestClip { $0.frameCount = 120 }.write(to: plain)
        let cues = folder.path("cues.srt")
        try "1\n00:00:01,000 --> 00:00:02,500\nHello\n\n2\n00:00:03,000 --> 00:00:03,500\nBye\n"
            .write(toFile: cues, atomically: true, encoding: .utf8)
        let marks = folder.path("marks.txt")
        try ";FFMETADATA1\ntitle=A film\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=2000\ntitle=One\n"
            .write(toFile: marks, atomically: true, encoding: .utf8)
        let input = folder.path("in.mov")
        try ReferenceTools.ffmpeg([
            "-i", plain, "-i", cues, "-i", marks, "-map", "0", "-map", "1", "-map_metadata", "2",
            "-c", "copy", "-c:s", "mov_text", "-metadata:s:a", "language=fra", "-metadata:s:v",
            "rotate=90", input,
        ])
        let clip = try Clip(
            of: MediaSource(at: input), warpedBy: .builtIn(.ramp, factor: 3, modifier: 0.5))
        for container in ["mp4", "mkv"] {
            let output = folder.path("out.\(container)")
            let plan = try RenderPlan(clip, to: output)
            try await Renderer().render(plan)
            let written = try Asset(at: output)
            #expect(written.tags["title"] == "A film")
            #expect(written.audioStreams[0].tags["language"] == "fra")
            let mark = try #require(written.chapters.first)
            #expect(abs(mark.range.end.seconds - clip.map.outputTime(of: 2)) < 0.002)
            let times = try ReferenceTools.ffprobe([
                "-select_streams", "s", "-show_entries", "packet=pts_time,duration_time,size",
                output,
            ]).compactMap { line -> (Double, Double)? in
                let fields = line.split(separator: ",").compactMap { Double($0) }
                return fields.count == 3 && fields[2] > 2 ? (fields[0], fields[1]) : nil
            }
            let expected = [(1.0, 2.5), (3, 3.5)].map {
                (clip.map.outputTime(of: $0), clip.map.outputTime(of: $1))
            }
            #expect(times.count == 2)
            for (time, instant) in zip(times, expected) {
                #expect(abs(time.0 - instant.0) < 0.002)
                #expect(abs(time.0 + time.1 - instant.1) < 0.002)
            }
            if container == "mp4" {
                let before = try Asset(at: input).videoStreams[0].rotation
                #expect(before != 0)
                #expect(written.videoStreams[0].rotation == before)
            } else {
                #expect(plan.warnings.contains { $0.contains("rotated") })
            }
        }
    }

    @Test("bit depth and chroma format are kept where the codec can, else named in a warning")
    func pixelFormats() async throws {
        let folder = try TemporaryFolder()
        let deep = try #require(PixelFormat(named: "yuv422p10le"))
        let input = folder.path("in.mkv")
        try TestClip {
            $0.frameCount = 10
            $0.pixelFormat = deep
            $0.videoCodec = .ffv1
        }.write(to: input)
        let clip = try Clip(of: MediaSource(at: input), scaled: .factor(1, over: 1))
        let kept = try RenderPlan(clip, to: folder.path("out.mp4"))
        #expect(kept.video[0].pixelFormat == deep)
        #expect(kept.warnings.count == 1 && kept.warnings[0].contains("rarely played"))
        try await Renderer().render(kept)
        #expect(try Asset(at: kept.destination).videoStreams[0].videoFormat?.pixelFormat == deep)
        let lossy = try RenderPlan(
            clip, to: folder.path("av1.mp4"), settings: RenderSettings { $0.video.codec = .av1 })
        #expect(lossy.warnings.contains { $0.contains("colour resolution") })
    }
}
