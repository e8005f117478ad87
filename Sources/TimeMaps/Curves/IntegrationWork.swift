/// The work budget for integrating a curve, shared by all of its parts. Formulas and files can come from
/// untrusted people, and a hostile formula of ten thousand bytes would take minutes.
///
/// The budget is counted in steps of a formula, about three nanoseconds each, and not in time, so that the
/// same curve is refused on every machine. To be used on one thread.
final class IntegrationWork {
    /// The remaining steps. All of them take about a quarter of a second.
    private var left = 50_000_000

    /// The cost of handling a value, besides computing it, in steps.
    private static let stepsBeside = 10

    /// Takes the cost of evaluating a function off the budget.
    ///
    /// - Parameters:
    ///   - count: the number of values that will be computed.
    ///   - steps: the cost of each value, in steps of a formula.
    ///   - place: where on [0,1] the values lie, for the error.
    /// - Throws: ``CurveError`` when the budget is exceeded.
    func spend(_ count: Int, values steps: Int, at place: Double) throws(CurveError) {
        left -= count * (steps + Self.stepsBeside)
        guard left >= 0 else {
            throw CurveError(
                .tooWild, position: place,
                "the time scale can't be integrated to 1e-9 in reasonable time, because it changes too wildly; "
                    + "make it smoother there, or use a shorter formula or fewer parts")
        }
    }
}

/// A time scale that knows the cost of computing one of its values.
protocol WeighedTimeScale: TimeScale {
    /// The cost of one value, in steps of a formula.
    var stepsPerValue: Int { get }
}

extension TimeScale {
    /// The cost of one value, in steps of a formula; 10 if the time scale doesn't say.
    var weight: Int { (self as? any WeighedTimeScale)?.stepsPerValue ?? 10 }
}
