import Foundation

/// The way from values to places along one axis.
struct PlotScale: Hashable {
    enum Kind { case linear, logarithmic }

    let kind: Kind
    let lower: Double
    let upper: Double
    /// Where `lower` and `upper` are drawn.
    let start: Double
    let end: Double

    init(
        _ kind: Kind = .linear, from lower: Double, to upper: Double, start: Double = 0,
        end: Double = 1
    ) {
        precondition(lower < upper && (kind == .linear || lower > 0), "an empty axis")
        self.kind = kind
        self.lower = lower
        self.upper = upper
        self.start = start
        self.end = end
    }

    /// The same axis somewhere else.
    func placed(from start: Double, to end: Double) -> PlotScale {
        PlotScale(kind, from: lower, to: upper, start: start, end: end)
    }

    func position(of value: Double) -> Double {
        let share =
            switch kind {
            case .linear: (value - lower) / (upper - lower)
            case .logarithmic: log(max(value, 1e-12) / lower) / log(upper / lower)
            }
        return start + share * (end - start)
    }

    /// An axis for the time scale. Normal speed, 1, is always on it, so that plots can be compared
    /// at a glance; it is logarithmic when linear heights would hide the low values.
    static func timeScale(minimum: Double, maximum: Double) -> PlotScale {
        let (low, high) = (min(minimum, 1), max(maximum, 1))
        // Below 1/1000 no curve is valid, so such a value is a touch of zero: a linear axis.
        if low >= 1e-3, high / low >= 50 {
            let margin = pow(high / low, 0.06)
            return PlotScale(.logarithmic, from: low / margin, to: high * margin)
        }
        let span = high - low
        guard span >= 1e-6 else {
            return PlotScale(from: 0.5, to: 1.5)
        }
        let margin = 0.09 * span
        // Zero as the floor shows proportions; not worth it when the curve stays far above.
        let floor = low >= 0 && low < 0.6 * high ? 0 : low - margin
        return PlotScale(from: floor, to: high + margin)
    }

    /// An axis for output times from 0, with the source's duration on it unless far above.
    static func outputTime(
        highest: Double, lowest: Double, sourceDuration: Double
    ) -> PlotScale {
        var top = max(highest, lowest + 1e-9 * max(1, abs(lowest)), 1e-9)
        if sourceDuration > top, sourceDuration < 2.5 * top { top = sourceDuration }
        let bottom = min(0, lowest)
        return PlotScale(from: bottom, to: top + 0.07 * (top - bottom))
    }
}
