import Foundation
import Media
import Stories
import TimeMaps
import TimeWarp

/// One media file of a built story: whole frames, and sound that begins earlier and ends later.
///
/// A segment is one file. One that dissolves has more, which take that file's place after a join:
/// ```
///  first  ├──── whole ────┤          ├── whole ───────────────┤  second
///                         ├─dissolve─┼───────── rest ─────────┤
/// ```
struct StoryMediaPart {
    /// Which part of a story a file is.
    struct Place: Hashable {
        let segment: String
        let kind: Kind

        enum Kind: Hashable {
            /// All of the segment, as it is entered without a dissolve.
            case whole
            /// The frames in which the segment dissolves with the one of this name.
            case dissolve(from: String)
            /// What follows after a dissolve.
            case rest
        }
    }

    let place: Place
    let planned: PlannedSegment
    let frames: Int
    let video: Composition
    private let sound: Sound
    /// The file's name without its extension.
    let stem: String

    private enum Sound {
        case clip(AssetClip)
        case dissolve(SegmentDissolve)
    }

    /// The additional sound before the first frame and after the last. At low bit rates, AAC's encoder needs a
    /// fifth of a second to settle, and its decoder needs two frames. Without sound after the last frame, the
    /// end of the segment would be missing in browsers.
    static let soundLead = RationalTime(1, over: 5)
    static let soundTail = RationalTime(1, over: 10)

    /// The segments that are seen and heard in it.
    var sources: [PlannedSegment] {
        switch sound {
        case .clip: [planned]
        case .dissolve(let dissolve): [dissolve.before, dissolve.after]
        }
    }

    /// The file's path in the folder of the story.
    var file: String { "media/\(stem).m4s" }

    /// The name for people.
    var name: String {
        switch place.kind {
        case .whole: place.segment
        case .dissolve(let from): "\(from) → \(place.segment)"
        case .rest: "\(place.segment), after a dissolve"
        }
    }

    /// All parts of a story, in the order of its media.
    static func all(
        of story: Story, _ planning: SegmentPlanning, _ format: StoryFormat
    ) throws -> [StoryMediaPart] {
        let order = story.mediaOrder
        var planned: [String: PlannedSegment] = [:]
        for name in order {
            planned[name] = try story.segments[name].map { try planning.plan(name, $0, as: format) }
        }
        let edges = StoryGraph(story).edges
        return try order.enumerated().flatMap { index, name -> [StoryMediaPart] in
            guard let segment = planned[name] else {
                return []
            }
            let stem = fileStem(of: name, number: index + 1)
            let whole = try StoryMediaPart(whole: segment, stem: stem)
            let origins = Set(edges.filter { $0.to == name }.map(\.from))
            guard let lasting = segment.segment.dissolve, lasting > .zero, !origins.isEmpty else {
                return [whole]
            }
            let wanted = (lasting.seconds * format.rate.framesPerSecond).rounded()
            let frames = Int(min(max(1, wanted), Double(segment.frames - 1)))
            guard frames > 0 else {
                return [whole]
            }
            let dissolves = try order.enumerated().filter { origins.contains($1) }.compactMap {
                number, origin in
                try planned[origin].map {
                    try StoryMediaPart(
                        dissolving: $0, into: segment, frames: frames,
                        stem: String(format: "%@-after-%03d", stem, number + 1))
                }
            }
            let rest = try StoryMediaPart(
                restOf: segment, after: frames, stem: stem + "-rest")
            return [whole] + dissolves + [rest]
        }
    }

    private init(whole planned: PlannedSegment, stem: String) throws {
        place = Place(segment: planned.name, kind: .whole)
        self.planned = planned
        self.stem = stem
        frames = planned.frames
        video = planned.composition
        sound = .clip(
            try planned.soundClip(
                from: .zero.difference(Self.soundLead), to: planned.duration.sum(Self.soundTail)))
    }

    private init(restOf planned: PlannedSegment, after frames: Int, stem: String) throws {
        place = Place(segment: planned.name, kind: .rest)
        self.planned = planned
        self.stem = stem
        self.frames = planned.frames - frames
        let start = try planned.frameDuration.multiplied(by: Int64(frames), over: 1)
        video = try planned.video(from: start)
        sound = .clip(
            try planned.soundClip(
                from: start.difference(Self.soundLead), to: planned.duration.sum(Self.soundTail)))
    }

    private init(
        dissolving before: PlannedSegment, into after: PlannedSegment, frames: Int, stem: String
    ) throws {
        place = Place(segment: after.name, kind: .dissolve(from: before.name))
        planned = after
        self.stem = stem
        self.frames = frames
        let dissolve = SegmentDissolve(
            before: before, after: after,
            lasting: try after.frameDuration.multiplied(by: Int64(frames), over: 1))
        video = try dissolve.video()
        sound = .dissolve(dissolve)
    }

    /// The plan for rendering the sound.
    func soundPlan(
        _ format: (sampleRate: Int, channels: String), of project: StoryProject, to path: String,
        settings: RenderSettings
    ) throws -> RenderPlan {
        switch sound {
        case .clip(let clip):
            return try RenderPlan(
                soundOf: clip, sampleRate: format.sampleRate, channels: format.channels, to: path,
                settings: settings)
        case .dissolve(let dissolve):
            let sounds = try dissolve.sound(
                Composition.Format(sampleRate: format.sampleRate, channels: format.channels),
                lead: Self.soundLead, tail: Self.soundTail)
            return try RenderPlan(
                project.opened(sounds), to: path,
                settings: RenderSettings(settings) { $0.video.mode = .dropped })
        }
    }

    /// A file name that all file systems and URLs support. The number keeps the names of segments distinct.
    private static func fileStem(of name: String, number: Int) -> String {
        let plain = name.lowercased().map { character in
            character.isASCII && (character.isLetter || character.isNumber) ? character : "-"
        }
        return String(format: "%03d-", number) + String(plain.prefix(40))
    }
}
