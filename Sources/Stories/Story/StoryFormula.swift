import TimeMaps

/// A formula over a story's variables as a postfix list, as the built manifest has it.
///
/// It is run on a stack of numbers, step by step, and is never executed as code. `courage + 1` is
/// `[{"v": "courage"}, 1, "+"]` in JSON.
public struct StoryFormula: Hashable, Sendable {
    enum Step: Hashable, Sendable {
        case number(Double)
        case variable(String)
        case negate
        case binary(FormulaOperator)
        case call(FormulaFunction)
        case select

        /// What the step adds to the stack's height.
        var growth: Int {
            switch self {
            case .number, .variable: 1
            case .negate: 0
            case .binary: -1
            case .call(let function): 1 - function.arity
            case .select: -2
            }
        }

        /// How many numbers it takes off the stack.
        var operands: Int {
            switch self {
            case .number, .variable: 0
            default: 1 - growth
            }
        }
    }

    /// The most steps that are read from a manifest; more than the longest text gives.
    public static let mostSteps = Formula.longestText

    let steps: [Step]

    /// - Parameter variables: the names that the formula was read with, in that order.
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

    /// Nil where the list takes more off the stack than lies there, or leaves more than one number.
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

    /// The names of the variables that it reads, each once, in the order of their first use.
    public var variables: [String] {
        var names: [String] = []
        for case .variable(let name) in steps where !names.contains(name) {
            names.append(name)
        }
        return names
    }

    /// The value; a variable that isn't given is NaN. O(n) steps.
    public func value(_ variables: [String: Double]) -> Double {
        var stack: [Double] = []
        for step in steps {
            Self.run(step, &stack, variables)
        }
        return stack[0]
    }

    /// Whether it holds as a condition: where its value isn't 0. NaN doesn't hold.
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

    public init(from decoder: any Decoder) throws {
        var list = try decoder.unkeyedContainer()
        var steps: [Step] = []
        while !list.isAtEnd {
            guard steps.count < Self.mostSteps else {
                throw DecodingError.dataCorruptedError(
                    in: list, debugDescription: "a formula has \(Self.mostSteps) steps at most")
            }
            steps.append(try Self.step(from: &list))
        }
        guard let formula = StoryFormula(steps: steps) else {
            throw DecodingError.dataCorruptedError(
                in: list, debugDescription: "the postfix list doesn't leave one number")
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
