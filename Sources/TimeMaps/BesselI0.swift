/// The modified Bessel function of the first kind, I₀(x), by its power series Σ ((x/2)ᵏ/k!)².
package func besselI0(_ x: Double) -> Double {
    var term = 1.0
    var sum = 1.0
    var order = 1.0
    while term > sum * 1e-18 {
        term *= (x / (2 * order)) * (x / (2 * order))
        sum += term
        order += 1
    }
    return sum
}
