/// Parses a formula by recursive descent, with a limit on the nesting.
struct FormulaParser {
    private let text: String
    private let variables: [String]
    private let tokens: [FormulaToken]
    private var place = 0
    private var nesting = 0
    private var height = 0
    private var steps: [FormulaStep] = []
    /// The greatest height that the stack of numbers reaches when the steps run.
    private(set) var deepestStack = 0

    init(_ text: String, variables: [String]) throws(FormulaError) {
        guard text.utf8.count <= Formula.longestText else {
            throw FormulaError(
                column: 1, expected: "at most \(Formula.longestText) bytes",
                found: "\(text.utf8.count)", text: "")
        }
        self.text = text
        self.variables = variables
        tokens = try FormulaToken.tokens(in: text)
    }

    mutating func parse() throws(FormulaError) -> [FormulaStep] {
        try parseExpression()
        guard case .end = token.kind else {
            throw expected("an operator or the end")
        }
        return steps
    }

    private var token: FormulaToken { tokens[place] }

    private func expected(_ what: String) -> FormulaError {
        FormulaError(column: token.column, expected: what, found: token.name, text: text)
    }

    private mutating func emit(_ step: FormulaStep) {
        steps.append(step)
        height += step.growth
        deepestStack = max(deepestStack, height)
    }

    private mutating func take(_ symbol: String) -> Bool {
        guard case .symbol(symbol) = token.kind else {
            return false
        }
        place += 1
        return true
    }

    private mutating func takeOperator(_ wanted: Set<FormulaOperator>) -> FormulaOperator? {
        guard case .symbol(let symbol) = token.kind, let found = FormulaOperator(rawValue: symbol),
            wanted.contains(found)
        else {
            return nil
        }
        place += 1
        return found
    }

    private mutating func nested(
        _ parse: (inout FormulaParser) throws(FormulaError) -> Void
    ) throws(FormulaError) {
        nesting += 1
        guard nesting <= Formula.deepestNesting else {
            throw expected("at most \(Formula.deepestNesting) levels of nesting")
        }
        try parse(&self)
        nesting -= 1
    }

    private mutating func parseExpression() throws(FormulaError) {
        try nested { parser throws(FormulaError) in
            try parser.parseSum()
            while let comparison = parser.takeOperator(FormulaOperator.comparisons) {
                try parser.parseSum()
                parser.emit(.binary(comparison))
            }
            guard parser.take("?") else {
                return
            }
            try parser.parseExpression()
            guard parser.take(":") else {
                throw parser.expected("':' and the value for when the condition is 0")
            }
            try parser.parseExpression()
            parser.emit(.select)
        }
    }

    private mutating func parseSum() throws(FormulaError) {
        try parseProduct()
        while let symbol = takeOperator([.add, .subtract]) {
            try parseProduct()
            emit(.binary(symbol))
        }
    }

    private mutating func parseProduct() throws(FormulaError) {
        try parseSigned()
        while let symbol = takeOperator([.multiply, .divide]) {
            try parseSigned()
            emit(.binary(symbol))
        }
    }

    private mutating func parseSigned() throws(FormulaError) {
        if take("-") {
            try nested { parser throws(FormulaError) in try parser.parseSigned() }
            emit(.negate)
            return
        }
        if take("+") {
            try nested { parser throws(FormulaError) in try parser.parseSigned() }
            return
        }
        try parseAtom()
        if takeOperator([.power]) != nil {
            try nested { parser throws(FormulaError) in try parser.parseSigned() }
            emit(.binary(.power))
        }
    }

    private mutating func parseAtom() throws(FormulaError) {
        switch token.kind {
        case .number(let number):
            place += 1
            emit(.number(number))
        case .name(let name):
            try parseName(name)
        case .symbol("("):
            place += 1
            try parseExpression()
            guard take(")") else {
                throw expected("')'")
            }
        case .symbol, .end:
            let known = ["a number"] + namedVariables + ["a function"]
            throw expected("\(known.joined(separator: ", ")) or '('")
        }
    }

    private mutating func parseName(_ name: String) throws(FormulaError) {
        let constants = ["pi": Double.pi, "e": 2.718281828459045]
        if let index = variables.firstIndex(of: name) {
            place += 1
            emit(.variable(index))
        } else if let constant = constants[name] {
            place += 1
            emit(.number(constant))
        } else if let function = FormulaFunction(rawValue: name) {
            place += 1
            try parseArguments(of: function)
        } else {
            let functions = FormulaFunction.allCases.map(\.rawValue).joined(separator: " ")
            let known = namedVariables + ["pi", "e", functions]
            throw expected("one of \(known.joined(separator: ", "))")
        }
    }

