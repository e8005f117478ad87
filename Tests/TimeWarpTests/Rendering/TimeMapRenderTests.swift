import Foundation
import Media
import TestSupport
import Testing
import TimeMaps

@testable import TimeWarp

/// Maps with pieces of every kind, through the whole pipeline.
@Suite("Rendering any time map")
struct TimeMapRenderTests {
    /// Output and source seconds: forward, frozen, backward, a cut, and fast.
    static let points: [(Double, Double)] = [
        (0, 0.5), (1, 1.5), (1.5, 1.5), (2.5, 0.5), (2.5, 2), (3, 4), (4.5, 2.5), (5, 2.5),
    ]

    private func map(_ duration: RationalTime) throws -> TimeMap {
        try TimeMap(
            through: try Self.points.map {
                try TimeAnchor(
                    source: RationalTime(seconds: $1, timescale: 1000),
                    output: RationalTime(seconds: $0, timescale: 1000))
            }, sourceDuration: duration)
    }

    /// A clip of 4 s whose samples tell their position: sample n is n / 200 000.
    private func source(_ folder: TemporaryFolder) throws -> String {
        let plain = folder.path("plain.mp4")
        try TestClip {
            $0.frameCount = 120
            $0.audioCodec = nil
        }.write(to: plain)
        let ramp = folder.path("ramp.wav")
        try ReferenceTools.writeSound(
            [(0..<192_000).map { Float($0) / 200_000 }], sampleRate: 48_000, to: ramp)
        let path = folder.path("in.mov")
        try ReferenceTools.ffmpeg([
            "-i", plain, "-i", ramp, "-map", "0:v", "-map", "1:a", "-c", "copy", path,
        ])
        return path
    }

    private func render(
        _ path: String, _ rate: RenderSettings.OutputRate, in folder: TemporaryFolder
    ) async throws -> (output: String, map: TimeMap, report: RenderReport) {
        let clip = try Clip(of: MediaSource(at: path), retimedBy: map)
        let output = folder.path("out.mov")
        let settings = RenderSettings {
            $0.output.existing = .overwrite
            $0.video.rate = rate
            $0.audio.codec = .pcm
            $0.audio.interpolation = .linear
            // Memory for three frames: the GOPs of this clip don't fit.
            $0.resources.memoryBytes = 3 * 28_800 * 3
        }
        let report = try await Renderer().render(
            try RenderPlan(clip, to: output, settings: settings))
        return (output, clip.map, report)
    }

    @Test("every output frame and sample is where the map says", arguments: [24, 30, 50])
    func fixed(rate: Int32) async throws {
        let folder = try TemporaryFolder()
        let (output, map, report) = try await render(
            try source(folder), .fixed(FrameRate(known: rate)), in: folder)
        let shown = try Finding.shownFrames(in: output)
        #expect(shown.count == Int(5 * rate))
        for (tick, frame) in shown.enumerated() {
            let y = Double(tick) / Double(rate)
            let x = map.sourceTime(at: y) * 30
            // At an instant on a frame's boundary: where the map falls, the frame that ends there. Where
            // the map changes direction, also the frame that was shown before.
            let turns = Self.points.contains { abs($0.0 - y) < 1e-9 }
            let due =
                map.speed(at: y) < 0
                ? Int((x - 1e-6).rounded(.up)) - 1 : Int((x + 1e-6).rounded(.down))
            let isDue = frame.number == due || (turns && abs((frame.number ?? 0) - due) <= 1)
            #expect(isDue, "tick \(tick) at \(x) shows \(frame.number ?? -1)")
        }
        try checkSound(output, map)
        #expect(Double(report.video[0].framesDecoded) <= 2.0 * Double(report.video[0].framesRead))
    }

    @Test("at a variable rate a freeze is one long frame, and backwards frames are mirrored")
    func variable() async throws {
        let folder = try TemporaryFolder()
        let (output, map, report) = try await render(try source(folder), .any, in: folder)
        let shown = try Finding.shownFrames(in: output)
        let numbers = shown.map { $0.number ?? -1 }
        let expected: [Int] =
            Array(15...45) + (15...44).reversed() + Array(60...119) + (75...118).reversed()
        #expect(numbers == expected)
        // Frame 45 is first shown when the freeze begins, and stays until its end has been played backwards.
        #expect(abs(shown[30].seconds - 1) < 1e-4)
        #expect(abs(shown[31].seconds - 1.5) < 1e-4)
        for (place, frame) in shown.enumerated() where place > 31 && place <= 60 {
            let end = Double(numbers[place] + 1) / 30
            #expect(abs(frame.seconds - (1.5 + 1.5 - end)) < 1e-4)
        }
        #expect(abs(report.video[0].endSeconds - 5) < 1e-3)
        try checkSound(output, map)
        // A fixed rate and a variable rate show the same frame at the same time.
        let (fixed, _, _) = try await render(
            try source(folder), .fixed(FrameRate(known: 30)), in: folder)
        for frame in try Finding.shownFrames(in: fixed) {
            let variable = shown.last { $0.seconds <= frame.seconds + 1e-5 }
            #expect(variable?.number == frame.number)
        }
    }

