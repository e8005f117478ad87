import Media
import TimeMaps

extension RenderPlan {
    /// Makes the plan for rendering a composition, and checks that it can be done. It opens each file once and
    /// decodes one frame of each file that is seen.
    ///
    /// - Parameters:
    ///   - folder: the folder at which the composition's relative paths start; nil for the working directory.
    ///   - destination: the path of the output file; its extension chooses the container.
    ///   - settings: a rate of `.source` is the composition's rate, or else the first clip's.
    /// - Throws: ``MediaError`` if a file (which it names) can't be used, the container can't hold what the
    ///   settings ask for, or the destination exists (and may not be replaced) or is an input;
    ///   ``CompositionError`` or ``CurveError`` if a segment's time map can't be made.
    public init(
        _ composition: Composition, in folder: String? = nil, to destination: String,
        settings: RenderSettings = RenderSettings()
    ) throws {
        try self.init(
            MediaSource(composition, in: folder), to: destination, settings: settings)
    }

    /// Makes the plan for rendering a composition whose files are open.
    ///
    /// - Throws: as ``init(_:in:to:settings:)``.
    public init(
        _ source: MediaSource, to destination: String,
        settings: RenderSettings = RenderSettings()
    ) throws {
        try self.init(
            .composition(source.composition ?? Composition()),
            CompositionPlanner(source, to: destination, settings: settings))
    }

    /// The same with a complete format for the frames.
    package init(
        _ composition: Composition, in folder: String? = nil, to destination: String,
        settings: RenderSettings, format: VideoFormat?
    ) throws {
        try self.init(
            .composition(composition),
            CompositionPlanner(
                MediaSource(composition, in: folder), to: destination, settings: settings,
                format: format))
    }

    /// Makes the plan by which an existing file was rendered. The file isn't read, and need not be writable.
    ///
    /// - Throws: as ``init(_:in:to:settings:)``, except that the destination may be any file.
    package init(
        measuring output: String, madeFrom source: MediaSource, settings: RenderSettings
    ) throws {
        try self.init(
            .composition(source.composition ?? Composition()),
            CompositionPlanner(source, to: output, settings: settings, for: .measuring))
    }

    /// The same for a clip of a composition.
    package init(
        measuring output: String, madeFrom clip: Clip, of composition: MediaSource,
        settings: RenderSettings
    ) throws {
        try self.init(
            .clip(clip),
            CompositionPlanner(
                composition, playing: clip, to: output, settings: settings, for: .measuring))
    }

    init(_ timeline: Timeline, _ planner: CompositionPlanner) throws {
        var planner = planner
        let settings = planner.planner.settings
        let video = try planner.planVideo()
        let audio = try planner.planAudio()
        try planner.requireSomething(video, audio)
        let subtitles = try planner.planSubtitles()
        let chapters = try planner.planChapters()
        self.init(
            timeline: timeline, destination: planner.planner.destination,
            container: planner.planner.container, settings: settings,
            video: try planner.planner.cut(video, beside: audio), copied: [],
            audio: audio, subtitles: subtitles, attachments: planner.planAttachments(),
            chapters: chapters, tags: planner.tags,
            outputDuration: planner.duration.seconds, warnings: planner.planner.warnings)
    }

    /// Makes the plan for the sound of one clip, as it would be in a composition with that format. It is silent
    /// if the file has no sound.
    package init(
        soundOf clip: AssetClip, sampleRate: Int, channels: String, to destination: String,
        settings: RenderSettings
    ) throws {
        let planner = try Planner(destination, settings)
        guard let codec = planner.audioCodec, let layout = ChannelLayout(named: channels) else {
            throw MediaError(
                .incompatible, file: destination, reason: "it can't hold \(channels) sound")
        }
        let format = AudioFormat(
            sampleRate: sampleRate, layout: layout, bitsPerSample: nil, isFloat: true)
        let encoded = try AudioEncoder.encodable(codec, format: format, path: destination)
        guard encoded.sampleRate == sampleRate, encoded.layout == layout else {
            throw MediaError(
                .incompatible, file: destination,
                reason: "\(codec.rawValue) can't hold \(channels) at \(sampleRate) Hz")
        }
        let count = max(1, Int64((clip.map.outputDuration * Double(sampleRate)).rounded()))
        let segment = try clip.asset.audioStreams.first.flatMap { stream in
            try stream.audioFormat.map { source in
                AudioSegment(
                    samples: 0..<count, fades: .none, envelopes: [],
                    mix: try ChannelMix(from: source.layout, to: layout, path: clip.asset.path),
                    sound: ClipSound(
                        clip: clip, stream: stream, format: source, map: clip.map,
                        sampleRate: sampleRate, sampleCount: count))
            }
        }
        let track = AudioTrack(
            model: nil, codec: codec, format: format, sampleRate: sampleRate, sampleCount: count,
            layers: segment.map { [[$0]] } ?? [])
        self.init(
            timeline: .clip(try Clip(soundOf: clip.asset, range: clip.range) { _ in clip.map }),
            destination: destination, container: planner.container,
            settings: settings, video: [], copied: [], audio: [track], subtitles: [],
            attachments: [], chapters: [], tags: [:], outputDuration: clip.map.outputDuration,
            warnings: [])
    }
}
