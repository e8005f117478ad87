import Foundation
import Media
import TimeMaps

/// Makes the decisions of a composition's plan, and notes what can't be kept.
struct CompositionPlanner {
    let composition: Composition
    let destination: String
    let settings: RenderSettings
    let container: Container
    var warnings: [String] = []
    private let assets: [String: Asset]
    private let indices = PacketIndices()
    /// Nil for that of the first clip.
    private let wantedFormat: VideoFormat?
    private var formats: [String: (stream: Asset.Stream, format: VideoFormat)] = [:]

    init(
        _ composition: Composition, in folder: String?, to destination: String,
        settings: RenderSettings, format: VideoFormat?
    ) throws {
        wantedFormat = format
        self.composition = composition
        self.destination = destination
        self.settings = settings
        container = try Container(forFileAt: destination)
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
        try Self.require(settings, container, destination)
        var assets: [String: Asset] = [:]
        for media in Set(composition.tracks.flatMap(\.segments).compactMap(\.clip?.media)).sorted()
        {
            let asset = try Asset(at: MediaPath.resolve(media, in: folder))
            try AtomicFile.requireWritable(
                destination, notBeing: asset.path, existing: settings.existing)
            assets[media] = asset
        }
        for clip in composition.tracks.flatMap(\.segments).compactMap(\.clip) {
            try assets[clip.media]?.requireNoJumps(in: clip.range)
        }
        self.assets = assets
        noteLeftOut()
    }

    private static func require(
        _ settings: RenderSettings, _ container: Container, _ destination: String
    ) throws {
        if let codec = settings.videoCodec {
            try container.require(codec, file: destination)
        }
        if let codec = settings.audioCodec {
            try container.require(codec, file: destination)
        }
        guard case .retimed = settings.pictures, settings.sound != .keep else {
            throw MediaError(
                .incompatible, file: destination,
                reason: "a composition's pictures and sound are always made anew",
                remedy: "Leave out \(.copiedVideo) and \(.keptSound)")
        }
    }

    func requireSomething(
        _ pictures: CompositionPlan.PictureTrack?, _ sound: CompositionPlan.SoundTrack?
    ) throws {
        guard pictures == nil && sound == nil else {
            return
        }
        throw MediaError(
            .noUsableStream, file: destination,
            reason: "nothing of the composition goes into a .\(container.rawValue) file")
    }

    /// Of each file the first picture and the first sound are used.
    private mutating func noteLeftOut() {
        for (media, asset) in assets.sorted(by: { $0.key < $1.key }) {
            func note(_ count: Int, _ what: String) {
                if count > 0 {
                    warnings.append("\(media): \(count) \(what) left out")
                }
            }
            warnings += asset.warnings.map { "\(media): \($0)" }
            note(asset.videoStreams.count - 1, "more picture tracks")
            note(asset.audioStreams.count - 1, "more sound tracks")
            note(asset.streams.filter { $0.kindName == "subtitles" }.count, "subtitle tracks")
        }
    }

    func asset(_ media: String) throws -> Asset {
        guard let asset = assets[media] else {
            throw MediaError(.noInput, file: media, reason: "it is in no track")
        }
        return asset
    }

    // MARK: - Pictures

    mutating func planPictures() throws -> CompositionPlan.PictureTrack? {
        guard let codec = settings.videoCodec ?? container.videoCodecs.first else {
            return nil
        }
        let stretches = try ShownStretch.flattening(composition) { media in
            try asset(media).videoStreams.first != nil
        }
        guard let first = stretches.lazy.compactMap(\.segment?.clip).first else {
            return nil
        }
        try VideoEncoder.validate(
            codec, quality: settings.quality, preset: settings.preset, path: destination)
        let format = try pictureFormat(like: first, codec)
        let timing = try timing(for: format, stretches)
        let grid = PartGrid(timing, end: composition.duration)
        var parts: [CompositionPlan.PicturePart] = []
        for stretch in stretches {
            let ticks = try grid.ticks(of: stretch.range)
            parts.append(
                CompositionPlan.PicturePart(
                    ticks: ticks, plan: try part(stretch, ticks, grid, codec, format)))
        }
        noteJobs()
        return CompositionPlan.PictureTrack(
            codec: codec, format: format, timing: timing, frameRate: grid.rate ?? format.frameRate,
            parts: parts)
    }

