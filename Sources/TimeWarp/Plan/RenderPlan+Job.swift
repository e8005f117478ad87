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

    /// - Parameter media: the job's media, which may be open already.
    package init(_ job: RenderJob, _ media: MediaCatalogue) throws {
        try self.init(job, media, for: .rendering)
    }

    /// Makes the plan by which an existing file was rendered. The file isn't read, and need not be writable.
    package init(measuring job: RenderJob, _ media: MediaCatalogue) throws {
        try self.init(job, media, for: .measuring)
    }

    private init(
        _ job: RenderJob, _ media: MediaCatalogue, for purpose: Planner.Purpose
    ) throws {
        switch job.timeline.format {
        case .packets:
            let segment = try job.only.segment
            guard segment.isUnretimed, job.outputRange == nil, let clip = segment.clip,
                let asset = try media.source(at: clip.media).asset
            else {
                throw CompositionError.invalid(
                    "packets are passed on of one file that plays as it is; retimed, its format is \"source\""
                )
            }
            try self.init(
                copying: asset, to: job.destination, settings: job.settings, for: purpose)
        case .asSource:
            try self.init(
                try job.clip(media), to: job.destination, settings: try job.carriedSettings)
        case .conformed:
            let composition = try job.source(media)
            let part = try job.outputRange.map { range in
                try Clip(of: composition) { .identity($0) }
                    .playing(from: range.start, to: range.end)
            }
            try self.init(
                part.map(Timeline.clip) ?? .composition(job.timeline),
                CompositionPlanner(
                    composition, playing: part, to: job.destination, settings: job.settings,
                    for: purpose))
        }
    }
}

extension RenderJob {
    /// The clip that is rendered of a timeline that keeps its source's own format.
    package func clip(_ media: MediaCatalogue) throws -> Clip {
        let (carries, segment) = try only
        guard let placed = segment.clip, segment.blending == .none else {
            throw CompositionError.invalid("a clip whose format is its source's isn't faded")
        }
        let source = try media.source(at: placed.media)
        let clip =
            carries == .sound
            ? try Clip(soundOf: source, playing: segment) : try Clip(of: source, playing: segment)
        return try outputRange.map { try clip.playing(from: $0.start, to: $0.end) } ?? clip
    }

    /// A timeline whose media are open.
    package func source(_ media: MediaCatalogue) throws -> MediaSource {
        try MediaSource(timeline, in: nil, catalogue: media)
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
