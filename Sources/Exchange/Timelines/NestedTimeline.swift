import TimeMaps
import TimeWarp

/// A track whose clips an outer clip plays: cut at its ends, faster, backwards or held.
struct NestedTrack {
    let track: ExchangeTrack
    private let clips: [ExchangeTrack.Placed]
    /// The latest end of each clip and all before it.
    private let ends: [RationalTime]

    init(_ track: ExchangeTrack) throws {
        self.track = track
        clips = track.clips.sorted { $0.start < $1.start }
        var latest = RationalTime.zero
        ends = try clips.map {
            latest = try max(latest, $0.end)
            return latest
        }
    }

    /// The clips as the outer clip plays them.
    ///
    /// - Parameters:
    ///   - points: of the outer clip, from time on the outer track, which counts from 0, to time on this track.
    ///   - start: where the outer clip starts on its track.
    ///   - bounds: counts the clips.
    /// - Returns: the clips, in the order of their starts.
    /// - Complexity: O(log n) for each line, and the clips that it shows.
    func played(
        along points: [TimeAnchor], at start: RationalTime, _ bounds: inout ReaderBounds
    ) throws -> [ExchangeTrack.Placed] {
        var result: [ExchangeTrack.Placed] = []
        for line in zip(points, points.dropFirst()).map(StraightLine.init) {
            for placed in clips[near(line)] {
                try bounds.visit()
                if let part = try Self.part(of: placed, along: line) {
                    result.append(.init(start: try start.sum(part.start), clip: part.clip))
                }
            }
        }
        return result.sorted { $0.start < $1.start }
    }

    /// All clips that a line may show.
    private func near(_ line: StraightLine) -> Range<Int> {
        let low = min(line.start.source, line.end.source)
        let high = max(line.start.source, line.end.source)
        let end = clips.indices.partitionPoint { clips[$0].start > high }
        return min(end, ends.indices.partitionPoint { ends[$0] > low })..<end
    }

    /// The part of a clip that a line shows, which starts at an output time of the line; nil if it shows none of it.
    private static func part(
        of placed: ExchangeTrack.Placed, along line: StraightLine
    ) throws -> ExchangeTrack.Placed? {
        guard let shown = try overlap(of: placed, with: line) else {
            return nil
        }
        let (from, to) = (shown.lowerBound, shown.upperBound)
        let corners = try placed.clip.points.dropFirst().dropLast().compactMap {
            try line.output(of: placed.start.sum($0.output))
        }
        let inside = Set(corners.filter { from < $0 && $0 < to })
        var part = placed
        part.start = from
        try part.clip.setPoints(
            ([from, to] + inside).sorted().map { output in
                let inner = try line.source(at: output)
                return TimeAnchor(
                    source: try placed.clip.source(at: inner.difference(placed.start)),
                    output: try output.difference(from))
            })
        // A dissolve or a fade is there where the clip's end is.
        func length(_ inner: RationalTime, isShown: Bool) throws -> RationalTime {
            let end = try line.output(of: line.start.source.sum(inner))
            return isShown ? try max(.zero, end?.difference(line.start.output) ?? .zero) : .zero
        }
        let blending = placed.clip.blending
        let ends = try [placed.start, placed.end].map { try line.output(of: $0) }
        part.clip.blending.dissolve = try length(blending.dissolve, isShown: ends[0] == from)
        part.clip.blending.fadeOut = try length(blending.fadeOut, isShown: ends[1] == to)
        part.clip.blending.gain = try gain(of: placed, along: line, from: from)
        return part
    }

    /// The gain of a clip as a line plays it, from an output time of the line on.
    private static func gain(
        of placed: ExchangeTrack.Placed, along line: StraightLine, from: RationalTime
    ) throws -> Gain {
        let gain = placed.clip.blending.gain
        guard gain.keyframes.count > 1 else {
            return gain
        }
        let points = try gain.keyframes.compactMap { point in
            try line.output(of: placed.start.sum(point.at)).map {
                (at: try $0.difference(from), decibels: point.decibels)
            }
        }.sorted { $0.at < $1.at }
        guard let first = points.first else {
            let held = try line.start.source.difference(placed.start)
            let level = try Blending(gain: gain).split(at: held).1.gain.keyframes[0].decibels
            return try Gain([(at: .zero, decibels: level)])
        }
        let early = min(.zero, first.at)
        let whole = try Gain(
            points.map { (at: try $0.at.difference(early), decibels: $0.decibels) })
        return try Blending(gain: whole).split(at: RationalTime.zero.difference(early)).1.gain
    }

    /// The output times during which a line shows a clip; nil if it doesn't.
    private static func overlap(
        of placed: ExchangeTrack.Placed, with line: StraightLine
    ) throws -> Range<RationalTime>? {
        let (start, end) = (placed.start, try placed.end)
        guard let first = try line.output(of: start), let last = try line.output(of: end) else {
            let isShown = start <= line.start.source && line.start.source < end
            return isShown ? line.start.output..<line.end.output : nil
        }
        let low = max(line.start.output, min(first, last))
        let high = min(line.end.output, max(first, last))
        return low < high ? low..<high : nil
    }
}
