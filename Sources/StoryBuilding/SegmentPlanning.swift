import Foundation
import Media
import Stories
import TimeMaps
import TimeWarp

/// What all segments of a story are rendered as.
struct StoryFormat {
    /// Of all pictures: 8 bits, 4:2:0, which browsers play, and one way to mean colours.
    let pictures: VideoFormat
    let rate: FrameRate
    /// Nil where no segment has sound.
    let sound: (sampleRate: Int, channels: String)?

    /// Of the pictures; sound is made apart.
    var composition: Composition.Format {
        Composition.Format(
            size: Composition.Size(width: pictures.width, height: pictures.height),
            frameRate: rate)
    }
}

/// One segment, ready to be rendered: as many whole frames as come nearest to its length.
struct PlannedSegment {
    let name: String
    let segment: Story.Segment
    let composition: Composition
    let frames: Int
    /// Output time to source time from the start of its range.
    let map: TimeMap
    let asset: Asset
    /// Where its range starts in the asset.
    let rangeStart: RationalTime
    let duration: RationalTime
}

extension PlannedSegment {
    /// What is heard of it, with what is heard just before and after: decoders must have heard it, and
    /// players cut it away to the sample.
    ///
    /// Beyond the segment its sound goes on as it is in the file.
    func soundClip(lead: RationalTime, tail: RationalTime) throws -> Clip {
        try Clip(
            soundOf: asset, through: map, from: rangeStart,
            window: (RationalTime.zero.difference(lead), duration.sum(tail)))
    }
}

/// Makes compositions of a story's segments.
struct SegmentPlanning {
    let project: StoryProject
    private var assets: [String: Asset] = [:]

    init(_ project: StoryProject) throws {
        self.project = project
        for media in Set(project.story.segments.values.map(\.media)) {
            assets[media] = try Asset(at: project.resolve(media))
        }
    }

    private func asset(_ media: String) throws -> Asset {
        guard let asset = assets[media] else {
            throw MediaError(.noInput, file: media, reason: "no segment names it")
        }
        return asset
    }

    /// The clip of a segment, as a composition has it.
    private func clip(_ segment: Story.Segment) throws -> PlacedClip {
        let asset = try asset(segment.media)
        let range = try segment.range ?? TimeRange(start: .zero, end: asset.duration)
        let retiming: Retiming
        switch segment.retiming {
        case .none: retiming = .uniform
        case .warp(let curve): retiming = .curve(curve)
        case .timeMap(let document): retiming = .timeMap(document)
        case .timeMapFile(let path):
            let clip = try Clip(of: asset, range: range, timeMapFile: project.resolve(path))
            retiming = .timeMap(try clip.map.straightPoints())
        }
        return try PlacedClip(asset.path, range: range, retiming: retiming)
    }

    /// Its length in whole frames; what it lacks to that is silence.
    func plan(
        _ name: String, _ segment: Story.Segment, as format: StoryFormat
    ) throws -> PlannedSegment {
        let clip = try clip(segment)
        let natural = clip.window.duration
        let frames = max(1, Int((natural.seconds * format.rate.framesPerSecond).rounded()))
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
        let asset = try asset(segment.media)
        return PlannedSegment(
            name: name, segment: segment,
            composition: Composition(name: name, format: format.composition, tracks: [track]),
            frames: frames,
            map: try Segment(clip).timeMap(frameDuration: Clip.frameDuration(of: asset)),
            asset: asset, rangeStart: clip.range.start, duration: lasts)
    }

    /// That of the first segment, and the sound of the first that has any.
    func format(settings: RenderSettings, probing destination: String) throws -> StoryFormat {
        let story = project.story
        guard let first = story.segments[story.start] else {
            throw StoryError("there is no segment \"\(story.start)\" to start with")
        }
        var track = Track()
        try track.append(Segment(clip(first)))
        let plan = try RenderPlan(
            Composition(tracks: [track]), to: destination, settings: settings)
        guard let pictures = plan.video.first, case .fixed(let rate, _) = pictures.timing else {
            throw MediaError(
                .noUsableStream, file: first.media, reason: "a segment needs pictures")
        }
        let heard = try ([first] + story.segments.values).lazy.compactMap {
            try asset($0.media).audioStreams.first?.audioFormat
        }.first
        // Browsers play 44.1 and 48 kHz, mono and stereo, everywhere.
        let sound = heard.map { format in
            (
                sampleRate: format.sampleRate == 44_100 && settings.audioCodec != .opus
                    ? 44_100 : 48_000,
                channels: format.channelCount == 1 ? "mono" : "stereo"
            )
        }
        var format = pictures.format
        format.pixelFormat = .yuv420p
        format.color = format.color.completed(by: .highDefinition)
        (format.frameRate, format.nominalRate) = (rate, rate)
        return StoryFormat(
            pictures: format, rate: rate, sound: settings.sound == .mute ? nil : sound)
    }
}

extension TimeMap {
    /// The corners of a map of straight lines.
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
