/// What may go into integrating a curve, all of its parts together: formulas and files come from
/// anywhere, and a wild one of ten thousand bytes would take minutes.
///
/// Counted in steps of a formula, some three nanoseconds each, so that the same curve is refused on
/// every machine. Used on one thread.
final class IntegrationWork {
    /// About a quarter of a second.
    private var left = 50_000_000

    /// What handling a value takes beside computing it.
    private static let stepsBeside = 10

    /// - Parameters:
    ///   - count: of values that will be asked for.
    ///   - steps: that each of them takes.
    /// - Throws: ``CurveError`` when that is more than what is left.
    func spend(_ count: Int, values steps: Int, at place: Double) throws(CurveError) {
        left -= count * (steps + Self.stepsBeside)
        guard left >= 0 else {
            throw CurveError(
                .tooWild, position: place,
                "the time scale takes too long to be integrated; it is too wild for its length: "
                    + "smooth it there, or take a shorter formula or fewer parts")
        }
    }
}

/// A time scale that knows what a value of it takes.
protocol WeighedTimeScale: TimeScale {
    /// In steps of a formula.
    var stepsPerValue: Int { get }
}

extension TimeScale {
    /// In steps of a formula; few where nobody says.
    var weight: Int { (self as? any WeighedTimeScale)?.stepsPerValue ?? 10 }
}
