import TimeMaps

/// A formula over a story's variables, both as text and compiled.
public struct StoryExpression: Hashable, Sendable, CustomStringConvertible {
    /// The text of the formula.
    public let text: String
    /// The compiled formula.
    public let formula: StoryFormula

    /// Compiles a formula. Unknown names are taken as variables, so that ``StoryLinter`` can report them with
    /// their position.
    ///
    /// - Parameter variables: the names of the story's variables.
    ///
    /// - Throws: `FormulaError` with the column and what was expected there.
    public init(_ text: String, variables: [String]) throws(FormulaError) {
        let names = variables + Self.strangers(in: text, besides: variables)
        formula = StoryFormula(try Formula(text, variables: names), variables: names)
        self.text = text
    }

    /// The text of the formula.
    public var description: String { text }

    /// Whether a name is valid for a variable: a letter or `_`, then letters, digits and `_`, all ASCII, and
    /// not a function or constant of formulas.
    public static func isVariableName(_ name: String) -> Bool {
        guard let first = name.utf8.first, isLetter(first) else {
            return false
        }
        return name.utf8.allSatisfy { isLetter($0) || isDigit($0) } && !isReserved(name)
    }

    /// Whether a name is a function or constant of formulas, or special in JavaScript objects.
    static func isReserved(_ name: String) -> Bool {
        name == "pi" || name == "e" || name == "__proto__"
            || FormulaFunction(rawValue: name) != nil
    }

    /// Names in the formula that are neither known variables nor followed by a bracket.
    private static func strangers(in text: String, besides variables: [String]) -> [String] {
        let bytes = Array(text.utf8.prefix(Formula.longestText))
        var found: [String] = []
        var place = 0
        while place < bytes.count {
            if isDigit(bytes[place]) || bytes[place] == UInt8(ascii: ".") {
                place = endOfNumber(bytes, place)
                continue
            }
            guard isLetter(bytes[place]) else {
                place += 1
                continue
            }
            let start = place
            while place < bytes.count, isLetter(bytes[place]) || isDigit(bytes[place]) {
                place += 1
            }
            let name = String(decoding: bytes[start..<place], as: UTF8.self)
            let after = bytes[place...].first { $0 != UInt8(ascii: " ") }
            if after != UInt8(ascii: "("), isVariableName(name), !variables.contains(name),
                !found.contains(name)
            {
                found.append(name)
            }
        }
        return found
    }

    /// The end of a number. The e in 2e3 belongs to the number and isn't a name.
    private static func endOfNumber(_ bytes: [UInt8], _ start: Int) -> Int {
        var place = start
        func skipDigits() {
            while place < bytes.count, isDigit(bytes[place]) || bytes[place] == UInt8(ascii: ".") {
                place += 1
            }
        }
        skipDigits()
        guard place < bytes.count, bytes[place] | 0x20 == UInt8(ascii: "e") else {
            return place
        }
        var digits = place + 1
        if digits < bytes.count, "+-".utf8.contains(bytes[digits]) {
            digits += 1
        }
        guard digits < bytes.count, isDigit(bytes[digits]) else {
            return place
        }
        place = digits
        skipDigits()
        return place
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "_")
            || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
