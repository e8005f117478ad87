/// The constant s = f.
struct ConstantScale: TimeScale {
    let factor: Double
    var breakpoints: [Double] { [] }

    func value(at u: Double) -> Double { factor }
    func integral(to u: Double) -> Double { factor * u }
}

/// From 1 to f along a straight line.
struct RampScale: TimeScale {
    let factor: Double
    var breakpoints: [Double] { [] }

    func value(at u: Double) -> Double { 1 + (factor - 1) * u }
    func integral(to u: Double) -> Double { u + (factor - 1) * u * u / 2 }
}

/// From 1 to f by ``smoothstep(_:)``.
struct SmoothstepScale: TimeScale {
    let factor: Double
    var breakpoints: [Double] { [] }

    func value(at u: Double) -> Double { 1 + (factor - 1) * smoothstep(u) }
    func integral(to u: Double) -> Double { u + (factor - 1) * integratedSmoothstep(u) }
}
