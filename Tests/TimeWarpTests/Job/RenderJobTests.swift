import Documents
import Foundation
import Media
import RandomCompositions
import TestSupport
import Testing
import TimeMaps

@testable import TimeWarp

/// Jobs as values: what is written, read, refused, and rendered.
@Suite("Render jobs")
struct RenderJobTests {
    @Test("written and read again they are equal (500, seed 5)")
    func thereAndBack() throws {
        var random = RandomJobs(seed: 5)
        for _ in 0..<500 {
            let job = try random.job()
            let json = try job.json()
            #expect(try RenderJob(json: json, mediaDuration: unknown) == job)
            #expect(try RenderJob(json: json, mediaDuration: unknown).json() == json)
            // As a part of another document.
            let data = try JSONEncoder().encode([job])
            #expect(try JSONDecoder().decode([RenderJob].self, from: data) == [job])
        }
    }

    /// What is written says its ranges.
    private func unknown(_ media: String) throws -> RationalTime {
        throw MediaError(.noInput, file: media, reason: "nobody should ask for it")
    }

    @Test("what a job doesn't say is as in the default settings, and paths start at its folder")
    func defaults() throws {
        let job = try RenderJob(
            json: Data(
                """
                { "timewarp": "job/1", "timeline": { "format": "source", "tracks": [
                  { "segments": [ { "media": "in.mp4" } ] } ] }, "output": { "path": "../out.mp4" } }
                """.utf8), in: "films"
        ) { media in
            #expect(media == "films/in.mp4")
            return seconds(7)
        }
        #expect(job.destination == "films/../out.mp4")
        #expect(job.settings == RenderSettings())
        #expect(job.outputRange == nil)
        let clip = try #require(job.timeline.tracks[0].segments[0].clip)
        #expect(clip.range == (try range(0, 7)))
    }

