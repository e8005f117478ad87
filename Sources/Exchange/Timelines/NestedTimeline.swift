import TimeMaps
import TimeWarp

extension ExchangeTrack {
    /// The clips of an inner track as an outer clip plays them: cut at its ends, faster, backwards or held.
    ///
    /// - Parameters:
    ///   - points: of the outer clip, from time on the outer track, which counts from 0, to time on this track.
    ///   - start: where the outer clip starts on its track.
    /// - Returns: the clips, in the order of their starts.
    /// - Complexity: O(clips × lines).
    func played(
        along points: [TimeAnchor], at start: RationalTime
    ) throws -> [Placed] {
        var result: [Placed] = []
        for (from, to) in zip(points, points.dropFirst()) {
            let line = TimelineClip("", points: [from, to])
            for placed in clips {
                let span = (placed.start, try placed.end)
                guard let part = try Self.overlap(of: span, with: (from, to)) else {
                    continue
                }
                var clip = placed.clip
                clip.points = try Self.points(
                    of: placed, from: part.lowerBound, to: part.upperBound, along: line)
                guard clip.duration > .zero else {
                    continue
                }
                result.append(Placed(start: try start.sum(part.lowerBound), clip: clip))
            }
        }
        return result.sorted { $0.start < $1.start }
    }

    /// The output times during which a line shows a span of this track; nil if it doesn't.
    private static func overlap(
        of span: (RationalTime, RationalTime), with line: (TimeAnchor, TimeAnchor)
    ) throws -> Range<RationalTime>? {
        let (from, to) = line
        if from.source == to.source {
            let isShown = span.0 <= from.source && from.source < span.1
            return isShown ? from.output..<to.output : nil
        }
        func output(of source: RationalTime) throws -> RationalTime {
            let share = try ExactFraction(source.difference(from.source)).scaled(
                by: to.output.difference(from.output), over: to.source.difference(from.source))
            return try RationalTime(share?.plus(ExactFraction(from.output)))
        }
        let (a, b) = (try output(of: span.0), try output(of: span.1))
        let (low, high) = (max(from.output, min(a, b)), min(to.output, max(a, b)))
        return low < high ? low..<high : nil
    }

    /// The points of a clip of this track between two output times of a line.
    private static func points(
        of placed: Placed, from: RationalTime, to: RationalTime, along line: TimelineClip
    ) throws -> [TimeAnchor] {
        let clip = placed.clip
        var outputs = [from, to]
        let (start, end) = (line.points[0], line.points[1])
        for point in clip.points.dropFirst().dropLast() where start.source != end.source {
            let place = try placed.start.sum(point.output)
            let share = try ExactFraction(place.difference(start.source)).scaled(
                by: end.output.difference(start.output), over: end.source.difference(start.source))
            let output = try RationalTime(share?.plus(ExactFraction(start.output)))
            if from < output, output < to {
                outputs.append(output)
            }
        }
        let sorted = outputs.sorted()
        return try zip(sorted, 0...).compactMap { output, index in
            guard index == 0 || sorted[index - 1] < output else {
                return nil
            }
            // The line counts its outputs from its own first point's.
            let inner = try line.source(at: output)
            return TimeAnchor(
                source: try clip.source(at: inner.difference(placed.start)),
                output: try output.difference(from))
        }
    }
}
