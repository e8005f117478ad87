import CMalloc
import Foundation
import Media
import Pages
import Synchronization
import TestSupport
import Testing
import TimeMaps

@testable import Stories
@testable import StoryBuilding
@testable import TimeWarp

/// Builds small stories and checks the results with independent programs.
@Suite("Building stories")
struct StoryBuilderTests {
    private static let story = """
        { "timewarp": "story/1", "title": "Tea & <cake>", "language": "de", "start": "first",
          "segments": {
            "aside": { "media": "small.mov", "range": ["0.2", "0.7"], "then": "last" },
            "first": { "media": "clip.mp4", "range": ["0", "1"],
              "events": [ { "at": "0.5", "do": "showControls" }, { "at": "0.9", "do": "decide" },
                { "at": "0.95", "do": "never" } ],
              "choices": [ { "label": "In", "goto": "slow" }, { "label": "Out", "goto": "aside" } ],
              "default": "slow" },
            "slow": { "media": "clip.mp4", "range": ["1", "2"], "role": "winning",
              "timeMap": [ { "output": 0, "source": 0 }, { "output": 2, "source": 1 } ],
              "captions": [ { "file": "words.vtt", "language": "de", "label": "Deutsch" } ],
              "events": [ { "at": "1.5", "do": "bell" } ],
              "then": "last" },
            "last": { "media": "silent.mp4", "role": "epilogue" } } }
        """

    private func project(in folder: TemporaryFolder) throws -> StoryProject {
        try TestClip { $0.frameCount = 60 }.write(to: folder.path("clip.mp4"))
        try TestClip {
            ($0.width, $0.height, $0.rate, $0.frameCount) = (320, 240, FrameRate(known: 25), 25)
            ($0.sampleRate, $0.channelCount) = (44_100, 1)
        }.write(to: folder.path("small.mov"))
        try TestClip { ($0.frameCount, $0.audioCodec) = (20, nil) }.write(
            to: folder.path("silent.mp4"))
        try "WEBVTT\n\n00:01.500 --> 00:01.750 line:0\nOne\nline\n".write(
            toFile: folder.path("words.vtt"), atomically: true, encoding: .utf8)
        try Self.story.write(
            toFile: folder.path("story.json"), atomically: true, encoding: .utf8)
        return try StoryProject(contentsOfFile: folder.path("story.json"))
    }

    private var settings: RenderSettings { RenderSettings { $0.video.preset = "veryfast" } }

    @Test("segments in slow motion get frames made from motion")
    func motion() async throws {
        let folder = try TemporaryFolder()
        let project = try project(in: folder)
        var files: [Data] = []
        for frames in [RenderSettings.FrameSynthesis.hold, .motion] {
            let output = folder.path("\(frames)")
            let settings = RenderSettings(settings) { $0.video.frames = frames }
            let report = try await StoryBuilder(project, settings: settings).build(
                to: .folder(output))
            let segment = try #require(report.manifest.segments["slow"])
            #expect(segment.frames == 60)
            files.append(
                try Data(contentsOf: URL(fileURLWithPath: output + "/" + segment.file)))
        }
        #expect(files[0] != files[1])
    }

    @Test("pieces have about the same number of frames")
    func pieces() throws {
        let folder = try TemporaryFolder()
        let project = try project(in: folder)
        // The media files have 27, 60, 20 and 15 frames.
        for (count, files) in [(2, [0..<2, 2..<4]), (3, [0..<1, 1..<2, 2..<4])] {
            let builder = StoryBuilder(
                project, settings: RenderSettings(settings) { $0.resources.pieces = count })
            let pieces = try builder.plannedPieces(besides: folder.path("film"))
            #expect(pieces.map(\.files) == files)
            #expect(abs(pieces.map(\.share).reduce(0, +) - 1) < 1e-12)
        }
    }

