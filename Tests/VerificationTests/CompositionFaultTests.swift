import Foundation
import Media
import TestSupport
import Testing
import TimeMaps
import TimeWarp
import Verification

/// What is compared of a composition, what isn't, and what is found.
extension CompositionVerifierTests {
    private func rendered(
        _ tracks: [Track], to output: String, size: Composition.Size? = nil,
        _ change: (inout RenderSettings) -> Void = { _ in }
    ) async throws -> RenderPlan {
        let plan = try plan(tracks, to: output, size: size, change)
        try await Renderer().render(plan)
        return plan
    }

    private func plan(
        _ tracks: [Track], to output: String, size: Composition.Size? = nil,
        _ change: (inout RenderSettings) -> Void = { _ in }
    ) throws -> RenderPlan {
        var composition = Composition(tracks: tracks)
        composition.format.size = size
        return try RenderPlan(
            composition, to: output, settings: RenderSettings(settings(.source), change))
    }

    @Test("sound that is late in one segment only is named with its file and place")
    func lateSegment() async throws {
        let folder = try TemporaryFolder()
        let (large, small) = try clips()
        let output = folder.path("out.mp4")
        let plan = try await rendered(
            [Track(segments: [segment(small, 0, 4), segment(large, 4, 8), segment(small, 4, 8)])],
            to: output)
        let late = folder.path("late.mp4")
        try ReferenceTools.ffmpeg([
            "-i", output, "-filter_complex",
            "[0:a]atrim=0:4[a];[0:a]atrim=4:7.97,asetpts=PTS-STARTPTS,adelay=30:all=1[b];"
                + "[0:a]atrim=8,asetpts=PTS-STARTPTS[c];[a][b][c]concat=n=3:v=0:a=1[d]",
            "-map", "0:v", "-map", "[d]", "-c:v", "copy", "-c:a", "aac", late,
        ])
        let found = try await Verifier(plan).verify(late)
        #expect(found.faults.map(\.kind) == [.soundOffset], "\(found.text)")
        let fault = try #require(found.faults.first)
        #expect(fault.sentence.hasPrefix("\(large): ") && fault.sentence.contains("30.0 ms"))
        #expect((4...5).contains(fault.atSeconds ?? 0))
    }

    @Test("a gap that isn't black, and another shape, are found")
    func gapAndShape() async throws {
        let folder = try TemporaryFolder()
        let (large, small) = try clips()
        let output = folder.path("out.mp4")
        _ = try await rendered(
            [Track(segments: [segment(large, 0, 1), segment(small, 2, 3), segment(large, 4, 5)])],
            to: output)
        let gap = try Track(segments: [
            segment(large, 0, 1), .gap(lasting: .seconds(1)), segment(large, 4, 5),
        ])
        let seen = try await Verifier(plan([gap], to: output)).verify()
        let fault = seen.faults.first { $0.kind == .frameContent }
        #expect(fault?.sentence.contains("30 frames are not black") == true, "\(seen.text)")
        #expect(fault?.atSeconds == 1)

        let wide = try plan(
            [gap], to: output, size: Composition.Size(known: 160, height: 120))
        #expect(try await Verifier(wide).verify().faults.contains { $0.kind == .shape })
    }

    @Test("sound is compared where no other track is heard, and the rest is noted")
    func mixed() async throws {
        let folder = try TemporaryFolder()
        let (large, small) = try clips()
        let other = try Track(
            carries: .sound,
            segments: [.gap(lasting: .seconds(5)), segment(small, 0, 1, .reversed)])
        let plan = try await rendered(
            [Track(segments: [segment(large, 0, 8), segment(large, 0, 1)]), other],
            to: folder.path("out.mp4"))
        let found = try await Verifier(plan).verify()
        #expect(found.isRight, "\(found.text)")
        #expect(found.sound[0].windowsMatched >= 5)
        #expect(found.notes.count == 2)
        #expect(found.notes[0].hasPrefix("The sound of 2 segments is mixed with other sound"))
        #expect(found.notes[1] == "The sound of 1 segment is too short or too soft to be compared.")

        var sampled = Verifier(plan)
        sampled.stretches = 2
        let few = try await sampled.verify()
        #expect(few.isRight && few.video[0].framesCompared < 100)
        #expect(few.video[0].frames == found.video[0].frames)
    }

    @Test("copied packets are compared, too")
    func restamped() async throws {
        let folder = try TemporaryFolder()
        let (large, _) = try clips()
        let plan = try await rendered(
            [Track(segments: [segment(large, 0, 8), segment(large, 0, 8)])],
            to: folder.path("out.mp4")
        ) {
            $0.video.rate = .any
            $0.video.mode = .restamped
            $0.video.preset = nil
        }
        let found = try await Verifier(plan).verify()
        #expect(found.isRight, "\(found.text)")
        #expect(found.video[0].framesIdentified > 400)
    }

    @Test("of a clip a plan's verifier measures exactly what a clip's verifier does")
    func clip() async throws {
        let folder = try TemporaryFolder()
        let (large, _) = try clips()
        let clip = try Clip(of: MediaSource(at: large)) { try .uniform(from: $0, to: .seconds(4)) }
        let settings = settings(.source)
        let plan = try RenderPlan(clip, to: folder.path("out.mp4"), settings: settings)
        try await Renderer().render(plan)
        let one = try await Verifier(plan).verify()
        let other = try await Verifier(plan.destination, madeFrom: clip, settings: settings)
            .verify()
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        #expect(try encoder.encode(one) == encoder.encode(other))
    }
}
