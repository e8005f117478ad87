/// The function 3x² − 2x³, which rises from 0 at x = 0 to 1 at x = 1 with slope 0 at both ends. It is 0 below
/// and 1 above that.
public func smoothstep(_ x: Double) -> Double {
    let x = min(max(x, 0), 1)
    return x * x * (3 - 2 * x)
}

/// The integral of ``smoothstep(_:)`` from 0 to x, for x in [0,1]: x³ − x⁴/2.
func integratedSmoothstep(_ x: Double) -> Double {
    x * x * x * (1 - x / 2)
}