    static let wrongParts: [(part: String, place: String, says: String)] = [
        (#""video": { "frame": "hold" }"#, "video", #""frame" means nothing here"#),
        (#""video": { "rate": "fast" }"#, "video.rate", "no frame rate"),
        (#""video": { "shutter": 0 }"#, "video.shutter", "above 0"),
        (#""video": { "mode": "copied" }"#, "video", "file"),
        (#""video": { "file": "b.mp4" }"#, "video.file", "copied"),
        (#""video": { "codec": "h263" }"#, "video.codec", "h264"),
        (#""video": { "pixelFormat": "yuv421p" }"#, "video.pixelFormat", "no pixel format"),
        (#""audio": { "mode": "loud" }"#, "audio.mode", "keep-pitch"),
        (#""audio": { "bitRate": 12 }"#, "audio.bitRate", "1000"),
        (#""resources": { "jobs": 0 }"#, "resources.jobs", "1 to 64"),
        (#""resources": { "sequenceRate": "any" }"#, "resources.sequenceRate", "fixed"),
        (#""audo": {}"#, "", #""audo" means nothing here"#),
    ]

    @Test("what is wrong in one is told with its place", arguments: wrongParts)
    func wrong(part: String, place: String, says: String) throws {
        let json = """
            {
              "timewarp": "job/1",
              "output": { "path": "out.mp4" },
              "timeline": { "tracks": [ { "segments": [ { "media": "a", "range": [0, 1] } ] } ] },
              \(part)
            }
            """
        let error = try #require(throws: DocumentError.self) {
            try RenderJob(json: Data(json.utf8), mediaDuration: unknown)
        }
        #expect(error.problem.position?.line == 5, "\(error)")
        #expect("\(error.problem.path)".hasPrefix(place), "\(error)")
        #expect(error.problem.message.contains(says), "\(error)")
    }

    @Test("ranges, windows and places of the timeline are told from the job's start")
    func wrongTimeline() throws {
        let json = """
            { "timewarp": "job/1", "output": { "path": "out.mp4", "range": ["3", "2"] },
              "timeline": { "tracks": [] } }
            """
        let error = try #require(throws: DocumentError.self) {
            try RenderJob(json: Data(json.utf8), mediaDuration: unknown)
        }
        #expect("\(error)".contains("output.range"))
        let other = json.replacingOccurrences(of: #", "range": ["3", "2"]"#, with: "")
            .replacingOccurrences(
                of: "[]",
                with: #"[ { "segments": [ { "media": "a", "range": [4, 1] } ] } ]"#)
        let second = try #require(throws: DocumentError.self) {
            try RenderJob(json: Data(other.utf8), mediaDuration: unknown)
        }
        #expect("\(second)".contains("timeline.tracks[0].segments[0].range"))
    }

    @Test("sound alone may be asked for outside of its file; picture may not")
    func outside() throws {
        func job(_ carries: String) throws -> RenderJob {
            try RenderJob(
                json: Data(
                    """
                    { "timewarp": "job/1", "output": { "path": "out.wav" }, "timeline": { "tracks": [
                      { "carries": "\(carries)", "segments": [
                        { "media": "a", "range": ["-0.5", "1"] } ] } ] } }
                    """.utf8), mediaDuration: unknown)
        }
        #expect(try job("sound").timeline.tracks[0].segments[0].clip?.range.start == seconds(-1, 2))
        #expect(throws: DocumentError.self) { try job("both") }
    }
}

/// What a clip of a job plays is what the clips of the library play.
@Suite("Clips of jobs")
struct JobClipTests {
    private let clip: Asset
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try TestClip { $0.frameCount = 75 }.write(to: folder.path("in.mp4"))
        clip = try Asset(at: folder.path("in.mp4"))
    }

    private func played(_ segment: Segment) throws -> Clip {
        let job = RenderJob(try Composition(of: segment), to: folder.path("out.mp4"))
        let read = try RenderJob(json: job.json()) { _ in clip.duration }
        return try read.clip(MediaCatalogue(.editFiles))
    }

    private func isSame(_ a: Clip, _ b: Clip) -> Bool {
        func numbers(_ clip: Clip) -> [Double] {
            clip.map.pieces.flatMap {
                [$0.outputStart, $0.outputEnd, $0.sourceStart, $0.sourceEnd]
            }
                + (0...100).map {
                    clip.map.sourceTime(at: clip.map.outputDuration * Double($0) / 100)
                } + [clip.map.outputDuration]
        }
        return a.range == b.range && numbers(a) == numbers(b)
            && a.map.exactOutputDuration == b.map.exactOutputDuration
    }

    @Test("curves, with and without a length, are those of the library bit for bit (seed 3)")
    func curves() throws {
        var random = RandomCompositions(seed: 3)
        let source = clip.clipSource
        for _ in 0..<60 {
            let curve = try random.curve()
            let range = try random.range(in: clip.duration)
            let whole = Result { try Clip(of: clip, range: range, warpedBy: curve) }
            guard case .success(let whole) = whole else {
                continue
            }
            #expect(
                isSame(
                    try played(Segment(of: source, range: range, retiming: .curve(curve))), whole),
                "\(curve)")
            let lasting = seconds(17, 7)
            let fitted = try Clip(of: clip, range: range, warpedBy: curve, lasting: lasting)
            #expect(
                isSame(
                    try played(
                        Segment(
                            of: source, range: range, retiming: .curve(curve), lasting: lasting)),
                    fitted), "\(curve)")
        }
    }

    @Test("uniform scales, reversal, time maps and parts of the output are, too")
    func others() throws {
        let source = clip.clipSource
        let third = try clip.duration.multiplied(by: 7, over: 3)
        #expect(
            isSame(
                try played(Segment(of: source, lasting: third)),
                try Clip(of: clip, scaled: .factor(7, over: 3))))
        #expect(
            isSame(
                try played(Segment(of: source, retiming: .reversed)), try Clip(reversing: clip)))
        let points = TimeMapDocument(points: [
            TimeAnchor(source: .zero, output: .zero),
            TimeAnchor(source: seconds(2), output: seconds(1)),
            TimeAnchor(source: seconds(1, 3), output: seconds(5, 2)),
        ])
        let mapped = try Clip(of: clip) { try TimeMap(through: points.points, sourceDuration: $0) }
        let segment = try Segment(of: source, retiming: .timeMap(points))
        #expect(isSame(try played(segment), mapped))
        var job = RenderJob(try Composition(of: segment), to: folder.path("out.mp4"))
        job.outputRange = .init(from: seconds(1, 2), to: seconds(2))
        #expect(
            isSame(
                try job.clip(MediaCatalogue(.editFiles)),
                try mapped.playing(from: seconds(1, 2), to: seconds(2))))
    }

    @Test("there and back turns in the middle of the last frame, with and without a length")
    func thereAndBack() throws {
        let source = clip.clipSource
        let curve = Curve.builtIn(.ramp, factor: 2, modifier: 0.5)
        for (retiming, lasting) in [
            (Retiming.uniform, nil), (.reversed, nil), (.curve(curve), nil),
            (.curve(curve), seconds(4)), (.uniform, seconds(7)),
        ] {
            for rate in [RenderSettings.OutputRate.source, .any, .fixed(FrameRate(7))] {
                let once = try Segment(of: source, retiming: retiming, lasting: lasting)
                let both = try played(once.thereAndBack(of: source, at: rate)).map
                let wanted = try played(once).thereAndBack(at: rate).map
                #expect(abs(both.outputDuration - wanted.outputDuration) < 2e-9)
                for step in 0...200 {
                    let instant = wanted.outputDuration * Double(step) / 200
                    #expect(
                        abs(both.sourceTime(at: instant) - wanted.sourceTime(at: instant)) < 1e-8)
                }
            }
        }
    }

    @Test("a timeline of several clips has no source whose format it could keep")
    func several() throws {
        let one = try Segment(of: clip.clipSource)
        let timeline = Composition(
            format: .asSource, tracks: [try Track(segments: [one, try .gap(lasting: seconds(1))])])
        #expect(throws: CompositionError.self) {
            try RenderPlan(RenderJob(timeline, to: folder.path("out.mp4")))
        }
        let packets = Composition(
            format: .packets, tracks: [try Track(segments: [one.lasting(seconds(1))])])
        #expect(throws: CompositionError.self) {
            try RenderPlan(RenderJob(packets, to: folder.path("out.mp4")))
        }
    }
}

/// Jobs with everything that they can say.
struct RandomJobs {
    var compositions: RandomCompositions

    init(seed: UInt64) {
        compositions = RandomCompositions(seed: seed)
    }

    mutating func job() throws -> RenderJob {
        var timeline = try compositions.composition()
        // Paths are absolute where a job is written.
        timeline.tracks = try timeline.tracks.map { track in
            try Track(
                name: track.name, carries: track.carries,
                segments: track.segments.map { try $0.moved(to: "/films") })
        }
        if compositions.chance(0.3) {
            timeline = try Composition(of: clip(), carrying: compositions.pick([.both, .sound]))
        } else if compositions.chance(0.1) {
            timeline = Composition(format: .packets, tracks: [try Track(segments: [clip()])])
        }
        var job = RenderJob(timeline, to: "/films/out.mp4", settings: settings())
        if compositions.chance(0.3) {
            job.outputRange = .init(
                from: compositions.time(below: seconds(3)),
                to: compositions.chance(0.5) ? seconds(5) : nil)
        }
        return job
    }

    private mutating func clip() throws -> Segment {
        let range = try compositions.range(in: seconds(20))
        return try Segment(
            PlacedClip(
                "/films/a.mp4", range: range, retiming: compositions.pick([.uniform, .reversed])),
            lasting: compositions.chance(0.5) ? seconds(3) : nil)
    }

    private mutating func maybe<Value>(_ values: [Value]) -> Value? {
        compositions.chance(0.5) ? compositions.pick(values) : nil
    }

    private mutating func settings() -> RenderSettings {
        var settings = RenderSettings()
        settings.output.container = maybe(Container.allCases)
        settings.output.existing = compositions.pick(ExistingOutput.allCases)
        settings.output.keepsMetadata = compositions.chance(0.5)
        settings.output.putsIndexFirst = compositions.chance(0.5)
        settings.video.mode = compositions.pick([
            .retimed, .unretimed, .restamped, .dropped, .copied(from: "/films/b.mp4"),
        ])
        settings.video.rate = compositions.pick([
            .source, .any, .fixed(FrameRate(30)), .fixed(FrameRate(24_000, over: 1001)),
        ])
        settings.video.frames = compositions.pick(RenderSettings.FrameSynthesis.allCases)
        settings.video.skipsRepeats = compositions.chance(0.5)
        settings.video.shutterDegrees = maybe([180, 12.5, 360])
        settings.video.codec = maybe(VideoCodec.allCases)
        settings.video.pixelFormat = maybe([PixelFormat(named: "yuv420p10le")!])
        settings.video.quality = maybe([18, 23.5])
        settings.video.preset = maybe(["slow"])
        settings.audio.mode = compositions.pick(RenderSettings.AudioMode.allCases)
        settings.audio.tune = compositions.pick(RenderSettings.PitchTune.allCases)
        settings.audio.freeze = compositions.pick(RenderSettings.FreezeSound.allCases)
        settings.audio.interpolation = compositions.pick(Interpolation.allCases)
        settings.audio.codec = maybe(AudioCodec.allCases)
        settings.audio.bitRate = maybe([96_000])
        settings.resources.threads = compositions.pick([0, 4])
        settings.resources.jobs = compositions.pick([1, 8])
        settings.resources.pieces = maybe([12])
        settings.resources.memoryBytes = compositions.pick([1, 1 << 30])
        settings.resources.temporaryFolder = maybe(["/tmp/x"])
        settings.resources.mediaFolders = compositions.pick([[], ["/films", "/more"]])
        settings.resources.sequenceRate = maybe([FrameRate(25), FrameRate(30_000, over: 1001)])
        return settings
    }
}

extension Segment {
    /// The same segment with its file in another folder.
    fileprivate func moved(to folder: String) throws -> Segment {
        guard let clip, !clip.media.hasPrefix("/") else {
            return self
        }
        let moved = try PlacedClip(
            folder + "/" + clip.media, range: clip.range, retiming: clip.retiming,
            window: clip.isWhole ? nil : clip.window, name: clip.name)
        return try Segment(moved, lasting: duration, markers: markers, blending: blending)
    }
}

/// The schema of jobs, which is made from the types.
@Suite("The schema of jobs")
struct JobSchemaTests {
    private let schema: [String: Any]

    init() throws {
        schema = try #require(
            try JSONSerialization.jsonObject(with: RenderJob.schema()) as? [String: Any])
    }

    @Test("everything that is written fits it (500, seed 6)")
    func fits() throws {
        var random = RandomJobs(seed: 6)
        for _ in 0..<500 {
            let job = try JSONSerialization.jsonObject(with: random.job().json())
            #expect(fault(of: job, schema) == nil)
        }
    }

    @Test("what is refused doesn't fit it")
    func refuses() throws {
        var random = RandomJobs(seed: 6)
        let job = try #require(
            try JSONSerialization.jsonObject(with: random.job().json()) as? [String: Any])
        for key in ["timewarp", "timeline", "output"] {
            var lacking = job
            lacking[key] = nil
            #expect(fault(of: lacking, schema) == "\(key) is missing")
        }
        var other = job
        other["audo"] = [:]
        #expect(fault(of: other, schema) == "audo isn't known")
        other = job
        other["video"] = ["frames": "smooth"]
        #expect(fault(of: other, schema) == "smooth isn't a choice")
        other["video"] = ["shutter": "wide"]
        #expect(fault(of: other, schema) == "wide has another type")
        other["video"] = [:]
        #expect(fault(of: other, schema) == nil)
    }

