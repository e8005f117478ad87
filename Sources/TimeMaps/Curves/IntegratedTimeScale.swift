/// The integral F of a time scale s, as a table of polynomials that is computed once.
///
/// [0,1] is cut at the scale's breakpoints, and then halved further until on each piece a polynomial of
/// degree 8 agrees with s between the points that it interpolates. The polynomials are integrated
/// exactly. Around jumps and bends that aren't among the breakpoints, pieces are halved until their error
/// is negligible.
///
/// Evaluating and inverting take O(log n) for n pieces. A smooth curve needs few pieces, and their number
/// doesn't depend on the duration of the clip.
public struct IntegratedTimeScale: Sendable {
    /// The ends of the pieces: `pieceCount + 1` increasing numbers from 0 to 1.
    let edges: [Double]
    /// F at the edges.
    let sums: [Double]
    /// For each piece, the coefficients of z⁰ … z⁹ of F − F(edge), where edge is the piece's start and z goes
    /// from −1 to 1 across the piece.
    let coefficients: [Double]
    /// The largest error of F. For a formula it is proved. For other functions it is an estimate: the sum of the
    /// polynomials' errors, measured between the points that they interpolate.
    public let errorBound: Double
    /// Bounds of s that are proved; nil unless s is a formula.
    let scaleRange: ClosedRange<Double>?
    /// Where a formula jumps or bends, in increasing order; empty for other functions.
    let breakpoints: [Double]

    /// The number of coefficients of each piece.
    static let terms = PolynomialPieces.terms

    /// The number of pieces, each with one polynomial.
    public var pieceCount: Int { edges.count - 1 }

    /// Tabulates a time scale. At the pieces' ends, F is exactly the time scale's own integral.
    ///
    /// - Throws: ``CurveError`` when s isn't finite everywhere, changes too wildly to reach an error of 1e-9, or
    ///   takes too long to integrate.
    public init(_ scale: any TimeScale) throws(CurveError) {
        if let tabulated = scale as? any TabulatedTimeScale {
            self = tabulated.table
            return
        }
        if let composed = scale as? any ComposedTimeScale {
            self = try composed.tabulated()
            return
        }
        let weight = scale.weight
        let work = IntegrationWork()
        let pieces = try Self.cutAtTurns { turns throws(CurveError) in
            try PolynomialFit(
                of: scale.value(at:), breakpoints: scale.breakpoints + turns, weight: weight,
                work: work
            ).pieces
        }
        self.init(pieces, sums: pieces.edges.map(scale.integral(to:)))
    }

    /// Tabulates a function that is s or its integral, with an error of F of at most 1e-9.
    ///
    /// - Parameters:
    ///   - weight: the cost of one value, in steps of a formula.
    ///   - work: the budget for the whole curve, of which this may be a part.
    ///   - spacing: the largest distance between places where the function is looked at.
    /// - Throws: ``CurveError`` when the function isn't finite everywhere, changes too wildly, or takes too
    ///   long to integrate.
    init(
        of function: (Double) -> Double, _ meaning: IntegrandMeaning, breakpoints: [Double],
        weight: Int, work: IntegrationWork, spacing: Double = 1
    ) throws(CurveError) {
        let pieces = try Self.cutAtTurns { turns throws(CurveError) in
            try PolynomialFit(
                of: function, meaning, breakpoints: breakpoints + turns, weight: weight, work: work,
                spacing: spacing
            ).pieces
        }
        self.init(pieces, sums: pieces.sums)
    }

    /// Tabulates a formula of one variable that is s or its integral. The error bound of F is proved.
    ///
    /// - Parameter work: the budget for the whole curve, of which this may be a part.
    /// - Throws: ``CurveError`` when the formula can't be shown to be finite everywhere, or its integral can't be
    ///   enclosed within 1e-9.
    init(
        of formula: Formula, _ meaning: IntegrandMeaning, work: IntegrationWork
    ) throws(CurveError) {
        let pieces = try Self.cutAtTurns { turns throws(CurveError) in
            try CertifiedIntegral(of: formula, meaning, cuts: turns, work: work).pieces
        }
        self.init(pieces, sums: pieces.sums)
    }

