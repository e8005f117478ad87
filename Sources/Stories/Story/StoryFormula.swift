import TimeMaps

/// A formula over a story's variables as a list of steps in postfix order, as in the built manifest.
///
/// It is interpreted step by step with a stack of numbers, and never executed as code. `courage + 1` is `[{"v":
/// "courage"}, 1, "+"]` in JSON.
public struct StoryFormula: Hashable, Sendable {
    enum Step: Hashable, Sendable {
        case number(Double)
        case variable(String)
        case negate
        case binary(FormulaOperator)
        case call(FormulaFunction)
        case select

        /// By how much the step changes the height of the stack.
        var growth: Int {
            switch self {
            case .number, .variable: 1
            case .negate: 0
            case .binary: -1
            case .call(let function): 1 - function.arity
            case .select: -2
            }
        }

        /// How many numbers the step takes off the stack.
        var operands: Int {
            switch self {
            case .number, .variable: 0
            default: 1 - growth
            }
        }
    }

    /// The largest number of steps that is read from a manifest; no valid formula text has more.
    public static let mostSteps = Formula.longestText

    let steps: [Step]

    /// - Parameter variables: the names with which the formula was compiled, in the same order.
    init(_ formula: Formula, variables: [String]) {
        steps = formula.steps.map { step in
            switch step {
            case .number(let number): .number(number)
            case .variable(let index): .variable(variables[index])
            case .negate: .negate
            case .binary(let symbol): .binary(symbol)
            case .call(let function): .call(function)
            case .select: .select
            }
        }
    }

    /// Nil if the list takes more numbers off the stack than there are, doesn't leave exactly one number, or is
    /// too long.
    init?(steps: [Step]) {
        var height = 0
        for step in steps {
            guard height >= step.operands else {
                return nil
            }
            height += step.growth
        }
        guard height == 1, steps.count <= Self.mostSteps else {
            return nil
        }
        self.steps = steps
    }

    /// The names of the variables that the formula reads, each once, in the order of first use.
    public var variables: [String] {
        var names: [String] = []
        for case .variable(let name) in steps where !names.contains(name) {
            names.append(name)
        }
        return names
    }

    /// The value of the formula; a variable that isn't given is NaN. O(n) in the number of steps.
    public func value(_ variables: [String: Double]) -> Double {
        var stack: [Double] = []
        for step in steps {
            Self.run(step, &stack, variables)
        }
        return stack[0]
    }

    /// Whether the formula is true as a condition: its value isn't 0 and isn't NaN.
    public func holds(_ variables: [String: Double]) -> Bool {
        let value = value(variables)
        return value != 0 && !value.isNaN
    }

    static func run(
        _ step: Step, _ stack: inout [Double], _ variables: [String: Double]
    ) {
        switch step {
        case .number(let number):
            stack.append(number)
        case .variable(let name):
            stack.append(variables[name] ?? .nan)
        case .negate:
            stack[stack.count - 1].negate()
        case .binary(let symbol):
            let right = stack.removeLast()
            stack[stack.count - 1] = symbol.apply(stack[stack.count - 1], right)
        case .call(let function):
            let arguments = stack.suffix(function.arity)
            let first = arguments.startIndex
            let result = function.apply(
                arguments[first], function.arity > 1 ? arguments[first + 1] : 0,
                function.arity > 2 ? arguments[first + 2] : 0)
            stack.removeLast(function.arity)
            stack.append(result)
        case .select:
            let otherwise = stack.removeLast()
            let chosen = stack.removeLast()
            let condition = stack.removeLast()
            stack.append(condition != 0 ? chosen : otherwise)
        }
    }
}

extension StoryFormula: Codable {
    private struct Variable: Codable {
        let v: String
    }

    /// Decodes a postfix list such as `[{"v": "courage"}, 1, "+"]`.
    ///
    /// - Throws: `DecodingError` for an unknown function, for more than ``mostSteps`` steps, and for a list
    ///   that doesn't give exactly one number.
    public init(from decoder: any Decoder) throws {
        var list = try decoder.unkeyedContainer()
        var steps: [Step] = []
        while !list.isAtEnd {
            guard steps.count < Self.mostSteps else {
                throw DecodingError.dataCorruptedError(
                    in: list,
                    debugDescription: "a formula may have at most \(Self.mostSteps) steps")
            }
            steps.append(try Self.step(from: &list))
        }
        guard let formula = StoryFormula(steps: steps) else {
            throw DecodingError.dataCorruptedError(
                in: list, debugDescription: "the postfix list doesn't give exactly one number")
        }
        self = formula
    }

    private static func step(from list: inout any UnkeyedDecodingContainer) throws -> Step {
        if let number = try? list.decode(Double.self) {
            return .number(number)
        }
        if let variable = try? list.decode(Variable.self) {
            return .variable(variable.v)
        }
        let word = try list.decode(String.self)
        switch word {
        case "neg": return .negate
        case "?:": return .select
        default: break
        }
        if let symbol = FormulaOperator(rawValue: word) {
            return .binary(symbol)
        }
        guard let function = FormulaFunction(rawValue: word) else {
            throw DecodingError.dataCorruptedError(
                in: list, debugDescription: "there is no operator or function \"\(word)\"")
        }
        return .call(function)
    }

    /// Encodes a postfix list.
    public func encode(to encoder: any Encoder) throws {
        var list = encoder.unkeyedContainer()
        for step in steps {
            switch step {
            case .number(let number): try list.encode(number)
            case .variable(let name): try list.encode(Variable(v: name))
            case .negate: try list.encode("neg")
            case .binary(let symbol): try list.encode(symbol.rawValue)
            case .call(let function): try list.encode(function.rawValue)
            case .select: try list.encode("?:")
            }
        }
    }
}
