import Foundation
import Media
import TestSupport
import Testing
import TimeMaps

@testable import TimeWarp

@Suite("Pieces rendered side by side")
struct ChunksTests {
    private func render(
        _ clip: Clip, to output: String, jobs: Int, _ change: (inout RenderSettings) -> Void
    ) async throws -> RenderReport {
        let settings = RenderSettings {
            $0.output.existing = .overwrite
            $0.resources.jobs = jobs
            change(&$0)
        }
        return try await Renderer().render(try RenderPlan(clip, to: output, settings: settings))
    }

    /// A clip's map, and the settings for making its frames.
    struct Work: Sendable, CustomStringConvertible {
        let description: String
        let map: @Sendable (Asset) throws -> Clip
        let change: @Sendable (inout RenderSettings) -> Void

        init(
            _ description: String, _ map: @escaping @Sendable (Asset) throws -> Clip,
            _ change: @escaping @Sendable (inout RenderSettings) -> Void
        ) {
            (self.description, self.map, self.change) = (description, map, change)
        }
    }

    static let works: [Work] = [
        Work("slower", { try Clip(of: MediaSource($0), scaled: .factor(3, over: 2)) }, { _ in }),
        Work(
            "7 times as fast", { try Clip(of: MediaSource($0), scaled: .factor(1, over: 7)) },
            { $0.video.rate = .fixed(FrameRate(known: 120)) }),
        Work("backwards", { try Clip(reversing: MediaSource($0)) }, { $0.video.rate = .source }),
        Work(
            "along a curve, blended", { try Clip(of: MediaSource($0), warpedBy: Self.curve) },
            { $0.video.frames = .blend }),
        Work(
            "along a curve, made from motion",
            { try Clip(of: MediaSource($0), warpedBy: Self.curve) },
            { $0.video.frames = .motion }),
        Work(
            "fast through a shutter, made from motion",
            { try Clip(of: MediaSource($0), scaled: .factor(10, over: 33)) },
            {
                $0.video.frames = .motion
                $0.video.shutterDegrees = 180
            }),
        Work(
            "fast through a shutter",
            { try Clip(of: MediaSource($0), scaled: .factor(10, over: 33)) },
            {
                $0.video.rate = .fixed(FrameRate(known: 60))
                $0.video.shutterDegrees = 270
            }),
        Work(
            "at its own times", { try Clip(of: MediaSource($0), warpedBy: Self.curve) },
            { $0.video.rate = .any }
        ),
    ]
    private static let curve = Curve.builtIn(.triangle, factor: 3)

    @Test(
        "joined, they hold what one piece holds, frame for frame and at the same times",
        arguments: works)
    func same(work: Work) async throws {
        let folder = try TemporaryFolder()
        let input = try Self.kept.file("in.mp4") { path in
            try ReferenceTools.ffmpeg([
                "-f", "lavfi", "-i", "testsrc2=s=160x96:r=30:d=5", "-f", "lavfi", "-i", "sine=d=5",
                "-c:v", "libx264", "-g", "20", "-bf", "3", "-pix_fmt", "yuv420p", "-c:a", "aac",
                path,
            ])
        }
        let clip = try work.map(try Asset(at: input))
        func settings(_ settings: inout RenderSettings) {
            settings.video.codec = .ffv1
            work.change(&settings)
        }
        let whole = folder.path("whole.mkv")
        let one = try await render(clip, to: whole, jobs: 1, settings)
        let frames = try Finding.decodedFrames(in: whole)
        let sound = try Finding.sound(in: whole, channelCount: 1)
        for jobs in work.description == Self.works[0].description ? [2, 3] : [3] {
            let joined = folder.path("joined-\(jobs).mkv")
            let several = try await render(clip, to: joined, jobs: jobs, settings)
            #expect(try Finding.decodedFrames(in: joined) == frames)
            let (video, expected) = (several.video[0], one.video[0])
            #expect(video.framesWritten == expected.framesWritten)
            #expect(video.framesRead == expected.framesRead)
            #expect(video.framesSkipped == expected.framesSkipped)
            #expect(video.framesRepeated == expected.framesRepeated)
            #expect(video.largestTimeErrorSeconds == expected.largestTimeErrorSeconds)
            #expect(several.audio[0].lengthErrorSamples == 0)
            // The sound is one stream, however the video is cut into chunks.
            #expect(try Finding.sound(in: joined, channelCount: 1) == sound)
        }
    }
    private static let kept = KeptFiles()
    /// Long enough for three chunks.
    private static var longClip: String {
        get throws { try kept.file("long.mp4", made: TestClip { $0.frameCount = 400 }.write) }
    }

