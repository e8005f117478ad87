import Foundation
import Media
import TestSupport
import Testing
import TimeMaps

@testable import TimeWarp

/// Sources whose frames come as phones, screen recorders and meetings make them: with jitter, bursts of 60 frames a second,
/// and seconds without any.
@Suite("Uneven sources")
struct UnevenSourceTests {
    enum Container: String, CaseIterable, Sendable {
        case mp4, mkv

        /// How far times may be off: half a tick, twice.
        var tolerance: Double { self == .mp4 ? 2e-5 : 1.1e-3 }
    }

    /// Where each of 60 frames begins: six bursts of ten, 5 s of nothing before the last two, and jitter of up to 4 ms.
    private static let times = (0..<60).map { (frame: Int) -> Double in
        let burst = Double(frame / 10) * 1.3
        let pause: Double = frame >= 40 ? 5 : 0
        let jitter = Double(frame * 7 % 5) * 0.001
        return Double(frame) / 60 + burst + pause + jitter
    }

    /// A clip with B-frames, and its file.
    private func clip(_ container: Container, in folder: TemporaryFolder) throws -> String {
        let even = folder.path("even.mp4")
        try TestClip { ($0.rate, $0.frameCount, $0.audioCodec) = (FrameRate(known: 60), 60, nil) }
            .write(to: even)
        let path = folder.path("uneven.\(container.rawValue)")
        try ReferenceTools.ffmpeg([
            "-i", even, "-vf",
            "settb=1/90000,setpts='round((N/60+floor(N/10)*1.3+gte(N,40)*5+mod(N*7,5)*0.001)*90000)'",
            "-fps_mode", "passthrough", "-enc_time_base", "1/90000", "-an", "-c:v", "libx264",
            "-preset", "veryfast", "-bf", "3", "-g", "24", "-crf", "18",
            "-video_track_timescale", "90000", path,
        ])
        return path
    }

    private func render(_ clip: Clip, to path: String) async throws -> [Finding.ShownFrame] {
        try await Renderer().render(
            try RenderPlan(
                clip, to: path, settings: RenderSettings { $0.video.preset = "veryfast" }))
        return try Finding.shownFrames(in: path)
    }

    private func expect(
        _ shown: [Finding.ShownFrame], _ numbers: [Int], at times: [Double], _ tolerance: Double
    ) {
        #expect(shown.map(\.number) == numbers)
        for (frame, time) in zip(shown, times) {
            #expect(abs(frame.seconds - time) <= tolerance, "frame \(frame.number ?? -1)")
        }
    }

    @Test("it is told from an even one", arguments: Container.allCases)
    func cadence(container: Container) throws {
        let folder = try TemporaryFolder()
        let asset = try Asset(at: clip(container, in: folder))
        #expect(asset.videoStreams.first?.videoFormat?.cadence == .variable)
    }

    @Test(
        "warped and scaled, every frame comes once, at its own time", arguments: Container.allCases)
    func forward(container: Container) async throws {
        let folder = try TemporaryFolder()
        let asset = try Asset(at: clip(container, in: folder))
        for clip in [
            try Clip(of: MediaSource(asset), scaled: .factor(2, over: 1)),
            try Clip(
                of: MediaSource(asset),
                warpedBy: .builtIn(.doubleSmoothstep, factor: 1.5, modifier: 0.5)),
        ] {
            let shown = try await render(clip, to: folder.path("\(UUID()).\(container.rawValue)"))
            expect(
                shown, Array(0..<60), at: Self.times.map(clip.map.outputTime),
                2 * container.tolerance)
        }
    }

    @Test("reversed twice and copied, it is as it was", arguments: Container.allCases)
    func backAndForth(container: Container) async throws {
        let folder = try TemporaryFolder()
        let path = try clip(container, in: folder)
        let asset = try Asset(at: path)
        let back = folder.path("back.\(container.rawValue)")
        let shown = try await render(Clip(reversing: MediaSource(asset)), to: back)
        let end = asset.duration.seconds
        // Backwards, a frame begins where it ended.
        let ends = Self.times.dropFirst() + [end]
        expect(
            shown, (0..<60).reversed(), at: ends.reversed().map { end - $0 },
            2 * container.tolerance)
        let forth = try await render(
            Clip(reversing: MediaSource(at: back)), to: folder.path("forth.\(container.rawValue)"))
        expect(forth, Array(0..<60), at: Self.times, 4 * container.tolerance)
        let copy = folder.path("copy.\(container.rawValue)")
        try await Renderer().render(try RenderPlan(copying: asset, to: copy))
        #expect(try Finding.decodedFrames(in: copy) == Finding.decodedFrames(in: path))
    }

