/// A pair of a source time and the output time at which it is shown.
public struct TimeAnchor: Hashable, Sendable, Codable {
    /// The source time.
    public let source: RationalTime
    /// The output time at which the source time is shown.
    public let output: RationalTime

    /// Assigns a source time to an output time.
    public init(source: RationalTime, output: RationalTime) {
        self.source = source
        self.output = output
    }
}

/// Straight lines through anchors, which continue beyond the first and the last anchor.
///
/// ```
///  source │            ·╱
///         │        ╱‾‾‾        the lines pass exactly through every anchor ●; beyond the outer
///         │      ●             anchors the first and the last line continue
///         │   ╱·
///         └────────────── output
/// ```
public struct AnchoredLine: Sendable {
    /// The anchors, at least two, in order; both times increase.
    public let anchors: [TimeAnchor]

    /// Lines through anchors, which may be given in any order.
    ///
    /// - Throws: ``CurveError`` when there are fewer than two anchors, when one of the times doesn't increase, or
    ///   when the time scale between two anchors is outside of 1/1000 to 1000.
    public init(_ anchors: [TimeAnchor]) throws(CurveError) {
        let sorted = anchors.sorted { $0.output < $1.output }
        guard sorted.count >= 2 else {
            throw CurveError(.malformed, "at least two anchors are needed")
        }
        for (a, b) in zip(sorted, sorted.dropFirst()) {
            let source = b.source.seconds - a.source.seconds
            let output = b.output.seconds - a.output.seconds
            guard source > 0, output > 0 else {
                throw CurveError(
                    .malformed, sourceTime: b.source.seconds,
                    "both times of anchors must increase: source time \(a.source.secondsText) s lies at "
                        + "output time \(a.output.secondsText) s, and \(b.source.secondsText) s at "
                        + "\(b.output.secondsText) s")
            }
            guard TimeMap.allows(scale: output / source) else {
                throw CurveError(
                    .malformed, sourceTime: b.source.seconds, value: output / source,
                    "between \(a.source.secondsText) s and \(b.source.secondsText) s the anchors need a "
                        + "time scale of \(output / source), outside of 1/1000 to 1000")
            }
        }
        self.anchors = sorted
    }

    /// The output time at which a source time is shown, both in seconds; it may lie before output time 0.
    /// O(n) anchors.
    public func outputTime(of source: Double) -> Double {
        let (a, b) = pair { $0.source.seconds <= source }
        let slope =
            (b.output.seconds - a.output.seconds) / (b.source.seconds - a.source.seconds)
        return a.output.seconds + (source - a.source.seconds) * slope
    }

    /// The source time at an output time, both in seconds; it may lie outside of the source. O(n) anchors.
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

    /// The lines as a time map that starts at output time 0.
    ///
    /// - Parameter duration: how long the output lasts; above 0.
    /// - Returns: The map, and the range of source time that it plays. The range may begin before the source
    ///   and end after it; the map's source times are counted from the range's start.
    /// - Throws: ``TimeError`` when a time doesn't fit in a ``RationalTime``; ``CurveError`` when the duration
    ///   isn't above 0.
    /// - Complexity: O(n²) for n anchors.
    public func map(lasting duration: RationalTime) throws -> (map: TimeMap, range: TimeRange) {
        guard duration > .zero else {
            throw CurveError(
                .malformed,
                "according to the anchors, the whole source lies before the output's start")
        }
        // The lines continue beyond the outer anchors, so those are not corners.
        let inner = anchors.dropFirst().dropLast().filter {
            $0.output > .zero && $0.output < duration
        }
        func corner(at output: RationalTime) throws -> TimeAnchor {
            // A nanosecond is far shorter than any sample.
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
