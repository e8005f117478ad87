import Foundation
import Media
import TimeMaps

/// Makes the plan for a composition, or for a clip of one, and notes what can't be kept.
struct CompositionPlanner {
    let source: MediaSource
    /// The clip that is rendered; nil for the composition as it is.
    let clip: Clip?
    var planner: Planner
    /// How long the output lasts.
    let duration: RationalTime
    /// What is seen: layers from the lowest, each with clips in order.
    let seen: [[ResolvedClip]]
    /// What is heard.
    let heard: [[ResolvedClip]]
    /// The format of the frames; nil to take that of the first clip.
    private let wantedFormat: VideoFormat?
    private var formats: [String: (stream: Asset.Stream, format: VideoFormat)] = [:]

    var composition: Composition { source.composition ?? Composition() }

    /// - Parameters:
    ///   - clip: a clip of the composition; nil to render the composition as it is.
    ///   - format: the format of the frames; nil to take that of the first clip.
    init(
        _ source: MediaSource, playing clip: Clip? = nil, to destination: String,
        settings: RenderSettings, format: VideoFormat? = nil,
        for purpose: Planner.Purpose = .rendering
    ) throws {
        wantedFormat = format
        self.source = source
        self.clip = clip
        planner = try Planner(destination, settings, for: purpose)
        guard source.duration > .zero else {
            throw MediaError(
                .incompatible, file: destination, reason: "the composition is empty",
                remedy: "Put a clip on a track")
        }
        duration = try clip?.map.duration.onFineTicks ?? source.duration
        guard duration.seconds < RenderPlan.longestSeconds else {
            throw MediaError(
                .incompatible, file: destination,
                reason: "the output would last \(duration.secondsText) s",
                remedy: "Choose a smaller factor")
        }
        try Self.requireOwnVideo(planner)
        for asset in source.assets {
            try planner.requireWritable(reading: asset)
        }
        seen = try Self.layers(
            of: source, clip, for: .pictures, isRetimed: !settings.video.keepsTimes
        ) { $0.isSeen }
        let keepsSpeed = clip == nil && settings.audio.mode == .keep
        heard = try Self.layers(
            of: source, clip, for: keepsSpeed ? .soundWithoutHandles : .sound,
            isRetimed: settings.audio.mode != .keep
        ) { $0.isHeard }
        for flat in (seen + heard).joined() {
            try flat.asset.requireNoJumps(in: flat.sourceRange)
        }
        noteLeftOut()
        if let clip {
            planner.note(clip.map.warnings)
        }
    }

    /// - Parameter isRetimed: whether the map of the clip counts.
    private static func layers(
        of source: MediaSource, _ clip: Clip?, for purpose: DissolveLane.Purpose,
        isRetimed: Bool,
        _ isWanted: (ResolvedClip) -> Bool
    ) throws -> [[ResolvedClip]] {
        var flattening = Flattening(for: purpose)
        var part = Flattening.Part(
            range: try TimeRange(start: .zero, duration: source.duration), map: nil, start: .zero)
        if let clip {
            let map = isRetimed ? clip.map : .identity(clip.range.duration)
            part = Flattening.Part(
                range: try TimeRange(start: .zero, duration: map.duration.onFineTicks), map: map,
                start: clip.range.start)
        }
        return try flattening.layers(of: source, part).map { $0.filter(isWanted) }
    }

    private static func requireOwnVideo(_ planner: Planner) throws {
        if case .copied(let path) = planner.settings.video.mode {
            throw MediaError(
                .incompatible, file: planner.destination,
                reason: "a composition can't be combined with the video of \(path)",
                remedy: "Put that file on a track")
        }
    }

    func requireSomething(
        _ video: [RenderPlan.VideoTrack], _ audio: [RenderPlan.AudioTrack]
    ) throws {
        guard video.isEmpty && audio.isEmpty else {
            return
        }
        throw MediaError(
            .noUsableStream, file: planner.destination,
            reason: "a .\(planner.container.rawValue) file can hold nothing of the composition")
    }

    /// Notes what isn't used: of each file, only the main video track, all audio tracks and the text subtitles
    /// are used.
    private mutating func noteLeftOut() {
        for asset in source.assets {
            planner.note(asset.decodingWarnings.map { "\(asset.path): \($0)" })
            let main = asset.mainVideo
            for other in asset.videoStreams where other.index != main?.index {
                planner.note(
                    "\(asset.path): of its video tracks stream \(main?.index ?? 0) is used, and "
                        + "stream \(other.index) (\(other.codecName)) is dropped")
            }
            let images = asset.streams.filter { $0.subtitleKind == .bitmap }.count
            if images > 0 {
                planner.note("\(asset.path): \(images) image subtitle tracks dropped")
            }
        }
    }

    // MARK: - Video

    mutating func planVideo() throws -> [RenderPlan.VideoTrack] {
        switch planner.settings.video.mode {
        case .retimed, .unretimed: return try planEncoded()
        case .restamped: return try planRestamped()
        case .dropped, .copied: return []
        }
    }

    func visibleSpans() throws -> [VisibleSpan] {
        try VisibleSpan.covering(seen, until: duration)
    }

