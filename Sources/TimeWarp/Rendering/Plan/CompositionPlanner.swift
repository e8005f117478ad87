import Foundation
import Media
import TimeMaps

/// Makes the plan for a composition, and notes what can't be kept.
struct CompositionPlanner {
    let composition: Composition
    var planner: Planner
    let maps = SegmentMaps()
    private let assets: [String: Asset]
    /// The format of the frames; nil to take that of the first clip.
    private let wantedFormat: VideoFormat?
    private var formats: [String: (stream: Asset.Stream, format: VideoFormat)] = [:]

    init(
        _ composition: Composition, in folder: String?, to destination: String,
        settings: RenderSettings, format: VideoFormat?, for purpose: Planner.Purpose = .rendering
    ) throws {
        wantedFormat = format
        self.composition = composition
        planner = try Planner(destination, settings, for: purpose)
        guard composition.duration > .zero else {
            throw MediaError(
                .incompatible, file: destination, reason: "the composition is empty",
                remedy: "Put a clip on a track")
        }
        guard composition.duration.seconds < RenderPlan.longestSeconds else {
            throw MediaError(
                .incompatible, file: destination,
                reason: "the composition lasts \(composition.duration.seconds) s")
        }
        try Self.requireOwnVideo(planner)
        var assets: [String: Asset] = [:]
        for media in Set(composition.tracks.flatMap(\.segments).compactMap(\.clip?.media)).sorted()
        {
            let asset = try Asset(at: MediaPath.resolve(media, in: folder))
            try planner.requireWritable(reading: asset)
            assets[media] = asset
        }
        for clip in composition.tracks.flatMap(\.segments).compactMap(\.clip) {
            try assets[clip.media]?.requireNoJumps(in: clip.range)
        }
        self.assets = assets
        noteLeftOut()
    }