    private func checkSound(_ output: String, _ map: TimeMap) throws {
        let samples = try Finding.sound(in: output, channelCount: 1)[0]
        #expect(samples.count == 240_000)
        for index in stride(from: 7, to: samples.count, by: 13) {
            let y = Double(index) / 48_000
            // Sound is faded for two milliseconds on either side of the cut.
            guard abs(y - 2.5) > 0.0021, !Self.points.contains(where: { abs($0.0 - y) < 5e-5 })
            else {
                continue
            }
            let place = map.sourceTime(at: y) * 48_000 + min(0, map.speed(at: y))
            #expect(abs(Double(samples[index]) - place / 200_000) < 1e-6, "at \(y) s")
        }
        let cut = samples[Int(2.5 * 48_000)]
        #expect(abs(cut) < 1e-3)
    }

    @Test("there and back shows every frame twice but the one it turns at")
    func boomerang() async throws {
        let folder = try TemporaryFolder()
        let input = folder.path("in.mp4")
        try TestClip { $0.frameCount = 40 }.write(to: input)
        let asset = try Asset(at: input)
        let clips = [
            try Clip(of: MediaSource(asset), scaled: .factor(1, over: 1)).thereAndBack(),
            try Clip(reversing: MediaSource(asset)).thereAndBack(),
        ]
        for (clip, forward) in zip(clips, [Array(0..<40), (0..<40).reversed()]) {
            for rate in [RenderSettings.OutputRate.source, .any] {
                let output = folder.path("out.mp4")
                let settings = RenderSettings {
                    $0.output.existing = .overwrite
                    $0.video.rate = rate
                }
                try await Renderer().render(try RenderPlan(clip, to: output, settings: settings))
                let shown = try Finding.shownFrames(in: output)
                #expect(shown.map(\.number) == (forward + forward.dropLast().reversed()).map { $0 })
                for (place, frame) in shown.enumerated() {
                    #expect(abs(frame.seconds - Double(place) / 30) < 1e-4)
                }
            }
        }
    }

    @Test("keyframes that cross zero turn the film round")
    func keyframes() async throws {
        let folder = try TemporaryFolder()
        let input = folder.path("in.mp4")
        try TestClip { $0.frameCount = 60 }.write(to: input)
        let curve = Curve.keyframes(try Keyframe.list(parsing: "0:1, 50%:-1, 1:1", easing: .linear))
        let clip = try Clip(of: MediaSource(at: input), warpedBy: curve)
        // Up by a sixteenth of the output's duration, down by two, up by one: all of the 2 s in 8 s of output.
        #expect(abs(clip.map.outputDuration - 8) < 1e-6)
        let output = folder.path("out.mp4")
        try await Renderer().render(try RenderPlan(clip, to: output))
        let numbers = try Finding.shownFrames(in: output).compactMap(\.number)
        #expect(numbers.count == 240)
        #expect((numbers.min(), numbers.max()) == (0, 59))
        #expect(numbers[0] == 30)
        #expect(numbers[60] >= 58)
        #expect(numbers[180] <= 1)
    }
}

@Suite("Mixed frames")
struct FrameSynthesisTests {
    /// A lossless clip whose frame n has the grey value 20·n.
    private func greys(_ count: Int, in folder: TemporaryFolder) throws -> String {
        let path = folder.path("in.mkv")
        try ReferenceTools.ffmpeg([
            "-f", "lavfi", "-i", "color=s=64x64:r=10:d=\(Double(count) / 10)", "-vf",
            "geq=lum=20*N:cb=128:cr=128", "-pix_fmt", "yuv420p", "-c:v", "ffv1", path,
        ])
        return path
    }

