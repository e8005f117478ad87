import Media
import RandomCompositions
import TimeMaps
import TimeWarp

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
        if compositions.chance(0.2) {
            var inner = timeline
            inner.name = "inner"
            let range = try compositions.range(in: seconds(20))
            timeline = Composition(
                tracks: [try Track(segments: [Segment(PlacedClip("inner", range: range))])],
                timelines: [inner, Composition(name: "unused")])
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
            .source, .any, .fixed(FrameRate(known: 30)),
            .fixed(FrameRate(known: 24_000, over: 1001)),
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
        settings.resources.sequenceRate = maybe([
            FrameRate(known: 25), FrameRate(known: 30_000, over: 1001),
        ])
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
