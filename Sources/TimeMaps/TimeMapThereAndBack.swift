extension TimeMap {
    /// This map played up to output time `turn`, and back to its start.
    ///
    /// ```
    ///  source │    ╱╲
    ///         │  ╱    ╲
    ///         │╱        ╲
    ///         └────┴────┴── output
    ///             turn  2·turn
    /// ```
    /// Exact lines stay exact where `turn` is a whole number of nanoseconds, or the map's end.
    ///
    /// - Parameter turn: seconds of output, above 0 and up to the map's end.
    /// - Throws: ``CurveError`` when it is outside of that.
    /// - Complexity: O(n) pieces.
    public func thereAndBack(turningAt turn: Double) throws(CurveError) -> TimeMap {
        let turn = try checked(turn: turn)
        if let end = exactOutputDuration, end.seconds == turn {
            return try thereAndBack(turningAt: end)
        }
        // In lowest terms, so that what is computed from it fits.
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

    /// This map played up to an exact output time, and back to its start.
    ///
    /// - Parameter turn: above 0 and up to the map's end.
    /// - Throws: ``CurveError`` when it is outside of that, or twice as much doesn't fit.
    /// - Complexity: O(n) pieces.
    public func thereAndBack(turningAt turn: RationalTime) throws(CurveError) -> TimeMap {
        _ = try checked(turn: turn.seconds)
        guard let end = try? turn + turn else {
            throw CurveError(
                .invalidParameter, value: turn.seconds,
                "turning at \(turn.seconds) s, the output would last longer than can be counted")
        }
        let pieces = [
            Piece(ExactLine(.zero, turn, from: .zero, to: turn)),
            Piece(ExactLine(turn, end, from: turn, to: .zero)),
        ]
        return try composed(after: TimeMap(pieces: pieces, sourceDuration: turn))
    }

    private func checked(turn: Double) throws(CurveError) -> Double {
        guard turn > 0, turn <= outputDuration + 1e-9 else {
            throw CurveError(
                .invalidParameter, value: turn,
                "it can't turn at \(turn) s: that must be above 0 and no later than the output's "
                    + "end, \(outputDuration) s")
        }
        return min(turn, outputDuration)
    }
}
