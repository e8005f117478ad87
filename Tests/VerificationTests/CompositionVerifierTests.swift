import Foundation
import Media
import TestSupport
import Testing
import TimeMaps
import TimeWarp
import Verification

/// Compositions measured segment by segment.
@Suite("Verifying compositions")
struct CompositionVerifierTests {
    private static let kept = KeptFiles()

    /// Two clips of eight seconds.
    func clips() throws -> (large: String, small: String) {
        func clip(_ name: String, _ picture: String, _ seed: Int, below cutoff: Int) throws
            -> String
        {
            try Self.kept.file(name) {
                try ReferenceTools.ffmpeg([
                    "-f", "lavfi", "-i", "\(picture):d=8",
                    "-f", "lavfi", "-i", "anoisesrc=d=8:seed=\(seed):a=0.3,lowpass=\(cutoff)",
                    "-c:v", "libx264", "-preset", "veryfast", "-pix_fmt", "yuv420p", "-c:a", "aac",
                    $0,
                ])
            }
        }
        return (
            try clip("large.mp4", "testsrc2=s=160x90:r=30", 1, below: 3000),
            try clip("small.mov", "testsrc=s=120x120:r=25", 2, below: 2000)
        )
    }

    @Test("frames whose packets are kept have to be the source's, bit for bit")
    func keptPackets() async throws {
        let folder = try TemporaryFolder()
        let asset = try Asset(at: try clips().large)
        let clip = try Clip(of: MediaSource(asset)) { .identity($0) }
            .playing(from: .zero, to: .seconds(5))
        let settings = RenderSettings {
            $0.video.keepsPackets = true
            $0.audio.mode = .mute
        }
        let plan = try RenderPlan(clip, to: folder.path("kept.mp4"), settings: settings)
        #expect(try await Renderer().render(plan).video.first?.framesKept ?? 0 > 100)
        let found = try await Verifier(plan).verify()
        #expect(found.isRight, "\(found.faults)")
        #expect(found.video.first?.kinds.identical ?? 0 > 100)
        // Encoded again it looks the same, but isn't.
        let again = folder.path("again.mp4")
        let encoding = RenderSettings(settings) { $0.video.keepsPackets = false }
        _ = try await Renderer().render(RenderPlan(clip, to: again, settings: encoding))
        let other = try await Verifier(again, madeFrom: clip, settings: settings).verify()
        #expect(other.faults.map(\.kind) == [.frameContent])
        #expect(other.faults.first?.sentence.contains("although its packets were kept") == true)
        #expect(try await Verifier(again, madeFrom: clip, settings: encoding).verify().isRight)
    }

    func segment(
        _ path: String, _ start: Int64, _ end: Int64, _ retiming: Retiming = .uniform
    ) throws -> Segment {
        let range = try TimeRange(start: .seconds(start), end: .seconds(end))
        return try Segment(PlacedClip(path, range: range, retiming: retiming))
    }

    private func composition(_ large: String, _ small: String) throws -> Composition {
        let lower = try Track(segments: [
            segment(large, 0, 4, .curve(.builtIn(.triangle, factor: 1.5))),
            segment(small, 1, 6), .gap(lasting: .milliseconds(500)),
            segment(large, 2, 6, .reversed),
            segment(small, 1, 2, .frozen(at: .seconds(1))),
        ])
        let upper = try Track(
            carries: .video,
            segments: [.gap(lasting: .milliseconds(7010)), segment(large, 1, 2)])
        return Composition(tracks: [lower, upper])
    }

    func settings(
        _ rate: RenderSettings.OutputRate, _ frames: RenderSettings.FrameSynthesis = .hold
    ) -> RenderSettings {
        RenderSettings {
            $0.video.rate = rate
            $0.video.frames = frames
            $0.video.preset = "ultrafast"
            $0.output.existing = .overwrite
        }
    }

