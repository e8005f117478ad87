import Foundation

/// The rough position of the recording in the reference, to within about ten milliseconds.
struct CoarseMap {
    private let line: PiecewiseLine?
    private let constantLag: Double

    /// The standard deviation of a place found by the features, in seconds.
    private static let noise = 0.004

    /// The map through `path`. `isSwapped` is true if the recording is the longer sound.
    init(_ path: CoarsePath, isSwapped: Bool) {
        let pairs = path.matches.map { match in
            isSwapped
                ? TimePair(time: match.longerTime, lag: -match.lag)
                : TimePair(time: match.shorterTime, lag: match.lag)
        }
        let line = PiecewiseLine(pairs, noise: Self.noise, mostPieces: 16)
        // Matches over too short a time determine the position, but not the slope.
        let span = (line?.kept.last?.time ?? 0) - (line?.kept.first?.time ?? 0)
        self.line = span < 12 ? nil : line
        let lags = (line?.kept ?? pairs).map(\.lag).sorted()
        constantLag = lags.isEmpty ? 0 : lags[lags.count / 2]
    }

    /// The map from the result of a finer search.
    init(_ line: PiecewiseLine) {
        self.line = line
        constantLag = 0
    }

    /// Reference time minus recording time at recording time `time`, in seconds.
    func lag(at time: Double) -> Double { line?.lag(at: time) ?? constantLag }

    /// The change of lag per second at `time`, limited to what clocks can have: within a jump it is that of
    /// the nearest piece that isn't a jump.
    func slope(at time: Double) -> Double {
        let steady = line?.pieces.filter { abs($0.slope) <= PiecewiseLine.steepest } ?? []
        let nearest = steady.min { $0.distance(to: time) < $1.distance(to: time) }
        return nearest?.slope ?? 0
    }

    /// The range of recording time that lies within a reference of `referenceDuration` seconds; nil if there
    /// is none.
    func overlap(duration: Double, referenceDuration: Double) -> ClosedRange<Double>? {
        // The lag changes by a few thousandths per second, so two iterations are exact to a microsecond.
        var (start, end) = (0.0, duration)
        for _ in 0..<3 {
            start = max(0, -lag(at: start))
            end = min(duration, referenceDuration - lag(at: end))
        }
        return start < end ? start...end : nil
    }
}