    @Test("every segment is whole frames at its place on one timeline, and winning comes first")
    func media() async throws {
        let folder = try TemporaryFolder()
        let output = folder.path("film")
        let report = try await StoryBuilder(project(in: folder), settings: settings).build(
            to: .folder(output))
        let manifest = report.manifest
        let order = manifest.segments.sorted { $0.value.start < $1.value.start }
        #expect(order.map(\.key) == ["first", "slow", "last", "aside"])
        #expect(order.map(\.value.frames) == [27, 60, 20, 15])
        #expect(manifest.media.type.hasPrefix("video/mp4; codecs=\"avc1."))
        #expect(manifest.media.type.hasSuffix(", mp4a.40.2\""))
        #expect(manifest.segments["slow"]?.events.map(\.at) == [1])
        // The initialisation segment and all media segments together are one playable file.
        var bytes = try Data(contentsOf: URL(fileURLWithPath: output + "/media/init.mp4"))
        for (_, segment) in order {
            bytes += try Data(contentsOf: URL(fileURLWithPath: output + "/" + segment.file))
        }
        let whole = folder.path("whole.mp4")
        try bytes.write(to: URL(fileURLWithPath: whole))
        let shown = try Finding.shownFrames(in: whole)
        // The first segment is left at its decision.
        #expect(manifest.segments["first"]?.events.map(\.cue) == [.showControls, .decide])
        var expected: [Int?] = Array(0..<27)
        expected += (0..<60).map { 30 + $0 / 2 }
        expected += Array(0..<20)
        expected += (0..<15).map { (tick: Int) -> Int in
            let place = 0.2 + Double(tick) / 30
            return Int(place * 25 + 1e-6)
        }
        #expect(shown.map(\.number) == expected)
        let times = order.flatMap { entry -> [Double] in
            let start = entry.value.start
            return (0..<entry.value.frames).map { (tick: Int) -> Double in start + Double(tick) / 30
            }
        }
        for (frame, time) in zip(shown, times) {
            #expect(abs(frame.seconds - time) < 2e-5)
        }
        // Each segment begins with a keyframe. Its sound begins earlier, by as much as a decoder needs to settle.
        let keys = try ReferenceTools.ffprobe([
            "-select_streams", "v", "-show_entries", "packet=pts_time,flags", whole,
        ]).filter { $0.contains("K") }.compactMap { Double($0.split(separator: ",")[0]) }
        let sounds = try ReferenceTools.ffprobe([
            "-select_streams", "a", "-show_entries", "packet=pts_time", whole,
        ]).compactMap { Double($0.split(separator: ",")[0]) }
        for (_, segment) in order {
            #expect(keys.contains { (key: Double) -> Bool in abs(key - segment.start) < 1e-5 })
            let settling = 0.2 + 1024 / 48_000.0
            let first = segment.start - settling
            #expect(sounds.contains { (sound: Double) -> Bool in abs(sound - first) < 2e-5 })
        }
    }

