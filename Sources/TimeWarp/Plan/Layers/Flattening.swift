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
    /// What the layers are for. Sound without handles keeps its normal speed in the outermost composition, whatever the
    /// maps of its segments say.
    private var purpose: DissolveLane.Purpose
    /// The number of groups of clips that fade together; see ``Envelope/group``.
    private var groups = 0
    /// The time maps of segments. Each is computed only once: a curve has to be integrated for it.
    private var maps: [Segment: TimeMap] = [:]

    /// The part of a file or a composition that plays, and when.
    struct Part {
        /// In output time.
        let range: TimeRange
        /// The map from output time, which counts from the start of `range`, to the source's time, which counts from
        /// `start`; nil if a composition plays as it is, from its start.
        let map: TimeMap?
        let start: RationalTime
        var carries = Track.Content.both
        var shapes: [Double] = []
        /// The fades and gains around it, from the outermost.
        var envelopes: [Envelope] = []
        /// The source's name, for messages; nil for its path.
        var name: String?
    }

    init(for purpose: DissolveLane.Purpose) {
        self.purpose = purpose
    }

    /// The layers of a part of a source, from the lowest: one of a file.
    mutating func layers(of source: MediaSource, _ part: Part) throws -> [[ResolvedClip]] {
        if let asset = source.asset {
            let map = part.map ?? .identity(part.range.duration)
            return [
                [
                    ResolvedClip(
                        range: part.range, asset: asset, name: part.name ?? asset.path,
                        start: part.start, map: map, isSeen: part.carries != .sound,
                        isHeard: part.carries != .video && !map.isStill, shapes: part.shapes,
                        envelopes: part.envelopes)
                ]
            ]
        }
        var layers: [[ResolvedClip]] = []
        for track in source.composition?.tracks ?? [] {
            guard let carries = track.carries.and(part.carries) else {
                continue
            }
            for lane in try lanes(of: track, source) {
                layers += try self.layers(of: lane, of: source, part, carrying: carries)
            }
        }
        return layers
    }

    private func lanes(of track: Track, _ source: MediaSource) throws -> [DissolveLane] {
        do {
            return try DissolveLane.lanes(of: track, for: purpose)
        } catch let error as CompositionError {
            throw CompositionError(error.code, "\(source.path): \(error)")
        }
    }

    private mutating func layers(
        of lane: DissolveLane, of source: MediaSource, _ part: Part,
        carrying carries: Track.Content
    ) throws -> [[ResolvedClip]] {
        var own: [[ResolvedClip]] = [[]]
        for run in try runs(of: lane, part) {
            try Task.checkCancellation()
            guard let clip = run.item.segment?.clip, let media = source.media[clip.media],
                let (map, start, range) = try played(run.item, media, run, in: source)
            else {
                continue
            }
            groups += 1
            let envelopes =
                part.envelopes
                + [Envelope(run.item, run.clock, group: groups)].compactMap { $0 }
            // A nested composition is fitted as a whole.
            let shape = media.composition.flatMap { _ in media.frameShape }
            let inner = Part(
                range: range, map: map, start: start, carries: carries,
                shapes: part.shapes + [shape].compactMap { $0 }, envelopes: envelopes,
                name: clip.media)
            own.append(inOrder: try nested(media, inner, in: source))
        }
        return own
    }

    /// The layers of what a source plays. Sound keeps its speed only in the outermost composition, or in the one that is
    /// all that it contains.
    private mutating func nested(
        _ media: MediaSource, _ part: Part, in source: MediaSource
    ) throws -> [[ResolvedClip]] {
        let outer = purpose
        defer { purpose = outer }
        if purpose == .soundWithoutHandles, source.composition?.onlyContains != true {
            purpose = .sound
        }
        return try layers(of: media, part)
    }

    // MARK: - Runs

    /// A part of the output in which one segment plays.
    private struct Run {
        let item: DissolveLane.Item
        /// In output time.
        let range: TimeRange
        /// The map from output time, which counts from the start of `range`, to the time from the item's start; nil if it
        /// plays as it is.
        let map: TimeMap?

        var clock: Envelope.Clock {
            Envelope.Clock(
                map: map, outputStart: range.start.seconds, trackStart: item.range.start.seconds)
        }
    }

    private func runs(of lane: DissolveLane, _ part: Part) throws -> [Run] {
        guard let map = part.map else {
            return lane.items.map { Run(item: $0, range: $0.range, map: nil) }
        }
        return try SegmentCrossings(of: map, from: part.start, ends: lane.ends).stays.map { stay in
            let item = lane.items[stay.segment]
            let window = try map.window(from: stay.start, to: stay.end)
            // From the window's source time to the item's time.
            let begin = try part.start.sum(window.sourceStart).difference(item.range.start)
            let range = try TimeRange(
                start: part.range.start.sum(stay.start), end: part.range.start.sum(stay.end))
            return Run(
                item: item, range: range,
                map: try window.map.movingSource(by: begin, within: item.range.duration))
        }
    }

    // MARK: - Segments

    /// How a run of a segment plays its media: the map, the media time at which the map's source begins, and when. Nil if
    /// nothing of it is left.
    private mutating func played(
        _ item: DissolveLane.Item, _ media: MediaSource, _ run: Run, in source: MediaSource
    ) throws -> (map: TimeMap, start: RationalTime, range: TimeRange)? {
        // Of a picture every instant is the same, also those before its first and after its last.
        guard let placed = item.segment,
            let segment = media.isPicture ? try placed.holdingFirstFrame() : placed,
            let clip = segment.clip
        else {
            return nil
        }
        if purpose == .soundWithoutHandles {
            return try kept(segment, clip, run)
        }
        let from = try item.range.start.difference(item.segmentStart)
        guard from != .zero || item.range.duration != segment.duration else {
            let whole = try map(of: segment, media)
            let map = try run.map.map { try whole.composed(after: $0) } ?? whole
            return (map, clip.range.start, run.range)
        }
        // A handle goes on along the clip's curve, and beyond the curve's end at the speed that it has there.
        let beyond = try from.sum(item.range.duration).difference(segment.duration)
        let (wide, head) = try segment.widened(
            before: max(.zero, .zero.difference(from)), after: max(.zero, beyond))
        let begin = try from.sum(head)
        let part = try map(of: wide, media).window(
            from: begin, to: begin.sum(item.range.duration))
        let start = try clip.range.start.sum(part.sourceStart)
        try requireHandle(start, part, of: clip, media, item, in: source)
        return (try run.map.map { try part.map.composed(after: $0) } ?? part.map, start, run.range)
    }

    /// Requires that the media has what a clip plays beyond its own range for a dissolve.
    private func requireHandle(
        _ start: RationalTime, _ part: TimeMap.Window, of clip: PlacedClip, _ media: MediaSource,
        _ item: DissolveLane.Item, in source: MediaSource
    ) throws {
        guard !clip.retiming.isFrozen else {
            return
        }
        let (from, to, lasts) = (start, try start.sum(part.sourceDuration), media.duration)
        guard from.seconds < -Tolerance.stated || to.seconds > lasts.seconds + Tolerance.stated
        else {
            return
        }
        throw CompositionError.invalid(
            "\(source.path): the dissolve at \(item.segmentStart.secondsText) s or at the segment's end needs "
                + "\(clip.media) from \(from.secondsText) s to \(to.secondsText) s, and it lasts from 0 s to "
                + "\(lasts.secondsText) s. Shorten the dissolve, or use less of the clip")
    }

    private mutating func map(of segment: Segment, _ media: MediaSource) throws -> TimeMap {
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
        let played = try clip.window.start.scaled(
            by: segment.duration, over: clip.window.duration)
        let lasts = min(segment.duration, try clip.range.duration.difference(played))
        // Of a part of the composition, which plays at its own speed, what is left there.
        let from = try run.map.map { try RationalTime(fine: $0.sourceTime(at: 0)) } ?? .zero
        let left = min(try lasts.difference(from), run.map == nil ? lasts : run.range.duration)
        guard left > .zero else {
            return nil
        }
        return (
            .identity(left), try clip.range.start.sum(played).sum(from),
            try TimeRange(start: run.range.start, duration: left)
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
    private let ends: [RationalTime]

    /// - Parameters:
    ///   - start: the track time at which the map's source begins.
    ///   - ends: the end of each segment, in track time.
    /// - Complexity: O(pieces · log segments), and O(1) for each crossing.
    init(of map: TimeMap, from start: RationalTime, ends: [RationalTime]) throws {
        self.map = map
        self.start = start
        self.ends = ends
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
        let index = ends.indices.partitionPoint { ends[$0].seconds > seconds }
        return index < ends.count ? index : nil
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

extension Composition {
    /// Whether it plays nothing but one timeline that it contains.
    fileprivate var onlyContains: Bool {
        guard tracks.count == 1, tracks[0].segments.count == 1,
            let clip = tracks[0].segments[0].clip
        else {
            return false
        }
        return contained(clip.media) != nil
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
