import Foundation
import TimeMaps

/// The result of rendering a segment.
package struct RenderedSegment: Sendable {
    /// The path of the rendered file, as it is to stand in the manifest.
    package var file: String
    /// When its first frame is presented on the common media timeline, in seconds.
    package var start: Double
    /// The number of its frames.
    package var frames: Int
    /// The time map of the segment. Source time counts from the start of the segment's range.
    package var map: TimeMap
    /// How it dissolves with the segment before it; nil for a cut.
    package var dissolve: StoryManifest.Dissolve?
    /// Its captions, with paths as they are to stand in the manifest.
    package var captions: [StoryCaptions]

    /// The result of rendering a segment; `start` is in seconds on the common media timeline.
    package init(
        file: String, start: Double, frames: Int, map: TimeMap,
        dissolve: StoryManifest.Dissolve? = nil, captions: [StoryCaptions] = []
    ) {
        self.file = file
        self.start = start
        self.frames = frames
        self.map = map
        self.dissolve = dissolve
        self.captions = captions
    }
}

extension StoryManifest {
    /// The manifest of a story whose segments are rendered. It has the events at their times in the retimed
    /// segments, formulas as postfix lists, and an id that depends on the content.
    ///
    /// - Parameters:
    ///   - rendered: the result for every segment, by the segment's name.
    ///   - mediaDigest: bytes that change when the media does, such as a hash; they go into the id.
    /// - Throws: ``StoryError`` for a segment that wasn't rendered, and for every name that doesn't exist.
    package init(
        _ story: Story, rendered: [String: RenderedSegment], media: Media,
        mediaDigest: some Sequence<UInt8> = []
    ) throws(StoryError) {
        var segments: [String: Segment] = [:]
        for (name, segment) in story.segments {
            guard let result = rendered[name] else {
                throw StoryError(.segment(name), "this segment isn't rendered")
            }
            segments[name] = Segment(segment, result, frameRate: media.frameRate)
        }
        self.init(
            id: "", title: story.title, language: story.language, controls: story.controls,
            analytics: story.analytics, start: story.start,
            variables: Dictionary(uniqueKeysWithValues: story.variables.map { ($0.key, $0.value) }),
            media: media, segments: segments)
        try check()
        id = contentID(mediaDigest)
    }

    /// An approximate manifest for walking through a story that isn't built. Its file names are empty. A
    /// segment whose length isn't known ends one second after its last event.
    ///
    /// - Parameters:
    ///   - media: looks up facts about the story's files; by default, nothing is known about them.
    ///   - frameRate: frames per second, more than 0.
    /// - Throws: ``StoryError`` for every name that doesn't exist, and for invalid time maps.
    public static func outline(
        of story: Story, media: StoryMedia = .unknown, frameRate: Double = 30
    ) throws(StoryError) -> StoryManifest {
        var rendered: [String: RenderedSegment] = [:]
        var facts: [String: StoryMedia.Facts] = [:]
        var start = 0.0
        for (name, segment) in story.segments {
            let known = facts[segment.media] ?? media.facts(segment.media)
            facts[segment.media] = known
            let timing = KnownTiming(of: segment, media, known)
            if let trouble = timing.trouble {
                throw StoryError(.segment(name), trouble)
            }
            let map = timing.map ?? .identity(timing.duration ?? segment.likelyDuration)
            guard let frames = segment.frameCount(through: map, framesPerSecond: frameRate) else {
                throw StoryError(
                    .segment(name),
                    "a segment can't last \(map.outputDuration) s; that is too long")
            }
            rendered[name] = RenderedSegment(
                file: "", start: start, frames: frames, map: map, captions: segment.captions)
            start += Double(frames) / frameRate + 1
        }
        let media = Media(
            type: "", init: "", width: 0, height: 0, frameRate: frameRate, sampleRate: 0)
        return try StoryManifest(story, rendered: rendered, media: media)
    }

    /// A hash (FNV-1a) of the JSON with an empty id, followed by the digest.
    private func contentID(_ mediaDigest: some Sequence<UInt8>) -> String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        func take(_ byte: UInt8) {
            hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Encoding can't fail, because checked values are finite.
        ((try? encoder.encode(self)) ?? Data()).forEach(take)
        mediaDigest.forEach(take)
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

extension Story.Segment {
    /// The assumed duration if it isn't known: one second longer than the events need.
    fileprivate var likelyDuration: RationalTime {
        let latest = events.map(\.at).max() ?? .zero
        guard latest > rangeStart, let lasts = try? latest - rangeStart else {
            return RationalTime(1, over: 1)
        }
        return (try? lasts + RationalTime(1, over: 1)) ?? lasts
    }
}

extension Story.Segment {
    /// The events at their times in the retimed segment, sorted by time. Events at the same time keep the order
    /// of the file. Those after the segment's decision never happen, and are left out.
    ///
    /// - Parameters:
    ///   - map: the segment's time map, whose source time counts from the start of the range.
    ///   - lasting: how long the retimed segment is played, in seconds. Later events are moved to its end.
    public func retimedEvents(
        through map: TimeMap, lasting: Double
    ) -> [StoryManifest.Event] {
        let end = end(through: map)
        let timed = events.enumerated().map { index, event in
            (index: index, time: time(of: event, through: map, lasting: .infinity))
        }.filter { end >= map.outputDuration || $0.time <= end }
            .map { (index: $0.index, time: min($0.time, lasting)) }
        return timed.sorted { ($0.time, $0.index) < ($1.time, $1.index) }.map { entry in
            StoryManifest.Event(at: entry.time, cue: events[entry.index].cue)
        }
    }
}

extension StoryManifest.Segment {
    fileprivate init(_ segment: Story.Segment, _ result: RenderedSegment, frameRate: Double) {
        let duration = Double(result.frames) / frameRate
        self.init(
            title: segment.title, role: segment.role, file: result.file, start: result.start,
            duration: duration,
            frames: result.frames, dissolve: result.dissolve, captions: result.captions,
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
            area: choice.area, immediately: choice.isImmediate)
    }
}
