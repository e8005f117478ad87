import Media
import TimeMaps

extension RenderPlan {
    /// Makes the plan for a job, and checks that it can be done. It opens each file once and decodes one frame of each video
    /// track that is seen.
    ///
    /// - Parameter formats: the formats of project files that are known.
    /// - Throws: ``MediaError`` if a file (which it names) can't be used, the container can't hold what the job asks for, or
    ///   the destination exists (and may not be replaced) or is an input; ``CompositionError`` or ``CurveError`` if a
    ///   segment's time map can't be made.
    public init(_ job: RenderJob, formats: ProjectFormats = .editFiles) throws {
        try self.init(job, MediaCatalogue(formats, for: job.settings.resources))
    }

    /// Makes the plan for a job on a thread of its own: the caller's thread isn't blocked. See ``init(_:formats:)``.
    ///
    /// - Throws: as ``init(_:formats:)``; `CancellationError` when the task was cancelled before.
    public static func make(
        for job: RenderJob, formats: ProjectFormats = .editFiles
    ) async throws -> RenderPlan {
        try await runBlocking { checkCancelled in
            try checkCancelled()
            return try RenderPlan(job, formats: formats)
        }
    }

    /// - Parameter media: the job's media, which may be open already.
    package init(_ job: RenderJob, _ media: MediaCatalogue) throws {
        try self.init(job, media, for: .rendering)
    }

    /// Makes the plan by which an existing file was rendered. The file isn't read, and need not be writable.
    package init(measuring job: RenderJob, _ media: MediaCatalogue) throws {
        try self.init(job, media, for: .measuring)
    }

    /// Makes the plan for a stream of what a job would write, to play it; see ``Renderer/stream(_:from:)``.
    ///
    /// Frames, their times and sound are those of the job. They are stored as browsers play them: H.264 of
    /// 8 bits, a keyframe each second, and AAC. Subtitles, chapters and attachments are left out.
    ///
    /// - Parameters:
    ///   - job: nothing is written, so its destination need not be writable.
    ///   - shortSide: how many pixels the shorter side of a frame has at most. Frames are made smaller before anything
    ///     else is done with them, so that a smaller stream takes less time; nil for those of the job.
    ///   - formats: the formats of project files that are known.
    /// - Throws: as ``init(_:formats:)``; ``MediaError`` if video is copied from another file.
    public init(
        streaming job: RenderJob, shortSide: Int? = nil, formats: ProjectFormats = .editFiles
    ) throws {
        try self.init(
            streaming: job, shortSide: shortSide,
            MediaCatalogue(formats, for: job.settings.resources))
    }

    /// - Parameter media: the job's media, which may be open already.
    package init(
        streaming job: RenderJob, shortSide: Int?, _ media: MediaCatalogue
    ) throws {
        try self.init(job.streamed(shortSide: shortSide), media, for: .rendering)
    }

    private init(
        _ job: RenderJob, _ media: MediaCatalogue, for purpose: Planner.Purpose
    ) throws {
        let source: MediaSource
        var clip: Clip?
        var settings = job.settings
        switch job.timeline.format {
        case .packets:
            try self.init(
                copying: try job.copied(media), to: job.destination, settings: settings,
                for: purpose)
            return
        case .asSource:
            let whole = try job.clip(media)
            (source, clip, settings) = (whole.source, whole, try job.carriedSettings)
        case .conformed:
            source = try job.source(media)
            clip = try job.outputRange.map { range in
                try Clip(of: source) { .identity($0) }.playing(from: range.start, to: range.end)
            }
        }
        var planner = try Planner(
            source, playing: clip, isSample: job.timeline.format.isConformed, to: job.destination,
            settings: settings, for: purpose, media)
        self = try planner.plan()
    }

    /// Makes the plan for rendering a clip, and checks that it can be done.
    ///
    /// - Parameters:
    ///   - destination: the path of the output file; its extension chooses the container.
    ///   - settings: what the render should make.
    ///
    /// - Throws: as ``init(_:formats:)``.
    public init(
        _ clip: Clip, to destination: String, settings: RenderSettings = RenderSettings()
    ) throws {
        try self.init(clip, to: destination, settings: settings, for: .rendering)
    }

