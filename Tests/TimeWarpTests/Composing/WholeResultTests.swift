import Documents
import Foundation
import Media
import TestSupport
import Testing
import TimeMaps

@testable import TimeWarp

/// What one kind of timeline can do, all can: clips are faded, and timelines are played there and back as a whole.
@Suite("Fades of clips, and timelines as a whole")
struct WholeResultTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Two seconds of grey at 30 frames a second in two video tracks, turned by a quarter, with a tone in two sound tracks.
    private func clip() throws -> String {
        let path = folder.path("in.mov")
        try ReferenceTools.ffmpeg([
            "-f", "lavfi", "-i", "nullsrc=s=160x96:r=30:d=2,format=gray,lutyuv=y=200",
            "-f", "lavfi", "-i", "nullsrc=s=64x64:r=30:d=2,format=gray,lutyuv=y=100",
            "-f", "lavfi", "-i", "aevalsrc=0.5*sin(2*PI*1000*t):s=48000:d=2", "-map", "0", "-map",
            "1", "-map", "2", "-map", "2", "-c:v", "prores", "-c:a", "pcm_f32le",
            folder.path("upright.mov"),
        ])
        try ReferenceTools.ffmpeg([
            "-i", folder.path("upright.mov"), "-map", "0", "-c", "copy", "-metadata:s:v:0",
            "rotate=90", path,
        ])
        return path
    }

    private func render(_ job: RenderJob) async throws -> Asset {
        try await Renderer().render(try RenderPlan(job))
        return try Asset(at: job.destination)
    }

    private func levels(_ path: String, track: Int = 0) throws -> [Double] {
        let one = folder.path("\(UUID().uuidString).mkv")
        try ReferenceTools.ffmpeg([
            "-i", path, "-map", "0:v:\(track)", "-vf", "scale=160:120,format=gray", "-c:v", "ffv1",
            one,
        ])
        return try Finding.shownFrames(in: one).map(\.brightness)
    }

    private func settings(_ change: (inout RenderSettings) -> Void = { _ in }) -> RenderSettings {
        RenderSettings {
            $0.audio.codec = .pcm
            $0.output.existing = .overwrite
            change(&$0)
        }
    }

    private func faded(_ path: String, _ retiming: Retiming = .uniform) throws -> Segment {
        var segment = try Segment(
            PlacedClip(path, range: TimeRange(start: .zero, end: .seconds(2)), retiming: retiming))
        segment.blending = Blending(
            dissolve: .seconds(1), fadeOut: .milliseconds(500), gain: try Gain(decibels: -6))
        return segment
    }

    @Test("a faded clip keeps its tracks and its rotation, and fades in every one of them")
    func clipFades() async throws {
        let input = try clip()
        let out = folder.path("out.mov")
        for retiming in [Retiming.uniform, .reversed] {
            let asset = try await render(
                RenderJob(
                    Composition(of: faded(input, retiming)), to: out,
                    settings: settings { $0.video.codec = .prores }))
            #expect(
                asset.videoStreams.map(\.rotation)
                    == (try Asset(at: input)).videoStreams.map(\.rotation))
            #expect(asset.videoStreams[0].rotation != 0)
            #expect(asset.audioStreams.count == 2)
            for (track, grey) in [(0, 200.0), (1, 100.0)] {
                let whole = try levels(input, track: track)[0]
                let shown = try levels(out, track: track)
                #expect(shown.count == 60)
                for (frame, level) in shown.enumerated() {
                    let time = (Double(frame) + 0.5) / 30
                    let share = min(time, 1, (2 - time) / 0.5)
                    #expect(abs(level - whole * share) < 0.01 * grey + 1.5, "frame \(frame)")
                }
            }
            let sound = try Finding.sound(in: out, channelCount: 1)[0]
            let loudest = sound[48_000..<72_000].map(abs).max() ?? 0
            #expect(abs(Double(loudest) - 0.5 * pow(10, -6.0 / 20)) < 0.005)
            #expect(sound.prefix(5).allSatisfy { abs($0) < 1e-3 })
            #expect(sound.suffix(5).allSatisfy { abs($0) < 1e-3 })
        }
    }

    @Test("a part of the output has the fades of the whole")
    func part() async throws {
        let input = try clip()
        var job = RenderJob(
            try Composition(of: faded(input)), to: folder.path("whole.mov"),
            settings: settings { $0.video.codec = .prores })
        _ = try await render(job)
        job.destination = folder.path("part.mov")
        job.outputRange = .init(from: .milliseconds(500), to: .milliseconds(1800))
        _ = try await render(job)
        let whole = try levels(folder.path("whole.mov"))
        let part = try levels(folder.path("part.mov"))
        #expect(part.count == 39)
        for (frame, level) in part.enumerated() {
            #expect(abs(level - whole[frame + 15]) < 0.6, "frame \(frame)")
        }
        let (all, some) = (
            try Finding.sound(in: folder.path("whole.mov"), channelCount: 1)[0],
            try Finding.sound(in: folder.path("part.mov"), channelCount: 1)[0]
        )
        // Fades are computed every 32 samples, which lie elsewhere in the part.
        for sample in stride(from: 0, to: 62_000, by: 7) {
            #expect(abs(all[sample + 24_000] - some[sample]) < 2e-4)
        }
    }

    @Test("sound that keeps its speed is in a part of the output what it is there in the whole")
    func keptSound() async throws {
        let input = folder.path("in.mkv")
        try ReferenceTools.ffmpeg([
            "-f", "lavfi", "-i", "nullsrc=s=64x64:r=30:d=4", "-f", "lavfi", "-i",
            "aevalsrc=0.4*sin(2*PI*(200+150*t)*t):s=48000:d=4", "-c:v", "ffv1", "-c:a",
            "pcm_f32le", input,
        ])
        let range = { try TimeRange(start: .seconds($0), duration: .seconds(2)) }
        let slow = try Segment(
            PlacedClip(input, range: TimeRange(start: .zero, end: .seconds(4))),
            lasting: .seconds(8))
        let edit = Composition(
            name: "edit",
            tracks: [
                try Track(segments: [
                    Segment(PlacedClip(input, range: range(0)), lasting: .seconds(4)),
                    Segment(PlacedClip(input, range: range(2)), lasting: .seconds(3)),
                ])
            ])
        var louder = try Segment(
            PlacedClip("edit", range: TimeRange(start: .zero, end: .seconds(7))))
        louder.blending.gain = try Gain(decibels: 0.5)
        let whole = Composition(tracks: [try Track(segments: [louder])], timelines: [edit])
        for (number, timeline) in [try Composition(of: slow), edit, whole].enumerated() {
            var job = RenderJob(
                timeline, to: folder.path("whole\(number).mkv"),
                settings: settings {
                    $0.video.mode = .dropped
                    $0.audio.mode = .keep
                })
            _ = try await render(job)
            let all = try Finding.sound(in: job.destination, channelCount: 1)[0]
            job.outputRange = .init(from: .milliseconds(1500), to: .milliseconds(4750))
            job.destination = folder.path("part\(number).mkv")
            _ = try await render(job)
            let part = try Finding.sound(in: job.destination, channelCount: 1)[0]
            // Away from the ends, where it fades in and out for 5 ms.
            for sample in stride(from: 480, to: min(part.count, all.count - 72_000) - 480, by: 5) {
                #expect(abs(part[sample] - all[sample + 72_000]) < 1e-3, "\(number), \(sample)")
            }
        }
        // Louder, the sound of each segment keeps its speed as well.
        let (plain, loud) = (
            try Finding.sound(in: folder.path("whole1.mkv"), channelCount: 1)[0],
            try Finding.sound(in: folder.path("whole2.mkv"), channelCount: 1)[0]
        )
        let factor = Float(pow(10, 0.5 / 20))
        for sample in stride(from: 0, to: 330_000, by: 11) {
            #expect(abs(loud[sample] - factor * plain[sample]) < 1e-3, "sample \(sample)")
        }
    }

    @Test("packets can't be faded")
    func restamped() throws {
        let input = folder.path("in.mp4")
        try TestClip { $0.frameCount = 60 }.write(to: input)
        let error = #expect(throws: MediaError.self) {
            try RenderPlan(
                RenderJob(
                    Composition(of: faded(input)), to: folder.path("out.mkv"),
                    settings: settings {
                        $0.video.mode = .restamped
                        $0.video.rate = .any
                    }))
        }
        #expect(error?.reason.contains("has to be encoded") == true)
    }

    /// A second of a clip that counts its frames, and a second of another part of it.
    private func edit(of input: String) throws -> Composition {
        let range = { try TimeRange(start: .seconds($0), duration: .seconds(1)) }
        return Composition(
            name: "both",
            tracks: [
                try Track(segments: [
                    Segment(PlacedClip(input, range: range(2))),
                    Segment(PlacedClip(input, range: range(0))),
                ])
            ])
    }

    @Test("a timeline that contains another plays it, retimed as a whole")
    func contained() async throws {
        let input = folder.path("in.mkv")
        try TestClip {
            $0.frameCount = 90
            $0.videoCodec = .ffv1
        }.write(to: input)
        let inner = try edit(of: input)
        let whole = try TimeRange(start: .zero, end: .seconds(2))
        let segment = try Segment(
            PlacedClip(
                "both", range: whole, retiming: .thereAndBack(.uniform, turningAt: .seconds(2))))
        let outer = Composition(
            tracks: [try Track(segments: [segment])], timelines: [inner])
        let job = RenderJob(
            outer, to: folder.path("out.mkv"), settings: settings { $0.video.codec = .ffv1 })
        #expect(try RenderJob(json: job.json()) { _ in .zero } == job)
        _ = try await render(job)
        let numbers = try Finding.shownFrames(in: job.destination).map(\.number)
        let forward = Array(60..<90) + Array(0..<30)
        #expect(numbers == forward + forward.reversed())
        // Alone, with its source's format, it is what the inner timeline is.
        let alone = RenderJob(
            Composition(
                format: .asSource,
                tracks: [try Track(segments: [Segment(PlacedClip("both", range: whole))])],
                timelines: [inner]),
            to: folder.path("alone.mkv"), settings: job.settings)
        _ = try await render(alone)
        #expect(try Finding.shownFrames(in: alone.destination).map(\.number) == forward)
        // As an edit file it is the same; another format can't hold it.
        let file = folder.path("edit.json")
        try outer.json().write(to: URL(fileURLWithPath: file))
        let project = try CompositionProject(
            contentsOfFile: file, formats: ProjectFormats([EditFileFormat(), OtherFormat()]))
        #expect(project.composition == outer)
        #expect(throws: MediaError.self) { try project.file(named: folder.path("edit.other")) }
    }

    @Test(
        "a job that contains its projects needs only media, and makes the same with the same title")
    func projects() async throws {
        let input = folder.path("in.mkv")
        try TestClip {
            $0.frameCount = 90
            $0.videoCodec = .ffv1
        }.write(to: input)
        var inner = try edit(of: "in.mkv")
        inner.name = "My film"
        let file = folder.path("edit.json")
        try inner.json().write(to: URL(fileURLWithPath: file))
        let whole = try Segment(
            PlacedClip(file, range: TimeRange(start: .zero, end: .seconds(2)), retiming: .reversed))
        for timeline in [
            try Composition(of: whole), Composition(tracks: [try Track(segments: [whole])]),
        ] {
            var job = RenderJob(
                timeline, to: folder.path("named.mkv"),
                settings: settings { $0.video.codec = .ffv1 })
            _ = try await render(job)
            let named = try Asset(at: job.destination)
            let shown = try Finding.frameChecksums(in: job.destination)
            job.timeline = try timeline.containingProjects(MediaCatalogue(.editFiles))
            #expect(job.timeline.mediaFiles == [input])
            job.destination = folder.path("held.mkv")
            let held = try await render(job)
            #expect(try Finding.frameChecksums(in: job.destination) == shown)
            #expect(held.tags == named.tags)
            #expect(held.tags["title"] == (timeline.format == .asSource ? "My film" : nil))
        }
    }

    @Test("two contained timelines of one name are refused, with their place")
    func sameNames() throws {
        let error = try #require(throws: DocumentError.self) {
            try Composition(
                json: Data(
                    """
                    { "timewarp": "composition/1", "tracks": [],
                      "timelines": [ { "name": "a", "tracks": [] }, { "name": "a", "tracks": [] } ] }
                    """.utf8)
            ) { _ in .seconds(1) }
        }
        #expect("\(error)".contains("timelines"))
        #expect("\(error)".contains("two timelines have the name \"a\""))
    }

    /// A format that holds no timelines inside of others.
    private struct OtherFormat: ProjectFormat {
        let name = "another project"
        let extensions = ["other"]
        let largestFile = 1000

        func read(_ file: Data, _ media: ProjectMedia) throws -> ReadProject {
            ReadProject(Composition())
        }

        func write(
            _ composition: Composition, _ settings: ProjectSettings, _ media: ProjectMedia
        ) throws -> (file: Data, notes: [String]) {
            Issue.record("it isn't asked for that")
            return (Data(), [])
        }
    }

    @Test("each video track of the clips has a track in a composition, black where a clip has none")
    func videoTracks() async throws {
        let (two, one) = (try clip(), folder.path("one.mp4"))
        try TestClip { $0.frameCount = 30 }.write(to: one)
        let range = try TimeRange(start: .zero, end: .seconds(1))
        let timeline = Composition(tracks: [
            try Track(segments: [two, one].map { try Segment(PlacedClip($0, range: range)) })
        ])
        let job = RenderJob(
            timeline, to: folder.path("out.mov"), settings: settings { $0.video.codec = .prores })
        let plan = try RenderPlan(job)
        #expect(plan.video.count == 2)
        #expect(plan.warnings.contains { $0.contains("2 video tracks") })
        let asset = try await render(job)
        #expect(asset.videoStreams.count == 2)
        let second = try levels(job.destination, track: 1)
        #expect(second.count == 60)
        #expect(second[10] > 60 && second[50] < 1.5)
    }
}
