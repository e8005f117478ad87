import Media
import TimeMaps
import TimeWarp

extension JobRequest {
    /// The job with its clip's file, and with what the studio decides.
    ///
    /// - Parameter name: the name of the clip; nil for its file's.
    /// - Throws: ``JobError``.
    func job(
        of source: MediaSource, named name: String? = nil, to path: String
    ) throws -> RenderJob {
        let settings = try settings(for: source)
        let carried: Track.Content = task == .stretch ? .sound : .both
        let segment = try JobError.blaming(field, unlessOf: .curve) {
            try clip.segment(
                of: source, named: name, carrying: carried, at: settings.video.rate)
        }
        return RenderJob(
            try Composition(of: segment, carrying: carried), to: path,
            outputRange: try sample(of: source, settings), settings: settings)
    }

    /// The clip with the requested time map.
    ///
    /// - Throws: ``JobError``.
    func clip(of source: MediaSource) throws -> Clip {
        try clip(of: job(of: source, to: ""), source)
    }

    /// The clip that a job of this request renders.
    func clip(of job: RenderJob, _ source: MediaSource) throws -> Clip {
        var job = job
        let sample = job.outputRange
        job.outputRange = nil
        let clip = try JobError.blaming(field, unlessOf: .curve) {
            try job.clip(MediaCatalogue(holding: source))
        }
        return try sample.map { range in
            try JobError.blaming(.sample) { try clip.playing(from: range.start, to: range.end) }
        } ?? clip
    }

    /// What decides how long the output is.
    var field: JobError.Field {
        switch task {
        case .warp: clip.length == nil ? .curve : .length
        case .scale: .length
        case .stretch: clip.anchors == nil ? .length : .match
        case .reverse: .range
        }
    }

    /// The part of the output that is rendered. It starts where an output frame does, so that it has the frames of the
    /// whole.
    private func sample(
        of source: MediaSource, _ settings: RenderSettings
    ) throws -> RenderJob.OutputRange? {
        guard let range = job.output.range else {
            return nil
        }
        guard task != .stretch else {
            throw JobError(message: "Stretched sound is rendered as a whole.", field: .sample)
        }
        guard case .fixed(let rate)? = source.videoFormat.map(settings.video.outputRate(of:)) else {
            return range
        }
        let frame = (range.start.seconds * rate.framesPerSecond + Tolerance.stated).rounded(.down)
        return try JobError.blaming(.sample) {
            RenderJob.OutputRange(
                from: try rate.frameDuration.multiplied(by: Int64(max(0, frame)), over: 1),
                to: range.end)
        }
    }

    /// The requested settings. Which packets are copied, what becomes of a file that exists, and what of the machine is used
    /// is for the studio to decide.
    ///
    /// - Throws: ``JobError``.
    func settings(for source: MediaSource) throws -> RenderSettings {
        var settings = usedSettings
        settings.output.container = try container
        if task == .stretch {
            settings.video.mode = .besideStretchedSound(of: source)
            guard [.varispeed, .keepPitch].contains(settings.audio.mode) else {
                throw JobError(
                    message: "Stretching changes the sound: choose Varispeed or Keep pitch.",
                    field: .sound)
            }
        }
        return settings
    }

    /// What counts of the settings, whatever the clip is.
    var usedSettings: RenderSettings {
        let usual = RenderSettings()
        var settings = job.settings
        (settings.output, settings.resources) = (usual.output, usual.resources)
        settings.video.mode = .retimed
        // Played backwards at normal speed, the pitch doesn't change.
        if task == .reverse, settings.audio.mode == .keepPitch {
            settings.audio.mode = usual.audio.mode
        }
        if settings.audio.mode != .keepPitch {
            (settings.audio.tune, settings.audio.freeze) = (usual.audio.tune, usual.audio.freeze)
        }
        return settings
    }
}

extension FileClip {
    /// The clip as a segment of its media, which are open.
    ///
    /// - Parameters:
    ///   - name: the name of the clip; nil for its file's.
    ///   - rate: the frame rate of the output, which decides where a clip turns that is played there and back.
    /// - Throws: ``JobError``, or what the segment of a file throws.
    func segment(
        of source: MediaSource, named name: String?, carrying carried: Track.Content = .both,
        at rate: RenderSettings.OutputRate
    ) throws -> Segment {
        if let anchors, anchors.count < 2 {
            throw JobError(
                message: "Match the sound of another recording, or press the same instant in both "
                    + "waveforms, at two places or more.", field: .match)
        }
        var clip = self
        clip.media = source.path
        clip.name = name
        if let range, carried != .sound {
            let part = try JobError.blaming(.range) {
                try source.part(from: range.first, to: range.dropFirst().first)
            }
            clip.range = [part.start, part.end]
        }
        guard case .thereAndBack(let once, nil) = retiming else {
            return try clip.segment(carrying: carried) { try source.end(for: $1) }
        }
        clip.retiming = once
        if case .oneWay(let duration)? = length {
            clip.length = .duration(duration)
        }
        return try clip.segment(carrying: carried) { try source.end(for: $1) }
            .thereAndBack(of: source, at: rate)
    }
}
