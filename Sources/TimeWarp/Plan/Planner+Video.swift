import Media
import TimeMaps

/// Plans video tracks whose frames are encoded.
extension Planner {
    mutating func planVideo() throws -> [RenderPlan.VideoTrack] {
        switch settings.video.mode {
        case .dropped, .copied: return []
        case .restamped: try requireNothingToEncode()
        case .retimed, .unretimed:
            guard let codec = videoCodec else {
                if let file, !file.asset.videoStreams.isEmpty {
                    note("a .\(container.rawValue) file can't hold video: only sound is kept")
                }
                return []
            }
            if purpose == .rendering {
                try validate(codec)
                try requireWholeForHardware()
            }
        }
        let count = videoTrackCount()
        return try (0..<count).compactMap { number in
            guard settings.video.mode != .restamped else {
                return try planRestamped(number)
            }
            return try planEncoded(number).map { try onHardware($0) }
        }
    }

    private mutating func videoTrackCount() -> Int {
        let assets = file.map { [$0.asset] } ?? seen.joined().map(\.asset)
        let counts = Set(assets.map { videos(of: $0).count })
        let most = counts.max() ?? 0
        guard file == nil, most > 1 else {
            return container.holdsOneTrack ? min(most, 1) : most
        }
        guard wantedFormat == nil else {
            return 1
        }
        guard !container.holdsOneTrack else {
            note(
                "a .\(container.rawValue) file can hold one video track: the other \(most - 1) are dropped"
            )
            return 1
        }
        guard settings.video.mode != .restamped else {
            // Black would have to be encoded.
            let least = counts.filter { $0 > 0 }.min() ?? 0
            if least < most {
                note("video tracks that not every clip has are dropped: \(most - least)")
            }
            return least
        }
        note(
            "the output has \(most) video tracks, as many as a clip has; clips with fewer are black in the others"
        )
        return most
    }

    /// The video streams of a file that are used, each for an output track. Of a composition's files the main one comes first.
    private func videos(of asset: Asset) -> [Asset.Stream] {
        file == nil ? films[asset.path, default: []] : asset.videoStreams
    }

    /// The video stream of a file for an output track, counted from 0; nil if there are fewer.
    func video(_ number: Int, of asset: Asset) -> Asset.Stream? {
        videos(of: asset).dropFirst(number).first
    }

    /// What is seen on the output's video track of a number.
    func visibleSpans(_ number: Int) throws -> [VisibleSpan] {
        try VisibleSpan.covering(
            seen.map { $0.filter { video(number, of: $0.asset) != nil } }, until: videoDuration)
    }

    private mutating func planEncoded(_ number: Int) throws -> RenderPlan.VideoTrack? {
        guard let codec = videoCodec else {
            return nil
        }
        guard let file else {
            return try planConformed(number, codec)
        }
        guard let stream = video(number, of: file.asset) else {
            return nil
        }
        guard let decoded = try decoded(stream, of: file.asset, from: file.range.start) else {
            note(
                "stream \(stream.index) (\(stream.codecName)): no frame of it can be decoded; it is dropped"
            )
            return nil
        }
        return try plan(decoded, number, of: file, codec)
    }

    // MARK: - A file's own tracks

    private mutating func plan(
        _ decoded: DecodedStream, _ number: Int, of file: AssetClip, _ codec: VideoCodec
    ) throws -> RenderPlan.VideoTrack {
        let (stream, format) = (decoded.stream, decoded.format)
        let pixelFormat =
            purpose == .measuring ? format.pixelFormat : try stored(format, codec).pixelFormat
        noteLosses(of: stream)
        if settings.video.mixesFrames {
            noteMixing(of: format)
        }
        let shown = settings.video.keepsTimes ? clip?.unretimed?.assetClip ?? file : file
        let timing = try timing(
            for: format, lasting: shown.map.outputDuration,
            ticksPerSecond: { $0.ticksPerSecond(for: format, in: shown) })
        var track = RenderPlan.VideoTrack(
            model: stream, making: .encoded(codec, pixelFormat), format: format, timing: timing,
            retimedRate: shown.averageRate(of: stream, format), segments: [])
        guard wholeFile != nil else {
            track.segments = try segments(of: try visibleSpans(number), number, timing)
            return track
        }
        let frames = try frames(of: stream, format, in: shown, timing)
        track.segments = [VideoSegment(ticks: nil, source: .frames(frames))]
        track.offset = try offset(of: frames, from: decoded)
        return track
    }

