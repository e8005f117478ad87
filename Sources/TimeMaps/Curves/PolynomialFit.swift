import Foundation

/// A function on [0,1] approximated by polynomials, one on each piece of the interval, and their integrals.
struct PolynomialFit {
    /// The degree of the polynomials that interpolate the function.
    static let degree = 8
    /// The largest error of a piece: of the function relative to its size, or of the integral.
    private static let closeness = 1e-13
    /// The largest error of the integral over all pieces together.
    private static let largestError = 1e-9
    /// Pieces this narrow are not halved any more, so that a jump ends the search.
    private static let narrowest = 0x1p-46
    private static let mostPieces = 1 << 18

    private(set) var edges: [Double] = [0]
    /// For each piece, the coefficients of z⁰ … z⁹ of the integral from the piece's start, with z from −1 to
    /// 1 across the piece.
    private(set) var coefficients: [Double] = []
    private(set) var sums: [Double] = [0]
    /// The estimated error of the integral.
    private(set) var error = 0.0
    /// The rounding error of the last sum, which the next one makes up for (Kahan summation).
    private var lost = 0.0
    private var largest = 0.0

    /// What the fitted function stands for.
    enum Meaning {
        /// The time scale s itself.
        case scale
        /// The integral of s: the polynomials interpolate it, and s is their derivative.
        case integral
    }

    /// - Parameters:
    ///   - weight: the cost of one value, in steps of a formula.
    ///   - work: the budget that all fits of the curve share.
    init(
        of function: (Double) -> Double, _ meaning: Meaning = .scale, breakpoints: [Double],
        weight: Int, work: IntegrationWork
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
            let miss = try Self.largestMiss(of: coefficients, function, low, width)
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
                append(integralOf: coefficients, to: high, width: width)
            case .integral:
                append(coefficients, to: high, reaching: function(high) - function(0))
            }
            largest = max(largest, meaning == .scale ? size : size / width)
            error = meaning == .scale ? error + miss * width : max(error, miss)
            guard edges.count <= Self.mostPieces, error <= Self.largestError else {
                throw CurveError(
                    .tooWild, position: low,
                    "the time scale changes too wildly to be integrated; smooth it there")
            }
        }
    }

    private mutating func append(
        integralOf polynomial: [Double], to high: Double, width: Double
    ) {
        var integral = [0.0] + polynomial.enumerated().map { $1 * width / 2 / Double($0 + 1) }
        integral[0] = -Self.evaluate(integral, -1)
        coefficients += integral
        edges.append(high)
        let gain = Self.evaluate(integral, 1) - lost
        let sum = sums[sums.count - 1] + gain
        lost = (sum - sums[sums.count - 1]) - gain
        sums.append(sum)
    }

    private mutating func append(_ polynomial: [Double], to high: Double, reaching sum: Double) {
        var integral = polynomial + [0]
        integral[0] -= Self.evaluate(integral, -1)
        coefficients += integral
        edges.append(high)
        sums.append(sum)
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
        of polynomial: [Double], _ function: (Double) -> Double, _ low: Double, _ width: Double
    ) throws(CurveError) -> Double {
        var miss = 0.0
        for z in probes {
            let u = low + (z + 1) / 2 * width
            let value = function(u)
            try requireFinite(value, at: u)
            miss = max(miss, abs(evaluate(polynomial, z) - value))
        }
        return miss
    }

    private static func evaluate(_ polynomial: [Double], _ z: Double) -> Double {
        polynomial.reversed().reduce(0) { $0 * z + $1 }
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

    /// Where the function changes its sign by more than rounding errors.
    var turns: [Double] {
        (0..<(edges.count - 1)).flatMap { turns(inPiece: $0) }
    }

    private func turns(inPiece piece: Int) -> [Double] {
        let width = edges[piece + 1] - edges[piece]
        let base = piece * (Self.degree + 2)
        let slope = (1...Self.degree + 1).map { coefficients[base + $0] * Double($0) * 2 / width }
        let noise = largest * 1e-11
        var found: [Double] = []
        // Nil for a slightly negative value, whose sign may come from rounding; the next value decides.
        func isRising(_ z: Double) -> Bool? {
            let value = Self.evaluate(slope, z)
            return value >= 0 ? true : value < -noise ? false : nil
        }
        var last: (z: Double, isRising: Bool)?
        for step in 0...32 {
            let z = Double(step) / 16 - 1
            guard let isRising = isRising(z) else {
                continue
            }
            if let last, last.isRising != isRising {
                let root = root(of: slope, from: last.z, to: z)
                found.append(edges[piece] + width * (root + 1) / 2)
            }
            last = (z, isRising)
        }
        return found
    }

    private func root(of polynomial: [Double], from start: Double, to end: Double) -> Double {
        var (low, high) = (start, end)
        let startsPositive = Self.evaluate(polynomial, low) >= 0
        for _ in 0..<60 {
            let middle = (low + high) / 2
            if (Self.evaluate(polynomial, middle) >= 0) == startsPositive {
                low = middle
            } else {
                high = middle
            }
        }
        return (low + high) / 2
    }
}
