import Foundation

/// A formula given as text, such as `1 + 0.5*sin(2*pi*t)`.
///
/// A small parser turns it into a flat list of steps for a stack machine. Nothing in it is ever executed
/// as code. Comparisons give 1 or 0. `c ? a : b` is a if c isn't 0, otherwise b.
///
/// ```
///  expression  := sum (('<' | '<=' | '>' | '>=' | '==' | '!=') sum)* ['?' expression ':' expression]
///  sum         := product (('+' | '-') product)*
///  product     := signed (('*' | '/') signed)*
///  signed      := ('-' | '+') signed | power
///  power       := atom ['^' signed]                        -2^2 is -4; 2^3^2 is 2^9
///  atom        := number | pi | e | variable | name '(' expression, … ')' | '(' expression ')'
/// ```
public struct Formula: Sendable, Hashable, CustomStringConvertible {
    /// The formula's text, as it was given.
    public let text: String
    package let steps: [FormulaStep]
    private let depth: Int

    /// The longest text that can be read, in bytes.
    public static let longestText = 10_000
    /// The deepest nesting that can be read.
    public static let deepestNesting = 200

    /// Reads a formula.
    ///
    /// - Parameters:
    ///   - text: the formula, at most ``longestText`` bytes.
    ///   - variables: the names of the variables; `t` for curves.
    /// - Throws: ``FormulaError`` with the column and what was expected there.
    /// - Complexity: O(n) in the length of the text.
    public init(_ text: String, variables: [String] = ["t"]) throws(FormulaError) {
        var parser = try FormulaParser(text, variables: variables)
        steps = try parser.parse()
        depth = parser.deepestStack
        self.text = text
    }

    private init(text: String, steps: [FormulaStep], depth: Int) {
        (self.text, self.steps, self.depth) = (text, steps, depth)
    }

    /// 1 divided by the formula.
    var reciprocal: Formula {
        Formula(
            text: "1/(\(text))", steps: [.number(1)] + steps + [.binary(.divide)],
            depth: depth + 1)
    }

    /// Whether both have the same text.
    public static func == (a: Formula, b: Formula) -> Bool {
        a.text == b.text
    }

    /// Hashes the text.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(text)
    }

    /// The formula's text.
    public var description: String { text }

    /// The value at `t`, for formulas with at most one variable. It may be NaN or infinite. O(n) steps.
    public func callAsFunction(_ t: Double) -> Double {
        withUnsafePointer(to: t) { value(UnsafeBufferPointer(start: $0, count: 1)) }
    }

    /// The value for these values of the variables, in the order in which ``init(_:variables:)`` named them. It
    /// may be NaN or infinite. O(n) steps.
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

/// Why a formula can't be read: where, what was expected there, and what was found.
public struct FormulaError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The place of the error, in characters counted from 1.
    public let column: Int
    /// What was expected at that place.
    public let expected: String
    /// What was found there instead.
    public let found: String
    /// The formula, unless it is too long to show.
    let text: String

    /// A sentence with column, expectation and finding, and, for a short formula, its text with a mark beneath
    /// the place.
    public var description: String {
        let head = "the formula is wrong at column \(column): expected \(expected), found \(found)"
        guard text.count <= 200, !text.contains("\n") else {
            return head
        }
        return "\(head)\n  \(text)\n  \(String(repeating: " ", count: column - 1))^"
    }
}

extension FormulaError: LocalizedError {
    /// The whole message.
    public var errorDescription: String? { description }
}
