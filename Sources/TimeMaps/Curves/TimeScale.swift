/// A curve as a function: how much each part of a clip is stretched.
///
/// `u` is source time, from 0 at the clip's start to 1 at its end. `s(u)` is output seconds per source
/// second there: 2 plays at half speed (slow motion), 0.5 at double speed. The integral F tells when a
/// source time is shown: a clip of duration D shows source time D·u at output time D·F(u).
public protocol TimeScale: Sendable {
    /// The time scale s(u), for u in [0,1].
    func value(at u: Double) -> Double
    /// The integral F(u) = ∫₀ᵘ s, for u in [0,1].
    func integral(to u: Double) -> Double
    /// The places inside (0,1) where s or one of its derivatives jumps, in increasing order.
    var breakpoints: [Double] { get }
}

/// A time scale with bounds of s that are proved.
package protocol BoundedTimeScale: TimeScale {
    /// No s(u) lies outside; nil if nothing is proved.
    var bounds: ClosedRange<Double>? { get }
}

/// A curve that runs from its end to its start: s(1 − u).
struct FlippedScale: WeighedTimeScale, BoundedTimeScale {
    let base: any TimeScale

    var bounds: ClosedRange<Double>? { (base as? any BoundedTimeScale)?.bounds }

    var stepsPerValue: Int { base.weight }

    func value(at u: Double) -> Double { base.value(at: 1 - u) }
    func integral(to u: Double) -> Double { base.integral(to: 1) - base.integral(to: 1 - u) }
    var breakpoints: [Double] { base.breakpoints.reversed().map { 1 - $0 } }
}

/// A time scale whose integral is a table, computed when the time scale is made.
protocol TabulatedTimeScale: TimeScale {
    var table: IntegratedTimeScale { get }
}

extension TabulatedTimeScale {
    /// The integral F(u) = ∫₀ᵘ s from the table, for u in [0,1]. O(log n) for n pieces of the table.
    public func integral(to u: Double) -> Double { table.integral(to: u) }
}

/// A time scale given as a closure, integrated numerically.
public struct ClosureScale: TabulatedTimeScale, WeighedTimeScale {
    /// The width, as a share of the clip, from which on a feature that nobody named is noticed: 1/4000.
    public static let narrowestFeature = 1.0 / 4000
    /// The distance between the places where a closure is looked at. Rounding must not put a feature between two.
    fileprivate static let spacing = narrowestFeature * 0.8
    /// The places in (0,1) where the closure jumps or bends, as they were given.
    public let breakpoints: [Double]
    let table: IntegratedTimeScale
    let stepsPerValue: Int
    private let scale: @Sendable (Double) -> Double

    /// Integrates a closure to an estimated error of at most 1e-9.
    ///
    /// A closure can't be looked into. A feature at least ``narrowestFeature`` wide is noticed, and then
    /// integrated however sharp it is. A narrower one may be missed, unless a breakpoint at its place says where it
    /// is. Nothing is missed in a ``Formula``.
    ///
    /// - Parameters:
    ///   - breakpoints: places in (0,1) where the closure jumps or bends, or within a narrow feature. Naming
    ///     them saves work.
    ///   - scale: s on [0,1]. It is called during this initialiser: some ten thousand times if it is smooth, more
    ///     often if it isn't.
    /// - Throws: ``CurveError`` when s isn't finite everywhere, or changes too wildly.
    public init(
        breakpoints: [Double] = [], _ scale: @escaping @Sendable (Double) -> Double
    ) throws(CurveError) {
        try self.init(breakpoints: breakpoints, weight: 10, work: IntegrationWork(), scale)
    }

    /// - Parameters:
    ///   - weight: the cost of one value, in steps of a formula.
    ///   - work: the budget for the whole curve.
    init(
        breakpoints: [Double] = [], weight: Int, work: IntegrationWork,
        _ scale: @escaping @Sendable (Double) -> Double
    ) throws(CurveError) {
        self.breakpoints = breakpoints
        self.scale = scale
        stepsPerValue = weight
        table = try IntegratedTimeScale(
            of: scale, .scale, breakpoints: breakpoints, weight: weight, work: work,
            spacing: Self.spacing)
    }

    /// s(u): the closure's value.
    public func value(at u: Double) -> Double { scale(u) }
}

/// A time scale given by its antiderivative as a closure. Only F(u) − F(0) is used.
public struct ClosureIntegral: TabulatedTimeScale {
    /// The places in (0,1) where the closure bends, as they were given.
    public let breakpoints: [Double]
    let table: IntegratedTimeScale

    /// Approximates a closure by polynomials to an estimated error of at most 1e-9. Bends of F closer together than
    /// ``ClosureScale/narrowestFeature`` may be missed, unless they are named.
    ///
    /// - Parameters:
    ///   - breakpoints: places in (0,1) where the closure bends; naming them saves work.
    ///   - integral: F on [0,1]. It is called during this initialiser: some ten thousand times if it is smooth,
    ///     more often if it isn't.
    /// - Throws: ``CurveError`` when F isn't finite everywhere, or changes too wildly.
    public init(
        breakpoints: [Double] = [], _ integral: @escaping @Sendable (Double) -> Double
    ) throws(CurveError) {
        try self.init(breakpoints: breakpoints, weight: 10, work: IntegrationWork(), integral)
    }

    /// - Parameters:
    ///   - weight: the cost of one value, in steps of a formula.
    ///   - work: the budget for the whole curve.
    init(
        breakpoints: [Double] = [], weight: Int, work: IntegrationWork,
        _ integral: @escaping @Sendable (Double) -> Double
    ) throws(CurveError) {
        self.breakpoints = breakpoints
        table = try IntegratedTimeScale(
            of: integral, .integral, breakpoints: breakpoints, weight: weight, work: work,
            spacing: ClosureScale.spacing)
    }

    /// s(u): the derivative of the polynomials that approximate F. O(log n) for n pieces of the table.
    public func value(at u: Double) -> Double { table.value(at: u) }
}
