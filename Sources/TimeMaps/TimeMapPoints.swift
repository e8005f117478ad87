extension TimeMap {
    /// A map of straight, exact lines from point to point, in order of output time.
    ///
    /// ```
    ///  source │        ●────●         equal source times: a freeze; falling ones: backwards;
    ///         │      ╱      ┊ ●       two points at one output time: the source jumps from the
    ///         │    ╱        ┊   ╲     first point to the second
    ///         │  ●          ●     ●
    ///         └──────────────────── output
    /// ```
    /// - Parameters:
    ///   - points: at least two. The first lies at output time 0, each of the others at or after the one
    ///     before, and all lie within the source. A point up to a microsecond outside is moved to the
    ///     source's start or end.
    ///   - sourceDuration: how long the source lasts.
    /// - Throws: ``CurveError`` that names the wrong point, counting from 1, or the two points between which
    ///   the speed would be above 1000.
    /// - Complexity: O(n).
    public init(
        through points: [TimeAnchor], sourceDuration: RationalTime
    ) throws(CurveError) {
        guard points.count >= 2 else {
            throw CurveError(.malformed, "a time map needs at least two points")
        }
        guard points[0].output == .zero else {
            throw CurveError(
                .malformed, value: points[0].output.seconds,
                "the first point must lie at output time 0, not \(points[0].output.secondsText) s")
        }
        try Self.checkOrder(of: points)
        var inside: [TimeAnchor] = []
        inside.reserveCapacity(points.count)
        for index in points.indices {
            inside.append(try Self.clamped(points, index, to: sourceDuration))
        }
        var pieces: [Piece] = []
        for (a, b) in zip(inside, inside.dropFirst()) where a.output < b.output {
            try Self.checkSpeed(from: a, to: b)
            pieces.append(Piece(ExactLine(a.output, b.output, from: a.source, to: b.source)))
        }
        guard !pieces.isEmpty else {
            throw CurveError(
                .malformed, "all points lie at output time 0, so the output would last 0 s")
        }
        try self.init(pieces: pieces, sourceDuration: sourceDuration)
    }

    private static func checkOrder(of points: [TimeAnchor]) throws(CurveError) {
        for index in points.indices.dropFirst() {
            let (before, output) = (points[index - 1].output, points[index].output)
            guard before <= output else {
                throw CurveError(
                    .malformed, value: output.seconds,
                    "point \(index + 1) lies at output time \(output.secondsText) s, before point "
                        + "\(index) at \(before.secondsText) s; points must be in order of output time"
                )
            }
            guard index < 2 || points[index - 2].output < output else {
                throw CurveError(
                    .malformed, value: output.seconds,
                    "points \(index - 1), \(index) and \(index + 1) all lie at output time "
                        + "\(output.secondsText) s; two make a cut, a third has no meaning")
            }
        }
    }

    private static func clamped(
        _ points: [TimeAnchor], _ index: Int, to duration: RationalTime
    ) throws(CurveError) -> TimeAnchor {
        let point = points[index]
        let grace = Tolerance.stated
        guard point.source < .zero || point.source > duration else {
            return point
        }
        guard point.source.seconds >= -grace, point.source.seconds <= duration.seconds + grace
        else {
            throw CurveError(
                .invalidParameter, value: point.source.seconds,
                "point \(index + 1) shows source time \(point.source.secondsText) s, outside of the "
                    + "clip, which lasts \(duration.secondsText) s")
        }
        return TimeAnchor(
            source: min(max(point.source, .zero), duration), output: point.output)
    }

    private static func checkSpeed(
        from a: TimeAnchor, to b: TimeAnchor
    ) throws(CurveError) {
        let speed =
            (b.source.seconds - a.source.seconds) / (b.output.seconds - a.output.seconds)
        // The seconds are rounded, so a speed of exactly 1000 may come out a little above.
        guard allows(speed: speed) else {
            throw CurveError(
                .tooFast, value: speed,
                "from output time \(a.output.secondsText) s to \(b.output.secondsText) s the source would "
                    + "play at a speed of \(speed), and 1000 is the most; two points at one output "
                    + "time make a cut")
        }
    }
}