    private mutating func planEncoded() throws -> [RenderPlan.VideoTrack] {
        guard let codec = planner.videoCodec else {
            return []
        }
        let spans = try visibleSpans()
        guard let first = spans.lazy.compactMap(\.layers.first?.clip).first else {
            return []
        }
        try planner.validate(codec)
        let format = try videoFormat(like: first, codec)
        let timing = try timing(for: format, spans)
        let grid = SegmentGrid(timing, end: duration)
        let segments = try spans.map { span in
            let ticks = try grid.ticks(of: span.range)
            return VideoSegment(ticks: ticks, source: try source(of: span, ticks, grid))
        }
        return [
            RenderPlan.VideoTrack(
                model: try pictureModel(like: first), making: .encoded(codec, format.pixelFormat),
                format: format,
                timing: timing, retimedRate: averageRate(of: segments),
                segments: segments)
        ]
    }

    /// The format of the frames: upright, with the first clip's size unless the composition has one.
    private mutating func videoFormat(
        like clip: ResolvedClip, _ codec: VideoCodec
    ) throws -> VideoFormat {
        if let wantedFormat {
            return wantedFormat
        }
        let (stream, source) = try decoded(clip.asset)
        var format = source
        if QuarterTurn(degrees: stream.rotation).swapsSides {
            (format.width, format.height) = (source.height, source.width)
            format.sampleAspectRatio = source.sampleAspectRatio.map {
                VideoFormat.Ratio($0.denominator, over: $0.numerator)
            }
        }
        if let size = self.source.statedSize {
            (format.width, format.height) = (size.width, size.height)
            format.sampleAspectRatio = nil
        }
        format = try planner.stored(format, codec)
        format.fieldOrder = .progressive
        if let rate = self.source.statedRate {
            format.setConstantRate(rate)
        }
        return format
    }

    /// The stream whose HDR metadata and projection are written: that of the clip whose colours the frames have.
    private mutating func pictureModel(like clip: ResolvedClip) throws -> Asset.Stream {
        let model = try decoded(clip.asset).stream
        let used = formats.sorted { $0.key < $1.key }.map { ($0.key, $0.value.stream) }
        for (path, stream) in used {
            planner.noteLosses(of: stream)
            if !stream.looksLike(model) {
                planner.note(
                    "\(path): its HDR metadata or its projection aren't those of "
                        + "\(clip.asset.path), which are kept")
            }
        }
        return model.upright(keepsTags: Self.model(of: used.map(\.1)) != nil)
    }

    private mutating func decoded(
        _ asset: Asset
    ) throws -> (stream: Asset.Stream, format: VideoFormat) {
        if let known = formats[asset.path] {
            return known
        }
        guard let stream = asset.mainVideo,
            let found = try Planner.decoded(stream, of: asset, from: .zero)
                .map({ ($0.stream, $0.format) })
        else {
            throw MediaError(
                .noUsableStream, file: asset.path, reason: "no frame of it can be decoded")
        }
        formats[asset.path] = found
        return found
    }

    /// The average frame rate if each source frame comes once; nil without frames.
    private func averageRate(of segments: [VideoSegment]) -> FrameRate? {
        let frames = segments.compactMap { $0.frames ?? $0.mixed.last?.frames }.reduce(0.0) {
            sum, frames in
            let rate = frames.clip.averageRate(of: frames.stream, frames.format)
            return sum + (rate?.framesPerSecond ?? 0) * frames.clip.map.outputDuration
        }
        return FrameRate(average: frames / duration.seconds)
    }

    private mutating func timing(
        for format: VideoFormat, _ spans: [VisibleSpan]
    ) throws -> RenderPlan.Timing {
        guard case .fixed(let rate) = planner.settings.video.outputRate(of: format) else {
            var ticks: Int32 = 0
            for clip in spans.flatMap(\.layers).map(\.clip) {
                ticks = max(ticks, try ticksPerSecond(of: clip))
            }
            return .variable(ticksPerSecond: ticks)
        }
        try planner.require(rate)
        let frames = (duration.seconds * rate.framesPerSecond).rounded()
        return .fixed(rate, frameCount: max(1, Int64(frames)))
    }

    mutating func ticksPerSecond(of clip: ResolvedClip) throws -> Int32 {
        guard let format = clip.video?.videoFormat else {
            return 0
        }
        return planner.ticksPerSecond(for: format, in: try clip.whole)
    }

    /// What a span presents; nil for black.
    private mutating func source(
        of span: VisibleSpan, _ ticks: Range<Int64>, _ grid: SegmentGrid
    ) throws -> VideoSegment.Source? {
        guard !span.layers.isEmpty, !ticks.isEmpty else {
            return nil
        }
        let layers = try span.layers.map { layer in
            MixedFrames(
                frames: try frames(of: layer, in: span, ticks, grid),
                envelopes: layer.clip.envelopes)
        }
        return span.clip == nil ? .mixed(layers) : .frames(layers[0].frames)
    }

    private mutating func frames(
        of layer: VisibleSpan.Layer, in span: VisibleSpan, _ ticks: Range<Int64>,
        _ grid: SegmentGrid
    ) throws -> ClipFrames {
        try Task.checkCancellation()
        let (stream, format) = try decoded(layer.clip.asset)
        let clip = try layer.clip.shown(layer.window)
        planner.note(clip.map.warnings.map { "\(layer.clip.name): \($0)" })
        return try planner.frames(
            of: stream, format, in: clip, grid.timing(of: ticks),
            gridPhase: try grid.phase(of: ticks, in: span.range), shapes: layer.clip.shapes)
    }
}