    /// The variables as errors list them: at most ten.
    private var namedVariables: [String] {
        variables.count <= 10 ? variables : Array(variables.prefix(10)) + ["…"]
    }

    private mutating func parseArguments(of function: FormulaFunction) throws(FormulaError) {
        guard take("(") else {
            throw expected("'(' after \(function.rawValue)")
        }
        for argument in 0..<function.arity {
            if argument > 0 && !take(",") {
                throw expected("',': \(function.rawValue) takes \(function.arity) numbers")
            }
            try parseExpression()
        }
        guard take(")") else {
            let count = function.arity == 1 ? "one number" : "\(function.arity) numbers"
            throw expected("')': \(function.rawValue) takes \(count)")
        }
        emit(.call(function))
    }
}

/// A token of a formula and its position.
struct FormulaToken {
    enum Kind {
        case number(Double)
        case name(String)
        case symbol(String)
        case end
    }
    let kind: Kind
    /// The position in characters, counted from 1.
    let column: Int

    /// The token as error messages name it.
    var name: String {
        switch kind {
        case .number(let number): "the number \(number)"
        case .name(let name): "\"\(name)\""
        case .symbol(let symbol): "'\(symbol)'"
        case .end: "the end"
        }
    }

    private static let pairs: Set<String> = ["<=", ">=", "==", "!="]
    private static let symbols: Set<Character> = [
        "+", "-", "*", "/", "^", "(", ")", ",", "<", ">", "?", ":",
    ]

    static func tokens(in text: String) throws(FormulaError) -> [FormulaToken] {
        let characters = Array(text)
        var tokens: [FormulaToken] = []
        var place = 0
        while place < characters.count {
            let character = characters[place]
            if character.isWhitespace {
                place += 1
                continue
            }
            let (kind, length) = try scan(characters, place, text)
            tokens.append(FormulaToken(kind: kind, column: place + 1))
            place += length
        }
        return tokens + [FormulaToken(kind: .end, column: characters.count + 1)]
    }

    private static func scan(
        _ characters: [Character], _ place: Int, _ text: String
    ) throws(FormulaError) -> (Kind, Int) {
        let character = characters[place]
        if isDigit(character) || character == "." {
            return try number(characters, place, text)
        }
        if isLetter(character) {
            var end = place
            while end < characters.count && (isLetter(characters[end]) || isDigit(characters[end]))
            {
                end += 1
            }
            return (.name(String(characters[place..<end])), end - place)
        }
        let pair = String(characters[place..<min(place + 2, characters.count)])
        if pairs.contains(pair) {
            return (.symbol(pair), 2)
        }
        guard symbols.contains(character) else {
            throw FormulaError(
                column: place + 1, expected: "a number, a name or an operator",
                found: "'\(character)'", text: text)
        }
        return (.symbol(String(character)), 1)
    }

    private static func number(
        _ characters: [Character], _ place: Int, _ text: String
    ) throws(FormulaError) -> (Kind, Int) {
        var end = place
        func skipDigits() {
            while end < characters.count && isDigit(characters[end]) {
                end += 1
            }
        }
        skipDigits()
        if end < characters.count && characters[end] == "." {
            end += 1
            skipDigits()
        }
        // In 2e3 the e belongs to the number; in 2e and 2exp it doesn't.
        if end < characters.count, characters[end] == "e" || characters[end] == "E" {
            let mark = end
            end += 1
            if end < characters.count, characters[end] == "+" || characters[end] == "-" {
                end += 1
            }
            let digits = end
            skipDigits()
            end = end == digits ? mark : end
        }
        guard let number = Double(String(characters[place..<end])), number.isFinite else {
            throw FormulaError(
                column: place + 1, expected: "a number",
                found: "\"\(String(characters[place..<max(end, place + 1)]))\"", text: text)
        }
        return (.number(number), end - place)
    }

    private static func isDigit(_ character: Character) -> Bool {
        character.isASCII && character.isNumber
    }

    private static func isLetter(_ character: Character) -> Bool {
        character == "_" || (character.isASCII && character.isLetter)
    }
}
