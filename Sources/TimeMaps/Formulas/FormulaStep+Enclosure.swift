import Foundation

/// The enclosures on the stack of a formula, and the first decision among its steps that is open on the piece.
struct EnclosureStack {
    var values: [Enclosure] = []
    /// A function whose sign or zeros decide the first open step: `a − b` for `a < b`, `x` for `abs(x)`, the
    /// distance from the nearest whole number for `floor`. Nil if every step is decided.
    private(set) var open: Enclosure?

    mutating func note(_ difference: Enclosure) {
        guard open == nil, difference.hasPolynomial else {
            return
        }
        open = difference
    }

    mutating func pop() -> Enclosure {
        values.removeLast()
    }
}

extension Formula {
    /// Encloses the formula of one variable on the piece from `low` to `high`. O(n) steps, each about a
    /// microsecond.
    func enclosed(
        from low: Double, to high: Double
    ) -> (value: Enclosure, open: Enclosure?) {
        var stack = EnclosureStack()
        let place = Enclosure(placeFrom: low, to: high)
        for step in steps {
            step.run(on: &stack, at: place)
        }
        return (stack.values[0], stack.open)
    }
}

extension FormulaStep {
    /// Does with enclosures what ``run(_:_:_:)`` does with numbers.
    fileprivate func run(on stack: inout EnclosureStack, at place: Enclosure) {
        switch self {
        case .number(let number):
            stack.values.append(Enclosure(number))
        case .variable:
            stack.values.append(place)
        case .negate:
            stack.values.append(-stack.pop())
        case .binary(let symbol):
            let (b, a) = (stack.pop(), stack.pop())
            stack.values.append(symbol.enclosed(a, b, &stack))
        case .call(let function):
            let c = function.arity > 2 ? stack.pop() : Enclosure(0)
            let b = function.arity > 1 ? stack.pop() : Enclosure(0)
            let a = stack.pop()
            stack.values.append(function.enclosed(a, b, c, &stack))
        case .select:
            let (no, yes, condition) = (stack.pop(), stack.pop(), stack.pop())
            switch condition.isZero {
            case true: stack.values.append(no)
            case false: stack.values.append(yes)
            default:
                stack.note(condition)
                stack.values.append(Enclosure(yes.range.hull(no.range)))
            }
        }
    }
}

extension Enclosure {
    /// Whether the function is 0 on the whole piece, or nowhere; nil if that is open.
    fileprivate var isZero: Bool? {
        guard range.isDefined else {
            return nil
        }
        return range.contains(0) ? range.isPoint ? true : nil : false
    }

    /// Whether the function is at least 0 on the whole piece (true), or at most 0 (false); nil if that is open.
    fileprivate var isPositive: Bool? {
        guard range.isDefined else {
            return nil
        }
        return range.low >= 0 ? true : range.high <= 0 ? false : nil
    }
}

extension FormulaOperator {
    fileprivate func enclosed(
        _ a: Enclosure, _ b: Enclosure, _ stack: inout EnclosureStack
    ) -> Enclosure {
        switch self {
        case .add: return a + b
        case .subtract: return a - b
        case .multiply: return a * b
        case .divide: return a / b
        case .power: return a.raised(to: b)
        case .less, .lessOrEqual, .greater, .greaterOrEqual, .equal, .unequal:
            break
        }
        let difference = a - b
        let (low, high) = (difference.range.low, difference.range.high)
        let holds: Bool? =
            !difference.range.isDefined
            ? nil
            : low == high
                ? apply(low, 0) == 1
                : low > 0 ? apply(1, 0) == 1 : high < 0 ? apply(-1, 0) == 1 : touching(low, high)
        guard let holds else {
            stack.note(difference)
            return Enclosure(Interval(low: 0, high: 1))
        }
        return Enclosure(holds ? 1 : 0)
    }

    /// The comparison of 0 with a difference that touches 0 at one end; nil if it is open.
    private func touching(_ low: Double, _ high: Double) -> Bool? {
        switch self {
        case .greaterOrEqual where low == 0, .lessOrEqual where high == 0: true
        case .less where low == 0, .greater where high == 0: false
        default: nil
        }
    }
}

extension FormulaFunction {
    fileprivate func enclosed(
        _ a: Enclosure, _ b: Enclosure, _ c: Enclosure, _ stack: inout EnclosureStack
    ) -> Enclosure {
        switch self {
        case .sin: a.sine(quarters: 0)
        case .cos: a.sine(quarters: 1)
        case .tan: a.sine(quarters: 0) / a.sine(quarters: 1)
        case .asin: a.arcSine
        case .acos: Enclosure(approximating: .pi / 2) - a.arcSine
        case .atan: a.arcTangent
        case .sqrt: a.squareRoot
        case .exp: a.exponential
        case .log: a.logarithm
        case .log2: a.logarithm * Enclosure(approximating: 1 / Foundation.log(2))
        case .log10: a.logarithm * Enclosure(approximating: 1 / Foundation.log(10))
        case .abs: Self.magnitude(a, &stack)
        case .floor: Self.whole(a, .down, &stack)
        case .ceil: Self.whole(a, .up, &stack)
        case .min: Self.least(a, b, &stack)
        case .max: -Self.least(-a, -b, &stack)
        case .pow: a.raised(to: b)
        case .clamp: Self.least(-Self.least(-a, -b, &stack), c, &stack)
        case .mix: a + (b - a) * c
        case .smoothstep: Self.smooth((c - a) / (b - a), &stack)
        }
    }

