import Foundation
import TimeMaps

/// What rendering a segment gave.
public struct RenderedSegment: Sendable {
    /// The path that the manifest names.
    public var file: String
    /// When its first picture is shown on the common media timeline, in seconds.
    public var start: Double
    /// How many frames it has.
    public var frames: Int
    /// Output time to source time, which counts from the start of the segment's range.
    public var map: TimeMap
    /// As the manifest names them.
    public var captions: [StoryCaptions]

    /// What rendering gave; `start` is in seconds on the common media timeline.
    public init(
        file: String, start: Double, frames: Int, map: TimeMap, captions: [StoryCaptions] = []
    ) {
        self.file = file
        self.start = start
        self.frames = frames
        self.map = map
        self.captions = captions
    }
}

extension StoryManifest {
    /// The manifest of a story whose segments are rendered: events re-timed, formulas as postfix
    /// lists, an id of the content.
    ///
    /// - Parameters:
    ///   - rendered: by the segments' names, all of them.
    ///   - mediaDigest: bytes that change when the media do; they go into the id.
    /// - Throws: ``StoryError`` for a segment that wasn't rendered, and for every name that means
    ///   nothing.
    public init(
        _ story: Story, rendered: [String: RenderedSegment], media: Media,
        mediaDigest: some Sequence<UInt8> = []
    ) throws(StoryError) {
        var segments: [String: Segment] = [:]
        for (name, segment) in story.segments {
            guard let result = rendered[name] else {
                throw StoryError(.segment(name), "it isn't rendered")
            }
            segments[name] = Segment(segment, result, frameRate: media.frameRate)
        }
        self.init(
            id: "", title: story.title, language: story.language, start: story.start,
            variables: Dictionary(uniqueKeysWithValues: story.variables.map { ($0.key, $0.value) }),
            media: media, segments: segments)
        try check()
        id = contentID(mediaDigest)
    }

    /// The manifest as it would be, for walking through a story that isn't built: its files are
    /// empty, and what lasts nobody knows how long lasts until a second after its last event.
    ///
    /// - Parameter frameRate: frames a second.
    /// - Throws: ``StoryError`` for every name that means nothing, and time maps that are none.
    public static func outline(
        of story: Story, media: StoryMedia = .unknown, frameRate: Double = 30
    ) throws(StoryError) -> StoryManifest {
        var rendered: [String: RenderedSegment] = [:]
        var facts: [String: StoryMedia.Facts] = [:]
        var start = 0.0
        for (name, segment) in story.segments {
            let known = facts[segment.media] ?? media.facts(segment.media)
            facts[segment.media] = known
            let timing = SegmentTiming(of: segment, media, known)
            if let trouble = timing.trouble {
                throw StoryError(.segment(name), trouble)
            }
            let map = timing.map ?? .identity(timing.duration ?? segment.likelyDuration)
            guard let count = Int(exactly: (map.outputDuration * frameRate).rounded()) else {
                throw StoryError(
                    .segment(name), "it can't last \(map.outputDuration) s; nothing lasts so long")
            }
            let frames = max(1, count)
            rendered[name] = RenderedSegment(
                file: "", start: start, frames: frames, map: map, captions: segment.captions)
            start += Double(frames) / frameRate + 1
        }
        let media = Media(
            type: "", init: "", width: 0, height: 0, frameRate: frameRate, sampleRate: 0)
        return try StoryManifest(story, rendered: rendered, media: media)
    }

    /// FNV-1a over the JSON with an empty id, then over the digest.
    private func contentID(_ mediaDigest: some Sequence<UInt8>) -> String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        func take(_ byte: UInt8) {
            hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Checked values are finite, which is all that JSON asks for.
        ((try? encoder.encode(self)) ?? Data()).forEach(take)
        mediaDigest.forEach(take)
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

extension Story.Segment {
    /// Where nobody knows: a second longer than its events need.
    fileprivate var likelyDuration: RationalTime {
        let latest = events.map(\.at).max() ?? .zero
        guard latest > rangeStart, let lasts = try? latest - rangeStart else {
            return RationalTime(1, over: 1)
        }
        return (try? lasts + RationalTime(1, over: 1)) ?? lasts
    }
}

extension Story.Segment {
    /// The events at their times in the segment as it is played, in order of time; those at one
    /// time in the order of the file.
    public func retimedEvents(
        through map: TimeMap, lasting: Double
    ) -> [StoryManifest.Event] {
        let timed = events.enumerated().map { index, event in
            (index: index, time: time(of: event, through: map, lasting: lasting))
        }
        return timed.sorted { ($0.time, $0.index) < ($1.time, $1.index) }.map { entry in
            StoryManifest.Event(at: entry.time, cue: events[entry.index].cue)
        }
    }
}

extension StoryManifest.Segment {
    fileprivate init(_ segment: Story.Segment, _ result: RenderedSegment, frameRate: Double) {
        let duration = Double(result.frames) / frameRate
        self.init(
            role: segment.role, file: result.file, start: result.start, duration: duration,
            frames: result.frames, captions: result.captions,
            events: segment.retimedEvents(through: result.map, lasting: duration),
            choices: segment.choices.map(StoryManifest.Choice.init),
            defaultTarget: segment.defaultTarget, loops: segment.loops, next: segment.next)
    }
}

extension StoryManifest.Choice {
    fileprivate init(_ choice: Story.Choice) {
        self.init(
            label: choice.label, key: choice.key.map { String($0) }, target: choice.target,
            condition: choice.condition?.formula,
            assignments: choice.assignments.map {
                StoryManifest.Assignment(variable: $0.key, formula: $0.value.formula)
            },
            area: choice.area)
    }
}
