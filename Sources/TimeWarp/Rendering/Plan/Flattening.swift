import Media
import TimeMaps

/// Flattens a composition: nested compositions are replaced by their clips, and maps are composed.
///
/// ```
///  output   ├──────────── one curve ────────────┤
///  edit     ├─ a ─┼─ b ─┼───── inner.json ──────┤
///  inner                ├── c ──┼── a ──┤ gap ──┤
///  flat     ├─ a ─┼─ b ─┼── c ──┼── a ──┤
/// ```
/// A layer has clips in order that don't overlap. Upper layers cover lower ones.
struct Flattening {
    /// Whether sound keeps its normal speed in the outermost composition, whatever the maps of its segments say.
    var keepsSpeed = false
    /// The time maps of segments. Each is computed only once: a curve has to be integrated for it.
    private var maps: [Segment: TimeMap] = [:]

    /// The part of a composition that plays, and when.
    struct Part {
        /// In output time.
        let range: TimeRange
        /// The map from output time, which counts from the start of `range`, to composition time, which counts from
        /// `start`; nil if the composition plays as it is, from its start.
        let map: TimeMap?
        let start: RationalTime
        var carries = Track.Content.both
        var shapes: [Double] = []
    }

    init(keepsSpeed: Bool = false) {
        self.keepsSpeed = keepsSpeed
    }

    /// The layers of a part of a composition, from the lowest.
    mutating func layers(of source: CompositionAsset, _ part: Part) throws -> [[FlatClip]] {
        var layers: [[FlatClip]] = []
        for track in source.composition.tracks {
            guard let carries = track.carries.and(part.carries) else {
                continue
            }
            var own: [[FlatClip]] = [[]]
            for run in try runs(of: track, part) {
                try Task.checkCancellation()
                let segment = track.segments[run.segment]
                guard let clip = segment.clip, let media = source.media[clip.media] else {
                    continue
                }
                guard let (map, start, range) = try played(segment, clip, media, run) else {
                    continue
                }
                switch media {
                case .asset(let asset):
                    own[0].append(
                        FlatClip(
                            range: range, asset: asset, name: clip.media, start: start, map: map,
                            isSeen: carries != .sound,
                            isHeard: carries != .picture && !map.isStill, shapes: part.shapes))
                case .composition(let inner):
                    let shapes = part.shapes + [inner.frameShape].compactMap { $0 }
                    let layers = try Flattening.nested(&self, inner) {
                        try $0.layers(
                            of: inner,
                            Part(
                                range: range, map: map, start: start, carries: carries,
                                shapes: shapes))
                    }
                    for (number, clips) in layers.enumerated() {
                        if number == own.count {
                            own.append([])
                        }
                        own[number] += clips
                    }
                }
            }
            layers += own
        }
        return layers
    }

    /// Sound keeps its speed only in the outermost composition.
    private static func nested<Result>(
        _ flattening: inout Flattening, _ inner: CompositionAsset,
        _ body: (inout Flattening) throws -> Result
    ) throws -> Result {
        let keeps = flattening.keepsSpeed
        flattening.keepsSpeed = false
        defer { flattening.keepsSpeed = keeps }
        return try body(&flattening)
    }

    // MARK: - Runs

    /// A part of the output in which one segment plays.
    private struct Run {
        let segment: Int
        /// In output time.
        let range: TimeRange
        /// The map from output time, which counts from the start of `range`, to the segment's time; nil if the segment
        /// plays as it is.
        let map: TimeMap?
    }

    private func runs(of track: Track, _ part: Part) throws -> [Run] {
        guard let map = part.map else {
            return track.placed.enumerated().map { Run(segment: $0, range: $1.range, map: nil) }
        }
        return try SegmentCrossings(of: map, from: part.start, track: track).stays.map { stay in
            let window = try map.window(from: stay.start, to: stay.end)
            // From the window's source time to the segment's time.
            let begin = try part.start.sum(window.sourceStart)
                .difference(track.range(of: stay.segment).start)
            let range = try TimeRange(
                start: part.range.start.sum(stay.start), end: part.range.start.sum(stay.end))
            return Run(
                segment: stay.segment, range: range,
                map: try window.map.movingSource(
                    by: begin, within: track.segments[stay.segment].duration))
        }
    }

    // MARK: - Segments

    /// How a run of a segment plays its media: the map, the media time at which the map's source begins, and when. Nil if
    /// nothing of it is left.
    private mutating func played(
        _ segment: Segment, _ clip: PlacedClip, _ media: Clip.Source, _ run: Run
    ) throws -> (map: TimeMap, start: RationalTime, range: TimeRange)? {
        if keepsSpeed {
            return try kept(segment, clip, run)
        }
        let own = try map(of: segment, media)
        return (try run.map.map { try own.composed(after: $0) } ?? own, clip.range.start, run.range)
    }

    private mutating func map(of segment: Segment, _ media: Clip.Source) throws -> TimeMap {
        if let map = maps[segment] {
            return map
        }
        let map = try segment.timeMap(frameDuration: media.frameDuration)
        maps[segment] = map
        return map
    }