    private static func magnitude(_ a: Enclosure, _ stack: inout EnclosureStack) -> Enclosure {
        guard let isPositive = a.isPositive else {
            stack.note(a)
            return Enclosure(
                a.range.isDefined ? Interval(low: 0, high: a.range.magnitude) : .undefined)
        }
        return isPositive ? a : -a
    }

    private static func whole(
        _ a: Enclosure, _ rule: FloatingPointRoundingRule, _ stack: inout EnclosureStack
    ) -> Enclosure {
        let (low, high) = (a.range.low.rounded(rule), a.range.high.rounded(rule))
        guard a.range.isFinite, low == high else {
            stack.note(a - Enclosure(a.range.middle.rounded()))
            return Enclosure(Interval(low: low, high: high, isDefined: a.range.isDefined))
        }
        return Enclosure(low)
    }

    private static func least(
        _ a: Enclosure, _ b: Enclosure, _ stack: inout EnclosureStack
    ) -> Enclosure {
        let difference = a - b
        guard a.range.isDefined, b.range.isDefined else {
            return Enclosure(.undefined)
        }
        // Ends decide as well where one of them is infinite, and the difference is not a number.
        if a.range.high <= b.range.low { return a }
        if b.range.high <= a.range.low { return b }
        guard let isPositive = difference.isPositive else {
            stack.note(difference)
            return Enclosure(
                Interval(
                    low: Swift.min(a.range.low, b.range.low),
                    high: Swift.min(a.range.high, b.range.high)))
        }
        return isPositive ? b : a
    }

    /// 3x² − 2x³ for x in [0,1], 0 before and 1 after.
    private static func smooth(_ x: Enclosure, _ stack: inout EnclosureStack) -> Enclosure {
        let x = least(-least(-x, Enclosure(0), &stack), Enclosure(1), &stack)
        func value(_ x: Double) -> Double { TimeMaps.smoothstep(x) }
        let range =
            x.range.isDefined
            ? Interval.computed(value(x.range.low), value(x.range.high)) : .undefined
        return (x * x * (Enclosure(3) - Enclosure(2) * x)).within(range)
    }
}

extension Enclosure {
    /// The largest whole exponent that is computed by multiplication.
    private static let largestWhole = 1e6

    /// a^b, as C's `pow` defines it.
    fileprivate func raised(to exponent: Enclosure) -> Enclosure {
        guard range.isDefined, exponent.range.isDefined else {
            return Enclosure(.undefined)
        }
        guard exponent.range.isPoint else {
            return generalPower(exponent)
        }
        let number = exponent.range.low
        guard number.rounded() == number, number.magnitude <= Self.largestWhole else {
            return range.low >= 0
                ? power(number, range: range.power(number))
                : generalPower(exponent)
        }
        guard number != 0 else {
            return Enclosure(1)
        }
        let whole = Int(number.magnitude)
        let positive = multiplied(times: whole, range: range.power(whole))
        return number > 0 ? positive : Enclosure(1) / positive
    }

    /// exp(b·log(a)) for a above 0. Near 0, only the range between the corners: the power of a number that isn't
    /// negative rises or falls in each operand.
    private func generalPower(_ exponent: Enclosure) -> Enclosure {
        let (base, power) = (range.snapped(toDomain: 0, .infinity), exponent.range)
        guard base.isDefined, base.isFinite, power.isFinite, base.low > 0 || power.low >= 0 else {
            return Enclosure(range.low >= 0 ? Interval(low: 0, high: .infinity) : .undefined)
        }
        let corners = Interval.computed(
            Foundation.pow(base.low, power.low), Foundation.pow(base.low, power.high),
            Foundation.pow(base.high, power.low), Foundation.pow(base.high, power.high))
        guard base.low > 0 else {
            return Enclosure(corners)
        }
        return (exponent * logarithm).exponential.within(corners)
    }
}

extension Interval {
    /// To the power of a whole number above 0.
    fileprivate func power(_ exponent: Int) -> Interval {
        let (low, high) = (
            Foundation.pow(low, Double(exponent)), Foundation.pow(high, Double(exponent))
        )
        guard isDefined else {
            return .undefined
        }
        var values = Interval.computed(low, high)
        if exponent.isMultiple(of: 2) {
            values.low = contains(0) ? 0 : max(values.low, 0)
        } else if self.low >= 0 {
            values.low = max(values.low, 0)
        }
        if exponent == 1 { values = self }
        return values
    }

    /// To the power of any other number, for numbers that aren't negative.
    fileprivate func power(_ exponent: Double) -> Interval {
        var values = Interval.computed(
            Foundation.pow(low, exponent), Foundation.pow(high, exponent))
        values.low = max(values.low, 0)
        return values
    }
}
