/// One polynomial of an integrated speed, laid over output and source time.
///
/// ```
///  output y ──linear──► z ──polynomial──► F ──linear──► source x
/// ```
/// The other way about than ``CurveSegment``: what is shown at an instant of the output takes one
/// polynomial and nothing to solve. The polynomial rises or falls throughout.
struct SpeedSegment: Sendable {
    let table: IntegratedTimeScale
    let piece: Int
    /// Where the polynomial begins, z = −1.
    var outputAtEdge: Double
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

    /// With the output of a moving straight line for its own.
    func after(_ line: TimeMap.Piece) -> SpeedSegment {
        var result = self
        result.outputAtEdge = line.outputStart + (outputAtEdge - line.sourceStart) / line.slope
        result.coordinatePerSecond *= line.slope
        return result
    }

    /// With what a moving straight line makes of its source.
    func before(_ line: TimeMap.Piece) -> SpeedSegment {
        var result = self
        result.sourceAtEdge = line.sourceStart + (sourceAtEdge - line.outputStart) * line.slope
        result.sourcePerIntegral *= line.slope
        return result
    }
}
