import Foundation

/// One step of a formula: it pops its operands off a stack of numbers and pushes its result.
package enum FormulaStep: Sendable {
    /// Pushes a constant.
    case number(Double)
    /// Pushes the variable with this index.
    case variable(Int)
    /// Changes the sign of the top number.
    case negate
    /// Replaces the top two numbers with the result of an operator.
    case binary(FormulaOperator)
    /// Replaces a function's arguments with its value.
    case call(FormulaFunction)
    /// `condition ? a : b`, with the three numbers in this order on the stack.
    case select

    /// By how much the step changes the stack's height.
    package var growth: Int {
        switch self {
        case .number, .variable: 1
        case .negate: 0
        case .binary: -1
        case .call(let function): 1 - function.arity
        case .select: -2
        }
    }

    @inline(__always)
    func run(
        _ stack: UnsafeMutableBufferPointer<Double>, _ top: inout Int,
        _ variables: UnsafeBufferPointer<Double>
    ) {
        switch self {
        case .number(let number):
            top += 1
            stack[top] = number
        case .variable(let index):
            top += 1
            stack[top] = variables[index]
        case .negate:
            stack[top] = -stack[top]
        case .binary(let symbol):
            top -= 1
            stack[top] = symbol.apply(stack[top], stack[top + 1])
        case .call(let function):
            top += growth
            stack[top] = function.apply(
                stack[top], function.arity > 1 ? stack[top + 1] : 0,
                function.arity > 2 ? stack[top + 2] : 0)
        case .select:
            top -= 2
            stack[top] = stack[top] != 0 ? stack[top + 1] : stack[top + 2]
        }
    }
}

/// The binary operators, by their symbols. Comparisons give 1 or 0.
package enum FormulaOperator: String, Sendable {
    case add = "+"
    case subtract = "-"
    case multiply = "*"
    case divide = "/"
    case power = "^"
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case equal = "=="
    case unequal = "!="

    static let comparisons: Set<FormulaOperator> = [
        .less, .lessOrEqual, .greater, .greaterOrEqual, .equal, .unequal,
    ]

    package func apply(_ a: Double, _ b: Double) -> Double {
        switch self {
        case .add: a + b
        case .subtract: a - b
        case .multiply: a * b
        case .divide: a / b
        case .power: pow(a, b)
        case .less: a < b ? 1 : 0
        case .lessOrEqual: a <= b ? 1 : 0
        case .greater: a > b ? 1 : 0
        case .greaterOrEqual: a >= b ? 1 : 0
        case .equal: a == b ? 1 : 0
        case .unequal: a != b ? 1 : 0
        }
    }
}

/// The functions that a formula can call, by their names.
package enum FormulaFunction: String, CaseIterable, Sendable {
    case sin, cos, tan, asin, acos, atan, sqrt, exp, log, log2, log10, abs, floor, ceil
    case min, max, pow
    case clamp, mix, smoothstep

    /// The number of arguments.
    package var arity: Int {
        switch self {
        case .min, .max, .pow: 2
        case .clamp, .mix, .smoothstep: 3
        default: 1
        }
    }

    /// The function's value; arguments beyond ``arity`` are ignored. The order of arguments is clamp(x, low,
    /// high), mix(a, b, share) and smoothstep(low, high, x).
    package func apply(_ a: Double, _ b: Double, _ c: Double) -> Double {
        switch self {
        case .sin: Foundation.sin(a)
        case .cos: Foundation.cos(a)
        case .tan: Foundation.tan(a)
        case .asin: Foundation.asin(a)
        case .acos: Foundation.acos(a)
        case .atan: Foundation.atan(a)
        case .sqrt: a.squareRoot()
        case .exp: Foundation.exp(a)
        case .log: Foundation.log(a)
        case .log2: Foundation.log2(a)
        case .log10: Foundation.log10(a)
        case .abs: a.magnitude
        case .floor: a.rounded(.down)
        case .ceil: a.rounded(.up)
        case .min: Swift.min(a, b)
        case .max: Swift.max(a, b)
        case .pow: Foundation.pow(a, b)
        case .clamp: Swift.min(Swift.max(a, b), c)
        case .mix: a + (b - a) * c
        case .smoothstep: TimeMaps.smoothstep((c - a) / (b - a))
        }
    }
}
