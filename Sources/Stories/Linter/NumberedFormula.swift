import TimeMaps

/// A formula whose variables are replaced by numbers, so that it can be evaluated quickly for many values.
struct NumberedFormula {
    private enum Step {
        case number(Double)
        case variable(Int)
        /// A variable that the story doesn't have.
        case unknown
        case other(StoryFormula.Step)
    }
    private let steps: [Step]
    /// Whether the story has all its variables.
    let isKnown: Bool

    init(_ formula: StoryFormula, _ numbers: [String: Int]) {
        var isKnown = true
        steps = formula.steps.map { step in
            switch step {
            case .number(let number): return .number(number)
            case .variable(let name):
                guard let number = numbers[name] else {
                    isKnown = false
                    return .unknown
                }
                return .variable(number)
            default: return .other(step)
            }
        }
        self.isKnown = isKnown
    }

    /// The value for given values of the variables.
    func value(_ variables: [Double]) -> Double {
        var stack: [Double] = []
        for step in steps {
            switch step {
            case .number(let number): stack.append(number)
            case .variable(let number): stack.append(variables[number])
            case .unknown: stack.append(.nan)
            case .other(let step): StoryFormula.run(step, &stack, [:])
            }
        }
        return stack[0]
    }

    /// The possible values if each variable may lie anywhere in its interval.
    func value(_ variables: [PossibleValues]) -> PossibleValues {
        var stack: [PossibleValues] = []
        for step in steps {
            switch step {
            case .number(let number): stack.append(PossibleValues(number))
            case .variable(let number): stack.append(variables[number])
            case .unknown: stack.append(.anything)
            case .other(let step): Self.run(step, &stack)
            }
        }
        return stack[0]
    }

    private static func run(_ step: StoryFormula.Step, _ stack: inout [PossibleValues]) {
        let operands = Array(stack.suffix(step.operands))
        stack.removeLast(step.operands)
        switch step {
        case .number, .variable: return
        case .negate: stack.append(-operands[0])
        case .binary(let symbol):
            stack.append(PossibleValues.applying(symbol, operands[0], operands[1]))
        case .call(let function): stack.append(PossibleValues.applying(function, operands))
        case .select:
            stack.append(PossibleValues.selecting(operands[0], operands[1], operands[2]))
        }
    }
}
