import TimeMaps

/// How a clip's time is changed before the clip is placed on a track.
///
/// The ``Segment`` says how long the result lasts on the track, and plays it uniformly faster or slower for
/// that.
public indirect enum Retiming: Hashable, Sendable {
    /// Normal speed.
    case uniform
    /// Backwards, from the end to the start.
    case reversed
    /// A freeze frame: one instant, in asset time, is held.
    case frozen(at: RationalTime)
    /// Time remapping along a curve. Keyframes of the curve that freeze or play backwards are speeds over
    /// output time.
    case curve(Curve)
    /// A time map through points. Output time and source time both count from the start of the clip's range.
    case timeMap(TimeMapDocument)
    /// Another retiming played forward, and then backwards to its start.
    ///
    /// `turningAt` is in the other one's output time; nil is its end. Where it turns half a frame before the end, no frame is
    /// presented twice as long.
    case thereAndBack(Retiming, turningAt: RationalTime?)
}

extension Retiming {
    /// The duration of a range after retiming; for a freeze frame, the duration of the range.
    ///
    /// A curve's duration is calculated in `Double`. It is rounded once, to the ``RationalTime/fineTick``, and
    /// is exact from then on.
    ///
    /// - Throws: ``CurveError`` or ``CompositionError`` if this range can't be retimed so.
    func duration(of range: TimeRange) throws -> RationalTime {
        switch self {
        case .uniform, .reversed:
            return range.duration
        case .frozen(let instant):
            guard range.start <= instant, instant <= range.end else {
                throw CompositionError.invalid(
                    "it freezes at \(instant.secondsText) s, which is outside of its range, "
                        + "\(range.start.secondsText) s to \(range.end.secondsText) s")
            }
            return range.duration
        case .thereAndBack(.thereAndBack, _), .thereAndBack(.frozen, _):
            throw CompositionError.invalid("a freeze can't turn, and nothing turns twice")
        case .thereAndBack(let inner, let turn):
            let lasts = try inner.duration(of: range)
            let turn = turn ?? lasts
            guard turn > .zero, turn <= lasts else {
                throw CompositionError.invalid(
                    "it can't turn at \(turn.secondsText) s, because it lasts \(lasts.secondsText) s"
                )
            }
            return try turn.sum(turn)
        case .curve, .timeMap:
            // How much a curve may do within a frame is looked at when the file is open, whose frames are known.
            let map = try map(of: range, frameDuration: range.duration.seconds, lasting: nil)
            return try map.exactOutputDuration
                ?? RationalTime(seconds: map.outputDuration, timescale: RationalTime.fineTick)
                .multiplied(by: 1, over: 1)
        }
    }

    /// The map from output time to source time. Both count from the start of the range.
    ///
    /// - Parameters:
    ///   - frameDuration: in seconds, for the limits on what a curve may do within one frame.
    ///   - lasting: the result of ``duration(of:)``; nil to calculate it.
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
        case .thereAndBack(let inner, let turn):
            let lasts = try inner.duration(of: range)
            return try inner.map(of: range, frameDuration: frameDuration, lasting: lasts)
                .thereAndBack(turningAt: turn ?? lasts)
        case .timeMap(let document):
            return try TimeMap(through: document.points, sourceDuration: source)
        case .curve(let curve):
            return try TimeMap(
                warping: source, along: curve, frameDuration: frameDuration,
                lasting: curve.statesItsLength ? nil : lasting)
        }
    }

    /// Whether it is a freeze frame, so that all parts of the result are alike.
    package var isFrozen: Bool {
        guard case .frozen = self else {
            return false
        }
        return true
    }
}
