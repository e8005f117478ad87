import Foundation

/// A function on [0,1] approximated by polynomials, one on each piece of the interval, and their integrals.
struct PolynomialFit {
    /// The degree of the polynomials that interpolate the function.
    static let degree = 8
    /// The largest error of a piece: of the function relative to its size, or of the integral.
    private static let closeness = 1e-13
    /// Pieces this narrow are not halved any more, so that a jump ends the search.
    private static let narrowest = 0x1p-46

    private(set) var pieces = PolynomialPieces()

    /// - Parameters:
    ///   - weight: the cost of one value, in steps of a formula.
    ///   - work: the budget that all fits of the curve share.
    ///   - spacing: the largest distance between places where the fit is compared with the function.
    init(
        of function: (Double) -> Double, _ meaning: IntegrandMeaning = .scale,
        breakpoints: [Double],
        weight: Int, work: IntegrationWork, spacing: Double = 1
    ) throws(CurveError) {
        let inner = Set(breakpoints.filter { $0 > 0 && $0 < 1 }).sorted()
        var waiting = Array(zip([0] + inner, inner + [1]).reversed())
        for end in [0.0, 1.0] {
            try Self.requireFinite(function(end), at: end)
        }
        while let (low, high) = waiting.popLast() {
            let width = high - low
            try work.spend(
                Self.nodes.count + Self.probes.count, values: weight, at: low)
            let values = try Self.sample(function, low, width)
            let coefficients = Self.interpolate(values)
            let scan = spacing < 1 ? Int((width / spacing).rounded(.up)) : 0
            try work.spend(scan, values: weight, at: low)
            let miss = try Self.largestMiss(
                of: coefficients, function, low, width,
                Self.probes + (0..<scan).map { (2 * Double($0) + 1) / Double(scan) - 1 })
            let size = values.reduce(1) { max($0, abs($1)) }
            let reach = meaning == .scale ? width : 1
            let isClose = miss <= Self.closeness * size || miss * reach <= Self.closeness
            guard isClose || width <= Self.narrowest else {
                waiting.append((low + width / 2, high))
                waiting.append((low, low + width / 2))
                continue
            }
            switch meaning {
            case .scale:
                pieces.append(integralOf: coefficients, to: high)
            case .integral:
                pieces.append(coefficients, to: high, reaching: function(high) - function(0))
            }
            pieces.largest = max(pieces.largest, meaning == .scale ? size : size / width)
            pieces.error =
                meaning == .scale ? pieces.error + miss * width : max(pieces.error, miss)
            guard pieces.edges.count <= PolynomialPieces.mostPieces,
                pieces.error <= PolynomialPieces.largestError
            else {
                throw CurveError(
                    .tooWild, position: low,
                    "the time scale changes too wildly to be integrated; smooth it there")
            }
        }
    }

    private static func requireFinite(_ value: Double, at u: Double) throws(CurveError) {
        guard value.isFinite else {
            throw CurveError(
                .notFinite, position: u, value: value,
                "the time scale is \(value) there; it must be a finite number all along")
        }
    }

    private static func sample(
        _ function: (Double) -> Double, _ low: Double, _ width: Double
    ) throws(CurveError) -> [Double] {
        var values: [Double] = []
        values.reserveCapacity(nodes.count)
        for node in nodes {
            let u = low + (node + 1) / 2 * width
            let value = function(u)
            try requireFinite(value, at: u)
            values.append(value)
        }
        return values
    }

    private static func largestMiss(
        of polynomial: [Double], _ function: (Double) -> Double, _ low: Double, _ width: Double,
        _ probes: [Double]
    ) throws(CurveError) -> Double {
        var miss = 0.0
        for z in probes {
            let u = low + (z + 1) / 2 * width
            let value = function(u)
            try requireFinite(value, at: u)
            miss = max(miss, abs(PolynomialPieces.value(of: polynomial, at: z) - value))
        }
        return miss
    }

    /// Chebyshev nodes. They lie inside the piece, so the function is never evaluated at a jump on its edge.
    private static let nodes: [Double] = (0...degree).map { index in
        let angle = Double(2 * index + 1) * Double.pi / Double(2 * degree + 2)
        return -cos(angle)
    }

    /// Where the error is measured: between the nodes, and close to both edges.
    private static let probes: [Double] =
        [-0.998] + zip(nodes, nodes.dropFirst()).map { ($0 + $1) / 2 } + [0.998]

    /// The coefficients of z⁰ … z⁸ of the polynomial through values at the nodes.
    private static func interpolate(_ values: [Double]) -> [Double] {
        // A constant stays exact, so that integrals of whole numbers remain whole numbers.
        guard values.contains(where: { $0 != values[0] }) else {
            return [values[0]] + Array(repeating: 0, count: degree)
        }
        return inverse.map { row in zip(row, values).reduce(0) { $0 + $1.0 * $1.1 } }
    }

    /// The inverse of the Vandermonde matrix of the nodes, computed once by Gauss-Jordan elimination.
    private static let inverse: [[Double]] = {
        let size = degree + 1
        var rows = nodes.enumerated().map { index, node in
            (0..<size).map { pow(node, Double($0)) } + (0..<size).map { $0 == index ? 1.0 : 0 }
        }
        for column in 0..<size {
            let pivot = (column..<size).max { abs(rows[$0][column]) < abs(rows[$1][column]) }!
            rows.swapAt(column, pivot)
            let scale = rows[column][column]
            rows[column] = rows[column].map { $0 / scale }
            for row in 0..<size where row != column {
                let factor = rows[row][column]
                rows[row] = zip(rows[row], rows[column]).map { $0 - factor * $1 }
            }
        }
        return rows.map { Array($0[size...]) }
    }()
}

/// What a function that is tabulated stands for.
enum IntegrandMeaning {
    /// The time scale s itself.
    case scale
    /// The integral of s: the polynomials approximate it, and s is their derivative.
    case integral
}