    @Test("two frames of one millisecond are one instant, and one of them is shown")
    func duplicates() async throws {
        let folder = try TemporaryFolder()
        let even = folder.path("even.mp4")
        try TestClip { ($0.rate, $0.frameCount, $0.audioCodec) = (FrameRate(known: 60), 40, nil) }
            .write(to: even)
        let path = folder.path("twice.mkv")
        // Every fifth frame comes a third of a millisecond after the one before.
        try ReferenceTools.ffmpeg([
            "-i", even, "-vf",
            "settb=1/90000,setpts='round((N/23+gt(N,20)*0.7)*90000)-eq(mod(N,5),4)*3883'",
            "-fps_mode", "passthrough", "-enc_time_base", "1/90000", "-an", "-c:v", "libx264",
            "-preset", "veryfast", "-bf", "0", path,
        ])
        let times = try Finding.frameTimes(in: path)
        let asset = try Asset(at: path)
        let shown = try await render(
            Clip(of: MediaSource(asset), scaled: .factor(2, over: 1)), to: folder.path("out.mkv"))
        #expect(shown.count == Set(times).count)
        #expect(zip(shown, shown.dropFirst()).allSatisfy { ($0.number ?? 0) < ($1.number ?? 0) })
        for (frame, time) in zip(shown, Set(times).sorted()) {
            #expect(abs(frame.seconds - 2 * time) < 1.1e-3)
        }
    }

    /// Even clips whose stated times are only nearly so: options for `ffmpeg`, and the file.
    static let nearlyEven: [(options: [String], name: String)] = [
        // Frames begin 17 ms after the sound, and whole milliseconds are stated.
        (["-c:v", "copy"], "late.mkv"),
        // Milliseconds again, in a file with finer ticks.
        (
            [
                "-vf", "settb=1/90000,setpts='round(N*1000/30)*90'", "-enc_time_base", "1/90000",
                "-video_track_timescale", "90000",
            ], "milliseconds.mp4"
        ),
        // A clock that is off by a tick now and then.
        (
            [
                "-vf", "settb=1/90000,setpts='N*3000+mod(N,2)'", "-enc_time_base", "1/90000",
                "-video_track_timescale", "90000",
            ], "ticks.mp4"
        ),
    ]

    @Test("a nearly even clip keeps every frame once, at its own rate", arguments: nearlyEven)
    func eachOnce(options: [String], name: String) async throws {
        let folder = try TemporaryFolder()
        let (even, input) = (folder.path("even.mp4"), folder.path(name))
        try TestClip { ($0.frameCount, $0.audioCodec) = (60, .flac) }.write(to: even)
        try ReferenceTools.ffmpeg(
            ["-itsoffset", name == "late.mkv" ? "0.017" : "0", "-i", even, "-i", even]
                + ["-map", "0:v", "-map", "1:a", "-fps_mode", "passthrough"] + options
                + ["-c:a", "copy", "-strict", "-2", input])
        let asset = try Asset(at: input)
        #expect(asset.videoStreams[0].videoFormat?.cadence == .constant(FrameRate(known: 30)))
        for clip in [
            try Clip(of: MediaSource(asset), scaled: .factor(1, over: 1)),
            try Clip(reversing: MediaSource(asset)),
        ] {
            let shown = try await render(clip, to: folder.path("\(UUID()).mp4")).compactMap(
                \.number)
            // The last frame of the source may be shown again where the sound lasts longer.
            let all = clip.map.isRising ? Array(0..<60) : (0..<60).reversed()
            #expect(Array(shown.prefix(60)) == all, "\(shown)")
        }
    }
}
