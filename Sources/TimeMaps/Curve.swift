/// The description of a curve for time remapping: a name, a formula, keyframes, or a combination of curves.
///
/// A curve file holds such a description, and so do the command line's options.
/// ``timeScale(duration:)`` turns it into a function.
public struct Curve: Hashable, Sendable, CustomStringConvertible {
    /// The ways to describe a curve. s is the time scale: output seconds per source second.
    public indirect enum Shape: Hashable, Sendable {
        /// A named curve, shaped by a factor and a modifier.
        case builtIn(BuiltInCurve, factor: Double, modifier: Double)
        /// s as a formula of t, where t is source time from 0 at the clip's start to 1 at its end.
        case scale(Formula)
        /// The speed 1/s as a formula of t.
        case speed(Formula)
        /// An antiderivative F of s as a formula of t. Only F(t) − F(0) is used.
        case integral(Formula)
        /// Speeds at instants, connected by easings.
        case keyframes([Keyframe])
        /// Curves, each on its own part of [0,1]. Between them s is 1.
        case components([Component])
    }

    /// A curve on a part of [0,1].
    public struct Component: Hashable, Sendable {
        /// Where the part begins, on [0,1].
        public let start: Double
        /// Where the part ends, on [0,1].
        public let end: Double
        /// The curve, scaled to that part.
        public let curve: Curve

        /// A curve on the part from `start` to `end`.
        ///
        /// - Throws: ``CurveError`` unless 0 ≤ start < end ≤ 1.
        public init(from start: Double, to end: Double, curve: Curve) throws(CurveError) {
            guard start >= 0, start < end, end <= 1 else {
                throw CurveError(
                    .invalidParameter, value: start,
                    "a component's range must rise and lie within 0 to 1, not \(start) to \(end)")
            }
            self.start = start
            self.end = end
            self.curve = curve
        }
    }

    /// The description of the curve before it is flipped.
    public var shape: Shape
    /// Whether the curve runs from its end to its start: s(1 − t) instead of s(t).
    public var isFlipped: Bool

    /// A curve of a shape. Nothing is checked; ``timeScale(duration:)`` does that.
    public init(_ shape: Shape, isFlipped: Bool = false) {
        self.shape = shape
        self.isFlipped = isFlipped
    }

    /// A named curve, shaped by a factor and a modifier.
    public static func builtIn(
        _ curve: BuiltInCurve, factor: Double = BuiltInCurve.defaultFactor,
        modifier: Double = BuiltInCurve.defaultModifier
    ) -> Curve {
        Curve(.builtIn(curve, factor: factor, modifier: modifier))
    }

    /// The time scale s as a formula of t, which runs from 0 to 1 over the clip.
    public static func scale(_ formula: Formula) -> Curve { Curve(.scale(formula)) }
    /// The speed 1/s as a formula of t.
    public static func speed(_ formula: Formula) -> Curve { Curve(.speed(formula)) }
    /// An antiderivative of s as a formula of t.
    public static func integral(_ formula: Formula) -> Curve { Curve(.integral(formula)) }
    /// Speeds at instants, connected by easings.
    public static func keyframes(_ keyframes: [Keyframe]) -> Curve { Curve(.keyframes(keyframes)) }
    /// Curves on parts of [0,1]; s is 1 between them.
    public static func components(_ components: [Component]) -> Curve {
        Curve(.components(components))
    }

    /// The curve as a function of source time on the unit interval.
    ///
    /// - Parameter duration: how long the clip lasts, for keyframes at instants in seconds.
    /// - Throws: ``CurveError`` when a parameter is out of range, when s isn't finite everywhere, or when
    ///   integrating s takes too long.
    public func timeScale(duration: RationalTime) throws(CurveError) -> any TimeScale {
        try timeScale(duration: duration, work: IntegrationWork())
    }

    /// - Parameter work: the budget for the whole curve, of which this one may be a part.
    fileprivate func timeScale(
        duration: RationalTime, work: IntegrationWork
    ) throws(CurveError) -> any TimeScale {
        do {
            let scale = try unflippedScale(duration: duration, work: work)
            return isFlipped ? FlippedScale(base: scale) : scale
        } catch {
            throw error.located(in: duration.seconds)
        }
    }

