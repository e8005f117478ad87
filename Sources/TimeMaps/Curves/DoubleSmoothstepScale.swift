/// From 1 by smoothstep to f, constant for a while, and back to 1, mirrored about the middle.
///
/// ```
///  f         ╭────────╮
///  1  ──────╯          ╰──────
///     0   low high 1−high 1−low 1      low, high = ¼ ∓ m/4
/// ```
struct DoubleSmoothstepScale: TimeScale {
    let factor: Double
    private let low: Double
    private let width: Double

    init(factor: Double, modifier: Double) {
        self.factor = factor
        low = 0.25 - modifier / 4
        width = modifier / 2
    }

    var breakpoints: [Double] {
        let rising = width > 0 ? [low, low + width] : [low]
        return Set(rising + rising.map { 1 - $0 }).filter { $0 > 0 && $0 < 1 }.sorted()
    }

    func value(at u: Double) -> Double {
        let mirrored = min(u, 1 - u)
        guard width > 0 else {
            return mirrored < low ? 1 : factor
        }
        return 1 + (factor - 1) * smoothstep((mirrored - low) / width)
    }

    func integral(to u: Double) -> Double {
        u + (factor - 1) * area(to: u)
    }

    /// The area under the shape of height 1, up to u. The whole area is ½.
    private func area(to u: Double) -> Double {
        guard u <= 0.5 else {
            return 0.5 - area(to: 1 - u)
        }
        let into = u - low
        guard into > 0 else {
            return 0
        }
        guard into < width else {
            return width / 2 + (into - width)
        }
        return width * integratedSmoothstep(into / width)
    }
}
