import Foundation
import Media
import TestSupport
import Testing
import TimeMaps
import TimeWarp

@testable import Verification

@Suite("Measuring frames that were made from motion")
struct MotionVerifierTests {
    /// A pan by 12 samples a frame over an area that another program painted, and a cut after two seconds.
    private static let input = Result {
        let path = try KeptFiles.newFolder().path("pan.mkv")
        try ReferenceTools.ffmpeg([
            "-f", "lavfi", "-i", "testsrc2=s=1600x300:r=1:d=1", "-f", "lavfi", "-i",
            "mandelbrot=s=1600x300:r=1", "-filter_complex",
            "[0]\(pan(frames: 20))[a];[1]\(pan(frames: 20))[b];[a][b]concat", "-r", "10", "-c:v",
            "ffv1", path,
        ])
        return path
    }

    private static func pan(frames: Int) -> String {
        "trim=end_frame=1,settb=AVTB,loop=\(frames - 1):1:0,setpts=N/10/TB,gblur=sigma=3,"
            + "crop=320:180:12*n+60:40,format=yuv420p"
    }

    private let folder: TemporaryFolder
    private let asset: Asset

    init() throws {
        folder = try TemporaryFolder()
        asset = try Asset(at: try Self.input.get())
    }

    private static let settings = RenderSettings {
        $0.output.existing = .overwrite
        $0.video.codec = .ffv1
        $0.video.frames = .motion
    }

    private func slow(_ factor: Int64) throws -> Clip {
        try Clip(of: MediaSource(asset), scaled: .factor(factor, over: 1))
    }

    private func render(
        _ clip: Clip, _ settings: RenderSettings = Self.settings
    ) async throws -> (path: String, report: RenderReport) {
        let path = folder.path("out.mkv")
        return (
            path,
            try await Renderer().render(try RenderPlan(clip, to: path, settings: settings))
        )
    }

    /// A copy of a film, with a box painted on one of its frames.
    private func spoil(_ path: String, frame: Int, box: String) throws -> String {
        let spoiled = folder.path("spoiled.mkv")
        try ReferenceTools.ffmpeg([
            "-i", path, "-vf", "drawbox=\(box):t=fill:enable='eq(n,\(frame))'", "-c:v", "ffv1",
            spoiled,
        ])
        return spoiled
    }

    @Test("counts made, held and untouched frames as the render did, without being told")
    func counts() async throws {
        let clip = try slow(3)
        let (path, report) = try await render(clip)
        let found = try await Verifier(path, madeFrom: clip, settings: Self.settings).verify()
        #expect(found.isRight, "\(found.text)")
        let kinds = found.video[0].kinds
        #expect(kinds.source == 42)
        #expect(kinds.identical == 42)
        #expect(kinds.synthesised == Int(report.video[0].framesSynthesised))
        #expect(kinds.held == 2)
        #expect(kinds.blended == 0)
        #expect(kinds.held == Int(report.video[0].framesHeld))
    }

    @Test("finds frames that show a neighbour, and tells mixed frames from those made from motion")
    func otherWays() async throws {
        let clip = try slow(4)
        func find(_ frames: RenderSettings.FrameSynthesis) async throws -> VerificationReport {
            let settings = RenderSettings(Self.settings) { $0.video.frames = frames }
            let (path, _) = try await render(clip, settings)
            return try await Verifier(path, madeFrom: clip, settings: Self.settings).verify()
        }
        let held = try await find(.hold)
        #expect(held.faults.contains { $0.kind == .wrongFrames })
        #expect(held.video[0].kinds.held == 117)
        let mixed = try await find(.blend).video[0].kinds
        #expect(mixed.blended > 50)
        #expect(mixed.blended > 6 * mixed.held)
    }

    @Test("finds frames that were made for another instant")
    func otherInstant() async throws {
        let clip = try slow(4)
        // A third of a source frame too late.
        let late = try Clip(of: MediaSource(asset)) { duration in
            let (shift, lasts) = (
                RationalTime(1, over: 30), try duration.multiplied(by: 4, over: 1)
            )
            let end = try lasts - shift.multiplied(by: 4, over: 1)
            return try TimeMap(
                pieces: [
                    TimeMap.Piece(ExactLine(.zero, end, from: shift, to: duration)),
                    TimeMap.Piece(ExactLine(end, lasts, from: duration, to: duration)),
                ], sourceDuration: duration)
        }
        let (path, _) = try await render(late)
        let found = try await Verifier(path, madeFrom: clip, settings: Self.settings).verify()
        #expect(found.faults.contains { $0.kind == .wrongFrames })
    }

    @Test("names the made frame that shows what no other does")
    func oddest() async throws {
        let clip = try slow(3)
        let (path, _) = try await render(clip)
        let spoiled = try spoil(path, frame: 31, box: "x=100:y=50:w=30:h=30:color=white")
        func oddest(of path: String) async throws -> [VerificationReport.MadeFrame] {
            let found = try await Verifier(path, madeFrom: clip, settings: Self.settings).verify()
            return found.video[0].oddestMade
        }
        let (before, after) = (try await oddest(of: path), try await oddest(of: spoiled))
        #expect(before.count == 5)
        #expect(after.first?.atSeconds == 3.1)
        #expect(after[0].oddity > 3 * before[0].oddity)
        #expect(after[1].oddity <= before[0].oddity)
    }

    @Test("finds a single changed sample in a source frame after lossless coding")
    func changedSample() async throws {
        let clip = try slow(3)
        let (path, _) = try await render(clip)
        let spoiled = try spoil(path, frame: 30, box: "x=100:y=50:w=1:h=1:color=red")
        let found = try await Verifier(spoiled, madeFrom: clip, settings: Self.settings).verify()
        #expect(found.video[0].kinds.identical == 41)
        #expect(found.faults.map(\.kind) == [.frameContent])
        #expect(found.faults.first?.atSeconds == 3)
    }
}
