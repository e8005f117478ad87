/// A triangle between ½ − m/2 and ½ + m/2 that reaches f in the middle; 1 outside.
///
/// ```
///  f            ╱╲
///  1  ─────────╱  ╲─────────
///     0      low ½ high     1
/// ```
struct TriangleScale: TimeScale {
    let factor: Double
    /// Half the width of the base.
    private let half: Double

    init(factor: Double, modifier: Double) {
        self.factor = factor
        half = modifier / 2
    }

    var breakpoints: [Double] {
        half > 0 ? [0.5 - half, 0.5, 0.5 + half].filter { $0 > 0 && $0 < 1 } : []
    }

    func value(at u: Double) -> Double {
        guard half > 0 else {
            return 1
        }
        return 1 + (factor - 1) * max(0, 1 - abs(u - 0.5) / half)
    }

    func integral(to u: Double) -> Double {
        u + (factor - 1) * area(to: u)
    }

    /// The area under the triangle of height 1, up to u: a parabola up to the middle, and its mirror image
    /// after that.
    private func area(to u: Double) -> Double {
        guard half > 0 else {
            return 0
        }
        guard u <= 0.5 else {
            return half - area(to: 1 - u)
        }
        let into = max(0, u - (0.5 - half))
        return into * into / (2 * half)
    }
}