    /// Where the grid of output frames begins; zero for a variable rate.
    private func offset(of frames: ClipFrames, from first: DecodedStream) throws -> RationalTime {
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
        if settings.video.rate == .any {
            note("no frames are mixed or made, because each source frame is kept at its own time")
        } else if settings.video.frames.followsMotion,
            FrameComponents(format.pixelFormat) == nil, FrameMixer.canMix(format.pixelFormat)
        {
            note(
                "frames in \(format.pixelFormat) can't be made from motion: they are mixed instead"
            )
        } else if !FrameMixer.canMix(format.pixelFormat) {
            note("frames in \(format.pixelFormat) can't be mixed: they are held instead")
        }
    }

    // MARK: - Tracks in one format

    private mutating func planConformed(
        _ number: Int, _ codec: VideoCodec
    ) throws -> RenderPlan.VideoTrack? {
        let spans = try visibleSpans(number)
        guard let first = spans.lazy.compactMap(\.layers.first?.clip).first else {
            return nil
        }
        let format = try conformedFormat(like: first, number, codec)
        let timing = try timing(
            for: format, lasting: videoDuration.seconds,
            ticksPerSecond: { try $0.ticksPerSecond(of: spans, number) })
        let segments = try segments(of: spans, number, timing)
        return RenderPlan.VideoTrack(
            model: try model(of: spans, like: first, number),
            making: .encoded(codec, format.pixelFormat), format: format, timing: timing,
            retimedRate: averageRate(of: segments), segments: segments)
    }

    /// The format of the frames: upright, with the first clip's size unless the composition has one.
    private mutating func conformedFormat(
        like clip: ResolvedClip, _ number: Int, _ codec: VideoCodec
    ) throws -> VideoFormat {
        if let wantedFormat {
            return wantedFormat
        }
        let decoded = try shown(number, of: clip)
        var format = decoded.format
        if QuarterTurn(degrees: decoded.stream.rotation).swapsSides {
            (format.width, format.height) = (format.height, format.width)
            format.sampleAspectRatio = format.sampleAspectRatio.map {
                VideoFormat.Ratio($0.denominator, over: $0.numerator)
            }
        }
        if let size = source.statedSize {
            (format.width, format.height) = (size.width, size.height)
            format.sampleAspectRatio = nil
        }
        format = try stored(format, codec)
        format.fieldOrder = .progressive
        if let rate = source.statedRate {
            format.setConstantRate(rate)
        }
        return format
    }

    /// The stream of a clip that is seen on a track, decoded.
    private mutating func shown(
        _ number: Int, of clip: ResolvedClip
    ) throws -> DecodedStream {
        guard let stream = video(number, of: clip.asset),
            let found = try decoded(stream, of: clip.asset)
        else {
            throw MediaError(
                .noUsableStream, file: clip.asset.path, reason: "no frame of it can be decoded")
        }
        return found
    }

    /// The stream whose HDR metadata and projection are written: that of the clip whose colours the frames have.
    private mutating func model(
        of spans: [VisibleSpan], like clip: ResolvedClip, _ number: Int
    ) throws -> Asset.Stream {
        let model = try shown(number, of: clip).stream
        var used: [String: Asset.Stream] = [:]
        for other in spans.flatMap(\.layers).map(\.clip) where used[other.asset.path] == nil {
            used[other.asset.path] = try shown(number, of: other).stream
        }
        for (path, stream) in used.sorted(by: { $0.key < $1.key }) {
            noteLosses(of: stream)
            if !stream.looksLike(model) {
                note(
                    "\(path): its HDR metadata or its projection aren't those of "
                        + "\(clip.asset.path), which are kept")
            }
        }
        let streams = used.sorted { $0.key < $1.key }.map(\.value)
        return model.upright(keepsTags: Self.commonModel(of: streams) != nil)
    }