    /// Makes the plan by which an existing file was rendered of a clip. The file isn't read, and need not be writable.
    package init(measuring output: String, madeFrom clip: Clip, settings: RenderSettings) throws {
        try self.init(clip, to: output, settings: settings, for: .measuring)
    }

    private init(
        _ clip: Clip, to destination: String, settings: RenderSettings,
        for purpose: Planner.Purpose
    ) throws {
        var planner = try Planner(
            clip.source, playing: clip, to: destination, settings: settings, for: purpose)
        self = try planner.plan()
    }

    /// Makes the plan for rendering a composition, and checks that it can be done.
    ///
    /// - Parameters:
    ///   - folder: the folder at which the composition's relative paths start; nil for the working directory.
    ///   - destination: the path of the output file; its extension chooses the container.
    ///   - settings: a rate of `.source` is the composition's rate, or else the first clip's.
    /// - Throws: as ``init(_:formats:)``.
    public init(
        _ composition: Composition, in folder: String? = nil, to destination: String,
        settings: RenderSettings = RenderSettings()
    ) throws {
        try self.init(
            MediaSource(composition, in: folder), to: destination, settings: settings)
    }

    /// Makes the plan for rendering a composition whose files are open, or a file at its own speed.
    ///
    /// - Throws: as ``init(_:formats:)``.
    public init(
        _ source: MediaSource, to destination: String, settings: RenderSettings = RenderSettings()
    ) throws {
        try self.init(source, to: destination, settings: settings, format: nil)
    }

    /// The same with a complete format for the frames of a composition.
    package init(
        _ source: MediaSource, to destination: String, settings: RenderSettings,
        format: VideoFormat?
    ) throws {
        let whole = try source.asset.map { _ in try Clip(of: source) { .identity($0) } }
        var planner = try Planner(
            source, playing: whole, to: destination, settings: settings, format: format)
        self = try planner.plan()
    }

    /// Makes the plan for the sound of a clip, as it would be in a composition with that format. It is silent if the file
    /// has no sound.
    package init(
        soundOf clip: AssetClip, sampleRate: Int, channels: String, to destination: String,
        settings: RenderSettings
    ) throws {
        let clip = try Clip(soundOf: clip.asset, range: clip.range) { _ in clip.map }
        self = try Planner(clip.source, playing: clip, to: destination, settings: settings)
            .planSound(sampleRate: sampleRate, channels: channels)
    }

    /// Makes the plan for copying every packet of a file to another container, without encoding it. The first
    /// packets are written to a small temporary file, to see whether they can be read back.
    ///
    /// - Parameter settings: of these count ``RenderSettings/Output-swift.struct/existing``, ``RenderSettings/Output-swift.struct/keepsMetadata`` and
    ///   ``RenderSettings/Output-swift.struct/putsIndexFirst``.
    /// - Throws: ``MediaError`` if the destination exists (and may not be replaced) or is the input, or the
    ///   container can't hold the video and audio tracks as the file presents them.
    public init(
        copying asset: Asset, to destination: String, settings: RenderSettings = RenderSettings()
    ) throws {
        try self.init(copying: asset, to: destination, settings: settings, for: .rendering)
    }

    private init(
        copying asset: Asset, to destination: String, settings: RenderSettings,
        for purpose: Planner.Purpose
    ) throws {
        var planner = try Planner(
            MediaSource(asset), to: destination, settings: settings, for: purpose)
        self = try planner.planCopy(of: asset)
    }
}

