import Foundation

/// The kernel of band-limited interpolation: sin(πx)/(πx) under a Kaiser window.
///
/// It reaches 48 samples to either side at normal speed. With β = 12.3 the window's stop band lies
/// 120 dB down and begins 2 kHz past the cutoff at 48 kHz (Kaiser's formulas: A = 8.7 + β/0.1102,
/// Δω = (A − 8)/(2.285·(taps − 1))). At higher speeds kernel and transition are stretched with the
/// speed, which lowers the cutoff to what the output can hold.
///
/// Values are read from a table of 2048 steps a sample by straight lines, whose error,
/// h″/(8·2048²), is below −138 dB. At normal speed and below the kernel is not stretched, and all
/// weights of a fraction lie side by side in a second table, laid out to be read in vectors.
struct SincKernel: Sendable {
    static let halfWidth = 48
    /// Weights at normal speed.
    static let taps = 2 * halfWidth
    private static let steps = 2048
    private static let beta = 12.3
    static let shared = SincKernel()

    /// One half of the kernel: `steps` values a sample, and one more than it reaches.
    private let table: [Float]
    /// For each step of the fraction from 0 to 1 the weights of all taps, which sum to 1.
    private let rows: [Float]

    private init() {
        let count = Self.halfWidth * Self.steps
        let table: [Float] = (0...(count + Self.steps)).map { index in
            guard index < count else {
                return 0
            }
            let x = Double(index) / Double(Self.steps)
            let sinc = index == 0 ? 1 : sin(.pi * x) / (.pi * x)
            let ratio = x / Double(Self.halfWidth)
            let window = besselI0(Self.beta * (1 - ratio * ratio).squareRoot())
            return Float(sinc * window / besselI0(Self.beta))
        }
        self.table = table
        rows = (0...Self.steps).flatMap { step in
            let weights = (0..<Self.taps).map { tap in
                // The fraction lies between taps halfWidth − 1 and halfWidth.
                table[abs((tap - Self.halfWidth + 1) * Self.steps - step)]
            }
            let gain = 1 / weights.reduce(0, +)
            return weights.map { $0 * gain }
        }
    }

    /// Fills `weights` for the samples around a position, which then sum to 1.
    ///
    /// - Returns: the index of the sample that the first weight is for.
    func weigh(around position: Double, stretch: Double, into weights: inout [Float]) -> Int {
        guard stretch > 1 else {
            return weigh(around: position, into: &weights)
        }
        let reach = Double(Self.halfWidth) * stretch
        let first = Int((position - reach).rounded(.down)) + 1
        let last = Int((position + reach).rounded(.down))
        let count = last - first + 1
        if weights.count != count {
            weights = [Float](repeating: 0, count: count)
        }
        let scale = Double(Self.steps) / stretch
        var total: Float = 0
        table.withUnsafeBufferPointer { table in
            weights.withUnsafeMutableBufferPointer { weights in
                for index in 0..<count {
                    let distance = abs(Double(first + index) - position) * scale
                    let step = Int(distance)
                    let share = Float(distance - Double(step))
                    let weight = table[step] + (table[step + 1] - table[step]) * share
                    weights[index] = weight
                    total += weight
                }
                let gain = 1 / total
                for index in 0..<count {
                    weights[index] *= gain
                }
            }
        }
        return first
    }

    /// At normal speed and below: a row of the table, and part of the way to the next.
    private func weigh(around position: Double, into weights: inout [Float]) -> Int {
        if weights.count != Self.taps {
            weights = [Float](repeating: 0, count: Self.taps)
        }
        let whole = position.rounded(.down)
        let place = (position - whole) * Double(Self.steps)
        let step = Int(place)
        let share = Float(place - Double(step))
        rows.withUnsafeBytes { rows in
            weights.withUnsafeMutableBytes { weights in
                let row = step * Self.taps * MemoryLayout<Float>.stride
                let next = row + Self.taps * MemoryLayout<Float>.stride
                let width = MemoryLayout<SIMD8<Float>>.stride
                for offset in stride(from: 0, to: weights.count, by: width) {
                    let a = rows.loadUnaligned(fromByteOffset: row + offset, as: SIMD8<Float>.self)
                    let b = rows.loadUnaligned(fromByteOffset: next + offset, as: SIMD8<Float>.self)
                    weights.storeBytes(
                        of: a + (b - a) * share, toByteOffset: offset, as: SIMD8<Float>.self)
                }
            }
        }
        return Int(whole) - Self.halfWidth + 1
    }
}

/// The modified Bessel function I₀, by its power series Σ ((x/2)ᵏ/k!)².
private func besselI0(_ x: Double) -> Double {
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