    private func unflippedScale(
        duration: RationalTime, work: IntegrationWork
    ) throws(CurveError) -> any TimeScale {
        switch shape {
        case .builtIn(let curve, let factor, let modifier):
            return try curve.timeScale(factor: factor, modifier: modifier)
        case .scale(let formula):
            return try FormulaScale(formula, work: work)
        case .speed(let formula):
            return try FormulaScale(formula.reciprocal, work: work)
        case .integral(let formula):
            return try FormulaScale(formula, .integral, work: work)
        case .keyframes(let keyframes):
            return try KeyframeScale(keyframes, duration: duration, work: work)
        case .components(let components):
            return try ComponentScale(components, duration: duration, work: work)
        }
    }

    /// The curve in words, such as `triangle 2.0, 0.5, flipped`.
    public var description: String {
        let name: String
        switch shape {
        case .builtIn(let curve, let factor, let modifier):
            let parameters = curve.usesModifier ? "\(factor), \(modifier)" : "\(factor)"
            name = "\(curve.rawValue) \(parameters)"
        case .scale(let formula): name = "s(t) = \(formula)"
        case .speed(let formula): name = "speed(t) = \(formula)"
        case .integral(let formula): name = "F(t) = \(formula)"
        case .keyframes(let keyframes): name = "\(keyframes.count) keyframes"
        case .components(let components): name = "\(components.count) components"
        }
        return isFlipped ? name + ", flipped" : name
    }
}

/// Curves on separate parts of [0,1], with normal speed between them.
struct ComponentScale: WeighedTimeScale, BoundedTimeScale, ComposedTimeScale {
    private struct Part {
        let start: Double
        let end: Double
        let scale: any TimeScale
        /// F at the part's start.
        let integral: Double

        var width: Double { end - start }
    }
    private let parts: [Part]
    let stepsPerValue: Int

    init(
        _ components: [Curve.Component], duration: RationalTime, work: IntegrationWork
    ) throws(CurveError) {
        let sorted = components.sorted { $0.start < $1.start }
        var parts: [Part] = []
        var end = 0.0
        var integral = 0.0
        for component in sorted {
            guard component.start >= end else {
                throw CurveError(
                    .malformed, position: component.start,
                    "two components overlap there; each needs its own part of the clip")
            }
            integral += component.start - end
            let width = component.end - component.start
            // A nanosecond is exact enough for keyframes within a part.
            let lasts =
                (try? RationalTime(
                    seconds: duration.seconds * width, timescale: 1_000_000_000)) ?? duration
            let scale = try component.curve.timeScale(duration: lasts, work: work)
            parts.append(
                Part(start: component.start, end: component.end, scale: scale, integral: integral))
            integral += width * scale.integral(to: 1)
            end = component.end
        }
        self.parts = parts
        stepsPerValue = 10 + (parts.map(\.scale.weight).max() ?? 0)
    }

    /// Nil unless every part's bounds are proved.
    var bounds: ClosedRange<Double>? {
        var (low, high) = (1.0, 1.0)
        for part in parts {
            guard let bounds = (part.scale as? any BoundedTimeScale)?.bounds else {
                return nil
            }
            (low, high) = (min(low, bounds.lowerBound), max(high, bounds.upperBound))
        }
        return low...high
    }

    func tabulated() throws(CurveError) -> IntegratedTimeScale {
        var pieces = TablePieces()
        var (error, places) = (0.0, [Double]())
        for part in parts {
            let table = try IntegratedTimeScale(part.scale)
            pieces.appendNormal(to: part.start)
            pieces.append(table, to: part.end)
            error += table.errorBound * part.width
            places += table.breakpoints.map { part.start + $0 * part.width }
        }
        pieces.appendNormal(to: 1)
        return IntegratedTimeScale(pieces, error: error, range: bounds, breakpoints: places)
    }

    /// The last part that begins at or before a place; nil before the first part. O(log n).
    private func part(at u: Double) -> Part? {
        let next = parts.indices.partitionPoint { parts[$0].start > u }
        return next > 0 ? parts[next - 1] : nil
    }

    var breakpoints: [Double] {
        let all = parts.flatMap { part in
            [part.start, part.end] + part.scale.breakpoints.map { part.start + $0 * part.width }
        }
        return Set(all).filter { $0 > 0 && $0 < 1 }.sorted()
    }

    func value(at u: Double) -> Double {
        guard let part = part(at: u), u < part.end || part.end == 1 else {
            return 1
        }
        return part.scale.value(at: (u - part.start) / part.width)
    }

    func integral(to u: Double) -> Double {
        guard let part = part(at: u) else {
            return u
        }
        let inside = min((u - part.start) / part.width, 1)
        return part.integral + part.width * part.scale.integral(to: inside) + max(0, u - part.end)
    }
}
