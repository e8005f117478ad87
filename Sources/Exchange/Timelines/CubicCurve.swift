/// A cubic Bézier curve whose places rise: a speed's handles in Premiere, a rounded corner in Final Cut Pro.
struct CubicCurve {
    /// Those of its start, its two control points and its end.
    let places: SIMD4<Double>
    let values: SIMD4<Double>

    /// The value at a place.
    func value(at place: Double) -> Double {
        let weights = Self.weights(parameter(at: place))
        return (weights * values).sum()
    }

    /// The point at a parameter from 0 to 1.
    func point(at parameter: Double) -> (place: Double, value: Double) {
        let weights = Self.weights(parameter)
        return ((weights * places).sum(), (weights * values).sum())
    }

    /// The parameter of a place, which rises with it: found by halving.
    private func parameter(at place: Double) -> Double {
        var (low, high) = (0.0, 1.0)
        for _ in 0..<60 {
            let middle = (low + high) / 2
            if (Self.weights(middle) * places).sum() < place {
                low = middle
            } else {
                high = middle
            }
        }
        return (low + high) / 2
    }

    /// Bernstein's polynomials of the third degree.
    private static func weights(_ u: Double) -> SIMD4<Double> {
        let v = 1 - u
        return SIMD4(v * v * v, 3 * u * v * v, 3 * u * u * v, u * u * u)
    }
}
