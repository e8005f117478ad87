import TimeMaps
import TimeWarp

/// A clip as exchange formats have it: straight lines from time on the track to time in a file.
///
/// ```
///  asset time    ╱‾‾‾
///              ╱          points, joined by straight lines; level where a frame is held, falling where it
///             0  duration plays backwards
/// ```
struct TimelineClip: Hashable {
    /// The path of the file, as in the composition or in the timeline.
    var media: String
    /// A name for people; nil for the file's.
    var name: String?
    /// From time on the track, which counts from the clip's start, to asset time. There are two at least, and their outputs
    /// rise from 0.
    private(set) var points: [TimeAnchor]
    /// In asset time.
    var markers: [Marker] = []
    var blending = Blending.none
    /// What the lines stand for, if that is more than they say: a curve, or a part of a longer clip. It is gone when they
    /// change.
    var original: PlacedClip?
    /// Only while a project is read: a composition has no such settings.
    var sampling = Sampling()

    /// A clip of constant speed.
    ///
    /// - Parameters:
    ///   - first: the asset time at its start.
    ///   - last: the asset time at its end: equal for a freeze frame, earlier if it plays backwards.
    /// - Throws: ``CompositionError`` unless it lasts longer than 0 s.
    init(
        _ media: String, name: String? = nil, from first: RationalTime, to last: RationalTime,
        lasting duration: RationalTime
    ) throws {
        try self.init(
            media, name: name,
            points: [
                TimeAnchor(source: first, output: .zero),
                TimeAnchor(source: last, output: duration),
            ])
    }

    /// A clip of straight lines.
    ///
    /// - Throws: ``CompositionError`` unless there are two points at least, whose outputs rise from 0.
    init(_ media: String, name: String? = nil, points: [TimeAnchor]) throws {
        self.media = media
        self.name = name.flatMap { $0.isEmpty ? nil : $0 }
        self.points = []
        try setPoints(points)
    }

    /// Gives the clip other lines.
    ///
    /// - Throws: ``CompositionError`` unless there are two points at least, whose outputs rise from 0.
    mutating func setPoints(_ points: some Sequence<TimeAnchor>) throws {
        let points = Array(points)
        let isRising = zip(points, points.dropFirst()).allSatisfy { $0.output < $1.output }
        guard points.count >= 2, points[0].output == .zero, isRising else {
            throw CompositionError(
                .malformed, "a time map needs two points, and output times that rise from 0")
        }
        if points != self.points {
            (self.points, original) = (points, nil)
        }
    }

    /// The same clip, whose points before the file's first instant are moved to it.
    func movedIntoFile() throws -> TimelineClip {
        var moved = self
        try moved.setPoints(
            points.map { TimeAnchor(source: max(.zero, $0.source), output: $0.output) })
        return moved
    }

    /// The duration on the track.
    var duration: RationalTime { points[points.count - 1].output }

    /// Whether its speed is constant.
    var isStraight: Bool { points.count == 2 }

    /// The asset times at its start and end.
    var ends: (first: RationalTime, last: RationalTime) {
        (points[0].source, points[points.count - 1].source)
    }

    /// Source seconds for each second on the track, over the whole clip.
    var speed: Double {
        if let length = try? ends.last.difference(ends.first),
            let speed = ExactFraction(duration).reciprocal?.times(ExactFraction(length))
        {
            return Double(speed.top) / Double(speed.bottom)
        }
        return (ends.last.seconds - ends.first.seconds) / duration.seconds
    }

    /// Whether it is at normal speed.
    var isPlain: Bool { isStraight && (try? ends.last.difference(ends.first)) == duration }

    /// Whether it is a freeze frame.
    var isFrozen: Bool { isStraight && ends.first == ends.last }

    /// The asset time at a time of the clip. Outside of the clip the first and the last line go on.
    func source(at output: RationalTime) throws -> RationalTime {
        let inner = points.indices.dropFirst().dropLast()
        let end = inner.partitionPoint { points[$0].output >= output }
        return try StraightLine(points[end - 1], points[end]).source(at: output)
    }

    /// The time of the clip at which an instant of the file is shown first; nil if it never is.
    func output(ofSource source: RationalTime) throws -> RationalTime? {
        for (from, to) in zip(points, points.dropFirst())
        where min(from.source, to.source) <= source && source <= max(from.source, to.source) {
            return try StraightLine(from, to).output(of: source) ?? from.output
        }
        return nil
    }

    /// The clip between two of its times, which may lie outside of it.
    ///
    /// - Throws: ``CompositionError`` unless the second is later.
    func part(from start: RationalTime, to end: RationalTime) throws -> TimelineClip {
        var part = self
        // Where the clip is longer now, its first or last line is, without a corner at the former end.
        let corners = points.dropFirst().dropLast()
        let inside = corners.filter { start < $0.output && $0.output < end }
        try part.setPoints(
            [TimeAnchor(source: source(at: start), output: .zero)]
                + inside.map {
                    TimeAnchor(source: $0.source, output: try $0.output.difference(start))
                } + [TimeAnchor(source: source(at: end), output: end.difference(start))])
        part.blending.gain = try gain(from: start)
        return part
    }

    /// The gain as it is from a time of the clip on.
    private func gain(from start: RationalTime) throws -> Gain {
        let gain = blending.gain
        guard gain.keyframes.count > 1, start != .zero else {
            return gain
        }
        if start > .zero {
            return try blending.split(at: start).1.gain
        }
        return try Gain(
            gain.keyframes.map { (at: try $0.at.difference(start), decibels: $0.decibels) })
    }