    private init(_ pieces: PolynomialPieces, sums: [Double]) {
        self.init(
            edges: pieces.edges, sums: sums, coefficients: pieces.coefficients,
            errorBound: pieces.error + 1e-15, scaleRange: pieces.range,
            breakpoints: pieces.breakpoints)
    }

    init(
        edges: [Double], sums: [Double], coefficients: [Double], errorBound: Double,
        scaleRange: ClosedRange<Double>?, breakpoints: [Double]
    ) {
        self.edges = edges
        self.sums = sums
        self.coefficients = coefficients
        self.errorBound = errorBound
        self.scaleRange = scaleRange
        self.breakpoints = breakpoints
    }

    /// Integrates a function, and once more with cuts where it turns. F changes direction where s changes sign.
    /// Cut there, every piece is monotonic and can be inverted.
    private static func cutAtTurns(
        _ integrate: ([Double]) throws(CurveError) -> PolynomialPieces
    ) throws(CurveError) -> PolynomialPieces {
        let pieces = try integrate([])
        let turns = pieces.turns
        return Set(turns).isSubset(of: pieces.edges) ? pieces : try integrate(turns)
    }

    /// F(u) for u in [0,1]. O(log n).
    public func integral(to u: Double) -> Double {
        let piece = edges.piece(containing: u)
        return sums[piece] + polynomial(piece, coordinate(of: u, in: piece)).value
    }

    /// s(u) as the derivative of the table's polynomials. O(log n).
    func value(at u: Double) -> Double {
        let piece = edges.piece(containing: u)
        return polynomial(piece, coordinate(of: u, in: piece)).slope / halfWidth(of: piece)
    }

    /// The u in [0,1] with F(u) = f, if F never falls; 0 for an f below the values of F, and 1 for an f
    /// above them. O(log n).
    public func inverse(of f: Double) -> Double {
        let piece = sums.piece(containing: f)
        return place(of: solve(piece, for: f - sums[piece], from: 0), in: piece)
    }

    @inline(__always)
    func halfWidth(of piece: Int) -> Double {
        (edges[piece + 1] - edges[piece]) / 2
    }

    /// The coordinate z of u in a piece, clamped: −1 at the piece's start, 1 at its end.
    func coordinate(of u: Double, in piece: Int) -> Double {
        min(max((u - edges[piece]) / halfWidth(of: piece) - 1, -1), 1)
    }

    /// The u at coordinate z of a piece.
    @inline(__always)
    func place(of z: Double, in piece: Int) -> Double {
        edges[piece] + (z + 1) * halfWidth(of: piece)
    }

    /// F − F(edge) and its derivative with respect to z.
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

    /// An upper bound of s between two places of a piece, from the polynomial's derivatives in the middle. NaN when a
    /// derivative overflows.
    func largestScale(_ piece: Int, from low: Double, to high: Double) -> Double {
        let (start, end) = (coordinate(of: low, in: piece), coordinate(of: high, in: piece))
        let (middle, reach) = ((start + end) / 2, (end - start) / 2)
        let base = piece * Self.terms
        var terms = (1..<Self.terms).map { coefficients[base + $0] * Double($0) }
        // Repeated Horner's rule (a Taylor shift): the coefficients around the middle.
        for first in 0..<(terms.count - 1) {
            for term in (first..<(terms.count - 1)).reversed() {
                terms[term] += middle * terms[term + 1]
            }
        }
        let spread = terms.dropFirst().reversed().reduce(0) { ($0 + abs($1)) * reach }
        return (terms[0] + spread) / halfWidth(of: piece)
    }

    /// The z with F − F(edge) = `gain`, by Newton's method inside a bracket. F must be monotonic on the piece.
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
    /// The index of the piece between sorted edges that contains `value`; the first or the last piece when
    /// `value` lies outside of all. O(log n).
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
