import TimeMaps

/// What happens to the time of a clip before it is laid on a track.
///
/// How long the result lasts on the track is said by the ``Segment``, which plays it uniformly
/// faster or slower.
public enum Retiming: Hashable, Sendable {
    /// Nothing.
    case uniform
    /// From its end to its start.
    case reversed
    /// One instant, in the asset's time, is held.
    case frozen(at: RationalTime)
    /// Along a curve. Keyframes that freeze or play backwards are speeds over output time.
    case curve(Curve)
    /// By points, from output time to source time; both count from the start of the clip's range.
    case timeMap(TimeMapDocument)
}

extension Retiming {
    /// How long a range lasts when it is retimed; of a freeze, as long as the range.
    ///
    /// A curve decides that in `Double`: its length is taken once to the ``RationalTime/fineTick``
    /// and holds exactly from then on.
    ///
    /// - Throws: ``CurveError`` or ``CompositionError`` when it can't retime this range.
    func duration(of range: TimeRange) throws -> RationalTime {
        switch self {
        case .uniform, .reversed:
            return range.duration
        case .frozen(let instant):
            guard range.start <= instant, instant <= range.end else {
                throw CompositionError.invalid(
                    "it freezes at \(instant.seconds) s, outside of its range, "
                        + "\(range.start.seconds) s to \(range.end.seconds) s")
            }
            return range.duration
        case .curve, .timeMap:
            let map = try map(of: range, frameDuration: nil, lasting: nil)
            return try map.exactOutputDuration
                ?? RationalTime(seconds: map.outputDuration, timescale: RationalTime.fineTick)
                .multiplied(by: 1, over: 1)
        }
    }

    /// Output time to source time from the range's start.
    ///
    /// - Parameters:
    ///   - frameDuration: seconds between frames, for the rules on what a curve may do within one.
    ///   - lasting: what ``duration(of:)`` gave; nil to find that out.
    func map(
        of range: TimeRange, frameDuration: Double?, lasting: RationalTime?
    ) throws -> TimeMap {
        let source = range.duration
        switch self {
        case .uniform:
            return .identity(source)
        case .reversed:
            return .reversed(source)
        case .frozen(let instant):
            let place = try instant.difference(range.start)
            return try TimeMap(
                pieces: [.init(ExactLine(.zero, source, from: place, to: place))],
                sourceDuration: source)
        case .timeMap(let document):
            return try TimeMap(through: document.points, sourceDuration: source)
        case .curve(let curve):
            return try TimeMap(
                warping: source, along: curve, frameDuration: frameDuration,
                lasting: curve.statesItsLength ? nil : lasting)
        }
    }

    /// Whether every part of the result shows the same.
    var isFrozen: Bool {
        guard case .frozen = self else {
            return false
        }
        return true
    }
}