    /// Upright, with the pixels of the first clip unless a size is asked for.
    private mutating func pictureFormat(
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
        format.pixelFormat = try VideoEncoder.pixelFormat(
            for: source.pixelFormat, codec: codec, path: destination)
        warnings += Planner.losses(from: source.pixelFormat, to: format.pixelFormat, codec: codec)
        format.fieldOrder = .progressive
        if let rate = composition.format.frameRate {
            format.frameRate = FrameRate(rate.numerator, over: rate.denominator)
            format.nominalRate = format.frameRate
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
                .noUsableStream, file: asset.path, reason: "no picture of it can be decoded")
        }
        formats[media] = found
        return found
    }

    private mutating func timing(
        for format: VideoFormat, _ stretches: [ShownStretch]
    ) throws -> RenderPlan.Timing {
        let rate: FrameRate
        switch settings.rate {
        case .any:
            var ticks: Int32 = 0
            for clip in stretches.compactMap(\.segment) {
                ticks = max(ticks, try ticksPerSecond(of: clip))
            }
            return .variable(ticksPerSecond: ticks)
        case .fixed(let fixed): rate = fixed
        case .source: rate = format.usualRate
        }
        let frames = (composition.duration.seconds * rate.framesPerSecond).rounded()
        return .fixed(rate, frameCount: max(1, Int64(frames)))
    }

    private mutating func ticksPerSecond(of segment: Segment) throws -> Int32 {
        guard let placed = segment.clip else {
            return 0
        }
        let (_, format) = try decoded(placed.media)
        let whole = try TimeRange(start: .zero, duration: segment.duration)
        var planner = try planner(for: try shownClip(segment, whole))
        let ticks = planner.ticksPerSecond(for: format)
        warnings += planner.warnings.filter { !warnings.contains($0) }
        return ticks
    }

    private func planner(for clip: Clip) throws -> Planner {
        try Planner(
            clip, to: destination, settings: RenderSettings(settings) { $0.jobs = 1 },
            indices: indices)
    }

    private mutating func part(
        _ stretch: ShownStretch, _ ticks: Range<Int64>, _ grid: PartGrid, _ codec: VideoCodec,
        _ target: VideoFormat
    ) throws -> RenderPlan? {
        guard let segment = stretch.segment, let placed = segment.clip, !ticks.isEmpty else {
            return nil
        }
        try Task.checkCancellation()
        let (stream, format) = try decoded(placed.media)
        let clip = try shownClip(segment, stretch.window)
        var planner = try planner(for: clip)
        let track = try planner.track(
            stream, as: codec, target.pixelFormat, format, grid.timing(of: ticks))
        let fresh = clip.map.warnings + planner.warnings
        warnings += fresh.map { "\(placed.media): \($0)" }.filter { !warnings.contains($0) }
        return RenderPlan(
            part: clip, of: destination, container,
            // Two parts are alive at a time.
            RenderSettings(settings) { $0.memoryBytes /= 2 }, video: [track],
            gridPhase: try grid.phase(of: ticks, in: stretch.range))
    }

    /// What is seen of a segment, with no more of the file than that takes.
    private func shownClip(_ segment: Segment, _ window: TimeRange) throws -> Clip {
        guard let placed = segment.clip else {
            throw CompositionError(.invalid, "nothing plays in a gap")
        }
        let asset = try asset(placed.media)
        let map = try segment.timeMap(frameDuration: Clip.frameDuration(of: asset))
        let part = try map.window(from: window.start, to: window.end)
        // Rounding may leave the file by less than any frame, at either end.
        let start = try placed.range.start.sum(part.sourceStart)
        let wanted = try TimeRange(
            fittingStart: start.seconds > -1e-6 ? max(.zero, start) : start,
            duration: part.sourceDuration)
        let overshoot = wanted.end.relative(to: asset.duration).seconds
        let range =
            overshoot > 0 && overshoot < 1e-6
            ? try TimeRange(start: wanted.start, end: asset.duration) : wanted
        return try Clip(of: asset, range: range) { _ in part.map }
    }

    private mutating func noteJobs() {
        if settings.jobs > 1 {
            warnings.append(
                "a composition is rendered in one piece: a number of jobs has no effect")
        }
    }
}
