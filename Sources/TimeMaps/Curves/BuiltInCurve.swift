/// The curves that come with a name, shaped by a factor and, most of them, a modifier.
public enum BuiltInCurve: String, CaseIterable, Codable, Sendable {
    /// 1, smoothly to the factor, there for a while, smoothly back to 1.
    case doubleSmoothstep = "double-smoothstep"
    /// Straight to the factor in the middle and back; the modifier is the share that it takes.
    case triangle
    /// The factor all along; the modifier changes nothing.
    case constant
    /// Straight from 1 to the factor; the modifier changes nothing.
    case ramp
    /// Smoothly from 1 to the factor; the modifier changes nothing.
    case smoothstep
    /// 2m·tᶠ + m/2, with the factor f and the modifier m.
    case power
    /// A cosine wave between half of the factor and 5/2 of it, 6m times, with the modifier m.
    case cosine
    /// A cosine wave that fades in from normal speed and out to it.
    case taperedCosine = "tapered-cosine"
    /// A sine wave between half of the factor and 5/2 of it, 6m times, with the modifier m.
    case sine
    /// A sine wave that fades in from normal speed and out to it.
    case taperedSine = "tapered-sine"

    /// The one that is meant where none is named.
    public static let defaultCurve = BuiltInCurve.doubleSmoothstep
    /// The factor and modifier that are meant where none are given.
    public static let defaultFactor = 1.5
    /// The modifier that is meant where none is given.
    public static let defaultModifier = 0.5

    /// Whether the modifier changes anything.
    public var usesModifier: Bool {
        switch self {
        case .constant, .ramp, .smoothstep: false
        case .doubleSmoothstep, .triangle, .power, .cosine, .taperedCosine, .sine, .taperedSine:
            true
        }
    }

    /// The curve with its integral in closed form.
    ///
    /// - Throws: ``CurveError`` when factor and modifier make no curve of this kind.
    public func timeScale(
        factor: Double = defaultFactor, modifier: Double = defaultModifier
    ) throws(CurveError) -> any TimeScale {
        guard factor.isFinite, modifier.isFinite, abs(factor) < 1e9, abs(modifier) < 1e3 else {
            throw CurveError(
                .invalidParameter, value: factor.isFinite ? modifier : factor,
                "factor \(factor) and modifier \(modifier) make no \(rawValue) curve")
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

/// 3x² − 2x³: from 0 to 1, level at both ends; constant outside.
public func smoothstep(_ x: Double) -> Double {
    let x = min(max(x, 0), 1)
    return x * x * (3 - 2 * x)
}

/// ∫₀ˣ of ``smoothstep(_:)``, for x in [0,1].
func integratedSmoothstep(_ x: Double) -> Double {
    x * x * x * (1 - x / 2)
}