    @Test("where its author says so, a segment dissolves with the one that was left for it")
    func dissolve() async throws {
        let folder = try TemporaryFolder()
        for (name, level, hertz) in [("dark", 40, 400), ("light", 200, 1000)] {
            try ReferenceTools.ffmpeg([
                "-f", "lavfi", "-i", "nullsrc=s=160x120:r=30:d=2,format=gray,lutyuv=y=\(level)",
                "-f", "lavfi", "-i", "aevalsrc=0.5*sin(2*PI*\(hertz)*t):s=48000:d=2",
                "-c:v", "ffv1", "-c:a", "pcm_f32le", folder.path("\(name).mkv"),
            ])
        }
        // The first one's media file ends within the dissolve, and its last frame is held there.
        try """
        { "timewarp": "story/1", "title": "Dissolves", "start": "first",
          "segments": {
            "first": { "media": "dark.mkv", "range": ["1", "1.75"], "then": "second" },
            "second": { "media": "light.mkv", "range": ["0", "1.5"], "dissolve": "0.5", "role": "epilogue" } } }
        """.write(toFile: folder.path("story.json"), atomically: true, encoding: .utf8)
        let output = folder.path("film")
        let report = try await StoryBuilder(
            StoryProject(contentsOfFile: folder.path("story.json")), settings: settings
        ).build(to: .folder(output))
        let second = try #require(report.manifest.segments["second"])
        let dissolve = try #require(second.dissolve)
        #expect(second.frames == 45)
        #expect(dissolve.frames == 15)
        #expect(report.manifest.segments["first"]?.dissolve == nil)
        let mixed = try #require(dissolve.from["first"])
        func shown(_ name: String) throws -> (levels: [Double], path: String) {
            let path = folder.path("shown.mp4")
            let bytes = try ["media/init.mp4", name].reduce(Data()) {
                $0 + (try Data(contentsOf: URL(fileURLWithPath: output + "/" + $1)))
            }
            try bytes.write(to: URL(fileURLWithPath: path))
            return (try Finding.shownFrames(in: path).map(\.brightness), path)
        }
        let (levels, path) = try shown(mixed.file)
        #expect(levels.count == 15)
        for (frame, level) in levels.enumerated() {
            let share = (Double(frame) + 0.5) / 15
            #expect(abs(level - (40 + share * 160)) <= 3, "frame \(frame)")
        }
        // The sound goes over with even power, while both are heard.
        let sound = try Finding.sound(in: path, channelCount: 1)[0]
        for place in [0.02, 0.12, 0.23, 0.48] {
            let middle = Int((mixed.start + place) * 48_000)
            let window = sound[middle - 480..<middle + 480]
            let loud = (2 * window.reduce(0) { $0 + $1 * $1 } / 960).squareRoot()
            #expect(abs(loud - 0.5) < 0.03, "at \(place) s")
        }
        #expect(try shown(dissolve.rest.file).levels.count == 30)
        #expect(try shown(dissolve.rest.file).levels.allSatisfy { abs($0 - 200) <= 3 })
        #expect(try shown(second.file).levels.count == 45)
    }

