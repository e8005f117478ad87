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
    var points: [TimeAnchor]
    /// In asset time.
    var markers: [Marker] = []
    var blending = Blending.none

    /// A clip of constant speed.
    ///
    /// - Parameters:
    ///   - first: the asset time at its start.
    ///   - last: the asset time at its end: equal for a freeze frame, earlier if it plays backwards.
    init(
        _ media: String, name: String? = nil, from first: RationalTime, to last: RationalTime,
        lasting duration: RationalTime
    ) {
        self.init(
            media, name: name,
            points: [
                TimeAnchor(source: first, output: .zero),
                TimeAnchor(source: last, output: duration),
            ])
    }

    init(_ media: String, name: String? = nil, points: [TimeAnchor]) {
        self.media = media
        self.name = name.flatMap { $0.isEmpty ? nil : $0 }
        self.points = points
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
    var speed: Double { (ends.last.seconds - ends.first.seconds) / duration.seconds }

    /// Whether it is at normal speed.
    var isPlain: Bool { isStraight && (try? ends.last.difference(ends.first)) == duration }

    /// Whether it is a freeze frame.
    var isFrozen: Bool { isStraight && ends.first == ends.last }

    /// The asset time at a time of the clip. Outside of the clip the first and the last line go on.
    func source(at output: RationalTime) throws -> RationalTime {
        let next = points.indices.dropFirst().first { output <= points[$0].output }
        let index = next ?? points.count - 1
        let (start, end) = (points[index - 1], points[index])
        let share = ExactFraction(try output.difference(start.output))
            .scaled(
                by: try end.source.difference(start.source),
                over: try end.output.difference(start.output))
        return try RationalTime(share?.plus(ExactFraction(start.source)))
    }

    /// The time of the clip at which an instant of the file is shown first; nil if it never is.
    func output(ofSource source: RationalTime) throws -> RationalTime? {
        for (from, to) in zip(points, points.dropFirst()) {
            guard min(from.source, to.source) <= source, source <= max(from.source, to.source)
            else {
                continue
            }
            guard from.source != to.source else {
                return from.output
            }
            let share = try ExactFraction(source.difference(from.source)).scaled(
                by: to.output.difference(from.output), over: to.source.difference(from.source))
            return try RationalTime(share?.plus(ExactFraction(from.output)))
        }
        return nil
    }

    /// The clip between two of its times, which may lie outside of it.
    func part(from start: RationalTime, to end: RationalTime) throws -> TimelineClip {
        var part = self
        // Where the clip is longer now, its first or last line is, without a corner at the former end.
        let corners = points.dropFirst().dropLast()
        let inside = corners.filter { start < $0.output && $0.output < end }
        part.points =
            try [TimeAnchor(source: source(at: start), output: .zero)]
            + inside.map {
                TimeAnchor(source: $0.source, output: try $0.output.difference(start))
            } + [TimeAnchor(source: source(at: end), output: end.difference(start))]
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

    /// The clip as a segment of a track.
    ///
    /// - Throws: ``CompositionError``, `CurveError` or `TimeError` if there is no such segment.
    func segment() throws -> Segment {
        let points = try heldAtZero()
        let low = points.map(\.source).min() ?? .zero
        let high = points.map(\.source).max() ?? .zero
        guard low < high else {
            let range = try TimeRange(start: .zero, end: low > .zero ? low : duration)
            return try Segment(
                PlacedClip(media, range: range, retiming: .frozen(at: low), name: name),
                lasting: duration, markers: markers, blending: blending)
        }
        let range = try Self.range(from: low, to: high)
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
            if let last = held.last, (last.source < .zero) != (point.source < .zero) {
                let place = ExactFraction(try RationalTime.zero.difference(last.source))
                    .scaled(
                        by: try point.output.difference(last.output),
                        over: try point.source.difference(last.source))
                let output = try RationalTime(place?.plus(ExactFraction(last.output)))
                if last.output < output, output < point.output {
                    held.append(TimeAnchor(source: .zero, output: output))
                }
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
        var offsets = straight.runs.map { $0[0].output }
        var clips = try straight.runs.map { run in
            TimelineClip(
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
        for marker in segment.markers {
            let place = try timing?.firstShowing(of: marker.at) ?? .zero
            var (index, end) = (0, clips[0].duration)
            while end <= place, index < clips.count - 1 {
                index += 1
                end = try end + clips[index].duration
            }
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