    /// Fades the clip in and out, at the most for as long as it lasts, where it isn't faded already.
    mutating func fade(in fadeIn: RationalTime, out fadeOut: RationalTime) {
        blending.dissolve = max(blending.dissolve, min(fadeIn, duration))
        blending.fadeOut = max(blending.fadeOut, min(fadeOut, duration))
    }

    /// The clip as a segment of a track.
    ///
    /// - Parameter frame: how long a frame is. A range doesn't include its end, so it goes on behind the instant of a frame
    ///   that is held.
    /// - Throws: ``CompositionError``, `CurveError` or `TimeError` if there is no such segment.
    func segment(_ frame: RationalTime) throws -> Segment {
        if let original {
            return try Segment(
                original, lasting: duration, markers: markers, blending: blending)
        }
        let points = try heldAtZero()
        guard points.count <= ReaderBounds.mostPoints else {
            throw CompositionError(
                .unsupported, "its time map has more than \(ReaderBounds.mostPoints) points")
        }
        let low = points.map(\.source).min() ?? .zero
        let high = points.map(\.source).max() ?? .zero
        let isHeld = zip(points, points.dropFirst()).contains {
            $0.source == high && $1.source == high
        }
        let range = try Self.range(from: low, to: isHeld ? high.sum(frame) : high)
        guard low < high else {
            return try Segment(
                PlacedClip(media, range: range, retiming: .frozen(at: low), name: name),
                lasting: duration, markers: markers, blending: blending)
        }
        let retiming: Retiming
        let speed = (high.seconds - low.seconds) / duration.seconds
        if points.count == 2, (1e-3...1e3).contains(speed) {
            retiming = points[0].source < points[1].source ? .uniform : .reversed
        } else {
            retiming = .timeMap(
                TimeMapDocument(
                    points: try points.map {
                        let source = try $0.source.difference(range.start)
                        return TimeAnchor(
                            source: min(max(.zero, source), range.duration), output: $0.output)
                    }))
        }
        return try Segment(
            PlacedClip(media, range: range, retiming: retiming, name: name), lasting: duration,
            markers: markers, blending: blending)
    }

    /// A range between two times, which are rounded if its duration is too fine a fraction.
    private static func range(
        from start: RationalTime, to end: RationalTime
    ) throws -> TimeRange {
        if let exact = try? TimeRange(start: start, end: end) {
            return exact
        }
        let rounded = try [start, end].map {
            try RationalTime(rounded: ExactFraction($0), ticks: RationalTime.fineTick)
        }
        return try TimeRange(start: rounded[0], end: rounded[1])
    }
}

// MARK: - Within the file

extension TimelineClip {
    /// The points with the first instant of the file held wherever a line would leave the file at its start.
    private func heldAtZero() throws -> [TimeAnchor] {
        guard points.contains(where: { $0.source < .zero }) else {
            return points
        }
        var held: [TimeAnchor] = []
        for point in points {
            if let last = held.last, (last.source < .zero) != (point.source < .zero),
                let output = try StraightLine(last, point).output(of: .zero),
                last.output < output, output < point.output
            {
                held.append(TimeAnchor(source: .zero, output: output))
            }
            held.append(point)
        }
        return held.map { TimeAnchor(source: max(.zero, $0.source), output: $0.output) }
    }
}

// MARK: - From a composition

extension TimelineClip {
    /// The clips of a segment, and how long after its start each begins: one, or more where its time map jumps or where each
    /// line must be a clip of its own.
    ///
    /// - Returns: the clips, and how far they are from the segment, in seconds of the file.
    static func clips(
        of segment: Segment, _ clip: PlacedClip, _ rules: LineRules
    ) throws -> (clips: [(offset: RationalTime, clip: TimelineClip)], error: Double) {
        var rules = rules
        rules.sourceStart = clip.range.start
        let straight = try StraightRuns(segment.timeMap(), lasting: segment.duration, rules)
        let runs =
            rules.clipsAreLines
            ? straight.runs.flatMap { run in zip(run, run.dropFirst()).map { [$0, $1] } }
            : straight.runs
        var offsets = runs.map { $0[0].output }
        var clips = try runs.map { run in
            try TimelineClip(
                clip.media, name: clip.name,
                points: try run.map {
                    TimeAnchor(
                        source: try max(.zero, clip.range.start.sum($0.source)),
                        output: try $0.output.difference(run[0].output))
                })
        }
        // Only the part that dissolves is before the cut.
        if let begin = offsets.first, begin != rules.cut {
            clips[0] = try clips[0].part(
                from: rules.cut.difference(begin), to: clips[0].duration)
            offsets[0] = rules.cut
        }
        clips = try share(segment, among: clips)
        return (zip(offsets, clips).map { (offset: $0, clip: $1) }, straight.error)
    }

    /// Gives each marker to the clip that shows it, or else to the first, and the fades to the clips at the ends.
    private static func share(
        _ segment: Segment, among clips: [TimelineClip]
    ) throws -> [TimelineClip] {
        var clips = clips
        guard !clips.isEmpty else {
            return []
        }
        let timing = segment.markers.isEmpty ? nil : try SegmentTiming(segment)
        var end = RationalTime.zero
        let ends = try clips.map {
            end = try end + $0.duration
            return end
        }
        for marker in segment.markers {
            let place = try timing?.firstShowing(of: marker.at) ?? .zero
            let index = ends.indices.dropLast().partitionPoint { ends[$0] > place }
            clips[index].markers.append(marker)
        }
        var rest = segment.blending
        for index in clips.indices.dropLast() {
            (clips[index].blending, rest) = try rest.split(at: clips[index].duration)
        }
        clips[clips.count - 1].blending = rest
        return clips
    }
}