    @Test("what would be said after a segment's end is left out")
    func captionsEnd() throws {
        let captions = try WebVTT(
            text: "WEBVTT\n\n00:00.500 --> 00:01.200\nBefore\n\n00:01.000 --> 00:02.000\nAfter\n",
            path: "words.vtt")
        #expect(
            captions.retimed(through: .identity(.seconds(2)), from: 0, until: 0.9)
                == "WEBVTT\n\n00:00:00.500 --> 00:00:00.900\nBefore\n")
    }

    @Test("the folder has the player, the manifest and captions at their new times")
    func folder() async throws {
        let folder = try TemporaryFolder()
        let output = folder.path("film")
        _ = try await StoryBuilder(project(in: folder), settings: settings).build(
            to: .folder(output))
        let page = try String(contentsOfFile: output + "/index.html", encoding: .utf8)
        #expect(page.contains("<html lang=\"de\" dir=\"ltr\">"))
        #expect(page.contains("<title>Tea &amp; &lt;cake&gt;</title>"))
        let manifest = try StoryManifest(
            json: Data(contentsOf: URL(fileURLWithPath: output + "/story.json")))
        let captions = try #require(manifest.segments["slow"]?.captions.first)
        #expect(captions.language == "de")
        let words = try String(contentsOfFile: output + "/" + captions.file, encoding: .utf8)
        #expect(words == "WEBVTT\n\n00:00:01.000 --> 00:00:01.500 line:0\nOne\nline\n")
        for name in WebPages.player.keys {
            #expect(FileManager.default.fileExists(atPath: output + "/" + name))
        }
        #expect(try folder.contents.allSatisfy { !$0.contains("timewarp-part") })
    }

    @Test("the single page holds everything and loads nothing")
    func singlePage() async throws {
        let folder = try TemporaryFolder()
        let output = folder.path("film.html")
        let report = try await StoryBuilder(project(in: folder), settings: settings).build(
            to: .singleFile(output))
        let page = try String(contentsOfFile: output, encoding: .utf8)
        #expect(page.utf8.count == report.byteCount)
        #expect(!page.contains("from \"."))
        #expect(!page.contains("modulepreload"))
        #expect(page.contains("data:video/mp4;base64,"))
        #expect(page.contains("data:text/vtt;base64,"))
    }

    @Test(
        "nothing but a story that was built before is replaced, and a cancelled build leaves none")
    func places() async throws {
        let folder = try TemporaryFolder()
        let project = try project(in: folder)
        let precious = folder.path("precious")
        try FileManager.default.createDirectory(
            atPath: precious, withIntermediateDirectories: false)
        var overwriting = settings
        overwriting.output.existing = .overwrite
        for settings in [settings, overwriting] {
            await #expect(throws: MediaError.self) {
                try await StoryBuilder(project, settings: settings).build(to: .folder(precious))
            }
        }
        let before = try folder.contents
        let task = Task(priority: .high) { [settings] in
            try await StoryBuilder(project, settings: settings).build(
                to: .folder(folder.path("film"))
            ) { _ in
                withUnsafeCurrentTask { $0?.cancel() }
            }
        }
        task.cancel()
        await #expect(throws: (any Error).self) { try await task.value }
        #expect(try folder.contents == before)
    }

    @Test("what didn't change is taken over, at its new place, as if it had been made again")
    func takenOver() async throws {
        let folder = try TemporaryFolder()
        var project = try project(in: folder)
        let settings = RenderSettings(settings) { $0.output.existing = .overwrite }
        var made: Set<String> = []
        // x264 reads memory that it never wrote.
        tw_hand_out_zeros(1)
        defer { tw_hand_out_zeros(0) }
        /// Builds into a folder that is there or not.
        func build(_ name: String) async throws -> [String: Data] {
            let rendered = Mutex<Set<String>>([])
            _ = try await StoryBuilder(project, settings: settings).build(
                to: .folder(folder.path(name))
            ) { progress in
                rendered.withLock { _ = $0.insert(progress.name) }
            }
            made = rendered.withLock { $0 }
            return try Self.files(in: folder.path(name))
        }
        _ = try await build("film")
        #expect(made.count == 4)
        let again = try await build("film")
        #expect(made.isEmpty)
        #expect(try await again == build("fresh"))
        // The first segment is shorter, so that all others move, one is renamed, and one dissolves.
        let changed = Self.story.replacing(
            "\"range\": [\"0\", \"1\"]", with: "\"range\": [\"0\", \"0.99\"]"
        )
        .replacing("aside", with: "elsewhere").replacing(
            "\"role\": \"epilogue\"", with: "\"role\": \"epilogue\", \"dissolve\": 0.2")
        #expect(changed != Self.story)
        try changed.write(toFile: folder.path("story.json"), atomically: true, encoding: .utf8)
        project = try StoryProject(contentsOfFile: folder.path("story.json"))
        let rebuilt = try await build("film")
        #expect(made == ["first", "slow → last", "elsewhere → last", "last, after a dissolve"])
        let fresh = try await build("other")
        #expect(fresh.keys.sorted() == rebuilt.keys.sorted())
        #expect(fresh.filter { $1 != rebuilt[$0] }.keys.sorted() == [])
        // A file that somebody has changed, and one whose clip has, are made again.
        try Data("x".utf8).write(to: folder.url.appending(path: "film/media/001-first.m4s"))
        try TestClip { $0.frameCount = 60 }.write(to: folder.path("clip.mp4"))
        project = try StoryProject(contentsOfFile: folder.path("story.json"))
        #expect(try await build("film").keys.sorted() == rebuilt.keys.sorted())
        #expect(made == ["first", "slow", "slow → last"])
    }

    /// The files of a film, without the record of what they were made from.
    private static func files(in folder: String) throws -> [String: Data] {
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder)
        return names.filter { $0 != BuildRecord.path }.reduce(into: [:]) {
            $0[$1] = FileManager.default.contents(atPath: folder + "/" + $1)
        }
    }

    @Test("what a story is made of is never replaced, whatever it is called")
    func inputsStay() async throws {
        let folder = try TemporaryFolder()
        let project = try project(in: folder)
        let before = try folder.contents
        var overwriting = settings
        overwriting.output.existing = .overwrite
        let outputs: [StoryBuilder.Output] = [
            .folder(folder.url.path), .folder(folder.path("clip.mp4")),
            .singleFile(folder.path("story.json")), .singleFile(folder.path("words.vtt")),
        ]
        for output in outputs {
            await #expect(throws: MediaError.self, "\(output)") {
                try await StoryBuilder(project, settings: overwriting).build(to: output)
            }
        }
        #expect(try folder.contents == before)
    }

    @Test("clips that mean colours otherwise, or are deeper, become one kind that browsers play")
    func unlikeColours() async throws {
        let folder = try TemporaryFolder()
        let filters = ["a.mp4": "yuv420p10le", "b.mkv": "yuv422p", "c.mp4": "yuv420p"]
        for (name, format) in filters {
            try ReferenceTools.ffmpeg([
                "-f", "lavfi", "-i", "testsrc2=s=160x120:r=30:d=0.4", "-f", "lavfi", "-i",
                "sine=r=44100:d=0.4", "-pix_fmt", format, "-c:v", "libx264", "-preset",
                "ultrafast", "-color_primaries", name == "c.mp4" ? "bt709" : "smpte170m",
                folder.path(name),
            ])
        }
        try """
        { "timewarp": "story/1", "title": "\u{0600}<script>x</script>", "start": "a", "segments": {
            "a": { "media": "a.mp4", "then": "b" }, "b": { "media": "b.mkv", "then": "c" },
            "c": { "media": "c.mp4", "role": "epilogue" } } }
        """.write(toFile: folder.path("s.json"), atomically: true, encoding: .utf8)
        let project = try StoryProject(contentsOfFile: folder.path("s.json"))
        var opus = settings
        opus.audio.codec = .opus
        let report = try await StoryBuilder(project, settings: opus).build(
            to: .folder(folder.path("film")))
        #expect(report.manifest.media.sampleRate == 48_000)
        #expect(report.manifest.media.type.hasSuffix(", opus\""))
        // The High profile, not the 10-bit or 4:2:2 variants of it.
        #expect(report.manifest.media.type.hasPrefix("video/mp4; codecs=\"avc1.6400"))
        let page = try String(
            contentsOfFile: folder.path("film/index.html"), encoding: .utf8)
        #expect(!page.unicodeScalars.map(\.value).contains(sequence: "<script>x"))
    }

    @Test("a story with an error isn't built; the error is told")
    func refusal() async throws {
        let folder = try TemporaryFolder()
        _ = try project(in: folder)
        let broken = Self.story.replacing("\"goto\": \"aside\"", with: "\"goto\": \"nowhere\"")
        try broken.write(toFile: folder.path("broken.json"), atomically: true, encoding: .utf8)
        let project = try StoryProject(contentsOfFile: folder.path("broken.json"))
        do {
            _ = try await StoryBuilder(project, settings: settings).build(
                to: .folder(folder.path("film")))
            Issue.record("it was built")
        } catch let error as StoryCheckError {
            #expect(error.description.contains("nowhere"))
        }
    }

    @Test("captions that aren't WebVTT are refused with the line")
    func captions() throws {
        for (text, line) in [
            ("1\n", "WEBVTT"), ("WEBVTT\n\n00:01 -> 00:02\n\n00:05.0 --> x\n", "line 5"),
        ] {
            do {
                _ = try WebVTT(text: text, path: "a.vtt")
                Issue.record("it was read: \(text)")
            } catch let error as MediaError {
                #expect(error.description.contains(line))
            }
        }
    }
}

extension [UInt32] {
    fileprivate func contains(sequence text: String) -> Bool {
        let wanted = text.unicodeScalars.map(\.value)
        return indices.contains { self[$0...].starts(with: wanted) }
    }
}
