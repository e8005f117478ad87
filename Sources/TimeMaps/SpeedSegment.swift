/// One polynomial of an integrated speed, mapped to output and source time.
///
/// ```
///  output y ──linear──► z ──polynomial──► F ──linear──► source x
/// ```
/// This is the opposite direction of ``CurveSegment``: the source time at an output time takes one
/// evaluation of the polynomial, and no equation has to be solved. The polynomial is monotonic.
struct SpeedSegment: Sendable {
    let table: IntegratedTimeScale
    let piece: Int
    /// The output time at the polynomial's start, z = −1, in seconds.
    var outputAtEdge: Double
    /// The source time at the polynomial's start, in seconds.
    var sourceAtEdge: Double
    var coordinatePerSecond: Double
    var sourcePerIntegral: Double

    @inline(__always)
    func position(at y: Double) -> (source: Double, speed: Double) {
        let (value, slope) = table.polynomial(piece, (y - outputAtEdge) * coordinatePerSecond - 1)
        return (
            sourceAtEdge + sourcePerIntegral * value,
            sourcePerIntegral * slope * coordinatePerSecond
        )
    }

    func outputTime(of x: Double) -> Double {
        let z = table.solve(piece, for: (x - sourceAtEdge) / sourcePerIntegral, from: 0)
        return outputAtEdge + (z + 1) / coordinatePerSecond
    }

    /// This segment applied after `line`: the line's source time is this segment's output time. The line must
    /// not be a freeze.
    func after(_ line: TimeMap.Piece) -> SpeedSegment {
        var result = self
        result.outputAtEdge = line.outputStart + (outputAtEdge - line.sourceStart) / line.slope
        result.coordinatePerSecond *= line.slope
        return result
    }

    /// `line` applied after this segment: this segment's source time is the line's output time. The line must
    /// not be a freeze.
    func before(_ line: TimeMap.Piece) -> SpeedSegment {
        var result = self
        result.sourceAtEdge = line.sourceStart + (sourceAtEdge - line.outputStart) * line.slope
        result.sourcePerIntegral *= line.slope
        return result
    }
}