extension RenderJob {
    /// The same job as a stream.
    ///
    /// - Throws: ``MediaError`` if its video is another file's, whose packets are copied.
    fileprivate func streamed(shortSide: Int?) throws -> RenderJob {
        var job = self
        if case .copied(let file) = settings.video.mode {
            // Beside its own sound, a file's video can as well be rendered.
            guard try only.segment.clip?.media == file else {
                throw MediaError(
                    .incompatible, file: file,
                    reason: "video that is copied from it can't be streamed",
                    remedy: "Stream the file itself")
            }
            job.settings.video.mode = .unretimed
        }
        if case .packets = timeline.format {
            job.timeline.format = .asSource
        }
        job.settings.output.isStream = true
        job.settings.output.container = .mp4
        job.settings.video.shortSide = shortSide
        job.settings.video.keepsPackets = false
        job.settings.video.codec = .h264
        job.settings.video.pixelFormat = .yuv420p
        job.settings.video.hardware = .off
        job.settings.video.quality = 20
        job.settings.video.bitRate = nil
        job.settings.video.preset = "ultrafast"
        if settings.video.mode == .restamped {
            (job.settings.video.mode, job.settings.video.rate) = (.retimed, .any)
        }
        job.settings.audio.codec = .aac
        job.settings.audio.bitRate = nil
        job.settings.resources.hardwareDecoding = .off
        job.settings.resources.jobs = 1
        job.settings.resources.pieces = nil
        return job
    }

    /// The clip that is rendered of a timeline that keeps its source's own format.
    package func clip(_ media: MediaCatalogue) throws -> Clip {
        let (carries, segment) = try only
        guard let placed = segment.clip else {
            throw CompositionError.invalid("a gap has no source whose format it could keep")
        }
        let source =
            timeline.titled(
                try timeline.opened(placed.media, in: nil, media)
                    ?? media.source(at: placed.media))
        let clip =
            carries == .sound
            ? try Clip(soundOf: source, playing: segment) : try Clip(of: source, playing: segment)
        return try outputRange.map { try clip.playing(from: $0.start, to: $0.end) } ?? clip
    }

    /// A timeline whose media are open.
    fileprivate func source(_ media: MediaCatalogue) throws -> MediaSource {
        try MediaSource(timeline, in: nil, catalogue: media)
    }

    /// The file whose packets are all passed on.
    fileprivate func copied(_ media: MediaCatalogue) throws -> Asset {
        let segment = try only.segment
        guard segment.isUnretimed, outputRange == nil, let clip = segment.clip,
            let asset = try media.source(at: clip.media).asset
        else {
            throw CompositionError.invalid(
                "packets are passed on of one file that plays as it is; retimed, its format is \"source\""
            )
        }
        return asset
    }

    /// The settings of a timeline that keeps its source's own format, as far as its track carries what they are for.
    package var carriedSettings: RenderSettings {
        get throws {
            var settings = settings
            switch try only.carries {
            case .both: break
            case .video: settings.audio.mode = .mute
            case .sound where [.retimed, .restamped].contains(settings.video.mode):
                settings.video.mode = .dropped
            case .sound: break
            }
            return settings
        }
    }

    /// The only segment, and what its track carries.
    fileprivate var only: (carries: Track.Content, segment: Segment) {
        get throws {
            let all = timeline.tracks.flatMap { track in
                track.segments.map { (track.carries, $0) }
            }
            guard all.count == 1, !all[0].1.isGap else {
                throw CompositionError.invalid(
                    "a timeline of \(all.count) segments has no source whose format it could keep; "
                        + "without \"format\" all clips are converted to one")
            }
            return all[0]
        }
    }
}

extension Segment {
    /// Whether it plays its media as they are, from their start.
    fileprivate var isUnretimed: Bool {
        guard let clip else {
            return false
        }
        return clip.retiming == .uniform && clip.isWhole && clip.range.start == .zero
            && duration == clip.range.duration && blending == .none
    }
}

extension RenderPlan {
    /// The share of the first video track that ``RenderSettings/Video-swift.struct/keepsPackets`` would keep, from 0 to 1.
    ///
    /// - Throws: as ``init(_:formats:)``.
    /// - Complexity: O(frames), and a pass over each file.
    public func shareThatCouldBeKept() throws -> Double {
        guard !video.isEmpty, settings.video.mode == .retimed else {
            return 0
        }
        var settings = settings
        settings.video.keepsPackets = true
        // It would be read for nothing.
        settings.audio.mode = .mute
        settings.output.existing = .overwrite
        let plan =
            try clip.map { try RenderPlan($0, to: destination, settings: settings) }
            ?? RenderPlan(source, to: destination, settings: settings)
        return plan.video.first?.keeping?.share ?? 0
    }
}
