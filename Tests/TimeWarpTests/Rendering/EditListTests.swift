import Foundation
import Media
import TestSupport
import Testing

@testable import TimeWarp

/// Files whose edit lists hide some packets, as phones and editors leave them when a film is trimmed.
@Suite("Edit lists")
struct EditListTests {
    typealias Edit = MovieEdits.Edit

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let video: [Edit]
        let sound: [Edit]
        var encoder: [String] = []
        /// Whether nothing has to be hidden that other frames refer to.
        var fitsMatroska = false
    }

    private static let open = "open-gop=1:keyint=24:bframes=3:scenecut=0:b-adapt=0"

    static let kept = [
        Case(
            testDescription: "from the middle of a GOP", video: [Edit(2, from: 0.7)],
            sound: [Edit(2, from: 0.7)]),
        Case(
            testDescription: "to the middle of a GOP", video: [Edit(1.5, from: 0)],
            sound: [Edit(1.5, from: 0)]),
        Case(
            testDescription: "from and to", video: [Edit(1.5, from: 0.7)],
            sound: [Edit(1.5, from: 0.7)]),
        Case(
            testDescription: "within open GOPs", video: [Edit(1.5, from: 0.95)],
            sound: [Edit(1.5, from: 0.95)], encoder: ["-x264-params", open]),
        Case(
            testDescription: "within a pyramid of B-frames", video: [Edit(1.5, from: 0.7)],
            sound: [Edit(1.5, from: 0.7)],
            encoder: ["-bf", "6", "-x264-params", "b-pyramid=normal:b-adapt=0"]),
        Case(
            testDescription: "after an empty edit",
            video: [Edit(0.25, from: nil), Edit(2.5, from: 0)],
            sound: [Edit(2.75, from: 0)]),
        Case(
            testDescription: "both after an empty edit",
            video: [Edit(0.5, from: nil), Edit(2, from: 0)],
            sound: [Edit(0.5, from: nil), Edit(2, from: 0)], fitsMatroska: true),
        Case(
            testDescription: "of the sound alone", video: [Edit(3, from: 0)],
            sound: [Edit(2, from: 0.7)], fitsMatroska: true),
    ]
    static let several = [
        Case(
            testDescription: "two parts", video: [Edit(0.5, from: 0.2), Edit(1, from: 1.7)],
            sound: [Edit(1.5, from: 0.2)]),
        Case(
            testDescription: "a part twice", video: [Edit(1, from: 0.5), Edit(1, from: 0.5)],
            sound: [Edit(2, from: 0.5)]),
        Case(
            testDescription: "parts in another order",
            video: [Edit(1, from: 1.5), Edit(1, from: 0.2)],
            sound: [Edit(2, from: 0.2)]),
    ]

    private func write(_ c: Case, to path: String) throws {
        try ReferenceTools.ffmpeg(
            [
                "-f", "lavfi", "-i", "testsrc2=s=160x96:r=30:d=3", "-f", "lavfi", "-i",
                "aevalsrc='if(lt(abs(mod(t,1)-0.45),0.001),0.8,0)':s=48000:d=3", "-c:v", "libx264",
                "-pix_fmt", "yuv420p", "-g", "30", "-bf", "2",
            ] + c.encoder + ["-c:a", "aac", path])
        try MovieEdits.set([c.video, c.sound], in: path)
    }

    @Test("a copy shows and plays what the edit list does, or is refused", arguments: kept)
    func copies(c: Case) async throws {
        let folder = try TemporaryFolder()
        let input = folder.path("in.mp4")
        try write(c, to: input)
        let asset = try Asset(at: input)
        let before = try Finding.decodedFrames(in: input)
        let heard = Finding.clicks(
            in: try Finding.sound(in: input, channelCount: 1)[0], sampleRate: 48_000)
        for ending in ["mp4", "mov"] {
            let plan = try RenderPlan(copying: asset, to: folder.path("out." + ending))
            try await Renderer().render(plan)
            let after = try Finding.decodedFrames(in: plan.destination)
            #expect(after.map(\.checksum) == before.map(\.checksum))
            for (old, new) in zip(before, after) {
                #expect(abs(new.seconds - old.seconds + asset.origin.seconds) < 1e-4)
            }
            let clicks = Finding.clicks(
                in: try Finding.sound(in: plan.destination, channelCount: 1)[0],
                sampleRate: 48_000)
            #expect(clicks.count == heard.count)
            for (old, new) in zip(heard, clicks) {
                #expect(abs(new - old + asset.origin.seconds) < 0.001)
            }
        }
        let matroska = folder.path("out.mkv")
        guard !c.fitsMatroska else {
            try await Renderer().render(try RenderPlan(copying: asset, to: matroska))
            let after = try Finding.frameChecksums(in: matroska)
            #expect(after == before.map(\.checksum))
            return
        }
        let error = #expect(throws: MediaError.self) {
            try RenderPlan(copying: asset, to: matroska)
        }
        #expect(error?.file == input)
        #expect(error?.remedy?.description.contains(".mp4 or .mov") == true)
    }

    @Test(
        "several parts are rendered in both directions, and a copy of them is refused",
        arguments: several)
    func parts(c: Case) async throws {
        let folder = try TemporaryFolder()
        let input = folder.path("in.mp4")
        try write(c, to: input)
        let asset = try Asset(at: input)
        #expect(throws: MediaError.self) {
            try RenderPlan(copying: asset, to: folder.path("out.mp4"))
        }
        let before = try Finding.decodedFrames(in: input).map(\.checksum)
        let settings = RenderSettings {
            $0.video.rate = .any
            $0.video.codec = .ffv1
        }
        for (clip, name) in [
            (try Clip(of: MediaSource(asset)) { .identity($0) }, "forward.mkv"),
            (try Clip(reversing: MediaSource(asset)), "backward.mkv"),
        ] {
            try await Renderer().render(
                try RenderPlan(clip, to: folder.path(name), settings: settings))
            let after = try Finding.decodedFrames(in: folder.path(name)).map(\.checksum)
            #expect(after == (name == "forward.mkv" ? before : before.reversed()))
        }
    }

    @Test(
        "packets get new times only where frames after the end can be hidden",
        arguments: ["mp4", "mov", "mkv"])
    func overhang(ending: String) async throws {
        let folder = try TemporaryFolder()
        let (input, output) = (folder.path("in.mp4"), folder.path("out." + ending))
        // Stored as 0 4 1 2 3 8 5 6 7: frame 5 needs frame 8.
        try ReferenceTools.ffmpeg([
            "-f", "lavfi", "-i", "testsrc2=s=160x96:r=30:d=1", "-pix_fmt", "yuv420p", "-c:v",
            "libx264", "-x264-params", "bframes=3:b-adapt=0:b-pyramid=none:scenecut=0", input,
        ])
        let asset = try Asset(at: input)
        let range = try TimeRange(start: .zero, end: RationalTime(6, over: 30))
        let clip = try Clip(of: MediaSource(asset), range: range, scaled: .factor(2, over: 1))
        let settings = RenderSettings {
            $0.video.rate = .any
            $0.video.mode = .restamped
        }
        guard ending != "mkv" else {
            let error = #expect(throws: MediaError.self) {
                try RenderPlan(clip, to: output, settings: settings)
            }
            #expect(error?.reason.contains("can't hide the frames after the end") == true)
            return
        }
        try await Renderer().render(try RenderPlan(clip, to: output, settings: settings))
        let before = try Finding.frameChecksums(in: input)
        #expect(try Finding.frameChecksums(in: output) == Array(before.prefix(6)))
        #expect(abs(try Asset(at: output).duration.seconds - 12.0 / 30) < 0.001)
    }

    @Test(
        "turns, reflections and scales are kept",
        arguments: [
            [0, 1, 0, -1, 0, 0, 96, 0, 1], [-1, 0, 0, 0, 1, 0, 160, 0, 1],
            [0, 1, 0, 1, 0, 0, 0, 0, 1],
            [0.75, 0, 0, 0, 1, 0, 0, 0, 1],
        ])
    func matrices(matrix: [Double]) async throws {
        let folder = try TemporaryFolder()
        let input = folder.path("in.mp4")
        try TestClip { $0.frameCount = 5 }.write(to: input)
        try MovieEdits.setMatrix(matrix, in: input)
        func look(_ path: String) throws -> [String] {
            try ReferenceTools.ffprobe([
                "-select_streams", "v", "-show_entries",
                "stream=sample_aspect_ratio:stream_side_data=displaymatrix", path,
            ])
        }
        for ending in ["mp4", "mov"] {
            let plan = try RenderPlan(
                copying: Asset(at: input), to: folder.path("out." + ending))
            try await Renderer().render(plan)
            #expect(try look(plan.destination) == look(input))
        }
    }
}
