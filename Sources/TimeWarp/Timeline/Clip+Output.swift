import Media
import TimeMaps

extension Clip {
    /// When an instant of the asset is seen, to the microsecond.
    func outputInstant(of assetTime: RationalTime) throws -> RationalTime {
        let sourceTime = try assetTime - range.start
        return try map.outputTime(of: sourceTime, timescale: 1_000_000, rounding: .nearest)
    }

    static func microsecond(nearest seconds: Double) throws -> RationalTime {
        try RationalTime(seconds: seconds, timescale: 1_000_000)
    }

    /// The stretches of output, in seconds, during which something of an asset's stretch is shown; empty
    /// ones at the instants at which one without length is.
    func shownRanges(of start: RationalTime, to end: RationalTime) throws -> [Range<Double>] {
        let from = start.relative(to: range.start).seconds
        let to = end.relative(to: range.start).seconds
        guard to > from else {
            return map.outputTimes(of: from).map { $0..<$0 }
        }
        return map.outputRanges(from: from, to: to)
    }
}
