extension TimeMap {
    /// This map played forward up to output time `turn`, and then backwards to its start.
    ///
    /// ```
    ///  source │    ╱╲
    ///         │  ╱    ╲
    ///         │╱        ╲
    ///         └────┴────┴── output
    ///             turn  2·turn
    /// ```
    /// Exact lines stay exact when `turn` is a whole number of nanoseconds or the map's end.
    ///
    /// - Parameter turn: seconds of output time, above 0 and no later than the map's end.
    /// - Throws: ``CurveError`` when `turn` is outside of that range.
    /// - Complexity: O(n) pieces.
    public func thereAndBack(turningAt turn: Double) throws(CurveError) -> TimeMap {
        let turn = try checked(turn: turn)
        if let end = exactOutputDuration, end.seconds == turn {
            return try thereAndBack(turningAt: end)
        }
        // In lowest terms, so that results computed from it fit.
        if let exact = try? RationalTime(seconds: turn, timescale: 1_000_000_000)
            .multiplied(by: 1, over: 1), exact.seconds == turn
        {
            return try thereAndBack(turningAt: exact)
        }
        let pieces = [
            Piece(
                outputStart: 0, outputEnd: turn, sourceStart: 0, sourceEnd: turn,
                shape: .line(nil)),
            Piece(
                outputStart: turn, outputEnd: 2 * turn, sourceStart: turn, sourceEnd: 0,
                shape: .line(nil)),
        ]
        return try composed(
            after: TimeMap(
                pieces, sourceDuration: turn, exactOutputDuration: nil, warnings: []))
    }

    /// This map played forward up to an exact output time, and then backwards to its start.
    ///
    /// - Parameter turn: output time, above 0 and no later than the map's end.
    /// - Throws: ``CurveError`` when `turn` is outside of that range, or when twice `turn` doesn't fit in a
    ///   ``RationalTime``.
    /// - Complexity: O(n) pieces.
    public func thereAndBack(turningAt turn: RationalTime) throws(CurveError) -> TimeMap {
        _ = try checked(turn: turn.seconds)
        guard let end = try? turn + turn else {
            throw CurveError(
                .invalidParameter, value: turn.seconds,
                "with a turn at \(turn.secondsText) s the output would last longer than can be counted"
            )
        }
        let pieces = [
            Piece(ExactLine(.zero, turn, from: .zero, to: turn)),
            Piece(ExactLine(turn, end, from: turn, to: .zero)),
        ]
        return try composed(after: TimeMap(pieces: pieces, sourceDuration: turn))
    }

    private func checked(turn: Double) throws(CurveError) -> Double {
        guard turn > 0, turn <= outputDuration + Tolerance.instant else {
            throw CurveError(
                .invalidParameter, value: turn,
                "the map can't turn at \(turn) s: the turn must be above 0 s and no later than the "
                    + "output's end, \(outputDuration) s")
        }
        return min(turn, outputDuration)
    }
}
