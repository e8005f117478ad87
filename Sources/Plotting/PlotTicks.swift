import Foundation

/// Ticks at round values along an axis, with their labels.
struct PlotTicks: Hashable {
    struct Tick: Hashable {
        var value: Double
        var label: String
    }

    var ticks: [Tick]

    /// Ticks for a linear or a logarithmic axis.
    static func round(along axis: PlotScale, count: Int) -> PlotTicks {
        switch axis.kind {
        case .linear: linear(from: axis.lower, to: axis.upper, count: count)
        case .logarithmic: logarithmic(from: axis.lower, to: axis.upper, count: count)
        }
    }

    /// Ticks at multiples of 1, 2 or 5 times a power of ten, all labelled with the same number of decimals.
    ///
    /// - Parameter count: About how many ticks there is room for.
    static func linear(from lower: Double, to upper: Double, count: Int) -> PlotTicks {
        let (mantissa, exponent) = niceStep((upper - lower) / Double(max(count, 1)))
        // Divide by 1000 instead of multiplying by 1e-3: 1000 is exact as a `Double`, 1e-3 isn't.
        let (factor, divisor) =
            exponent >= 0
            ? (mantissa * pow(10, Double(exponent)), 1)
            : (mantissa, pow(10, Double(-exponent)))
        let step = factor / divisor
        let first = Int((lower / step - 1e-9).rounded(.up))
        let last = Int((upper / step + 1e-9).rounded(.down))
        guard first <= last else { return PlotTicks(ticks: []) }
        let isLong = max(abs(lower), abs(upper)) >= 1e6
        return PlotTicks(
            ticks: (first...last).map { index in
                let value = Double(index) * factor / divisor
                let label =
                    isLong || exponent < -9
                    ? PlotText.scientific(value)
                    : PlotText.fixed(value, decimals: max(0, -exponent))
                return Tick(value: value, label: label)
            })
    }

    /// Ticks at powers of ten, and at 2 and 5 times these where there is room.
    static func logarithmic(from lower: Double, to upper: Double, count: Int) -> PlotTicks {
        let decades = log10(upper / lower)
        let mantissas: [Double] = decades * 3 <= Double(count) ? [1, 2, 5] : [1]
        let stride = max(1, Int((decades / Double(max(count, 1))).rounded(.up)))
        let exponents = Int(floor(log10(lower)))...Int(ceil(log10(upper)))
        let values = exponents.filter { $0 % stride == 0 }.flatMap { exponent in
            mantissas.map {
                exponent >= 0 ? $0 * pow(10, Double(exponent)) : $0 / pow(10, Double(-exponent))
            }
        }
        return PlotTicks(
            ticks: values.filter { lower <= $0 && $0 <= upper }.map {
                Tick(value: $0, label: PlotText.number($0))
            })
    }

    /// Ticks at round times: decimal steps of seconds up to two minutes, then steps of a clock, labelled `m:ss`.
    static func seconds(from lower: Double, to upper: Double, count: Int) -> PlotTicks {
        guard upper > 120 else { return linear(from: lower, to: upper, count: count) }
        let atLeast = (upper - lower) / Double(max(count, 1))
        let clockSteps: [Double] = [10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400]
        let (mantissa, exponent) = niceStep(atLeast / 3600)
        let step =
            clockSteps.first { $0 >= atLeast } ?? mantissa * pow(10, Double(exponent)) * 3600
        let first = Int((lower / step - 1e-9).rounded(.up))
        let last = Int((upper / step + 1e-9).rounded(.down))
        guard first <= last else { return PlotTicks(ticks: []) }
        return PlotTicks(
            ticks: (first...last).map { index in
                let value = Double(index) * step
                let sign = value < 0 ? "−" : ""
                return Tick(value: value, label: sign + PlotText.clock(abs(value)))
            })
    }

    /// The smallest number that is at least `step` and is 1, 2 or 5 times a power of ten.
    static func niceStep(_ step: Double) -> (mantissa: Double, exponent: Int) {
        precondition(step > 0 && step.isFinite, "the step between ticks must be finite and above 0")
        let exponent = Int(floor(log10(step)))
        let share = step / pow(10, Double(exponent))
        // With this tolerance 0.30000000000000004 / 3 still counts as 0.1.
        for mantissa in [1.0, 2, 5] where share <= mantissa * (1 + 1e-9) {
            return (mantissa, exponent)
        }
        return (1, exponent + 1)
    }
}
