import Foundation

/// s = 2m·uᶠ + m/2, so F = 2m·uᶠ⁺¹/(f + 1) + mu/2, with exponent f and modifier m.
struct PowerScale: TimeScale {
    let exponent: Double
    let modifier: Double
    var breakpoints: [Double] { [] }

    func value(at u: Double) -> Double {
        2 * modifier * pow(u, exponent) + modifier / 2
    }

    func integral(to u: Double) -> Double {
        2 * modifier * pow(u, exponent + 1) / (exponent + 1) + modifier * u / 2
    }
}
