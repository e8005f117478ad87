import Media
import TimeMaps

/// The segments of a track on lanes: where two dissolve, they overlap, so they are on different lanes.
///
/// ```
///  track   ├── a ──┼──── b ────┼── c ──┤        b and c begin with a dissolve
///  lane 2          ╱─── b ─────╲                 its ends are seen through
///  lane 1  ├─ a ────┤         ├─── c ──┤
/// ```
/// Each of two segments plays on beyond the cut between them for half of the dissolve: that is its handle.
struct DissolveLane {
    /// A part of a lane in which one segment plays, or nothing.
    struct Item {
        /// Nil where nothing plays.
        let segment: Segment?
        /// Where the segment itself begins, in track time.
        let segmentStart: RationalTime
        /// In track time; with its handles it may be longer than the segment.
        let range: TimeRange
        /// The fades that are going on in it.
        var fades: [Fade] = []
    }

    /// A change from 0 to 1 or back, linear in track time.
    struct Fade {
        /// In seconds: where it is 0, and where it is 1. The order tells its direction.
        let zero: Double
        let one: Double
        /// Whether the video is seen through: that of the lower lane is whole beneath the upper one.
        let isSeen: Bool

        func value(at seconds: Double) -> Double {
            min(max((seconds - zero) / (one - zero), 0), 1)
        }
    }

    private(set) var items: [Item] = []
    /// The end of each item, in track time.
    private(set) var ends: [RationalTime] = []

    private var end: RationalTime { ends.last ?? .zero }

    /// Appends an item after a gap, if there is one.
    private mutating func append(_ item: Item) throws {
        guard item.range.duration > .zero else {
            return
        }
        if end < item.range.start {
            items.append(
                Item(
                    segment: nil, segmentStart: end,
                    range: try TimeRange(start: end, end: item.range.start)))
            ends.append(item.range.start)
        }
        items.append(item)
        ends.append(item.range.end)
    }
}

extension DissolveLane {
    /// What the lanes are for.
    enum Purpose {
        /// Pictures: the parts that are seen through are items of their own.
        case pictures
        case sound
        /// Sound that plays as if its segment weren't retimed: there are no handles, so it fades on both sides of a cut.
        case soundWithoutHandles
    }

    /// The lanes of a track, from the lowest.
    ///
    /// - Throws: ``CompositionError`` if the fades of a segment overlap.
    static func lanes(of track: Track, for purpose: Purpose) throws -> [DissolveLane] {
        var track = track
        if track.segments.contains(where: \.blending.fades) {
            // A fade may reach across the parts of a segment that was cut.
            try track.joinContinuingSegments()
        }
        var lanes = [DissolveLane()]
        var number = 0
        for index in track.segments.indices where track.segments[index].clip != nil {
            let ends = try SegmentEnds(of: index, on: track)
            number = ends.isDissolving ? 1 - number : number
            if number == lanes.count {
                lanes.append(DissolveLane())
            }
            for item in try ends.items(of: track.segments[index], isUpper: number == 1, purpose) {
                try lanes[number].append(item)
            }
        }
        return lanes
    }
}

/// The fades at the two ends of a segment, with its handles.
private struct SegmentEnds {
    private let range: TimeRange
    private let blending: Blending
    /// The half of a dissolve with the neighbour; zero if there is none.
    private let head: RationalTime
    private let tail: RationalTime

    /// Whether it dissolves with the segment before.
    var isDissolving: Bool { head > .zero }

    init(of index: Int, on track: Track) throws {
        range = track.range(of: index)
        blending = track.segments[index].blending
        let follows = index > 0 && !track.segments[index - 1].isGap
        let next =
            index + 1 < track.segments.count ? track.segments[index + 1].blending.dissolve : .zero
        head = follows ? try blending.dissolve.multiplied(by: 1, over: 2) : .zero
        tail = try next.multiplied(by: 1, over: 2)
        let fadeIn = follows ? head : blending.dissolve
        guard try fadeIn + max(tail, blending.fadeOut) <= range.duration else {
            throw CompositionError.invalid(
                "the segment from \(range.start.secondsText) s to \(range.end.secondsText) s is shorter than the "
                    + "fades at its ends")
        }
    }

    func items(of segment: Segment, isUpper: Bool, _ purpose: DissolveLane.Purpose) throws
        -> [DissolveLane.Item]
    {
        let hasHandles = purpose != .soundWithoutHandles
        let whole = try TimeRange(
            start: hasHandles ? range.start - head : range.start,
            end: hasHandles ? range.end + tail : range.end)
        let fades = try self.fades(isUpper: isUpper, within: whole)
        guard purpose == .pictures else {
            return [
                DissolveLane.Item(
                    segment: segment, segmentStart: range.start, range: whole,
                    fades: fades.map(\.fade))
            ]
        }
        // Where it is seen through is an item of its own.
        let seen = fades.filter(\.fade.isSeen)
        let begins = seen.first { $0.fade.zero < $0.fade.one }?.range.end ?? whole.start
        let ends = seen.last { $0.fade.zero > $0.fade.one }?.range.start ?? whole.end
        return [
            (try TimeRange(start: whole.start, end: begins), true),
            (try TimeRange(start: begins, end: ends), false),
            (try TimeRange(start: ends, end: whole.end), true),
        ].map { part, isSeenThrough in
            DissolveLane.Item(
                segment: segment, segmentStart: range.start, range: part,
                fades: isSeenThrough
                    ? seen.filter { $0.range.intersection(part) != nil }.map(\.fade) : [])
        }
    }

    /// The fades, with their ranges in track time.
    private func fades(
        isUpper: Bool, within whole: TimeRange
    ) throws -> [(fade: DissolveLane.Fade, range: TimeRange)] {
        var fades: [(DissolveLane.Fade, TimeRange)] = []
        func add(from zero: RationalTime, to one: RationalTime, isSeen: Bool) throws {
            let range = try TimeRange(start: min(zero, one), end: max(zero, one))
            fades.append(
                (DissolveLane.Fade(zero: zero.seconds, one: one.seconds, isSeen: isSeen), range))
        }
        if head > .zero {
            try add(from: whole.start, to: range.start + head, isSeen: isUpper)
        } else if blending.dissolve > .zero {
            try add(from: range.start, to: range.start + blending.dissolve, isSeen: true)
        }
        if tail > .zero {
            try add(from: whole.end, to: range.end - tail, isSeen: isUpper)
        } else if blending.fadeOut > .zero {
            try add(from: range.end, to: range.end - blending.fadeOut, isSeen: true)
        }
        return fades
    }
}
