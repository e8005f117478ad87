import Foundation
import Media
import TestSupport
import Testing
import TimeMaps
import TimeWarp

/// What a composition has in common with a clip: chunks, copied packets, every track.
@Suite("Composed tracks")
struct ComposedTracksTests {
    private func segment(
        _ path: String, _ start: Int64, _ end: Int64, over timescale: Int32 = 1,
        _ retiming: Retiming = .uniform, lasting: RationalTime? = nil
    ) throws -> Segment {
        let range = try TimeRange(
            start: RationalTime(start, over: timescale), end: RationalTime(end, over: timescale))
        return try Segment(
            PlacedClip(path, range: range, retiming: retiming), lasting: lasting)
    }

    /// Six seconds with a keyframe each second, frames that refer to later ones, two sound tracks and
    /// subtitles.
    private func clip(_ name: String, _ hertz: Int) throws -> String {
        try Self.kept.file(name) { try Self.make($0, hertz) }
    }
    private static let kept = KeptFiles()

    private static func make(_ path: String, _ hertz: Int) throws {
        let cues = path + ".srt"
        try Data(
            "1\n00:00:00,500 --> 00:00:01,500\nOne\n\n2\n00:00:02,000 --> 00:00:03,000\nTwo\n".utf8
        ).write(to: URL(fileURLWithPath: cues))
        try ReferenceTools.ffmpeg([
            "-f", "lavfi", "-i", "testsrc2=s=160x96:r=30:d=6",
            "-f", "lavfi", "-i", "sine=\(hertz):d=6", "-f", "lavfi", "-i", "sine=\(3 * hertz):d=6",
            "-i", cues, "-map", "0", "-map", "1", "-map", "2", "-map", "3", "-c:v", "libx264",
            "-g", "30", "-sc_threshold", "0", "-bf", "2", "-pix_fmt", "yuv420p", "-c:a", "aac",
            "-c:s", "mov_text", "-metadata:s:a:0", "language=eng", "-metadata:s:a:1",
            "language=fra", path,
        ])
    }

    private func render(
        _ segments: [Segment], to output: String, _ change: (inout RenderSettings) -> Void
    ) async throws {
        let composition = Composition(tracks: [try Track(segments: segments)])
        let settings = RenderSettings {
            $0.output.existing = .overwrite
            change(&$0)
        }
        try await Renderer().render(RenderPlan(composition, to: output, settings: settings))
    }

    @Test(
        "chunks change no frame, across curves, reversals, freezes, gaps and short clips",
        arguments: [RenderSettings.OutputRate.source, .any, .fixed(FrameRate(known: 50))])
    func chunks(rate: RenderSettings.OutputRate) async throws {
        let folder = try TemporaryFolder()
        let (a, b) = (try clip("a.mp4", 440), try clip("b.mp4", 660))
        let segments = [
            try segment(a, 1, 3, .curve(.builtIn(.triangle, factor: 2))),
            try segment(b, 2, 4), try .gap(lasting: RationalTime(3, over: 10)),
            try segment(a, 0, 2, .reversed),
            try segment(b, 1, 2, .frozen(at: RationalTime(1, over: 1))),
            try segment(a, 1, 2, over: 7), try segment(b, 3, 4, over: 90),
            try segment(a, 0, 3, lasting: RationalTime(4, over: 1)),
        ]
        let output = folder.path("out.mkv")
        for frames in RenderSettings.FrameSynthesis.allCases
        where frames == .hold || rate == .source {
            var checksums: [[String]] = []
            for jobs in rate == .any ? [1, 2, 5] : [1, 5] {
                try await render(segments, to: output) {
                    $0.video.rate = rate
                    $0.video.frames = frames
                    $0.resources.jobs = jobs
                    $0.video.codec = .ffv1
                    $0.audio.mode = .mute
                }
                checksums.append(try Finding.frameChecksums(in: output))
            }
            #expect(checksums[0].count > 200)
            #expect(checksums.allSatisfy { $0 == checksums[0] })
        }
    }

    @Test("copied packets decode to the clips' own frames, and are decoded in increasing order")
    func copied() async throws {
        let folder = try TemporaryFolder()
        let (a, b) = (try clip("a.mp4", 440), try clip("b.mp4", 660))
        let output = folder.path("out.mp4")
        try await render([segment(a, 0, 6), segment(b, 2, 6)], to: output) {
            $0.video.mode = .restamped
            $0.video.rate = .any
        }
        let own =
            try Finding.frameChecksums(in: a) + Finding.frameChecksums(in: b).dropFirst(60)
        #expect(try Finding.frameChecksums(in: output) == own)
        let expected = (0..<300).map { Double($0) / 30 }
        let times = try Finding.frameTimes(in: output)
        #expect(zip(times, expected).allSatisfy { abs($0 - $1) < 1e-4 })
        let decoded = try ReferenceTools.ffprobe([
            "-select_streams", "v:0", "-show_entries", "packet=dts_time", output,
        ]).compactMap { Double($0.split(separator: ",")[0]) }
        #expect(decoded.count == 300)
        #expect(zip(decoded, decoded.dropFirst()).allSatisfy { $0 < $1 })
    }

