import Media
import TimeMaps

/// Makes the plan for one clip.
struct ClipPlanner {
    let clip: AssetClip
    /// The file that video, covers, chapters and tags come from.
    let videoAsset: Asset
    var planner: Planner

    /// - Throws: ``MediaError`` if the output can't be written or would be too long.
    init(_ clip: AssetClip, to destination: String, settings: RenderSettings) throws {
        self.clip = clip
        if case .copied(let path) = settings.video.mode, path != clip.asset.path {
            videoAsset = try Asset(at: path)
        } else {
            videoAsset = clip.asset
        }
        planner = try Planner(destination, settings)
        try planner.requireWritable(reading: clip.asset)
        let seconds = clip.map.outputDuration
        guard seconds.isFinite, seconds < RenderPlan.longestSeconds else {
            throw MediaError(
                .incompatible, file: destination, reason: "the output would last \(seconds) s",
                remedy: "Choose a smaller factor")
        }
        try clip.asset.requireNoJumps(in: clip.range)
    }

    func requireSomething(
        _ video: [RenderPlan.VideoTrack], _ audio: [RenderPlan.AudioTrack]
    ) throws {
        guard video.isEmpty && audio.isEmpty else {
            return
        }
        let isMuted = planner.settings.audio.mode == .mute && !clip.asset.audioStreams.isEmpty
        if case .retimed = planner.settings.video.mode, !isMuted, !clip.asset.videoStreams.isEmpty,
            !planner.container.videoCodecs.isEmpty
        {
            throw MediaError(
                .damaged, file: clip.asset.path, reason: "no frame of it can be decoded",
                remedy: "Check that it plays in another program")
        }
        throw MediaError(
            .noUsableStream, file: clip.asset.path,
            reason: "a .\(planner.container.rawValue) file can hold none of its streams",
            remedy: isMuted
                ? "Leave out \(.muting)" : "Choose an output file type for what the input has")
    }

    // MARK: - Video

    /// The clip that is seen.
    private var seen: AssetClip { planner.settings.video.keepsTimes ? clip.unretimed : clip }

    mutating func planVideo() throws -> [RenderPlan.VideoTrack] {
        switch planner.settings.video.mode {
        case .retimed, .unretimed: return try planEncoded()
        case .restamped: return try planRestamped()
        case .dropped, .copied: return []
        }
    }

    private mutating func planEncoded() throws -> [RenderPlan.VideoTrack] {
        let streams = clip.asset.videoStreams
        guard let codec = planner.videoCodec else {
            if !streams.isEmpty {
                planner.note(
                    "a .\(planner.container.rawValue) file can't hold video: only sound is kept")
            }
            return []
        }
        try planner.validate(codec)
        return try streams.compactMap { stream in
            guard
                let decoded = try Planner.decoded(
                    stream, of: clip.asset, from: clip.range.start)
            else {
                planner.note(
                    "stream \(stream.index) (\(stream.codecName)): no frame of it can be decoded;"
                        + " it is dropped")
                return nil
            }
            return try plan(decoded, codec: codec)
        }
    }

    private mutating func plan(
        _ decoded: Planner.DecodedStream, codec: VideoCodec
    ) throws -> RenderPlan.VideoTrack {
        let (stream, format) = (decoded.stream, decoded.format)
        let pixelFormat = try planner.stored(format, codec).pixelFormat
        planner.noteLosses(of: stream)
        if planner.settings.video.mixesFrames {
            noteMixing(of: format)
        }
        let timing = try timing(for: format)
        let frames = try planner.frames(of: stream, format, in: seen, timing)
        var track = RenderPlan.VideoTrack(
            model: stream, making: .encoded(codec, pixelFormat), format: format, timing: timing,
            retimedRate: seen.averageRate(of: stream, format),
            segments: [VideoSegment(ticks: nil, source: .frames(frames))])
        track.offset = try offset(of: frames, from: decoded.first)
        return track
    }

    /// Where the grid of output frames begins; zero for a variable rate.
    private func offset(of frames: ClipFrames, from first: TimedFrame) throws -> RationalTime {
        guard let rate = frames.timing.rate else {
            return .zero
        }
        let seconds: Double
        if let index = frames.index {
            seconds = frames.grid(index.times)?.offset ?? 0
        } else {
            // Which frames there are isn't known before they are decoded, but when the first of them is shown is: when one is
            // that lasts throughout.
            let end = max(first.end, frames.stream.end ?? first.end)
            let whole = FrameTimes(starts: [first.start], end: end)
            let shown = Presentations(whole, map: frames.clip.map, range: frames.clip.range)
                .first { _ in true }
            seconds = frames.gridOffset(firstPresentation: shown?.start.seconds ?? 0, rate)
        }
        return abs(seconds) < Tolerance.instant
            ? .zero : try RationalTime(seconds: seconds, timescale: 1_000_000_000)
    }

    private mutating func noteMixing(of format: VideoFormat) {
        if planner.settings.video.rate == .any {
            planner.note(
                "no frames are mixed or made, because each source frame is kept at its own time"
            )
        } else if planner.settings.video.frames == .motion,
            FrameComponents(format.pixelFormat) == nil, FrameMixer.canMix(format.pixelFormat)
        {
            planner.note(
                "frames in \(format.pixelFormat) can't be made from motion: they are mixed instead"
            )
        } else if !FrameMixer.canMix(format.pixelFormat) {
            planner.note("frames in \(format.pixelFormat) can't be mixed: they are held instead")
        }
    }