    /// What of a value doesn't fit a schema; nil if all does.
    private func fault(of value: Any, _ rules: [String: Any]) -> String? {
        if let reference = (rules["$ref"] as? String)?.split(separator: "/").last,
            let named = (schema["$defs"] as? [String: Any])?[String(reference)] as? [String: Any]
        {
            return fault(of: value, named)
        }
        let types = rules["type"] as? [String] ?? [rules["type"] as? String ?? ""]
        guard types.contains(where: { isOf($0, value) }) else {
            return "\(value) has another type"
        }
        if let choices = rules["enum"] as? [String], let text = value as? String {
            return choices.contains(text) ? nil : "\(text) isn't a choice"
        }
        if let list = value as? [Any], let items = rules["items"] as? [String: Any] {
            return list.lazy.compactMap { self.fault(of: $0, items) }.first
        }
        guard let object = value as? [String: Any] else {
            return nil
        }
        let properties = rules["properties"] as? [String: [String: Any]] ?? [:]
        if let missing = (rules["required"] as? [String] ?? []).first(where: { object[$0] == nil })
        {
            return "\(missing) is missing"
        }
        return object.lazy.compactMap { key, inner in
            properties[key].map { self.fault(of: inner, $0) } ?? "\(key) isn't known"
        }.first
    }

    private func isOf(_ type: String, _ value: Any) -> Bool {
        let isTruth = value is NSNumber && CFBoolean.isOne(value)
        switch type {
        case "object": return value is [String: Any]
        case "array": return value is [Any]
        case "string": return value is String
        case "boolean": return isTruth
        case "number", "integer": return value is NSNumber && !isTruth
        default: return false
        }
    }
}

/// Whether a number of `JSONSerialization` is a truth value.
private enum CFBoolean {
    static func isOne(_ value: Any) -> Bool {
        guard let number = value as? NSNumber else {
            return false
        }
        return String(cString: number.objCType) == "c"
    }
}
