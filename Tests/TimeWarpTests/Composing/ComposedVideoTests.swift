import Foundation
import Media
import TestSupport
import Testing
import TimeMaps

@testable import TimeWarp

/// Renders compositions of barcoded clips and checks the results with independent programs.
@Suite("Composed video")
struct ComposedVideoTests {
    private func time(_ seconds: Double) throws -> RationalTime {
        try RationalTime(seconds: seconds, timescale: 1000)
    }

    private func segment(
        _ path: String, _ start: Double, _ end: Double, _ retiming: Retiming = .uniform,
        lasting: Double? = nil
    ) throws -> Segment {
        let range = try TimeRange(start: time(start), end: time(end))
        return try Segment(
            PlacedClip(path, range: range, retiming: retiming), lasting: lasting.map(time))
    }

    private func render(
        _ composition: Composition, to path: String, rate: RenderSettings.OutputRate = .source
    ) async throws -> RenderReport {
        let plan = try RenderPlan(
            composition, to: path,
            settings: RenderSettings {
                $0.video.rate = rate
                $0.video.preset = "veryfast"
            })
        return try await Renderer().render(plan)
    }

    /// Two clips that differ in size, rate and sound, and whose frame numbers start at different values.
    private func clips(in folder: TemporaryFolder) throws -> (large: String, small: String) {
        let (large, small) = (folder.path("large.mp4"), folder.path("small.mov"))
        try TestClip { $0.frameCount = 60 }.write(to: large)
        try TestClip {
            ($0.width, $0.height, $0.rate, $0.frameCount) = (320, 240, FrameRate(known: 25), 50)
            ($0.sampleRate, $0.channelCount) = (44_100, 1)
        }.write(to: small)
        return (large, small)
    }

    @Test("clips of unlike size and rate follow each other frame by frame")
    func unlikeClips() async throws {
        let folder = try TemporaryFolder()
        let (large, small) = try clips(in: folder)
        let track = try Track(segments: [
            segment(large, 0.5, 1.5), segment(small, 0, 2), segment(large, 0, 0.51),
        ])
        let output = folder.path("out.mp4")
        let report = try await render(Composition(tracks: [track]), to: output)
        let shown = try Finding.shownFrames(in: output)
        #expect(shown.count == 105)
        for (tick, frame) in shown.enumerated() {
            let instant = Double(tick) / 30
            let expected: Int
            switch tick {
            case ..<30: expected = 15 + tick
            case ..<90: expected = Int(((instant - 1) * 25 + 1e-6).rounded(.down))
            default: expected = tick - 90
            }
            #expect(frame.number == expected, "tick \(tick)")
            #expect(abs(frame.seconds - instant) < 1e-5)
        }
        #expect(report.video[0].framesWritten == 105)
        #expect(abs(report.outputDurationSeconds - 3.51) < 1 / 48_000.0)
        #expect(report.audio[0].lengthErrorSamples == 0)
    }

