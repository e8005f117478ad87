/// A curve as people describe it: by name, by formula, by keyframes, or put together from parts.
///
/// This is what a curve file holds and what the command line's options build.
/// ``timeScale(duration:)`` makes it a function.
public struct Curve: Hashable, Sendable, CustomStringConvertible {
    /// How the curve is given.
    public indirect enum Shape: Hashable, Sendable {
        /// A named curve, shaped by a factor and a modifier.
        case builtIn(BuiltInCurve, factor: Double, modifier: Double)
        /// s as a formula of t.
        case scale(Formula)
        /// The speed 1/s as a formula of t.
        case speed(Formula)
        /// The antiderivative of s as a formula of t; F(t) − F(0) is what counts.
        case integral(Formula)
        /// Speeds at instants, with easings between them.
        case keyframes([Keyframe])
        /// Curves, each on its own part of [0,1]; s is 1 between them.
        case components([Component])
    }

    /// A curve on a part of [0,1].
    public struct Component: Hashable, Sendable {
        /// Where it begins, on [0,1].
        public let start: Double
        /// Where it ends, on [0,1].
        public let end: Double
        /// The curve, squeezed into that part.
        public let curve: Curve

        /// - Throws: ``CurveError`` unless 0 ≤ start < end ≤ 1.
        public init(from start: Double, to end: Double, curve: Curve) throws(CurveError) {
            guard start >= 0, start < end, end <= 1 else {
                throw CurveError(
                    .invalidParameter, value: start,
                    "a component's range runs from 0 to 1 at the most, not \(start) to \(end)")
            }
            self.start = start
            self.end = end
            self.curve = curve
        }
    }

    /// How the curve is given.
    public var shape: Shape
    /// Whether the curve runs from its end to its start.
    public var isFlipped: Bool

    /// A curve of a shape, flipped or not. Nothing is checked; ``timeScale(duration:)`` does that.
    public init(_ shape: Shape, isFlipped: Bool = false) {
        self.shape = shape
        self.isFlipped = isFlipped
    }

    /// A built-in curve.
    public static func builtIn(
        _ curve: BuiltInCurve, factor: Double = BuiltInCurve.defaultFactor,
        modifier: Double = BuiltInCurve.defaultModifier
    ) -> Curve {
        Curve(.builtIn(curve, factor: factor, modifier: modifier))
    }

    /// s as a formula of t.
    public static func scale(_ formula: Formula) -> Curve { Curve(.scale(formula)) }
    /// The speed 1/s as a formula of t.
    public static func speed(_ formula: Formula) -> Curve { Curve(.speed(formula)) }
    /// The antiderivative of s as a formula of t.
    public static func integral(_ formula: Formula) -> Curve { Curve(.integral(formula)) }
    /// Speeds at instants.
    public static func keyframes(_ keyframes: [Keyframe]) -> Curve { Curve(.keyframes(keyframes)) }
    /// Curves on parts of [0,1].
    public static func components(_ components: [Component]) -> Curve {
        Curve(.components(components))
    }

    /// The curve as a function of source time on the unit interval.
    ///
    /// - Parameter duration: of the clip, for keyframes that are given in seconds.
    /// - Throws: ``CurveError`` when it is no finite function, or takes too long to be integrated.
    public func timeScale(duration: RationalTime) throws(CurveError) -> any TimeScale {
        try timeScale(duration: duration, work: IntegrationWork())
    }

    /// - Parameter work: what the whole may take, of which this curve may be a part.
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
            return try ClosureScale(weight: formula.steps.count, work: work) { formula($0) }
        case .speed(let formula):
            return try ClosureScale(weight: formula.steps.count, work: work) { 1 / formula($0) }
        case .integral(let formula):
            return try ClosureIntegral(weight: formula.steps.count, work: work) { formula($0) }
        case .keyframes(let keyframes):
            return try KeyframeScale(keyframes, duration: duration, work: work)
        case .components(let components):
            return try ComponentScale(components, duration: duration, work: work)
        }
    }

    /// What the curve is, in words.
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

/// Curves side by side; normal speed between them.
struct ComponentScale: WeighedTimeScale {
    private struct Part {
        let start: Double
        let end: Double
        let scale: any TimeScale
        /// F where the part starts.
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
                    "two components overlap there; each needs a part of its own")
            }
            integral += component.start - end
            let width = component.end - component.start
            // To the nanosecond is enough to place keyframes within a part.
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

    /// The last part that begins at or before a place; nil before the first. O(log n).
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