    private static func requireOwnVideo(_ planner: Planner) throws {
        if case .copied(let asset) = planner.settings.video {
            throw MediaError(
                .incompatible, file: planner.destination,
                reason: "a composition can't be combined with the video of \(asset.path)",
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

    /// Notes what isn't used: of each file, only the first video track, all audio tracks and the text subtitles
    /// are used.
    private mutating func noteLeftOut() {
        for (media, asset) in assets.sorted(by: { $0.key < $1.key }) {
            func note(_ count: Int, _ what: String) {
                if count > 0 {
                    planner.note("\(media): \(count) \(what) left out")
                }
            }
            planner.note(asset.warnings.map { "\(media): \($0)" })
            note(asset.videoStreams.count - 1, "more video tracks")
            note(
                asset.streams.filter { $0.subtitleKind == .bitmap }.count,
                "image subtitle tracks")
        }
    }

    func asset(_ media: String) throws -> Asset {
        guard let asset = assets[media] else {
            throw MediaError(.noInput, file: media, reason: "no track uses it")
        }
        return asset
    }

    // MARK: - Video

    mutating func planVideo() throws -> [RenderPlan.VideoTrack] {
        switch planner.settings.video {
        case .retimed: return try planEncoded()
        case .restamped: return try planRestamped()
        case .dropped, .copied: return []
        }
    }

    func visibleStretches() throws -> [VisibleStretch] {
        try VisibleStretch.flattening(composition) { media in
            try asset(media).videoStreams.first != nil
        }
    }

    private mutating func planEncoded() throws -> [RenderPlan.VideoTrack] {
        guard let codec = planner.videoCodec else {
            return []
        }
        let stretches = try visibleStretches()
        guard let first = stretches.lazy.compactMap(\.segment?.clip).first else {
            return []
        }
        try planner.validate(codec)
        let format = try videoFormat(like: first, codec)
        let timing = try timing(for: format, stretches)
        let grid = SegmentGrid(timing, end: composition.duration)
        let segments = try stretches.map { stretch in
            let ticks = try grid.ticks(of: stretch.range)
            return VideoSegment(
                ticks: ticks, source: try frames(of: stretch, ticks, grid).map { .frames($0) })
        }
        return [
            RenderPlan.VideoTrack(
                model: nil, making: .encoded(codec, format.pixelFormat), format: format,
                timing: timing, frameRate: grid.rate ?? format.frameRate,
                chunkLength: planner.chunkLength(segments, timing, codec), segments: segments)
        ]
    }

    /// The format of the frames: upright, with the first clip's size unless the composition has one.
    private mutating func videoFormat(
        like clip: PlacedClip, _ codec: VideoCodec
    ) throws -> VideoFormat {
        if let wantedFormat {
            return wantedFormat
        }
        let (stream, source) = try decoded(clip.media)
        var format = source
        if QuarterTurn(degrees: stream.rotation).swapsSides {
            (format.width, format.height) = (source.height, source.width)
            format.sampleAspectRatio = source.sampleAspectRatio.map {
                VideoFormat.Ratio($0.denominator, over: $0.numerator)
            }
        }
        if let size = composition.format.size {
            (format.width, format.height) = (size.width, size.height)
            format.sampleAspectRatio = nil
        }
        format.pixelFormat = try planner.pixelFormat(for: source.pixelFormat, codec)
        format.fieldOrder = .progressive
        if let rate = self.source.statedRate {
            format.frameRate = rate
            format.nominalRate = rate
            format.cadence = .constant(rate)
        }
        return format
    }

    private mutating func decoded(
        _ media: String
    ) throws -> (stream: Asset.Stream, format: VideoFormat) {
        if let known = formats[media] {
            return known
        }
        let asset = try asset(media)
        guard let stream = asset.videoStreams.first,
            let found = try Planner.decoded(stream, of: asset, from: .zero)
        else {
            throw MediaError(
                .noUsableStream, file: asset.path, reason: "no frame of it can be decoded")
        }
        formats[media] = found
        return found
    }

    private mutating func timing(
        for format: VideoFormat, _ stretches: [VisibleStretch]
    ) throws -> RenderPlan.Timing {
        guard case .fixed(let rate) = planner.settings.outputRate(of: format) else {
            var ticks: Int32 = 0
            for clip in stretches.compactMap(\.clip) {
                ticks = max(ticks, try ticksPerSecond(of: clip))
            }
            return .variable(ticksPerSecond: ticks)
        case .fixed(let fixed): rate = fixed
        case .source: rate = format.usualRate
        }
        let frames = (composition.duration.seconds * rate.framesPerSecond).rounded()
        return .fixed(rate, frameCount: max(1, Int64(frames)))
    }

    mutating func ticksPerSecond(of segment: Segment) throws -> Int32 {
        guard let placed = segment.clip,
            let format = try asset(placed.media).videoStreams.first?.videoFormat
        else {
            return 0
        }
        let whole = try TimeRange(start: .zero, duration: segment.duration)
        return planner.ticksPerSecond(for: format, in: try shownClip(segment, whole))
    }

    /// The frames of a stretch; nil for black.
    private mutating func frames(
        of stretch: VisibleStretch, _ ticks: Range<Int64>, _ grid: SegmentGrid
    ) throws -> ClipFrames? {
        guard let segment = stretch.segment, let placed = segment.clip, !ticks.isEmpty else {
            return nil
        }
        try Task.checkCancellation()
        let (stream, format) = try decoded(placed.media)
        let clip = try shownClip(segment, stretch.window)
        planner.note(clip.map.warnings.map { "\(placed.media): \($0)" })
        return try planner.frames(
            of: stream, format, in: clip, grid.timing(of: ticks),
            gridPhase: try grid.phase(of: ticks, in: stretch.range))
    }

    /// The clip that plays a part of a segment. It has only the source range that is needed.
    func shownClip(_ segment: Segment, _ window: TimeRange) throws -> Clip {
        guard let placed = segment.clip else {
            throw CompositionError(.invalid, "nothing plays in a gap")
        }
        let asset = try asset(placed.media)
        let map = try maps.map(of: segment, in: asset)
        let part = try map.window(from: window.start, to: window.end)
        // Because of rounding, the range may reach outside of the file by much less than a frame, at either
        // end.
        let start = try placed.range.start.sum(part.sourceStart)
        let wanted = try TimeRange(
            fittingStart: start.seconds > -Tolerance.stated ? max(.zero, start) : start,
            duration: part.sourceDuration)
        let overshoot = wanted.end.relative(to: asset.duration).seconds
        let range =
            overshoot > 0 && overshoot < Tolerance.stated
            ? try TimeRange(start: wanted.start, end: asset.duration) : wanted
        return try Clip(of: asset, range: range) { _ in part.map }
    }
}