    @Test(
        "with B-frames too, decoding times increase and nothing is missing at the joints",
        arguments: ["mp4", "mkv"], [RenderSettings.OutputRate.source, .any])
    func joints(ending: String, rate: RenderSettings.OutputRate) async throws {
        let folder = try TemporaryFolder()
        let (input, output) = (try Self.longClip, folder.path("out." + ending))
        let clip = try Clip(of: MediaSource(at: input), warpedBy: .builtIn(.cosine, factor: 0.9))
        let report = try await render(clip, to: output, jobs: 2) {
            $0.video.rate = rate
            $0.video.preset = "veryfast"
        }
        let whole = folder.path("whole." + ending)
        _ = try await render(clip, to: whole, jobs: 1) {
            $0.video.rate = rate
            $0.video.preset = "veryfast"
        }
        #expect(
            try Finding.shownFrames(in: output).map(\.number)
                == Finding.shownFrames(in: whole).map(\.number))
        #expect(try Finding.frameTimes(in: output) == Finding.frameTimes(in: whole))
        let decoded = try ReferenceTools.ffprobe([
            "-select_streams", "v:0", "-show_entries", "packet=dts_time,flags", output,
        ]).map { $0.split(separator: ",") }
        let times = decoded.compactMap { Double($0[0]) }
        #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
        // At least one keyframe for each chunk.
        #expect(decoded.filter { $0[1].hasPrefix("K") }.count >= 3)
        #expect(abs(report.durationErrorSeconds) < 0.0011)
    }

    @Test("pieces are cut where groups begin, near the wanted length, and lose no turn")
    func cutting() throws {
        let folder = try TemporaryFolder()
        let input = folder.path("in.mp4")
        try ReferenceTools.ffmpeg([
            "-f", "lavfi", "-i", "testsrc2=s=64x64:r=30:d=20", "-c:v", "libx264", "-g", "40",
            "-sc_threshold", "0", "-pix_fmt", "yuv420p", input,
        ])
        let clip = try Clip(of: MediaSource(at: input), scaled: .factor(1, over: 1))
        let plan = try RenderPlan(
            clip, to: folder.path("out.mp4"), settings: RenderSettings { $0.resources.pieces = 5 })
        let cutting = try #require(plan.video[0].cutting)
        #expect(cutting.count == 5)
        var cutter = ChunkCutter(plan.video[0].segments, cutting)
        var pieces: [EncodedRun] = []
        var ends: [Bool] = []
        while let chunk = cutter.next() {
            pieces += chunk.runs
            ends.append(chunk.isLast)
        }
        let frames = pieces.flatMap { (piece: EncodedRun) -> [Int] in
            piece.presentations?.map { Int($0.frame) } ?? []
        }
        #expect(frames == Array(0..<600))
        #expect(ends == [false, false, false, false, true])
        #expect(pieces.map { Int($0.part.ticks.lowerBound) } == [0, 120, 240, 360, 480])
        #expect(pieces.map { Int($0.part.ticks.upperBound) } == [120, 240, 360, 480, 600])
        #expect(pieces.map(\.part.isFirst) == [true, false, false, false, false])
        #expect(pieces.map { $0.part.endTick == nil } == [false, false, false, false, true])
    }

    @Test("cancelled, nothing is left of any piece")
    func cancelled() async throws {
        let folder = try TemporaryFolder()
        let input = folder.path("in.mp4")
        try TestClip { $0.frameCount = 900 }.write(to: input)
        let task = Task(priority: .high) {
            let clip = try Clip(of: MediaSource(at: input), scaled: .factor(60, over: 1))
            let plan = try RenderPlan(
                clip, to: folder.path("out.mp4"),
                settings: RenderSettings {
                    $0.resources.jobs = 3
                    $0.video.preset = "placebo"
                })
            for try await event in Renderer().run(plan) {
                if case .progress = event {
                    withUnsafeCurrentTask { $0?.cancel() }
                }
            }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try folder.contents == ["in.mp4"])
    }
}
