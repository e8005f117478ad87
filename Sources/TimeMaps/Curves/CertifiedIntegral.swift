import Foundation

/// The integral of a formula with an error that is proved, not estimated.
///
/// Each piece of [0,1] is enclosed (``Enclosure``): the formula differs from a polynomial by at most e. Pieces are
/// halved until e is small; where a decision such as `t < 0.3` is open, the piece is cut closely around the
/// place where it changes. The integral of the polynomials then differs from that of the formula by at most the sum
/// of e times the pieces' widths.
struct CertifiedIntegral {
    /// The error of a piece that halving should reach, relative to the size of the function or to 1.
    private static let closeness = 1e-12
    /// A piece whose error times width is at most this is accepted. 2¹⁸ such pieces add up to 2.6e-10.
    private static let negligible = 1e-15
    /// If all pieces have this error, so has the integral. A larger one is accepted only where halving no longer helps,
    /// because of rounding errors.
    private static let goodEnough = 2e-10
    /// Pieces this narrow are not cut any more.
    private static let narrowest = 0x1p-46
    /// The cost of enclosing one step of a formula, in steps that compute a number.
    private static let stepsPerEnclosure = 50

    private struct Part {
        let low: Double
        let high: Double
        /// The error of the part that this one was cut from.
        let error: Double

        var width: Double { high - low }
    }

    private let formula: Formula
    private let meaning: IntegrandMeaning
    private(set) var pieces = PolynomialPieces()
    private var bounds = ScaleBounds()
    /// How far the value at 0, from which an antiderivative counts, may be from the truth.
    private var errorAtStart = 0.0
    /// The parts that still have to be enclosed, the leftmost one last.
    private var waiting: [Part] = []

    /// - Parameters:
    ///   - formula: a formula of one variable.
    ///   - cuts: where pieces have to end.
    ///   - work: the budget that all parts of the curve share.
    init(
        of formula: Formula, _ meaning: IntegrandMeaning, cuts: [Double], work: IntegrationWork
    ) throws(CurveError) {
        self.formula = formula
        self.meaning = meaning
        for end in [0.0, 1.0] {
            try requireFinite(at: end)
        }
        let inner = Set(cuts.filter { $0 > 0 && $0 < 1 }).sorted()
        for (low, high) in zip([0] + inner, inner + [1]).reversed() {
            waiting.append(Part(low: low, high: high, error: .infinity))
        }
        while let part = waiting.popLast() {
            try spend(on: part, work)
            try enclose(part)
        }
        pieces.range = meaning == .scale ? bounds.range : nil
    }

    private func spend(on part: Part, _ work: IntegrationWork) throws(CurveError) {
        do {
            try work.spend(formula.steps.count, values: Self.stepsPerEnclosure, at: part.low)
        } catch {
            guard part.error.isFinite else {
                throw error
            }
            throw CurveError(
                .tooWild, position: part.low, value: part.error,
                "the time scale can't be integrated to 1e-9 in reasonable time: there its value is known only to "
                    + "within \(Self.short(part.error)). Look for a division by 0 or a jump there, or make the "
                    + "curve smoother")
        }
    }

    private mutating func enclose(_ part: Part) throws(CurveError) {
        let (value, open) = formula.enclosed(from: part.low, to: part.high)
        guard isClose(value, part) || part.width <= Self.narrowest else {
            cut(part, value, open)
            return
        }
        try append(value, part)
        if open != nil, part.width <= 2 * Self.narrowest {
            pieces.breakpoints.append(part.low + part.width / 2)
        }
    }

    private func isClose(_ value: Enclosure, _ part: Part) -> Bool {
        guard value.hasPolynomial, value.magnitude.isFinite else {
            return false
        }
        let isGood = value.error <= Self.goodEnough
        let isStuck = value.error > part.error / 4
        let isClose = value.error <= Self.closeness * max(1, value.magnitude)
        let share = meaning == .scale ? value.error * part.width : value.error
        return share <= Self.negligible || (isClose && (isGood || isStuck)) || (isGood && isStuck)
    }