    private func levels(
        _ clip: Clip, in folder: TemporaryFolder, _ change: (inout RenderSettings) -> Void
    ) async throws -> [Int] {
        let output = folder.path("out.mkv")
        let settings = RenderSettings {
            $0.output.existing = .overwrite
            $0.video.codec = .ffv1
            change(&$0)
        }
        try await Renderer().render(try RenderPlan(clip, to: output, settings: settings))
        let raw = folder.path("raw.gray")
        try ReferenceTools.ffmpeg([
            "-i", output, "-vf", "extractplanes=y", "-f", "rawvideo", "-vsync", "passthrough", raw,
        ])
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: raw)))
        return stride(from: 0, to: bytes.count, by: 64 * 64).map { Int(bytes[$0]) }
    }

    @Test("blend mixes neighbours by distance, and backwards is forwards mirrored")
    func blend() async throws {
        let folder = try TemporaryFolder()
        let asset = try Asset(at: try greys(6, in: folder))
        let slow = try Clip(of: MediaSource(asset), scaled: .factor(4, over: 1))
        let forward = try await levels(slow, in: folder) { $0.video.frames = .blend }
        #expect(forward == (0..<24).map { min($0 * 5, 100) })
        let back = try Clip(of: MediaSource(asset)) { duration in
            let lasts = try duration.multiplied(by: 4, over: 1)
            return try TimeMap(
                pieces: [
                    TimeMap.Piece(ExactLine(.zero, lasts, from: duration, to: .zero))
                ], sourceDuration: duration)
        }
        #expect(
            try await levels(back, in: folder) { $0.video.frames = .blend } == forward.reversed())
        let reversed = try await levels(try Clip(reversing: MediaSource(asset)), in: folder) {
            $0.video.frames = .blend
        }
        #expect(reversed == [100, 80, 60, 40, 20, 0])
    }

    @Test("a shutter averages what it sees where frames go by fast, and only there")
    func shutter() async throws {
        let folder = try TemporaryFolder()
        let asset = try Asset(at: try greys(12, in: folder))
        let fast = try Clip(of: MediaSource(asset), scaled: .factor(1, over: 4))
        #expect(try await levels(fast, in: folder) { _ in } == [0, 80, 160])
        #expect(
            try await levels(fast, in: folder) { $0.video.shutterDegrees = 360 } == [30, 110, 190])
        #expect(
            try await levels(fast, in: folder) { $0.video.shutterDegrees = 180 } == [10, 90, 170])
        // When playing backwards, the shutter is open in the last part of a tick.
        let back = try Clip(of: MediaSource(asset)) { duration in
            let lasts = try duration.multiplied(by: 1, over: 4)
            return try TimeMap(
                pieces: [TimeMap.Piece(ExactLine(.zero, lasts, from: duration, to: .zero))],
                sourceDuration: duration)
        }
        for frames in [RenderSettings.FrameSynthesis.hold, .blend] {
            let levels = try await levels(back, in: folder) {
                $0.video.shutterDegrees = 180
                $0.video.frames = frames
            }
            #expect(levels == [170, 90, 10])
        }
        let closed = try await levels(fast, in: folder) { $0.video.shutterDegrees = 1e-6 }
        #expect(closed == [0, 80, 160])
        let normal = try Clip(of: MediaSource(asset), scaled: .factor(1, over: 1))
        let plain = try await levels(normal, in: folder) { _ in }
        #expect(try await levels(normal, in: folder) { $0.video.shutterDegrees = 360 } == plain)
        #expect(plain == (0..<12).map { $0 * 20 })
    }

    @Test("frames that can't be mixed are held, and the plan says so")
    func unmixable() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("in.mov")
        try ReferenceTools.ffmpeg([
            "-f", "lavfi", "-i", "testsrc2=s=64x64:r=10:d=2", "-pix_fmt", "rgb555be", "-c:v",
            "rawvideo", path,
        ])
        let clip = try Clip(of: MediaSource(at: path), scaled: .factor(1, over: 4))
        let settings = RenderSettings {
            $0.video.shutterDegrees = 360
            $0.video.frames = .blend
        }
        let plan = try RenderPlan(clip, to: folder.path("out.mp4"), settings: settings)
        #expect(plan.warnings.contains { $0.contains("can't be mixed") })
        let report = try await Renderer().render(plan)
        #expect(report.video[0].framesWritten == 5)
        #expect(report.video[0].framesBlended == 0)
    }

    @Test("many frames are averaged a few at a time, to within a step")
    func manyFrames() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("in.mkv")
        try ReferenceTools.ffmpeg([
            "-f", "lavfi", "-i", "color=s=64x64:r=10:d=30", "-vf",
            "geq=lum='mod(N*37,200)':cb=128:cr=128", "-pix_fmt", "yuv420p", "-c:v", "ffv1", path,
        ])
        let clip = try Clip(of: MediaSource(at: path), scaled: .factor(1, over: 100))
        let averages = try await levels(clip, in: folder) { $0.video.shutterDegrees = 360 }
        for (tick, average) in averages.enumerated() {
            let first = tick * 100
            let sum = (first..<first + 100).reduce(0) { (sum: Int, frame: Int) -> Int in
                sum + frame * 37 % 200
            }
            let expected = Double(sum) / 100
            #expect(abs(Double(average) - expected) <= 1)
        }
        #expect(averages.count == 3)
    }
}
