/// A time scale given by a formula of t, which is s or an antiderivative of s. Its integral is
/// enclosed, so that no feature is missed, however narrow.
struct FormulaScale: TabulatedTimeScale, WeighedTimeScale, BoundedTimeScale {
    let table: IntegratedTimeScale
    let breakpoints: [Double]
    private let formula: Formula
    private let meaning: IntegrandMeaning

    /// - Parameter work: the budget for the whole curve, of which this may be a part.
    /// - Throws: ``CurveError`` when the formula can't be shown to be finite everywhere, or its integral can't be
    ///   enclosed within 1e-9.
    init(
        _ formula: Formula, _ meaning: IntegrandMeaning = .scale, work: IntegrationWork
    ) throws(CurveError) {
        self.formula = formula
        self.meaning = meaning
        table = try IntegratedTimeScale(of: formula, meaning, work: work)
        breakpoints = table.breakpoints
    }

    var stepsPerValue: Int { formula.steps.count }

    /// Bounds of s that are proved. Nil for an antiderivative, whose slope isn't enclosed.
    var bounds: ClosedRange<Double>? { table.scaleRange }

    func value(at u: Double) -> Double {
        switch meaning {
        case .scale: formula(u)
        case .integral: table.value(at: u)
        }
    }
}