    @Test("packets that can't follow each other are refused with the place and the remedy")
    func refusedCopies() throws {
        let folder = try TemporaryFolder()
        let (a, b) = (try clip("a.mp4", 440), try clip("b.mp4", 660))
        let other = folder.path("other.mp4")
        try TestClip { $0.frameCount = 30 }.write(to: other)
        let half = try segment(b, 5, 12, over: 2)
        for (segments, text) in [
            ([try segment(a, 0, 6), half], "cut at 2.5 s, which is not a keyframe"),
            ([try segment(a, 0, 6), try segment(other, 0, 1)], "encoded with other settings"),
            ([try segment(a, 0, 6), try .gap(lasting: RationalTime(1, over: 1)), half], "gap"),
            ([try segment(a, 0, 6, .reversed)], "forward"),
        ] {
            let composition = Composition(tracks: [try Track(segments: segments)])
            let error = #expect(throws: MediaError.self) {
                try RenderPlan(
                    composition, to: folder.path("out.mp4"),
                    settings: RenderSettings {
                        $0.video.mode = .restamped
                        $0.video.rate = .any
                    })
            }
            #expect(error?.description.contains(text) == true, "\(error?.description ?? "")")
        }
    }

    /// Of one second at 44 100 samples, by where it rises through zero.
    private func frequency(of samples: ArraySlice<Float>) -> Double {
        Double(zip(samples, samples.dropFirst()).filter { $0 < 0 && $1 >= 0 }.count)
    }

    @Test("every sound track and the text subtitles of clips come along, in their languages")
    func tracks() async throws {
        let folder = try TemporaryFolder()
        let (a, b) = (try clip("a.mp4", 440), try clip("b.mp4", 660))
        let output = folder.path("out.mp4")
        try await render([segment(a, 1, 3), segment(b, 1, 4)], to: output) {
            $0.video.preset = "ultrafast"
        }
        let written = try Asset(at: output)
        #expect(written.audioStreams.map { $0.tags["language"] } == ["eng", "fra"])
        let cues = try ReferenceTools.ffprobe([
            "-select_streams", "s:0", "-show_entries", "packet=pts_time,duration_time,size", output,
        ]).map { $0.split(separator: ",").compactMap { Double($0) } }
        // Empty cues of two bytes fill the time between.
        let shown = cues.filter { $0[2] > 2 }.map { [$0[0], $0[0] + $0[1]] }
        #expect(shown == [[0, 0.5], [1, 2], [2, 2.5], [3, 4]])
        for (number, hertz) in [(0, [440.0, 660]), (1, [1320, 1980])] {
            let sound = try Finding.sound(in: output, track: number, channelCount: 1)[0]
            #expect(abs(frequency(of: sound[30_000..<74_100]) - hertz[0]) <= 1)
            #expect(abs(frequency(of: sound[120_000..<164_100]) - hertz[1]) <= 1)
        }
    }

    @Test("subtitles of overlapping clips come in their order, though a long one holds short ones")
    func overlappingSubtitles() async throws {
        let folder = try TemporaryFolder()
        let (a, b) = (try clip("a.mp4", 440), try clip("b.mp4", 660))
        let long = try Track(segments: [segment(a, 0, 6, lasting: RationalTime(12, over: 1))])
        let short = try Track(segments: [
            segment(b, 2, 3), .gap(lasting: RationalTime(1, over: 1)), segment(b, 1, 4),
        ])
        let output = folder.path("out.mkv")
        try await Renderer().render(
            RenderPlan(
                Composition(tracks: [long, short]), to: output,
                settings: RenderSettings { $0.video.preset = "ultrafast" }))
        let cues = try ReferenceTools.ffprobe([
            "-select_streams", "s:0", "-show_entries", "packet=pts_time,duration_time", output,
        ]).map { $0.split(separator: ",").compactMap { Double($0) } }
        #expect(cues == [[0, 1], [1, 2], [2, 0.5], [3, 1], [4, 2]])
    }

    @Test("kept sound plays at its own speed, and a cut clip goes on as if it weren't cut")
    func kept() async throws {
        let folder = try TemporaryFolder()
        let source = folder.path("in.mov")
        try TestClip {
            $0.frameCount = 120
            $0.sampleRate = 48_000
        }.write(to: source)
        let whole = try segment(source, 0, 4, lasting: RationalTime(2, over: 1))
        var track = try Track(segments: [whole])
        try track.split(at: RationalTime(3, over: 4))
        #expect(track.segments.count == 2)
        var results: [[Float]] = []
        for segments in [[whole], track.segments] {
            let output = folder.path("out.wav")
            try await render(segments, to: output) { $0.audio.mode = .keep }
            results.append(try Finding.sound(in: output, channelCount: 2)[0])
        }
        let original = try Finding.sound(in: source, channelCount: 2)[0]
        #expect(results[0].count == 96_000)
        for result in results {
            let off = zip(result, original).reduce(Float(0)) { max($0, abs($1.0 - $1.1)) }
            #expect(off < 4e-5)
        }
    }
}
