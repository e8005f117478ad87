/// A time scale that is made of others. Its table is made of theirs, so that it is as exact as they are.
protocol ComposedTimeScale: TimeScale {
    /// The table of the integral. O(n) for n pieces of the other tables.
    func tabulated() throws(CurveError) -> IntegratedTimeScale
}

extension FlippedScale: ComposedTimeScale {
    func tabulated() throws(CurveError) -> IntegratedTimeScale {
        try IntegratedTimeScale(base).flipped
    }
}

extension IntegratedTimeScale {
    /// The table of s(1 − u), whose integral is F(1) − F(1 − u).
    ///
    /// ```
    ///  p(z) on a piece   ╱│        p(1) − p(−z)   ╱‾│
    ///                __╱  │                      ╱  │
    /// ```
    var flipped: IntegratedTimeScale {
        var pieces = TablePieces()
        for piece in (0..<pieceCount).reversed() {
            let own = coefficients[(piece * Self.terms)..<((piece + 1) * Self.terms)]
            var mirrored = own.enumerated().map { $0.isMultiple(of: 2) ? -$1 : $1 }
            mirrored[0] += own.reduce(0, +)
            pieces.append(
                mirrored, to: 1 - edges[piece], reaching: sums[pieceCount] - sums[piece])
        }
        return IntegratedTimeScale(
            pieces, error: errorBound, range: scaleRange,
            breakpoints: breakpoints.reversed().map { 1 - $0 })
    }

    init(
        _ pieces: TablePieces, error: Double, range: ClosedRange<Double>?, breakpoints: [Double]
    ) {
        // The edges were rounded once more.
        let steepest = range.map { max($0.lowerBound.magnitude, $0.upperBound.magnitude) } ?? 1
        self.init(
            edges: pieces.edges, sums: pieces.sums, coefficients: pieces.coefficients,
            errorBound: error + 4 * .ulpOfOne * max(1, steepest), scaleRange: range,
            breakpoints: breakpoints)
    }
}

/// Pieces of a table that are put together.
struct TablePieces {
    private(set) var edges: [Double] = [0]
    private(set) var sums: [Double] = [0]
    private(set) var coefficients: [Double] = []

    /// Appends a piece up to `high`, where F is `sum`. A piece that rounding has left without a width is dropped.
    mutating func append(_ polynomial: some Sequence<Double>, to high: Double, reaching sum: Double)
    {
        guard high > edges[edges.count - 1] else {
            sums[sums.count - 1] = sum
            return
        }
        coefficients += polynomial
        edges.append(high)
        sums.append(sum)
    }

    /// Appends normal speed up to `high`.
    mutating func appendNormal(to high: Double) {
        let width = high - edges[edges.count - 1]
        let rest = Array(repeating: 0.0, count: IntegratedTimeScale.terms - 2)
        append(
            [width / 2, width / 2] + rest, to: high, reaching: sums[sums.count - 1] + width)
    }

    /// Appends a table, from the last edge up to `high`.
    mutating func append(_ table: IntegratedTimeScale, to high: Double) {
        let (start, sum) = (edges[edges.count - 1], sums[sums.count - 1])
        let width = high - start
        for piece in 0..<table.pieceCount {
            let own = table.coefficients[
                (piece * IntegratedTimeScale.terms)..<((piece + 1) * IntegratedTimeScale.terms)]
            let end = piece == table.pieceCount - 1 ? high : start + table.edges[piece + 1] * width
            append(own.map { $0 * width }, to: end, reaching: sum + table.sums[piece + 1] * width)
        }
    }
}