    /// The average frame rate if each source frame comes once; nil without frames.
    private func averageRate(of segments: [VideoSegment]) -> FrameRate? {
        let frames = segments.compactMap { $0.frames ?? $0.mixed.last?.frames }.reduce(0.0) {
            sum, frames in
            let rate = frames.clip.averageRate(of: frames.stream, frames.format)
            return sum + (rate?.framesPerSecond ?? 0) * frames.clip.map.outputDuration
        }
        return FrameRate(average: frames / videoDuration.seconds)
    }

    // MARK: - Times and segments

    private mutating func timing(
        for format: VideoFormat, lasting seconds: Double,
        ticksPerSecond: (inout Planner) throws -> Int32
    ) throws -> RenderPlan.Timing {
        guard case .fixed(let rate) = settings.video.outputRate(of: format) else {
            guard !container.hasOnlyRate || purpose == .measuring else {
                throw MediaError(
                    .incompatible, file: destination,
                    reason:
                        "frames of a .\(container.rawValue) file have no times of their own, and these "
                        + "aren't evenly spaced",
                    remedy: "Choose \(.frameRate)")
            }
            return .variable(ticksPerSecond: try ticksPerSecond(&self))
        }
        try require(rate)
        // At least one frame. Their duration is within half a frame of the exact one.
        let frames = (seconds * rate.framesPerSecond).rounded()
        return .fixed(rate, frameCount: max(1, Int64(frames)))
    }

    mutating func ticksPerSecond(of spans: [VisibleSpan], _ number: Int) throws -> Int32 {
        try spans.flatMap(\.layers).map(\.clip).reduce(0) { ticks, clip in
            guard let format = video(number, of: clip.asset)?.videoFormat else {
                return ticks
            }
            return max(ticks, ticksPerSecond(for: format, in: try clip.whole))
        }
    }

    private mutating func segments(
        of spans: [VisibleSpan], _ number: Int, _ timing: RenderPlan.Timing
    ) throws -> [VideoSegment] {
        let grid = SegmentGrid(timing, end: videoDuration)
        return try spans.map { span in
            let ticks = try grid.ticks(of: span.range)
            return VideoSegment(
                ticks: ticks, source: try presented(in: span, number, ticks, grid))
        }
    }

    /// What a span presents; nil for black.
    private mutating func presented(
        in span: VisibleSpan, _ number: Int, _ ticks: Range<Int64>, _ grid: SegmentGrid
    ) throws -> VideoSegment.Source? {
        guard !span.layers.isEmpty, !ticks.isEmpty else {
            return nil
        }
        let layers = try span.layers.map { layer in
            MixedFrames(
                frames: try frames(of: layer, number, in: span, ticks, grid),
                envelopes: layer.clip.envelopes)
        }
        return span.clip == nil ? .mixed(layers) : .frames(layers[0].frames)
    }

    private mutating func frames(
        of layer: VisibleSpan.Layer, _ number: Int, in span: VisibleSpan,
        _ ticks: Range<Int64>, _ grid: SegmentGrid
    ) throws -> ClipFrames {
        try Task.checkCancellation()
        let decoded = try shown(number, of: layer.clip)
        let clip = try layer.clip.shown(layer.window)
        note(clip.map.warnings.map { "\(layer.clip.name): \($0)" })
        // Frames of a file stay as they are stored, and its track keeps the rotation. Those of a composition are turned.
        return try frames(
            of: file == nil ? decoded.stream : decoded.stream.upright(keepsTags: true),
            decoded.format, in: clip, grid.timing(of: ticks),
            gridPhase: try grid.phase(of: ticks, in: span.range), shapes: layer.clip.shapes)
    }
}
