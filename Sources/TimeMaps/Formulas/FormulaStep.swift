import Foundation

/// One step of a formula: takes numbers off a stack and puts one on.
package enum FormulaStep: Sendable {
    case number(Double)
    case variable(Int)
    case negate
    case binary(FormulaOperator)
    case call(FormulaFunction)
    case select

    /// What the step adds to the stack's height.
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

package enum FormulaFunction: String, CaseIterable, Sendable {
    case sin, cos, tan, asin, acos, atan, sqrt, exp, log, log2, log10, abs, floor, ceil
    case min, max, pow
    case clamp, mix, smoothstep

    package var arity: Int {
        switch self {
        case .min, .max, .pow: 2
        case .clamp, .mix, .smoothstep: 3
        default: 1
        }
    }

    /// clamp(x, low, high), mix(a, b, share), smoothstep(low, high, x).
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