    /// Sound at its normal speed, until its range ends. If a clip was cut, the sound of the second part continues where
    /// that of the first ends.
    private func kept(
        _ segment: Segment, _ clip: PlacedClip, _ run: Run
    ) throws -> (map: TimeMap, start: RationalTime, range: TimeRange)? {
        guard !clip.retiming.isFrozen else {
            return nil
        }
        let played =
            try ExactFraction(clip.window.start).scaled(
                by: segment.duration, over: clip.window.duration)?.time
            ?? RationalTime(
                fine: clip.window.start.seconds * segment.duration.seconds
                    / clip.window.duration.seconds)
        let lasts = min(segment.duration, try clip.range.duration.difference(played))
        guard lasts > .zero else {
            return nil
        }
        return (
            .identity(lasts), try clip.range.start.sum(played),
            try TimeRange(start: run.range.start, duration: lasts)
        )
    }
}

/// Where a map passes from one segment of a track to another.
struct SegmentCrossings {
    /// A part of the map's output in which one segment plays.
    struct Stay {
        let segment: Int
        var start: RationalTime
        var end: RationalTime
    }
    private(set) var stays: [Stay] = []
    private let map: TimeMap
    private let start: RationalTime
    private let track: Track

    /// - Parameter start: the track time at which the map's source begins.
    /// - Complexity: O(pieces · log segments), and O(1) for each crossing.
    init(of map: TimeMap, from start: RationalTime, track: Track) throws {
        self.map = map
        self.start = start
        self.track = track
        let end = try map.duration.onFineTicks
        var here = RationalTime.zero
        for (index, piece) in map.pieces.enumerated() {
            let isLast = index == map.pieces.count - 1
            let until =
                isLast ? end : try piece.exact?.outputEnd ?? RationalTime(fine: piece.outputEnd)
            for (segment, time) in try crossings(in: piece) {
                // Other fractions would be exact, but sums of them might not fit.
                let time = min(max(try (time ?? until).onFineTicks, here), end)
                add(segment, from: here, to: time)
                here = time
            }
        }
    }

    private mutating func add(_ segment: Int?, from begin: RationalTime, to end: RationalTime) {
        guard let segment, begin < end else {
            return
        }
        if let last = stays.last, last.segment == segment, last.end == begin {
            stays[stays.count - 1].end = end
        } else {
            stays.append(Stay(segment: segment, start: begin, end: end))
        }
    }

    /// The segments that a piece plays, in order, and the output time at which each ends; nil for the piece's end. The
    /// segment is nil after the track's end.
    private func crossings(
        in piece: TimeMap.Piece
    ) throws -> [(segment: Int?, end: RationalTime?)] {
        let (from, to) = (piece.sourceStart + start.seconds, piece.sourceEnd + start.seconds)
        let ends = track.ends
        guard from != to else {
            // An instant belongs to the segment that begins there.
            return [(segment(at: from + Tolerance.instant), nil)]
        }
        let (low, high) = (min(from, to), max(from, to))
        let first = ends.indices.partitionPoint { ends[$0].seconds > low + Tolerance.instant }
        let last = ends.indices.partitionPoint { ends[$0].seconds >= high - Tolerance.instant }
        var crossings: [(segment: Int?, end: RationalTime?)] = []
        if from < to {
            for index in first..<max(first, last) {
                crossings.append((index, try outputTime(of: ends[index], piece)))
            }
            crossings.append((last < ends.count ? last : nil, nil))
        } else {
            for index in (first..<max(first, last)).reversed() {
                crossings.append(
                    (
                        index + 1 < ends.count ? index + 1 : nil,
                        try outputTime(of: ends[index], piece)
                    ))
            }
            crossings.append((first < ends.count ? first : nil, nil))
        }
        return crossings
    }

    private func segment(at seconds: Double) -> Int? {
        let index = track.ends.indices.partitionPoint { track.ends[$0].seconds > seconds }
        return index < track.ends.count ? index : nil
    }

    private func outputTime(of trackTime: RationalTime, _ piece: TimeMap.Piece) throws
        -> RationalTime
    {
        let source = try trackTime.difference(start)
        if let exact = piece.exact?.outputTime(of: source) {
            return exact
        }
        return try RationalTime(fine: piece.outputTime(of: source.seconds))
    }
}

extension RationalTime {
    /// This time rounded to a ``fineTick``, in lowest terms.
    var onFineTicks: RationalTime {
        get throws {
            try converted(to: Self.fineTick, rounding: .nearest).multiplied(by: 1, over: 1)
        }
    }
}

extension Track.Content {
    /// What is left if a track is in another one; nil if that is nothing.
    fileprivate func and(_ other: Track.Content) -> Track.Content? {
        self == other || other == .both ? self : self == .both ? other : nil
    }
}

extension TimeMap {
    /// Whether it shows one instant all the time.
    fileprivate var isStill: Bool { pieces.allSatisfy { $0.sourceStart == $0.sourceEnd } }
}
