import Foundation

/// A wave with 6m periods over the clip: cos(ωu) or sin(ωu) with ω = 12πm.
enum Wave {
    case cosine, sine

    func value(_ x: Double) -> Double {
        switch self {
        case .cosine: cos(x)
        case .sine: sin(x)
        }
    }

    /// ∫₀ᵘ wave(ωt) dt, divided by u, where x = ωu: sin(x)/x for the cosine, and (1 − cos x)/x =
    /// sin(x/2)·(sin(x/2)/(x/2)) for the sine. Neither form loses digits for small x.
    func meanValue(_ x: Double) -> Double {
        switch self {
        case .cosine: sinc(x)
        case .sine: sin(x / 2) * sinc(x / 2)
        }
    }

    /// ∫₀ᵘ tⁿ·wave(ωt) dt, divided by uⁿ⁺¹, where x = ωu, for n = 2 and 3.
    ///
    /// It is integrated by parts n times. For small x, where the terms of that would cancel, it is the wave's
    /// power series, integrated term by term: Σ (−1)ᵏ x²ᵏ⁺ᵉ / ((2k + e)!·(2k + e + n + 1)), with e = 0 for
    /// cos and 1 for sin.
    func moment(_ n: Int, _ x: Double) -> Double {
        guard abs(x) > 4 else {
            return momentSeries(n, x)
        }
        let (c, s) = (cos(x), sin(x))
        switch (self, n) {
        case (.cosine, 2): return s / x + (2 * c - 2 * s / x) / (x * x)
        case (.cosine, _):
            return s / x + (3 * c - 6 * s / x - 6 * (c - 1) / (x * x)) / (x * x)
        case (.sine, 2): return -c / x + (2 * s + 2 * (c - 1) / x) / (x * x)
        case (.sine, _):
            return -c / x + (3 * s + 6 * c / x - 6 * s / (x * x)) / (x * x)
        }
    }

    private func momentSeries(_ n: Int, _ x: Double) -> Double {
        var order = self == .cosine ? 0 : 1
        var term = self == .cosine ? 1.0 : x
        var sum = 0.0
        // At |x| = 4 the terms are below 1e-18 of the first one after about twenty terms.
        for _ in 0..<24 {
            sum += term / Double(order + n + 1)
            term *= -x * x / Double((order + 1) * (order + 2))
            order += 2
        }
        return sum
    }
}

/// sin(x)/x. Below 1e-8 it differs from 1 by less than a `Double` can represent.
private func sinc(_ x: Double) -> Double {
    abs(x) < 1e-8 ? 1 : sin(x) / x
}

/// s = f·(wave(ωu) + 1) + f/2, so s swings between f/2 and 5f/2.
struct WaveScale: TimeScale {
    let wave: Wave
    let factor: Double
    let angularFrequency: Double

    init(_ wave: Wave, factor: Double, modifier: Double) {
        self.wave = wave
        self.factor = factor
        angularFrequency = 12 * .pi * modifier
    }

    var breakpoints: [Double] { [] }

    func value(at u: Double) -> Double {
        factor * (wave.value(angularFrequency * u) + 1.5)
    }

    func integral(to u: Double) -> Double {
        factor * u * (1.5 + wave.meanValue(angularFrequency * u))
    }
}

/// s = 1 + (c(u) − 1)·S(u), where c is the time scale of ``WaveScale`` and S is ``smoothstep(_:)``.
///
/// F = u + (3f/2 − 1)·∫S + f·∫(3t² − 2t³)·wave(ωt) dt. The last integral comes from the wave's moments.
struct TaperedWaveScale: TimeScale {
    private let swing: WaveScale

    init(_ wave: Wave, factor: Double, modifier: Double) {
        swing = WaveScale(wave, factor: factor, modifier: modifier)
    }

    var breakpoints: [Double] { [] }

    func value(at u: Double) -> Double {
        1 + (swing.value(at: u) - 1) * smoothstep(u)
    }

    func integral(to u: Double) -> Double {
        let x = swing.angularFrequency * u
        let moments = 3 * swing.wave.moment(2, x) - 2 * u * swing.wave.moment(3, x)
        return u + (1.5 * swing.factor - 1) * integratedSmoothstep(u)
            + swing.factor * u * u * u * moments
    }
}
