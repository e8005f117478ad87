/// A time scale integrated once into a table of polynomials.
///
/// [0,1] is cut into pieces, at the scale's breakpoints and then by halving, until on each a
/// polynomial of degree 8 agrees with s between the points that it was laid through. The
/// polynomials are integrated exactly. Jumps and bends that nobody named are closed in on by
/// halving until what is left of them doesn't count.
///
/// Evaluating and inverting take O(log n) for n pieces. A smooth curve needs a few pieces, and how
/// many doesn't depend on the length of the clip.
public struct IntegratedTimeScale: Sendable {
    /// Where pieces meet: `pieceCount + 1` places from 0 to 1.
    let edges: [Double]
    /// F at the edges.
    let sums: [Double]
    /// For each piece, the coefficients of z⁰ … z⁹ of F − F(edge), z from −1 to 1 across it.
    let coefficients: [Double]
    /// An estimate of F's largest error: what the polynomials miss between their points, summed.
    public let errorBound: Double

    static let terms = PolynomialFit.degree + 2

    /// How many polynomials the table has.
    public var pieceCount: Int { edges.count - 1 }

    /// Tabulates a time scale; F at the pieces' ends is its own.
    ///
    /// - Throws: ``CurveError`` where s isn't finite, never settles, or takes too long.
    public init(_ scale: any TimeScale) throws(CurveError) {
        if let tabulated = scale as? any TabulatedTimeScale {
            self = tabulated.table
            return
        }
        let fit = try Self.fit(
            scale.value(at:), .scale, scale.breakpoints, scale.weight, IntegrationWork())
        self.init(fit, sums: fit.edges.map(scale.integral(to:)))
    }

    /// Tabulates a function that is s, or its integral, to at most 1e-9.
    ///
    /// - Parameters:
    ///   - weight: what a value takes, in steps of a formula.
    ///   - work: what the whole curve may take, where this is a part of one.
    /// - Throws: ``CurveError`` where it isn't finite, never settles, or takes too long.
    init(
        of function: (Double) -> Double, _ meaning: PolynomialFit.Meaning, breakpoints: [Double],
        weight: Int, work: IntegrationWork
    ) throws(CurveError) {
        let fit = try Self.fit(function, meaning, breakpoints, weight, work)
        self.init(fit, sums: fit.sums)
    }

    private init(_ fit: PolynomialFit, sums: [Double]) {
        edges = fit.edges
        coefficients = fit.coefficients
        errorBound = fit.error + 1e-15
        self.sums = sums
    }

    private static func fit(
        _ function: (Double) -> Double, _ meaning: PolynomialFit.Meaning, _ breakpoints: [Double],
        _ weight: Int, _ work: IntegrationWork
    ) throws(CurveError) -> PolynomialFit {
        let fit = try PolynomialFit(
            of: function, meaning, breakpoints: breakpoints, weight: weight, work: work)
        // Where s changes sign F turns; pieces that don't turn can be inverted.
        let turns = fit.turns
        guard !turns.isEmpty else {
            return fit
        }
        return try PolynomialFit(
            of: function, meaning, breakpoints: breakpoints + turns, weight: weight, work: work)
    }

    /// F(u), for u in [0,1].
    public func integral(to u: Double) -> Double {
        let piece = edges.piece(containing: u)
        return sums[piece] + polynomial(piece, coordinate(of: u, in: piece)).value
    }

    /// s(u) as the table has it.
    func value(at u: Double) -> Double {
        let piece = edges.piece(containing: u)
        return polynomial(piece, coordinate(of: u, in: piece)).slope / halfWidth(of: piece)
    }

    /// u with F(u) = f, for an F that never falls; 0 and 1 outside of its values.
    public func inverse(of f: Double) -> Double {
        let piece = sums.piece(containing: f)
        return place(of: solve(piece, for: f - sums[piece], from: 0), in: piece)
    }

    @inline(__always)
    func halfWidth(of piece: Int) -> Double {
        (edges[piece + 1] - edges[piece]) / 2
    }

    /// Where in a piece u lies: −1 at its start, 1 at its end.
    func coordinate(of u: Double, in piece: Int) -> Double {
        min(max((u - edges[piece]) / halfWidth(of: piece) - 1, -1), 1)
    }

    @inline(__always)
    func place(of z: Double, in piece: Int) -> Double {
        edges[piece] + (z + 1) * halfWidth(of: piece)
    }

    /// F − F(edge) and its derivative by z.
    @inline(__always)
    func polynomial(_ piece: Int, _ z: Double) -> (value: Double, slope: Double) {
        coefficients.withUnsafeBufferPointer { all in
            let base = piece * Self.terms
            var value = all[base + Self.terms - 1]
            var slope = 0.0
            var term = base + Self.terms - 2
            while term >= base {
                slope = slope * z + value
                value = value * z + all[term]
                term -= 1
            }
            return (value, slope)
        }
    }

    /// What s lies between, from one place of a piece to another: as far apart as the polynomial's
    /// derivatives in the middle allow. No numbers, where these are beyond all numbers.
    func scaleBounds(
        _ piece: Int, from low: Double, to high: Double
    ) -> (least: Double, most: Double) {
        let (start, end) = (coordinate(of: low, in: piece), coordinate(of: high, in: piece))
        let (middle, reach) = ((start + end) / 2, (end - start) / 2)
        let base = piece * Self.terms
        var terms = (1..<Self.terms).map { coefficients[base + $0] * Double($0) }
        // Horner's rule over and over: the polynomial around the middle.
        for first in 0..<(terms.count - 1) {
            for term in (first..<(terms.count - 1)).reversed() {
                terms[term] += middle * terms[term + 1]
            }
        }
        let spread = terms.dropFirst().reversed().reduce(0) { ($0 + abs($1)) * reach }
        let half = halfWidth(of: piece)
        return ((terms[0] - spread) / half, (terms[0] + spread) / half)
    }

    /// z with F − F(edge) = `gain`, by Newton's rule kept inside a bracket; the piece doesn't turn.
    @inline(__always)
    func solve(_ piece: Int, for gain: Double, from start: Double) -> Double {
        var low = -1.0
        var high = 1.0
        var z = min(max(start, -1), 1)
        let falls = sums[piece + 1] < sums[piece]
        for _ in 0..<100 {
            let (value, slope) = polynomial(piece, z)
            let miss = value - gain
            if (miss > 0) != falls {
                high = z
            } else {
                low = z
            }
            var next = z - miss / slope
            if !(next >= low && next <= high) {
                next = (low + high) / 2
            }
            if abs(next - z) <= 1e-15 {
                return next
            }
            z = next
        }
        return z
    }
}

extension [Double] {
    /// The last place before the last whose number is at or below `value`; the first if none is.
    func piece(containing value: Double) -> Int {
        var low = 0
        var high = count - 2
        while low < high {
            let middle = (low + high + 1) / 2
            if self[middle] <= value {
                low = middle
            } else {
                high = middle - 1
            }
        }
        return low
    }
}
