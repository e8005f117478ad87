/// A curve: how long every instant of a clip lasts.
///
/// `u` is source time on the unit interval; `s(u)` is output seconds for every source second there:
/// 2 plays at half speed, 0.5 at double speed. The integral says when an instant is shown.
public protocol TimeScale: Sendable {
    /// s(u), for u in [0,1].
    func value(at u: Double) -> Double
    /// F(u) = ∫₀ᵘ s, for u in [0,1].
    func integral(to u: Double) -> Double
    /// Places inside (0,1), rising, where s or one of its derivatives jumps.
    var breakpoints: [Double] { get }
}

/// A curve run from its end to its start: s(1 − u).
struct FlippedScale: WeighedTimeScale {
    let base: any TimeScale

    var stepsPerValue: Int { base.weight }

    func value(at u: Double) -> Double { base.value(at: 1 - u) }
    func integral(to u: Double) -> Double { base.integral(to: 1) - base.integral(to: 1 - u) }
    var breakpoints: [Double] { base.breakpoints.reversed().map { 1 - $0 } }
}

/// A time scale whose integral is a table made when it was.
protocol TabulatedTimeScale: TimeScale {
    var table: IntegratedTimeScale { get }
}

extension TabulatedTimeScale {
    public func integral(to u: Double) -> Double { table.integral(to: u) }
}

/// A time scale given as a closure.
public struct ClosureScale: TabulatedTimeScale, WeighedTimeScale {
    public let breakpoints: [Double]
    let table: IntegratedTimeScale
    let stepsPerValue: Int
    private let scale: @Sendable (Double) -> Double

    /// - Parameters:
    ///   - breakpoints: places in (0,1) where the closure jumps or bends; naming them saves work.
    ///   - scale: s on [0,1]. It is called a few hundred times, here and now.
    /// - Throws: ``CurveError`` where it is no finite number, or changes too wildly.
    public init(
        breakpoints: [Double] = [], _ scale: @escaping @Sendable (Double) -> Double
    ) throws(CurveError) {
        try self.init(breakpoints: breakpoints, weight: 10, work: IntegrationWork(), scale)
    }

    /// - Parameters:
    ///   - weight: what a value takes, in steps of a formula.
    ///   - work: what the whole curve may take.
    init(
        breakpoints: [Double] = [], weight: Int, work: IntegrationWork,
        _ scale: @escaping @Sendable (Double) -> Double
    ) throws(CurveError) {
        self.breakpoints = breakpoints
        self.scale = scale
        stepsPerValue = weight
        table = try IntegratedTimeScale(
            of: scale, .scale, breakpoints: breakpoints, weight: weight, work: work)
    }

    public func value(at u: Double) -> Double { scale(u) }
}

/// A time scale given by its antiderivative as a closure: F(u) − F(0) is what counts.
public struct ClosureIntegral: TabulatedTimeScale {
    public let breakpoints: [Double]
    let table: IntegratedTimeScale

    /// - Parameters:
    ///   - breakpoints: places in (0,1) where the closure bends; naming them saves work.
    ///   - integral: F on [0,1]. It is called a few hundred times, here and now.
    /// - Throws: ``CurveError`` where it is no finite number, or changes too wildly.
    public init(
        breakpoints: [Double] = [], _ integral: @escaping @Sendable (Double) -> Double
    ) throws(CurveError) {
        try self.init(breakpoints: breakpoints, weight: 10, work: IntegrationWork(), integral)
    }

    /// - Parameters:
    ///   - weight: what a value takes, in steps of a formula.
    ///   - work: what the whole curve may take.
    init(
        breakpoints: [Double] = [], weight: Int, work: IntegrationWork,
        _ integral: @escaping @Sendable (Double) -> Double
    ) throws(CurveError) {
        self.breakpoints = breakpoints
        table = try IntegratedTimeScale(
            of: integral, .integral, breakpoints: breakpoints, weight: weight, work: work)
    }

    /// The derivative of the table's polynomials.
    public func value(at u: Double) -> Double { table.value(at: u) }
}
