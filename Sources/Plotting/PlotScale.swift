import Foundation

/// Maps values to positions along one axis.
struct PlotScale: Hashable {
    enum Kind { case linear, logarithmic }

    let kind: Kind
    let lower: Double
    let upper: Double
    /// The positions of `lower` and `upper`.
    let start: Double
    let end: Double

    init(
        _ kind: Kind = .linear, from lower: Double, to upper: Double, start: Double = 0,
        end: Double = 1
    ) {
        precondition(
            lower < upper && (kind == .linear || lower > 0),
            "an axis must not be empty, and a logarithmic one must be above 0")
        self.kind = kind
        self.lower = lower
        self.upper = upper
        self.start = start
        self.end = end
    }

    /// The same axis at another position.
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

    /// An axis for the time scale. It always includes normal speed, 1, so that plots can be compared at a
    /// glance. It is logarithmic when a linear axis would hide the low values.
    static func timeScale(minimum: Double, maximum: Double) -> PlotScale {
        let (low, high) = (min(minimum, 1), max(maximum, 1))
        // A valid curve is below 1/1000 only where it touches zero, and zero needs a linear axis.
        if low >= 1e-3, high / low >= 50 {
            let margin = pow(high / low, 0.06)
            return PlotScale(.logarithmic, from: low / margin, to: high * margin)
        }
        let span = high - low
        guard span >= 1e-6 else {
            return PlotScale(from: 0.5, to: 1.5)
        }
        let margin = 0.09 * span
        // An axis from zero shows proportions, but wastes room when the curve stays far above it.
        let floor = low >= 0 && low < 0.6 * high ? 0 : low - margin
        return PlotScale(from: floor, to: high + margin)
    }

    /// An axis for output times from 0. It includes the source's duration unless that is far above them.
    static func outputTime(
        highest: Double, lowest: Double, sourceDuration: Double
    ) -> PlotScale {
        var top = max(highest, lowest + 1e-9 * max(1, abs(lowest)), 1e-9)
        if sourceDuration > top, sourceDuration < 2.5 * top { top = sourceDuration }
        let bottom = min(0, lowest)
        return PlotScale(from: bottom, to: top + 0.07 * (top - bottom))
    }
}