    private mutating func timing(for format: VideoFormat) throws -> RenderPlan.Timing {
        switch planner.settings.video.outputRate(of: format) {
        case .fixed(let rate):
            try planner.require(rate)
            return .fixed(rate, frameCount: frameCount(at: rate))
        case .source, .any:
            return .variable(ticksPerSecond: planner.ticksPerSecond(for: format, in: seen))
        }
    }

    /// The frame count, at least one. Its duration is within half a frame of the exact one.
    private func frameCount(at rate: FrameRate) -> Int64 {
        max(1, Int64((seen.map.outputDuration * rate.framesPerSecond).rounded()))
    }

    private mutating func planRestamped() throws -> [RenderPlan.VideoTrack] {
        try planner.requireNothingToEncode()
        return try clip.asset.videoStreams.compactMap { stream in
            guard let format = stream.videoFormat else {
                return nil
            }
            try planner.requireRestampable(stream, in: clip)
            try planner.requireHeld([stream], of: clip.asset)
            let ticks = planner.ticksPerSecond(for: format, in: clip)
            let packets = try planner.packets(of: stream, in: clip, ticksPerSecond: ticks)
            try planner.noteReferences(of: packets)
            return RenderPlan.VideoTrack(
                model: stream,
                making: .restamped(packetCount: packets.timetable.entries.count),
                format: format, timing: .variable(ticksPerSecond: ticks),
                retimedRate: clip.averageRate(of: stream, format),
                segments: [VideoSegment(ticks: nil, source: .packets(packets))])
        }
    }

    // MARK: - Audio

    mutating func planAudio() throws -> [RenderPlan.AudioTrack] {
        let streams = clip.asset.audioStreams
        guard let codec = planner.audioCodec else {
            if !streams.isEmpty {
                planner.noteSilence()
            }
            return []
        }
        let count = planner.audioTrackCount(of: streams.count, codec)
        return try streams.prefix(count).compactMap { stream in
            try stream.audioFormat.map { try plan(stream, $0, codec) }
        }
    }

    private mutating func plan(
        _ stream: Asset.Stream, _ format: AudioFormat, _ codec: AudioCodec
    ) throws -> RenderPlan.AudioTrack {
        let encoded = try AudioEncoder.encodable(
            codec, format: format, path: planner.destination)
        if encoded.layout != format.layout {
            planner.note(
                "\(codec.rawValue) doesn't support the layout \(format.layout): "
                    + "the channels are labelled \(encoded.layout)")
        }
        let isKept = planner.settings.audio.mode == .keep
        let lasts = isKept ? clip.range.duration.seconds : .infinity
        let samples = min(clip.map.outputDuration, lasts) * Double(encoded.sampleRate)
        let count = max(1, Int64(samples.rounded()))
        let sound = ClipSound(
            clip: clip, stream: stream, format: format,
            map: isKept ? .identity(clip.range.duration) : clip.map,
            sampleRate: encoded.sampleRate, sampleCount: count)
        return RenderPlan.AudioTrack(
            model: stream, codec: codec, format: format, sampleRate: encoded.sampleRate,
            sampleCount: count,
            layers: [
                [
                    AudioSegment(
                        samples: 0..<count, fades: .none, envelopes: [], mix: .unchanged,
                        sound: sound)
                ]
            ])
    }
}

extension RenderPlan {
    /// Makes the plan for rendering a clip, and checks that it can be done.
    ///
    /// - Parameters:
    ///   - destination: the path of the output file; its extension chooses the container.
    ///   - settings: what the render should make.
    ///
    /// - Throws: ``MediaError`` if the container can't hold what the settings ask for, the destination exists
    ///   (and may not be replaced) or is the input, or nothing of the input can be decoded; for a clip of a
    ///   composition also as ``init(_:in:to:settings:)``.
    public init(
        _ clip: Clip, to destination: String, settings: RenderSettings = RenderSettings()
    ) throws {
        guard let file = clip.assetClip else {
            try self.init(
                .clip(clip),
                CompositionPlanner(
                    clip.source, playing: clip, to: destination, settings: settings))
            return
        }
        try self.init(clip, ClipPlanner(file, to: destination, settings: settings))
    }

    private init(_ timeline: Clip, _ planner: ClipPlanner) throws {
        var planner = planner
        let clip = planner.clip
        let video = try planner.planVideo()
        let copied = try planner.planCopied()
        let audio = try planner.planAudio()
        try planner.requireSomething(video, audio)
        let subtitles = planner.planSubtitles()
        let attachments = planner.planner.attachments(of: planner.videoAsset)
        let chapters = planner.planChapters()
        planner.noteTitles(
            of: video.compactMap(\.model) + copied.map(\.stream) + audio.compactMap(\.model)
                + subtitles.map(\.model))
        self.init(
            timeline: .clip(timeline), destination: planner.planner.destination,
            container: planner.planner.container, settings: planner.planner.settings,
            video: try planner.planner.cut(video, beside: audio),
            copied: copied, audio: audio, subtitles: subtitles, attachments: attachments,
            chapters: chapters, tags: planner.videoAsset.tags,
            outputDuration: clip.map.outputDuration,
            warnings: clip.asset.decodingWarnings + clip.map.warnings + planner.planner.warnings)
    }
}
