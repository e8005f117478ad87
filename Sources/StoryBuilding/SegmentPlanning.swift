import Foundation
import Media
import Stories
import TimeMaps
import TimeWarp

/// The format that all segments of a story share.
struct StoryFormat {
    /// The format of all frames: 8 bits and 4:2:0, which browsers play, with the same colour properties.
    let video: VideoFormat
    let rate: FrameRate
    /// The audio format; nil if no segment has sound.
    let sound: (sampleRate: Int, channels: String)?

    /// The format of the video; sound is rendered separately.
    var composition: Composition.Format {
        Composition.Format(
            size: Composition.Size(known: video.width, height: video.height),
            frameRate: rate)
    }
}

/// One segment, ready to be rendered. It has the number of whole frames that comes nearest to its duration.
struct PlannedSegment {
    let name: String
    let segment: Story.Segment
    let composition: Composition
    let frames: Int
    /// The duration of a frame of the built story.
    let frameDuration: RationalTime
    /// The time map; source time counts from the start of the segment's range.
    let map: TimeMap
    let asset: Asset
    /// The start of the segment's range in the asset.
    let rangeStart: RationalTime
    let duration: RationalTime
}

extension PlannedSegment {
    /// The sound of the segment between two instants, which may lie outside of it: there it continues as in the media file.
    func soundClip(from start: RationalTime, to end: RationalTime) throws -> AssetClip {
        try AssetClip(of: asset, through: map, from: rangeStart, window: (start, end))
    }

    /// What is seen before an instant.
    func video(until end: RationalTime) throws -> Composition {
        var video = composition
        if end < video.duration {
            try video.remove(TimeRange(start: end, end: video.duration))
        }
        return video
    }

    /// What is seen from an instant on.
    func video(from start: RationalTime) throws -> Composition {
        var video = composition
        try video.remove(TimeRange(start: .zero, end: start))
        return video
    }
}

/// Turns the segments of a story into compositions.
struct SegmentPlanning {
    let project: StoryProject
    private var assets: [String: Asset] = [:]

    init(_ project: StoryProject) throws {
        self.project = project
        for media in Set(project.story.segments.values.map(\.media)) {
            assets[media] = try project.asset(media)
        }
    }

    private func asset(_ media: String) throws -> Asset {
        guard let asset = assets[media] else {
            throw MediaError(.noInput, file: media, reason: "no segment uses it")
        }
        return asset
    }

    /// The clip of a segment, for a composition.
    private func clip(_ segment: Story.Segment) throws -> PlacedClip {
        let asset = try asset(segment.media)
        let range = try segment.range ?? TimeRange(start: .zero, end: asset.duration)
        let retiming: Retiming
        switch segment.retiming {
        case .none: retiming = .uniform
        case .warp(let curve): retiming = .curve(curve)
        case .timeMap(let document): retiming = .timeMap(document)
        case .timeMapFile(let path):
            let clip = try Clip(
                of: MediaSource(asset), range: range, timeMapFile: project.resolve(path))
            retiming = .timeMap(try clip.map.straightPoints())
        }
        return try PlacedClip(asset.path, range: range, retiming: retiming)
    }

    /// Plans a segment that lasts a whole number of frames, up to its decision. If the clip is shorter, the rest is a gap.
    func plan(
        _ name: String, _ segment: Story.Segment, as format: StoryFormat
    ) throws -> PlannedSegment {
        let clip = try clip(segment)
        let asset = try asset(segment.media)
        let map = try Segment(clip).timeMap(frameDuration: Clip.frameDuration(of: asset))
        let natural = clip.window.duration
        guard
            let frames = segment.frameCount(
                through: map, framesPerSecond: format.rate.framesPerSecond)
        else {
            throw StoryError(.segment(name), "a segment can't last \(natural.secondsText) s")
        }
        let lasts = try format.rate.frameDuration.multiplied(by: Int64(frames), over: 1)
        var track = Track(name: name)
        let shown =
            natural > lasts
            ? try PlacedClip(
                clip.media, range: clip.range, retiming: clip.retiming,
                window: TimeRange(start: .zero, duration: lasts)) : clip
        try track.append(Segment(shown))
        if natural < lasts {
            try track.append(.gap(lasting: lasts.difference(natural)))
        }
        return PlannedSegment(
            name: name, segment: segment,
            composition: Composition(name: name, format: format.composition, tracks: [track]),
            frames: frames, frameDuration: format.rate.frameDuration, map: map, asset: asset,
            rangeStart: clip.range.start, duration: lasts)
    }

    /// The common format: video as in the first segment, audio as in the first segment that has sound.
    ///
    /// - Parameter destination: the path of an output file that is used to decide on settings.
    func format(settings: RenderSettings, probing destination: String) throws -> StoryFormat {
        let story = project.story
        guard let first = story.segments[story.start] else {
            throw StoryError("there is no segment \"\(story.start)\" to start with")
        }
        var track = Track()
        try track.append(Segment(clip(first)))
        let source = try asset(first.media).mainVideo?.videoFormat
        let settings = RenderSettings(settings) {
            // The frames of a story are at a fixed rate, also where those of the first segment are uneven.
            $0.video.rate =
                settings.video.rate == .source
                ? source.map { .fixed($0.usualRate) } ?? .source : $0.video.rate
        }
        let plan = try RenderPlan(
            project.opened(Composition(tracks: [track])), to: destination, settings: settings)
        guard let video = plan.video.first, case .fixed(let rate, _) = video.timing else {
            throw MediaError(
                .noUsableStream, file: first.media, reason: "a segment needs a video track")
        }
        let heard = try ([first] + story.segments.values).lazy.compactMap {
            try asset($0.media).audioStreams.first?.audioFormat
        }.first
        // All browsers play 44.1 and 48 kHz, mono and stereo.
        let sound = heard.map { format in
            (
                sampleRate: format.sampleRate == 44_100 && settings.audio.codec != .opus
                    ? 44_100 : 48_000,
                channels: format.channelCount == 1 ? "mono" : "stereo"
            )
        }
        var format = video.format.stored(as: .yuv420p)
        format.color = format.color.completed(by: .highDefinition)
        format.setConstantRate(rate)
        return StoryFormat(
            video: format, rate: rate, sound: settings.audio.mode == .mute ? nil : sound)
    }
}

extension TimeMap {
    /// The points of a map that consists of straight lines.
    fileprivate func straightPoints() throws -> TimeMapDocument {
        var points: [TimeAnchor] = []
        func add(_ source: Double, _ output: Double) throws {
            let anchor = TimeAnchor(
                source: try RationalTime(fine: max(0, source)),
                output: try RationalTime(fine: output))
            if points.last != anchor {
                points.append(anchor)
            }
        }
        for piece in pieces {
            try add(piece.sourceStart, piece.outputStart)
            try add(piece.sourceEnd, piece.outputEnd)
        }
        return TimeMapDocument(points: points)
    }
}