    @Test("a faded clip is right though it is turned, whole and in a part, and delayed it isn't")
    func faded() async throws {
        let folder = try TemporaryFolder()
        let turned = folder.path("turned.mp4")
        try ReferenceTools.ffmpeg([
            "-i", try clips().large, "-c", "copy", "-metadata:s:v", "rotate=90", turned,
        ])
        var segment = try segment(turned, 0, 8, .curve(.builtIn(.ramp, factor: 1.5)))
        segment.blending = Blending(
            dissolve: .seconds(1), fadeOut: .seconds(1), gain: try Gain(decibels: -6))
        for sample in [nil, RenderJob.OutputRange(from: .milliseconds(500), to: .seconds(6))] {
            let job = RenderJob(
                try Composition(of: segment), to: folder.path("out.mp4"), outputRange: sample,
                settings: settings(.source))
            let plan = try RenderPlan(job)
            try await Renderer().render(plan)
            let found = try await Verifier(plan).verify()
            #expect(found.isRight, "\(found.text)")
            #expect(found.video[0].framesIdentified > 80)
            guard sample == nil else {
                continue
            }
            let late = folder.path("late.mp4")
            try ReferenceTools.ffmpeg([
                "-y", "-i", plan.destination, "-itsoffset", "0.08", "-i", plan.destination, "-map",
                "1:v", "-map", "0:a", "-c", "copy", late,
            ])
            #expect(try await !Verifier(plan).verify(late).isRight)
        }
    }

    @Test("a right composition is right at each rate, held and blended")
    func right() async throws {
        let folder = try TemporaryFolder()
        let (large, small) = try clips()
        let composition = try composition(large, small)
        for (rate, frames) in [
            (RenderSettings.OutputRate.source, RenderSettings.FrameSynthesis.hold),
            (.source, .blend), (.fixed(FrameRate(known: 24)), .hold),
            (.fixed(FrameRate(known: 24)), .blend),
            (.any, .hold),
        ] {
            let plan = try RenderPlan(
                composition, to: folder.path("out.mp4"), settings: settings(rate, frames))
            try await Renderer().render(plan)
            let found = try await Verifier(plan).verify()
            #expect(found.isRight, "\(rate) \(frames): \(found.faults.map(\.sentence))")
            #expect(found.video[0].framesIdentified > 200)
            #expect(!found.notes.contains { $0.hasPrefix("The sound") }, "\(found.notes)")
            #expect(found.video[0].framesExpected == found.video[0].frames)
            #expect(found.sound[0].windowsMatched >= 10)
        }
    }

    @Test("another order, late sound and a missing frame are named with the file and the place")
    func faults() async throws {
        let folder = try TemporaryFolder()
        let (large, small) = try clips()
        let output = folder.path("out.mp4")
        let (one, other) = (try segment(large, 0, 4), try segment(large, 4, 8))
        let last = try segment(small, 0, 4)
        let plan = try RenderPlan(
            Composition(tracks: [Track(segments: [one, other, last])]), to: output,
            settings: settings(.source))
        try await Renderer().render(
            RenderPlan(
                Composition(tracks: [Track(segments: [other, one, last])]), to: output,
                settings: settings(.source)))
        let swapped = try await Verifier(plan).verify()
        #expect(swapped.faults.contains { $0.sentence.hasPrefix(large) })
        #expect(!swapped.faults.contains { $0.sentence.hasPrefix(small) })

        try await Renderer().render(plan)
        let late = folder.path("late.mp4")
        try ReferenceTools.ffmpeg([
            "-i", output, "-itsoffset", "0.03", "-i", output, "-map", "0:v", "-map", "1:a", "-c",
            "copy", late,
        ])
        let delayed = try await Verifier(plan).verify(late)
        #expect(delayed.faults.contains { $0.kind == .soundOffset })
        #expect(abs((delayed.sound[0].lagSeconds ?? 0) - 0.03) < 0.002)

        let lacking = folder.path("lacking.mkv")
        try ReferenceTools.ffmpeg([
            "-i", output, "-vf", "select='not(eq(n,150))'", "-fps_mode", "passthrough", "-c:a",
            "copy", lacking,
        ])
        let missing = try await Verifier(plan).verify(lacking)
        let fault = missing.faults.first { $0.kind == .missingFrames }
        #expect(fault?.atSeconds == 5 && missing.video[0].framesMissing == 1)
    }
}
