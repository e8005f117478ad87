/// Polynomials on neighbouring pieces of [0,1]: the integral of a function, and how far it may be from the truth.
struct PolynomialPieces {
    /// The number of coefficients of each piece.
    static let terms = 10
    /// The largest error of the integral over all pieces together.
    static let largestError = 1e-9
    /// More pieces than this are refused.
    static let mostPieces = 1 << 18

    private(set) var edges: [Double] = [0]
    /// For each piece, the coefficients of z⁰ … z⁹ of the integral from the piece's start, with z from −1 to
    /// 1 across the piece.
    private(set) var coefficients: [Double] = []
    private(set) var sums: [Double] = [0]
    /// The error of the integral.
    var error = 0.0
    /// The largest magnitude of the function that was integrated.
    var largest = 0.0
    /// Bounds of the function that was integrated, if they are proved.
    var range: ClosedRange<Double>?
    /// Where the function jumps or bends.
    var breakpoints: [Double] = []
    /// The rounding error of the last sum, which the next one makes up for (Kahan summation).
    private var lost = 0.0

    /// Appends the integral of a polynomial of at most degree 8, up to `high`.
    mutating func append(integralOf polynomial: [Double], to high: Double) {
        let width = high - edges[edges.count - 1]
        var integral = [0.0] + polynomial.enumerated().map { $1 * width / 2 / Double($0 + 1) }
        integral += Array(repeating: 0, count: Self.terms - integral.count)
        integral[0] = -Self.value(of: integral, at: -1)
        coefficients += integral
        edges.append(high)
        let gain = Self.value(of: integral, at: 1) - lost
        let sum = sums[sums.count - 1] + gain
        lost = (sum - sums[sums.count - 1]) - gain
        sums.append(sum)
    }

    /// Appends a polynomial that is the integral itself but for a constant, up to `high` where it is `sum`.
    mutating func append(_ polynomial: [Double], to high: Double, reaching sum: Double) {
        var integral = polynomial + Array(repeating: 0, count: Self.terms - polynomial.count)
        integral[0] -= Self.value(of: integral, at: -1)
        coefficients += integral
        edges.append(high)
        sums.append(sum)
    }

    /// The polynomial's value at z, with the coefficients in the order of rising powers.
    static func value(of polynomial: [Double], at z: Double) -> Double {
        polynomial.reversed().reduce(0) { $0 * z + $1 }
    }

    /// Where the function changes its sign by more than rounding errors, also if that is where a piece ends.
    var turns: [Double] {
        let noise = largest * 1e-11
        var found: [Double] = []
        var last: (piece: Int, z: Double, isRising: Bool)?
        for piece in 0..<(edges.count - 1) {
            let width = edges[piece + 1] - edges[piece]
            let slope = slope(ofPiece: piece)
            for step in 0...32 {
                let z = Double(step) / 16 - 1
                let value = Self.value(of: slope, at: z)
                // The sign of a slightly negative value may come from rounding; the next value decides.
                guard value >= 0 || value < -noise else {
                    continue
                }
                if let last, last.isRising != (value >= 0) {
                    let isInside = last.piece == piece
                    let root = isInside ? root(of: slope, from: last.z, to: z) : -1
                    found.append(edges[piece] + width * (root + 1) / 2)
                }
                last = (piece, z, value >= 0)
            }
        }
        return found
    }

    /// The integral's derivative on a piece, as a polynomial in z.
    private func slope(ofPiece piece: Int) -> [Double] {
        let width = edges[piece + 1] - edges[piece]
        let base = piece * Self.terms
        return (1..<Self.terms).map { coefficients[base + $0] * Double($0) * 2 / width }
    }

    private func root(of polynomial: [Double], from start: Double, to end: Double) -> Double {
        var (low, high) = (start, end)
        let startsPositive = Self.value(of: polynomial, at: low) >= 0
        for _ in 0..<60 {
            let middle = (low + high) / 2
            if (Self.value(of: polynomial, at: middle) >= 0) == startsPositive {
                low = middle
            } else {
                high = middle
            }
        }
        return (low + high) / 2
    }
}
