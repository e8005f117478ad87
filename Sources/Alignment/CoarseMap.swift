import Foundation

/// Roughly where the recording lies in the reference: within some ten milliseconds.
struct CoarseMap {
    private let line: PiecewiseLine?
    private let constantLag: Double

    /// The standard deviation of a place found by the features, in seconds.
    private static let noise = 0.004

    /// The map through `path`; `isSwapped` says that the recording is the longer sound.
    init(_ path: CoarsePath, isSwapped: Bool) {
        let pairs = path.matches.map { match in
            isSwapped
                ? TimePair(time: match.longerTime, lag: -match.lag)
                : TimePair(time: match.shorterTime, lag: match.lag)
        }
        let line = PiecewiseLine(pairs, noise: Self.noise, mostPieces: 16)
        // Too short a row tells the place, but not the slope.
        let span = (line?.kept.last?.time ?? 0) - (line?.kept.first?.time ?? 0)
        self.line = span < 12 ? nil : line
        let lags = (line?.kept ?? pairs).map(\.lag).sorted()
        constantLag = lags.isEmpty ? 0 : lags[lags.count / 2]
    }

    /// The map that a finer search gave.
    init(_ line: PiecewiseLine) {
        self.line = line
        constantLag = 0
    }

    /// Reference seconds less recording seconds at `time`.
    func lag(at time: Double) -> Double { line?.lag(at: time) ?? constantLag }

    /// The change of lag per second at `time` that a clock may have: within a jump that of the
    /// nearest piece.
    func slope(at time: Double) -> Double {
        let steady = line?.pieces.filter { abs($0.slope) <= PiecewiseLine.steepest } ?? []
        let nearest = steady.min { $0.distance(to: time) < $1.distance(to: time) }
        return nearest?.slope ?? 0
    }

    /// The recording times that fall into a reference of `referenceDuration` seconds.
    func overlap(duration: Double, referenceDuration: Double) -> ClosedRange<Double>? {
        // The lag changes by a few thousandths: two rounds settle it to a microsecond.
        var (start, end) = (0.0, duration)
        for _ in 0..<3 {
            start = max(0, -lag(at: start))
            end = min(duration, referenceDuration - lag(at: end))
        }
        return start < end ? start...end : nil
    }
}
