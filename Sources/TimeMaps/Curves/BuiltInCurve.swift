/// The named curves. A factor and, for most of them, a modifier give them their shape. Their values are the
/// time scale s: output seconds per source second.
public enum BuiltInCurve: String, CaseIterable, Codable, Sendable {
    /// From 1 smoothly to the factor, constant for a while, and smoothly back to 1. The modifier, 0 to 1, is
    /// twice the share of the clip that each transition takes.
    case doubleSmoothstep = "double-smoothstep"
    /// From 1 straight to the factor in the middle of the clip, and back. The modifier, 0 to 1, is the share of
    /// the clip that the triangle takes.
    case triangle
    /// The factor throughout; the modifier changes nothing.
    case constant
    /// From 1 straight to the factor; the modifier changes nothing.
    case ramp
    /// From 1 smoothly to the factor; the modifier changes nothing.
    case smoothstep
    /// 2m·tᶠ + m/2, with the factor f, 0 or more, and the modifier m.
    case power
    /// A cosine wave between 1/2 and 5/2 of the factor, with 6m periods for the modifier m.
    case cosine
    /// A cosine wave as ``cosine``, faded in smoothly from normal speed over the whole clip.
    case taperedCosine = "tapered-cosine"
    /// A sine wave between 1/2 and 5/2 of the factor, with 6m periods for the modifier m.
    case sine
    /// A sine wave as ``sine``, faded in smoothly from normal speed over the whole clip.
    case taperedSine = "tapered-sine"

    /// The curve that is used if none is named.
    public static let defaultCurve = BuiltInCurve.doubleSmoothstep
    /// The factor that is used if none is given.
    public static let defaultFactor = 1.5
    /// The modifier that is used if none is given.
    public static let defaultModifier = 0.5

    /// What people call it.
    package var title: String {
        let words = rawValue.replacing("-", with: " ")
        return words.prefix(1).uppercased() + words.dropFirst()
    }

    /// What the factor means.
    package var factorMeaning: String { self == .power ? "exponent" : "time scale" }

    /// What the modifier means.
    package var modifierMeaning: String {
        switch self {
        case .power: "level"
        case .cosine, .taperedCosine, .sine, .taperedSine: "frequency"
        case .doubleSmoothstep, .triangle, .constant, .ramp, .smoothstep: "width"
        }
    }

    /// Whether the modifier changes anything.
    public var usesModifier: Bool {
        switch self {
        case .constant, .ramp, .smoothstep: false
        case .doubleSmoothstep, .triangle, .power, .cosine, .taperedCosine, .sine, .taperedSine:
            true
        }
    }

    /// The curve as a function with its integral in closed form.
    ///
    /// - Parameters:
    ///   - factor: between -1e9 and 1e9; 0 or more for ``power``.
    ///   - modifier: between -1000 and 1000; 0 to 1 for ``doubleSmoothstep`` and ``triangle``.
    /// - Throws: ``CurveError`` when the factor or the modifier is out of its range.
    public func timeScale(
        factor: Double = defaultFactor, modifier: Double = defaultModifier
    ) throws(CurveError) -> any TimeScale {
        guard factor.isFinite, modifier.isFinite, abs(factor) < 1e9, abs(modifier) < 1e3 else {
            throw CurveError(
                .invalidParameter, value: factor.isFinite ? modifier : factor,
                "a \(rawValue) curve can't have factor \(factor) and modifier \(modifier)")
        }
        switch self {
        case .doubleSmoothstep:
            try requireShare(modifier)
            return DoubleSmoothstepScale(factor: factor, modifier: modifier)
        case .triangle:
            try requireShare(modifier)
            return TriangleScale(factor: factor, modifier: modifier)
        case .constant: return ConstantScale(factor: factor)
        case .ramp: return RampScale(factor: factor)
        case .smoothstep: return SmoothstepScale(factor: factor)
        case .power:
            guard factor >= 0 else {
                throw CurveError(
                    .invalidParameter, value: factor,
                    "a power curve with factor \(factor) is infinite at the start; use 0 or more")
            }
            return PowerScale(exponent: factor, modifier: modifier)
        case .cosine: return WaveScale(.cosine, factor: factor, modifier: modifier)
        case .sine: return WaveScale(.sine, factor: factor, modifier: modifier)
        case .taperedCosine: return TaperedWaveScale(.cosine, factor: factor, modifier: modifier)
        case .taperedSine: return TaperedWaveScale(.sine, factor: factor, modifier: modifier)
        }
    }

    private func requireShare(_ modifier: Double) throws(CurveError) {
        guard (0...1).contains(modifier) else {
            throw CurveError(
                .invalidParameter, value: modifier,
                "the modifier of a \(rawValue) curve is a share of the clip, 0 to 1, "
                    + "not \(modifier)")
        }
    }
}