    @Test("each segment obeys its own map, and a cut may lie between two frames")
    func retimedSegments() async throws {
        let folder = try TemporaryFolder()
        let (large, _) = try clips(in: folder)
        let track = try Track(segments: [
            segment(large, 0, 1, lasting: 0.515), segment(large, 0, 1, .reversed),
            segment(large, 0, 1, .frozen(at: time(0.7)), lasting: 0.2),
            segment(large, 1, 2, .curve(.builtIn(.triangle, factor: 2))),
        ])
        let output = folder.path("out.mp4")
        _ = try await render(Composition(tracks: [track]), to: output)
        let shown = try Finding.shownFrames(in: output)
        let end = track.duration.seconds
        #expect(shown.count == Int((end * 30).rounded()))
        for (tick, frame) in shown.enumerated() {
            let instant = Double(tick) / 30
            guard let index = track.segmentIndex(at: RationalTime(Int64(tick), over: 30)) else {
                continue
            }
            let placed = track.placed[index]
            let map = try placed.segment.timeMap(frameDuration: 1 / 30.0)
            let source =
                (placed.segment.clip?.range.start.seconds ?? 0)
                + map.sourceTime(at: instant - placed.range.start.seconds)
            // When a clip plays backwards, a frame begins at its end.
            let tolerance = 1e-6
            let expected =
                index == 1
                ? Int((source * 30 - tolerance).rounded(.up)) - 1
                : Int((source * 30 + tolerance).rounded(.down))
            let allowed = index == 1 ? [expected, expected + 1] : [expected]
            #expect(
                frame.number.map(allowed.contains) == true,
                "tick \(tick), segment \(index): \(frame.number ?? -1), not \(expected)")
        }
    }

    @Test("a gap is black, and an upper track hides a lower one where it plays")
    func gapsAndTracks() async throws {
        let folder = try TemporaryFolder()
        let (large, small) = try clips(in: folder)
        let lower = try Track(segments: [
            segment(large, 0, 1), .gap(lasting: time(0.5)), segment(large, 1, 2),
        ])
        let upper = try Track(
            carries: .video, segments: [.gap(lasting: time(0.4)), segment(small, 1, 1.4)])
        let output = folder.path("out.mp4")
        _ = try await render(Composition(tracks: [lower, upper]), to: output)
        let shown = try Finding.shownFrames(in: output)
        #expect(shown.count == 75)
        #expect(shown[..<12].map(\.number) == (0..<12).map { $0 })
        #expect(shown[12].number == 25)
        #expect(shown[23].number == 34)
        #expect(shown[24].number == 24)
        for frame in shown[30..<45] {
            #expect(frame.number == nil)
            // Luma 16 is black.
            #expect(frame.brightness < 17)
        }
        #expect(shown[45].number == 30)
    }

    @Test("at a variable rate every source frame comes at its own place, none on another's")
    func variableRate() async throws {
        let folder = try TemporaryFolder()
        let (large, small) = try clips(in: folder)
        let track = try Track(segments: [
            segment(large, 0, 1, lasting: 0.777), segment(small, 0, 1),
            .gap(lasting: time(0.25)), segment(large, 1, 2, .reversed),
        ])
        let output = folder.path("out.mp4")
        _ = try await render(Composition(tracks: [track]), to: output, rate: .any)
        let shown = try Finding.shownFrames(in: output)
        var expected: [(Double, Int?)] = (0..<30).map { (Double($0) / 30 * 0.777, $0) }
        expected += (0..<25).map { (0.777 + Double($0) / 25, $0) }
        expected += [(1.777, nil)]
        expected += (0..<30).map { (2.027 + Double($0) / 30, 59 - $0) }
        #expect(shown.map(\.number) == expected.map(\.1))
        for (frame, expected) in zip(shown, expected) {
            #expect(abs(frame.seconds - expected.0) < 2e-5)
        }
    }

    @Test("frames that a player rotates are rotated, whole and in the middle")
    func rotatedFrames() async throws {
        let folder = try TemporaryFolder()
        let (flat, turned) = (folder.path("flat.mp4"), folder.path("turned.mp4"))
        try TestClip { $0.frameCount = 10 }.write(to: flat)
        // The left half is white, the right half black. A quarter turn clockwise puts white on top.
        let plain = folder.path("plain.mp4")
        try ReferenceTools.ffmpeg([
            "-f", "lavfi", "-i", "color=white:s=80x120:r=30:d=0.3,pad=160:120:0:0:black",
            "-pix_fmt", "yuv420p", plain,
        ])
        try ReferenceTools.ffmpeg([
            "-i", plain, "-c", "copy", "-metadata:s:v:0", "rotate=270", turned,
        ])
        let asset = try Asset(at: turned)
        #expect(asset.videoStreams[0].rotation == 270 || asset.videoStreams[0].rotation == 90)
        let track = try Track(segments: [segment(flat, 0, 0.1), segment(turned, 0, 0.2)])
        let output = folder.path("out.mp4")
        _ = try await render(Composition(tracks: [track]), to: output)
        let expected = folder.path("expected.gray")
        let found = folder.path("found.gray")
        try ReferenceTools.ffmpeg([
            "-i", turned, "-vf", "scale=90:120,pad=160:120:35:0:black", "-frames:v", "1",
            "-pix_fmt", "gray", "-f", "rawvideo", expected,
        ])
        try ReferenceTools.ffmpeg([
            "-ss", "0.2", "-i", output, "-frames:v", "1", "-pix_fmt", "gray", "-f", "rawvideo",
            found,
        ])
        let (a, b) = (
            try Data(contentsOf: URL(fileURLWithPath: expected)),
            try Data(contentsOf: URL(fileURLWithPath: found))
        )
        #expect(a.count == b.count)
        let off = zip(a, b).filter { abs(Int($0) - Int($1)) > 40 }.count
        // Scaling and encoding may change values only where black and white meet.
        #expect(off < a.count / 40, "\(off) of \(a.count) pixels differ")
    }

    @Test("markers become chapters at their places")
    func markers() async throws {
        let folder = try TemporaryFolder()
        let (large, small) = try clips(in: folder)
        var first = try segment(large, 0, 2, lasting: 4)
        first.markers = [try Marker("middle", at: time(1.25))]
        var second = try segment(small, 0, 2, .reversed)
        second.markers = [try Marker("back", at: time(0.5))]
        let output = folder.path("out.mp4")
        _ = try await render(
            Composition(tracks: [try Track(segments: [first, second])]), to: output)
        let chapters = try Asset(at: output).chapters
        #expect(chapters.map { $0.tags["title"] ?? "" } == ["", "middle", "back"])
        #expect(chapters.map(\.range.start.seconds) == [0, 2.5, 5.5])
    }

    @Test("what can't be composed is refused with the file and the remedy")
    func refusals() throws {
        let folder = try TemporaryFolder()
        let (large, _) = try clips(in: folder)
        let track = try Track(segments: [segment(large, 0, 1)])
        func failure(_ composition: Composition, to path: String) -> MediaError? {
            do {
                _ = try RenderPlan(
                    composition, to: path,
                    settings: RenderSettings { $0.output.existing = .overwrite })
                return nil
            } catch {
                return error as? MediaError
            }
        }
        let isInput = failure(Composition(tracks: [track]), to: large)
        #expect(isInput?.code == .exists && isInput?.file == large)
        let empty = failure(Composition(tracks: []), to: folder.path("out.mp4"))
        #expect(empty?.code == .incompatible)
        let missing = try Track(segments: [segment(folder.path("no.mp4"), 0, 1)])
        let none = failure(Composition(tracks: [missing]), to: folder.path("out.mp4"))
        #expect(none?.code == .noInput && none?.file.hasSuffix("no.mp4") == true)
        let beyond = try Track(segments: [segment(large, 0, 9)])
        let outside = failure(Composition(tracks: [beyond]), to: folder.path("out.mp4"))
        #expect(outside?.file == large)
        #expect(try folder.contents.allSatisfy { !$0.contains("timewarp-part") })
    }
}
