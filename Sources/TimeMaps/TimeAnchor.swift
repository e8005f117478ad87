/// An instant of the source that belongs at an instant of the output.
public struct TimeAnchor: Hashable, Sendable, Codable {
    /// The instant of the source.
    public let source: RationalTime
    /// The instant of the output at which it is shown.
    public let output: RationalTime

    /// Anchors a source time at an output time.
    public init(source: RationalTime, output: RationalTime) {
        self.source = source
        self.output = output
    }
}

/// Straight lines through anchors, and on beyond the outer ones.
///
/// ```
///  source │            ·╱
///         │        ╱‾‾‾        every anchor ● is met exactly; beyond the outer ones the first
///         │      ●             and the last line go on
///         │   ╱·
///         └────────────── output
/// ```
public struct AnchoredLine: Sendable {
    /// In order, rising in both times.
    public let anchors: [TimeAnchor]

    /// - Throws: ``CurveError`` when there are fewer than two, when they don't rise in both times,
    ///   or when a line between two is outside of 1/1000 to 1000.
    public init(_ anchors: [TimeAnchor]) throws(CurveError) {
        let sorted = anchors.sorted { $0.output < $1.output }
        guard sorted.count >= 2 else {
            throw CurveError(.malformed, "two anchors at least are needed")
        }
        for (a, b) in zip(sorted, sorted.dropFirst()) {
            let source = b.source.seconds - a.source.seconds
            let output = b.output.seconds - a.output.seconds
            guard source > 0, output > 0 else {
                throw CurveError(
                    .malformed, sourceTime: b.source.seconds,
                    "anchors must rise in both times: \(a.source.seconds) s lies at "
                        + "\(a.output.seconds) s, \(b.source.seconds) s at \(b.output.seconds) s")
            }
            guard (0.001...1000).contains(output / source) else {
                throw CurveError(
                    .malformed, sourceTime: b.source.seconds, value: output / source,
                    "between \(a.source.seconds) s and \(b.source.seconds) s the anchors ask for a "
                        + "time scale of \(output / source), outside 1/1000 to 1000")
            }
        }
        self.anchors = sorted
    }

    /// When an instant of the source is shown, in seconds.
    public func outputTime(of source: Double) -> Double {
        let (a, b) = pair { $0.source.seconds <= source }
        let slope =
            (b.output.seconds - a.output.seconds) / (b.source.seconds - a.source.seconds)
        return a.output.seconds + (source - a.source.seconds) * slope
    }

    /// What is shown at an instant of the output, in seconds; it may lie outside of the source.
    public func sourceTime(at output: Double) -> Double {
        let (a, b) = pair { $0.output.seconds <= output }
        let slope =
            (b.source.seconds - a.source.seconds) / (b.output.seconds - a.output.seconds)
        return a.source.seconds + (output - a.output.seconds) * slope
    }

    private func pair(_ isBefore: (TimeAnchor) -> Bool) -> (TimeAnchor, TimeAnchor) {
        let index = min(anchors.lastIndex(where: isBefore) ?? 0, anchors.count - 2)
        return (anchors[index], anchors[index + 1])
    }

    /// The lines from output time 0 on.
    ///
    /// - Parameter duration: how long the output lasts.
    /// - Returns: the map, and the part of the source that it plays, which may begin before the
    ///   source does and end after it.
    /// - Throws: ``TimeError`` when an instant doesn't fit, ``CurveError`` when the duration isn't
    ///   positive.
    public func map(lasting duration: RationalTime) throws -> (map: TimeMap, range: TimeRange) {
        guard duration > .zero else {
            throw CurveError(
                .malformed, "by its anchors all of the source lies before the output's start")
        }
        // The outer anchors are no corners: their lines go on.
        let inner = anchors.dropFirst().dropLast().filter {
            $0.output > .zero && $0.output < duration
        }
        func corner(at output: RationalTime) throws -> TimeAnchor {
            // To the nanosecond: far finer than any sample.
            let source = try RationalTime(
                seconds: sourceTime(at: output.seconds), timescale: 1_000_000_000,
                rounding: .nearest)
            return TimeAnchor(source: source, output: output)
        }
        let corners = try [corner(at: .zero)] + inner + [corner(at: duration)]
        let range = try TimeRange(start: corners[0].source, end: corners[corners.count - 1].source)
        let pieces = try zip(corners, corners.dropFirst()).map { a, b in
            try TimeMap.Piece(
                ExactLine(
                    a.output, b.output, from: a.source - range.start, to: b.source - range.start))
        }
        return (try TimeMap(pieces: pieces, sourceDuration: range.duration), range)
    }
}
