import TimeMaps

/// All numbers from `low` to `high`, and perhaps NaN: the possible values of a formula.
struct PossibleValues: Hashable {
    var low: Double
    var high: Double
    var mayBeNaN = false

    static let anything = PossibleValues(low: -.infinity, high: .infinity, mayBeNaN: true)
    static let anyFinite = PossibleValues(low: -.infinity, high: .infinity)
    static let truth = PossibleValues(low: 0, high: 1)

    init(low: Double, high: Double, mayBeNaN: Bool = false) {
        self.low = low
        self.high = high
        self.mayBeNaN = mayBeNaN
    }

    init(_ number: Double) {
        self.init(low: number, high: number)
        if number.isNaN {
            self = .anything
        }
    }

    /// The number, if the interval contains only one.
    var point: Double? { low == high && !mayBeNaN ? low : nil }
    var isBounded: Bool { low.isFinite && high.isFinite }
    /// Whether one of its numbers counts as true in a condition.
    var mayHold: Bool { low < 0 || high > 0 }

    func joined(_ other: PossibleValues) -> PossibleValues {
        PossibleValues(
            low: Swift.min(low, other.low), high: Swift.max(high, other.high),
            mayBeNaN: mayBeNaN || other.mayBeNaN)
    }

    /// The smallest interval that contains the corners. A corner that is NaN, such as 0·∞, counts as 0.
    private static func spanning(_ corners: [Double], mayBeNaN: Bool) -> PossibleValues {
        let numbers = corners.map { $0.isNaN ? 0 : $0 }
        return PossibleValues(
            low: numbers.min() ?? 0, high: numbers.max() ?? 0,
            mayBeNaN: mayBeNaN || corners.contains(where: \.isNaN))
    }

    /// The possible results of an operator. Rounding is monotonic, so the extremes of sums, products and
    /// quotients are found at the ends of the operands.
    static func applying(_ symbol: FormulaOperator, _ a: PossibleValues, _ b: PossibleValues)
        -> PossibleValues
    {
        if let x = a.point, let y = b.point {
            return PossibleValues(symbol.apply(x, y))
        }
        let mayBeNaN = a.mayBeNaN || b.mayBeNaN
        switch symbol {
        case .add, .subtract:
            let other = symbol == .add ? b : -b
            guard a.isBounded || b.isBounded else {
                return .anything
            }
            return PossibleValues(
                low: a.low + other.low, high: a.high + other.high, mayBeNaN: mayBeNaN)
        case .multiply:
            let corners = [a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high]
            let meetsInfinity =
                (!a.isBounded && b.low <= 0 && b.high >= 0)
                || (!b.isBounded && a.low <= 0 && a.high >= 0)
            return spanning(corners, mayBeNaN: mayBeNaN || meetsInfinity)
        case .divide:
            guard b.low > 0 || b.high < 0, a.isBounded || b.isBounded else {
                return .anything
            }
            let corners = [a.low / b.low, a.low / b.high, a.high / b.low, a.high / b.high]
            return spanning(corners, mayBeNaN: mayBeNaN)
        case .power: return .anything
        case .less, .lessOrEqual, .greater, .greaterOrEqual, .equal, .unequal:
            return comparing(symbol, a, b)
        }
    }

    static prefix func - (a: PossibleValues) -> PossibleValues {
        PossibleValues(low: -a.high, high: -a.low, mayBeNaN: a.mayBeNaN)
    }

    private static func comparing(
        _ symbol: FormulaOperator, _ a: PossibleValues, _ b: PossibleValues
    ) -> PossibleValues {
        let no = PossibleValues(0)
        let yes = a.mayBeNaN || b.mayBeNaN ? truth : PossibleValues(1)
        switch symbol {
        case .less: return a.high < b.low ? yes : a.low >= b.high ? no : truth
        case .lessOrEqual: return a.high <= b.low ? yes : a.low > b.high ? no : truth
        case .greater: return comparing(.less, b, a)
        case .greaterOrEqual: return comparing(.lessOrEqual, b, a)
        case .equal: return a.high < b.low || b.high < a.low ? no : truth
        // NaN is unequal to everything.
        case .unequal: return a.high < b.low || b.high < a.low ? PossibleValues(1) : truth
        default: return .anything
        }
    }

    static func selecting(_ condition: PossibleValues, _ a: PossibleValues, _ b: PossibleValues)
        -> PossibleValues
    {
        let mayBeZero = condition.low <= 0 && condition.high >= 0
        let mayBeOther = condition.mayHold || condition.mayBeNaN
        guard mayBeZero else {
            return a
        }
        return mayBeOther ? a.joined(b) : b
    }

    static func applying(_ function: FormulaFunction, _ arguments: [PossibleValues])
        -> PossibleValues
    {
        let points = arguments.compactMap(\.point)
        if points.count == arguments.count {
            return PossibleValues(
                function.apply(
                    points[0], points.count > 1 ? points[1] : 0, points.count > 2 ? points[2] : 0))
        }
        let a = arguments[0]
        switch function {
        case .abs:
            let least = a.low <= 0 && a.high >= 0 ? 0 : Swift.min(abs(a.low), abs(a.high))
            return PossibleValues(
                low: least, high: Swift.max(abs(a.low), abs(a.high)), mayBeNaN: a.mayBeNaN)
        case .floor:
            return PossibleValues(
                low: a.low.rounded(.down), high: a.high.rounded(.down), mayBeNaN: a.mayBeNaN)
        case .ceil:
            return PossibleValues(
                low: a.low.rounded(.up), high: a.high.rounded(.up), mayBeNaN: a.mayBeNaN)
        case .sqrt where a.low >= 0:
            return PossibleValues(
                low: a.low.squareRoot(), high: a.high.squareRoot(), mayBeNaN: a.mayBeNaN)
        case .sin, .cos: return PossibleValues(low: -1, high: 1, mayBeNaN: true)
        case .smoothstep: return PossibleValues(low: 0, high: 1, mayBeNaN: true)
        case .min: return lesser(a, arguments[1])
        case .max: return greater(a, arguments[1])
        case .clamp: return lesser(greater(a, arguments[1]), arguments[2])
        default: return .anything
        }
    }

    private static func lesser(_ a: PossibleValues, _ b: PossibleValues) -> PossibleValues {
        // The smaller of NaN and a number depends on the order of the arguments.
        guard !a.mayBeNaN, !b.mayBeNaN else {
            return a.joined(b)
        }
        return PossibleValues(low: Swift.min(a.low, b.low), high: Swift.min(a.high, b.high))
    }

    private static func greater(_ a: PossibleValues, _ b: PossibleValues) -> PossibleValues {
        guard !a.mayBeNaN, !b.mayBeNaN else {
            return a.joined(b)
        }
        return PossibleValues(low: Swift.max(a.low, b.low), high: Swift.max(a.high, b.high))
    }
}