    private mutating func cut(_ part: Part, _ value: Enclosure, _ open: Enclosure?) {
        var ends = [part.low]
        if let place = open?.signChange {
            let half = part.width / 2
            let middle = part.low + (place.z + 1) * half
            let reach = max(place.reach * half, 4 * middle.ulp)
            if reach <= Self.narrowest / 2.5 {
                ends += [middle - reach, middle + reach].filter {
                    $0 > part.low && $0 < part.high
                }
            }
        }
        if ends.count == 1 {
            ends.append(part.low + part.width / 2)
        }
        ends.append(part.high)
        for (low, high) in zip(ends, ends.dropFirst()).reversed() {
            waiting.append(Part(low: low, high: high, error: value.error))
        }
    }

    private mutating func append(_ value: Enclosure, _ part: Part) throws(CurveError) {
        guard value.hasPolynomial, value.range.isFinite else {
            throw try notFinite(from: part.low, to: part.high)
        }
        let polynomial = (0...Enclosure.degree).map { value.terms[$0] }
        // Rounding: integrating a piece and adding it to the sum.
        let rounding = 8 * Double.ulpOfOne * value.magnitude
        switch meaning {
        case .scale:
            pieces.append(integralOf: polynomial, to: part.high)
            pieces.error += (value.error + rounding) * part.width
            pieces.largest = max(pieces.largest, value.magnitude)
            bounds.include(value)
        case .integral:
            pieces.append(
                polynomial, to: part.high, reaching: number(at: part.high) - number(at: 0))
            let error = value.error + rounding
            if part.low == 0 {
                errorAtStart = error + (number(at: 0) - value.terms.value(at: -1)).magnitude
            }
            // The sums are plain values of the formula, each with an evaluation error of its own.
            let gaps = [(part.low, -1.0), (part.high, 1)].map { place, z in
                (number(at: place) - value.terms.value(at: z)).magnitude
            }
            pieces.error = max(pieces.error, error + max(gaps[0], gaps[1]) + errorAtStart)
            pieces.largest = max(pieces.largest, value.magnitude / part.width)
        }
        guard pieces.edges.count <= PolynomialPieces.mostPieces else {
            throw CurveError(
                .tooWild, position: part.low,
                "the time scale changes too wildly to be integrated; smooth it there")
        }
        guard pieces.error <= PolynomialPieces.largestError else {
            throw CurveError(
                .tooWild, position: part.low, value: pieces.error,
                "the integral of the time scale is known only to within \(Self.short(pieces.error)) of the "
                    + "clip's duration from there on, and 1e-9 is needed. Make the curve smoother there, "
                    + "and avoid differences of large numbers")
        }
    }

    /// A number with two significant digits, rounded up.
    private static func short(_ number: Double) -> String {
        guard number.isFinite, number > 0 else {
            return "\(number)"
        }
        let exponent = Int(log10(number).rounded(.down))
        return "\((number / pow(10, Double(exponent - 1))).rounded(.up) / 10)e\(exponent)"
    }

    private func number(at u: Double) -> Double {
        formula(u)
    }

    private func requireFinite(at u: Double) throws(CurveError) {
        let value = number(at: u)
        guard value.isFinite else {
            throw CurveError(
                .notFinite, position: u, value: value,
                "the time scale is \(value) there; it must be a finite number all along")
        }
    }

    /// The error for a piece on which nothing can be proved.
    private func notFinite(from low: Double, to high: Double) throws(CurveError) -> CurveError {
        for place in [low, low + (high - low) / 2, high] {
            try requireFinite(at: place)
        }
        return CurveError(
            .notFinite, position: low,
            "the time scale may be infinite or undefined there: the formula may divide by 0, or take the root or "
                + "the logarithm of a negative number. Limit that expression, for example with max(…, 0.01)"
        )
    }
}

extension Enclosure {
    /// Where the function changes its sign, if its polynomial does so once: the coordinate z and how far off it may
    /// be.
    fileprivate var signChange: (z: Double, reach: Double)? {
        let rises = terms.value(at: 1) > 0
        guard rises != (terms.value(at: -1) > 0) else {
            return nil
        }
        var (low, high) = (-1.0, 1.0)
        for _ in 0..<60 {
            let middle = (low + high) / 2
            (low, high) = (terms.value(at: middle) > 0) == rises ? (low, middle) : (middle, high)
        }
        let root = (low + high) / 2
        var (slope, power) = (0.0, 1.0)
        for index in 1...Self.degree {
            slope += Double(index) * terms[index] * power
            power *= root
        }
        return (root, 2 * error / slope.magnitude + .ulpOfOne)
    }
}
