/// A formula that people write, such as `1 + 0.5*sin(2*pi*t)`.
///
/// It is read by a small parser into a flat list of steps over a stack of numbers; nothing in it
/// is ever executed as code. Comparisons give 1 or 0, `c ? a : b` takes a where c isn't 0.
///
/// ```
///  expression  := sum [('<' '<=' '>' '>=' '==' '!=') sum] ['?' expression ':' expression]
///  sum         := product (('+' | '-') product)*
///  product     := signed (('*' | '/') signed)*
///  signed      := '-' signed | power
///  power       := atom ['^' signed]                        -2^2 is -4; 2^3^2 is 2^9
///  atom        := number | pi | e | variable | name '(' expression, … ')' | '(' expression ')'
/// ```
public struct Formula: Sendable, Hashable, CustomStringConvertible {
    /// The formula as it was written.
    public let text: String
    package let steps: [FormulaStep]
    private let depth: Int

    /// The longest text that is read, in bytes, and the deepest nesting.
    public static let longestText = 10_000
    /// The deepest nesting that is read.
    public static let deepestNesting = 200

    /// - Parameter variables: the names it may use; `t` for curves.
    /// - Throws: ``FormulaError`` with the column and what was expected there.
    public init(_ text: String, variables: [String] = ["t"]) throws(FormulaError) {
        var parser = try FormulaParser(text, variables: variables)
        steps = try parser.parse()
        depth = parser.deepestStack
        self.text = text
    }

    public static func == (a: Formula, b: Formula) -> Bool {
        a.text == b.text
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(text)
    }

    public var description: String { text }

    /// The value at `t`, for formulas of one variable.
    public func callAsFunction(_ t: Double) -> Double {
        withUnsafePointer(to: t) { value(UnsafeBufferPointer(start: $0, count: 1)) }
    }

    /// The value for the variables, in the order in which they were named.
    public func value(_ variables: [Double]) -> Double {
        variables.withUnsafeBufferPointer { value($0) }
    }

    private func value(_ variables: UnsafeBufferPointer<Double>) -> Double {
        withUnsafeTemporaryAllocation(of: Double.self, capacity: depth + 1) { stack in
            var top = -1
            for step in steps {
                step.run(stack, &top, variables)
            }
            return stack[0]
        }
    }
}

/// Why a formula can't be read: where, and what would have fitted there.
public struct FormulaError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The place, counted in characters from 1.
    public let column: Int
    /// What would have fitted.
    public let expected: String
    /// What is there instead.
    public let found: String
    /// The formula, unless it is too long to show.
    let text: String

    public var description: String {
        let head = "the formula is wrong at column \(column): expected \(expected), found \(found)"
        guard text.count <= 200, !text.contains("\n") else {
            return head
        }
        return "\(head)\n  \(text)\n  \(String(repeating: " ", count: column - 1))^"
    }
}
