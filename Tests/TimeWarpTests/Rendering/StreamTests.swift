import Foundation
import TestSupport
import Testing
import TimeMaps

@testable import Media
@testable import TimeWarp

@Suite("Playing what would be written")
struct StreamTests {
    private static let files = KeptFiles()

    /// Four seconds of moving edges, each frame another one, under two sweeps.
    private static func source(_ name: String, _ encoder: [String], rate: Int = 25) throws -> String
    {
        try files.file(name) { path in
            let picture = "testsrc2=size=160x120:rate=\(rate):duration=4"
            let sound = "aevalsrc=0.3*sin(2*PI*(300+60*t)*t)|0.3*sin(2*PI*(500-20*t)*t):s=48000:d=4"
            _ = try ReferenceTools.ffmpeg(
                ["-f", "lavfi", "-i", picture, "-f", "lavfi", "-i", sound, "-g", "20"] + encoder
                    + [path])
        }
    }

    private static let h264 = ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "aac"]

    /// Segments, and the settings of video and audio, as a job has them; `IN` is a file.
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let segments: String
        var format = "\"source\""
        var video = ""
        var audio = ""
        var clip = "clip.mp4"
        var testDescription: String { name }
    }

    private static let ramp =
        #"{"media":"IN","range":["0","4"],"warp":{"curve":"ramp","factor":2}}"#
    private static let held = """
        {"media":"IN","range":["0","4"],"warp":{"keyframes":[{"at":"0s","speed":1},{"at":"1.5s","speed":0},\
        {"at":"2s","speed":0.5},{"at":"4s","speed":2}]}}
        """
    private static let backwards = #"{"media":"IN","range":["0.5","3.5"],"play":"reversed"}"#
    private static let edit = """
        {"media":"IN","range":["0.4","1.6"]},{"media":"IN","range":["2","3"],"dissolve":"0.5"},\
        {"media":"IN","range":["0","2"],"warp":{"curve":"ramp","factor":0.5}}
        """

    static let cases = [
        Case(name: "held", segments: ramp),
        Case(name: "blended", segments: held, video: #""frames":"blend""#),
        Case(name: "made from motion", segments: ramp, video: #""frames":"motion""#),
        Case(name: "with a shutter", segments: ramp, video: #""shutter":180,"rate":"12""#),
        Case(name: "backwards", segments: backwards, video: #""frames":"blend""#),
        Case(
            name: "there and back",
            segments: #"{"media":"IN","range":["0","3"],"thereAndBack":"3"}"#),
        Case(name: "every frame once", segments: ramp, video: #""rate":"any""#),
        Case(name: "an edit", segments: edit, format: "{}"),
        Case(name: "with its pitch", segments: ramp, audio: #""mode":"keep-pitch""#),
        Case(name: "ten bits", segments: held, clip: "ten.mkv"),
        Case(name: "ProRes", segments: ramp, clip: "large.mov"),
        Case(name: "times that aren't stated", segments: ramp, clip: "raw.h264"),
        Case(
            name: "every frame once, of times that aren't stated", segments: ramp,
            video: #""rate":"any""#, clip: "raw.h264"),
    ]

    private static func job(_ test: Case, to destination: String) throws -> RenderJob {
        let encoder =
            switch test.clip {
            case "ten.mkv":
                [
                    "-c:v", "libx265", "-x265-params", "log-level=error", "-pix_fmt", "yuv420p10le",
                    "-c:a", "aac",
                ]
            case "raw.h264": ["-map", "0", "-c:v", "libx264", "-pix_fmt", "yuv420p"]
            case "large.mov": ["-c:v", "prores_ks", "-s", "480x360", "-c:a", "pcm_s16le"]
            default: h264
            }
        let path = try source(test.clip, encoder)
        let format = test.format == "{}" ? "" : "\"format\":\(test.format),"
        let json = """
            {"timewarp":"job/1","timeline":{\(format)"tracks":[{"segments":[\
            \(test.segments.replacing("IN", with: path))]}]},"output":{"path":"\(destination)"},\
            "video":{\(test.video)},"audio":{\(test.audio)}}
            """
        return try RenderJob(json: Data(json.utf8)) { _ in .seconds(4) }
    }

    private static func write(_ stream: RenderStream, to path: String) async throws {
        var bytes = Data()
        for try await piece in stream {
            bytes += piece
        }
        try bytes.write(to: URL(fileURLWithPath: path))
    }

    /// The luma of a file's frames, and when they are shown.
    private static func frames(of path: String, _ size: String = "160x120") throws -> [(
        seconds: Double, luma: ArraySlice<UInt8>
    )] {
        let folder = try TemporaryFolder()
        _ = try ReferenceTools.ffmpeg([
            "-i", path, "-map", "0:v:0", "-fps_mode", "passthrough", "-vf",
            "scale=\(size.replacing("x", with: ":"))", "-pix_fmt", "gray", "-f",
            "rawvideo", folder.path("raw"),
        ])
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder.path("raw"))))
        let times = try Finding.frameTimes(in: path)
        let count = bytes.count / max(1, times.count)
        return times.enumerated().map { ($1, bytes[$0 * count..<($0 + 1) * count]) }
    }

    /// The first channel, and when its first sample is heard by the file's clock.
    private static func sound(of path: String) throws -> (start: Double, samples: [Float]) {
        let folder = try TemporaryFolder()
        _ = try ReferenceTools.ffmpeg([
            "-i", path, "-map", "0:a:0", "-af", "pan=mono|c0=c0", "-f", "f32le",
            folder.path("raw"),
        ])
        let samples = try Data(contentsOf: URL(fileURLWithPath: folder.path("raw")))
            .withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
        let start = try ReferenceTools.ffprobe([
            "-select_streams", "a:0", "-show_entries", "packet=pts_time", "-read_intervals", "%+#1",
            path,
        ]).first.flatMap { Double($0.split(separator: ",")[0]) }
        return (start ?? 0, samples)
    }

    @Test("from any instant on, frames and samples are those of the render", arguments: cases)
    func same(test: Case) async throws {
        let folder = try TemporaryFolder()
        let written = folder.path("written.mkv")
        var job = try Self.job(test, to: written)
        let plan = try RenderPlan(streaming: job, shortSide: 120)
        (job.settings.video.codec, job.settings.audio.codec) = (.ffv1, .pcm)
        try await Renderer().render(try RenderPlan(job))
        let wanted = try Self.frames(of: written)
        let heard = test.clip == "raw.h264" ? (start: 0, samples: []) : try Self.sound(of: written)
        // The later ones find frames that the earlier ones have decoded.
        let cache = FrameCache(bytes: 16 << 20)
        let instants: [Int64] = test.name == "held" ? [2345, 0, 45, 730, 1500] : [730, 0]
        for milliseconds in instants {
            let path = folder.path("stream.mp4")
            let from = RationalTime(milliseconds, over: 1000)
            try await Self.write(Renderer().stream(plan, from: from, cache: cache), to: path)
            let first = wanted.lastIndex { $0.seconds <= from.seconds + 1e-3 } ?? 0
            let shown = try Self.frames(of: path)
            #expect(shown.count == wanted.count - first, "from \(milliseconds)")
            let lead = RenderStream.lead.seconds
            for (made, original) in zip(shown, wanted[first...]) {
                #expect(abs(made.seconds - lead - original.seconds) < 0.0011)
                let psnr = TestPlane.ratio(made.luma, original.luma)
                #expect(psnr > 32, "\(original.seconds) from \(milliseconds)")
            }
            guard test.clip != "raw.h264" else {
                continue
            }
            let sound = try Self.sound(of: path)
            let place = Int(((sound.start - lead) * 48_000).rounded())
            // AAC's first frames lack what comes before; and where sound keeps its pitch it is cut at other places.
            let isCutElsewhere = test.audio.contains("keep-pitch") && milliseconds > 45
            let runs = Likeness.runs(
                of: 1024, in: sound.samples, farFrom: heard.samples, at: place, margin: 4096,
                limit: 0.03)
            // The encoder makes noise of a tone now and then.
            #expect(
                isCutElsewhere || runs.far * 20 < runs.all, "\(runs.far) from \(milliseconds)")
            let end = Double(heard.samples.count) - Double(place + sound.samples.count)
            #expect(abs(end) < 2048)
        }
    }

    @Test(
        "it begins at once in the middle of an hour, and ends when it is let go",
        .timeLimit(.minutes(5)))
    func pace() async throws {
        // An hour of slow motion.
        let test = Case(
            name: "",
            segments:
                #"{"media":"IN","range":["0","4"],"warp":{"curve":"constant","factor":900}}"#)
        let plan = try RenderPlan(streaming: try Self.job(test, to: "/nowhere/out.mp4"))
        func begin() async throws -> StageGroup {
            let stream = Renderer().stream(plan, from: .seconds(2000))
            var pieces = stream.makeAsyncIterator()
            let head = try await pieces.next()
            #expect(head?.dropFirst(4).prefix(4) == Data("ftyp".utf8))
            #expect(try await pieces.next() != nil)
            return stream.owner.stages
        }
        await (try begin()).ended()
    }

    @Test("the first frames come by themselves, before a fifth of a second of them is made")
    func firstFrames() async throws {
        let plan = try RenderPlan(streaming: try Self.job(Self.cases[0], to: "/nowhere/out.mp4"))
        var bytes = Data()
        for try await piece in Renderer().stream(plan, from: .seconds(3)) {
            bytes += piece
        }
        // How many samples each run of a track has, of which video is the first.
        var (place, counts) = (bytes.startIndex, [UInt32]())
        while let run = bytes.range(of: Data("trun".utf8), in: place..<bytes.endIndex) {
            counts.append(
                bytes[run.upperBound + 4..<run.upperBound + 8].reduce(0) { $0 << 8 | UInt32($1) })
            place = run.upperBound
        }
        #expect(counts.first == 2)
        #expect(counts.dropFirst(2).first == 5)
    }

    @Test("what isn't shown for long isn't decoded beside what is")
    func turns() async throws {
        // Noise, of which a second is a good part of what may wait for the player.
        let path = try Self.files.file("noise.mp4") { path in
            _ = try ReferenceTools.ffmpeg([
                "-f", "lavfi", "-i",
                "color=gray:size=160x120:rate=25:duration=4,noise=alls=90:allf=t", "-g", "20",
                "-c:v", "libx264", "-pix_fmt", "yuv420p", path,
            ])
        }
        let segments = """
            {"media":"IN","range":["0","2"],"warp":{"curve":"constant","factor":100}},\
            {"media":"IN","range":["2","4"]}
            """.replacing("IN", with: path)
        let job = try Self.job(
            Case(name: "", segments: segments, format: "{}", video: #""rate":"5""#),
            to: "/nowhere/out.mp4")
        let plan = try RenderPlan(streaming: job, shortSide: 120)
        let cache = FrameCache(bytes: 64 << 20)
        var byteCount = 0
        for try await piece in Renderer().stream(plan, from: .zero, cache: cache) {
            byteCount += piece.count
            if byteCount > 1_500_000 {
                break
            }
        }
        let source = FrameCache.Source(
            path: path, stamp: try FileStamp(of: path), stream: 0, shortSide: 120)
        #expect(cache[source, 0] != nil)
        #expect((50..<100).allSatisfy { cache[source, $0] == nil })
    }

    @Test("video that is copied from another file is refused")
    func copied() throws {
        var job = try Self.job(Self.cases[0], to: "/nowhere/out.mp4")
        job.settings.video.mode = .copied(from: "film.mp4")
        let error = #expect(throws: MediaError.self) { try RenderPlan(streaming: job) }
        #expect(error?.file == "film.mp4")
    }

    @Test("what can't be read ends it with the error, and cancelling ends it")
    func ends() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("in.mp4")
        try FileManager.default.copyItem(
            atPath: try Self.source("clip.mp4", Self.h264), toPath: path)
        let segments = #"{"media":"\#(path)","range":["0","4"]}"#
        let job = try Self.job(Case(name: "", segments: segments), to: folder.path("out.mp4"))
        let plan = try RenderPlan(streaming: job)
        let task = Task {
            for try await _ in Renderer().stream(plan) {
                withUnsafeCurrentTask { $0?.cancel() }
            }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        try FileManager.default.removeItem(atPath: path)
        await #expect(throws: MediaError.self) {
            try await Self.write(Renderer().stream(plan), to: folder.path("stream.mp4"))
        }
        #expect(!FileManager.default.fileExists(atPath: folder.path("out.mp4")))
    }
}
