/// Reads JSON (RFC 8259) and records the position of each value in the text.
struct JSONScanner {
    private let text: SourceText
    private let deepestNesting: Int
    /// Whether all of the text is; then each text in it needs no check of its own.
    private let isUTF8: Bool
    private var place = 0
    private var nesting = 0

    /// - Throws: ``DocumentError`` with the position of the first byte that isn't valid.
    static func value(
        of text: SourceText, nestedAtMost deepestNesting: Int
    ) throws(DocumentError) -> JSONValue {
        var scanner = JSONScanner(text: text, deepestNesting: deepestNesting)
        if text.bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            scanner.place = 3
        }
        let value = try scanner.scanValue()
        scanner.skipBlanks()
        guard scanner.place == text.bytes.count else {
            throw scanner.wrong("expected the end of the file")
        }
        return value
    }

    private init(text: SourceText, deepestNesting: Int) {
        (self.text, self.deepestNesting) = (text, deepestNesting)
        isUTF8 = String(validating: text.bytes, as: UTF8.self) != nil
    }

    private var byte: UInt8? {
        place < text.bytes.count ? text.bytes[place] : nil
    }

    private func wrong(_ message: String, at offset: Int? = nil) -> DocumentError {
        let offset = offset ?? place
        var found = ""
        if offset >= text.bytes.count {
            found = ", and the file ends"
        } else if (33...126).contains(text.bytes[offset]) {
            found = ", found '\(Character(Unicode.Scalar(text.bytes[offset])))'"
        }
        return DocumentError(
            DocumentProblem(
                path: DocumentPath(), position: text.position(at: offset),
                message: "this isn't valid JSON: \(message)\(found)"))
    }

    private mutating func skipBlanks() {
        while let byte, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
            place += 1
        }
    }

    private mutating func take(_ symbol: Unicode.Scalar) -> Bool {
        skipBlanks()
        guard byte == UInt8(ascii: symbol) else {
            return false
        }
        place += 1
        return true
    }

    private mutating func scanValue() throws(DocumentError) -> JSONValue {
        skipBlanks()
        let start = place
        let content: JSONValue.Content
        switch byte {
        case UInt8(ascii: "{"): content = .object(try scanObject())
        case UInt8(ascii: "["): content = .list(try scanList())
        case UInt8(ascii: "\""): content = .text(try scanText())
        case UInt8(ascii: "t"): content = try scanWord("true", .truth(true))
        case UInt8(ascii: "f"): content = try scanWord("false", .truth(false))
        case UInt8(ascii: "n"): content = try scanWord("null", .null)
        default: content = .number(try scanNumber())
        }
        return JSONValue(content: content, bytes: start..<place)
    }

    private mutating func scanWord(
        _ word: String, _ content: JSONValue.Content
    ) throws(DocumentError) -> JSONValue.Content {
        guard text.bytes[place...].starts(with: word.utf8) else {
            throw wrong("expected a value")
        }
        place += word.utf8.count
        return content
    }

    private mutating func descend() throws(DocumentError) {
        nesting += 1
        guard nesting <= deepestNesting else {
            throw wrong("it is nested more than \(deepestNesting) levels deep")
        }
        place += 1
    }

    private mutating func scanObject() throws(DocumentError) -> JSONObject {
        try descend()
        var members: [JSONObject.Member] = []
        guard !take("}") else {
            nesting -= 1
            return JSONObject([])
        }
        repeat {
            skipBlanks()
            let offset = place
            guard byte == UInt8(ascii: "\"") else {
                throw wrong("expected a key in quotes")
            }
            let key = try scanText()
            guard take(":") else {
                throw wrong("expected ':' after a key")
            }
            members.append(
                JSONObject.Member(key: key, offset: offset, value: try scanValue()))
        } while take(",")
        guard take("}") else {
            throw wrong("expected ',' or '}'")
        }
        nesting -= 1
        return JSONObject(members)
    }

    private mutating func scanList() throws(DocumentError) -> [JSONValue] {
        try descend()
        var values: [JSONValue] = []
        guard !take("]") else {
            nesting -= 1
            return []
        }
        repeat {
            values.append(try scanValue())
        } while take(",")
        guard take("]") else {
            throw wrong("expected ',' or ']'")
        }
        nesting -= 1
        return values
    }

    private mutating func scanNumber() throws(DocumentError) -> Double {
        let start = place
        _ = takeByte("-")
        let whole = place
        let digits = skipDigits()
        guard digits > 0 else {
            throw wrong("expected a value", at: start)
        }
        guard digits == 1 || text.bytes[whole] != UInt8(ascii: "0") else {
            throw wrong("a number can't begin with 0", at: start)
        }
        if takeByte("."), skipDigits() == 0 {
            throw wrong("expected a digit")
        }
        if takeByte("e") || takeByte("E") {
            _ = takeByte("+") || takeByte("-")
            guard skipDigits() > 0 else {
                throw wrong("expected a digit")
            }
        }
        // Doubles hold each of these whole numbers exactly.
        if place - whole == digits, digits <= 15 {
            let value = text.bytes[whole..<place].reduce(0) { $0 * 10 + Double($1 & 0xF) }
            return whole > start ? -value : value
        }
        let digitsText = String(decoding: text.bytes[start..<place], as: UTF8.self)
        guard let number = Double(digitsText), number.isFinite else {
            throw wrong("the number is too large", at: start)
        }
        return number
    }

    private mutating func takeByte(_ symbol: Unicode.Scalar) -> Bool {
        guard byte == UInt8(ascii: symbol) else {
            return false
        }
        place += 1
        return true
    }

    private mutating func skipDigits() -> Int {
        let start = place
        while let byte, (0x30...0x39).contains(byte) {
            place += 1
        }
        return place - start
    }
}

// MARK: - Texts

extension JSONScanner {
    private mutating func scanText() throws(DocumentError) -> String {
        let start = place
        place += 1
        var content: [UInt8] = []
        var plain = place
        while let byte, byte != UInt8(ascii: "\"") {
            guard byte >= 0x20 else {
                throw wrong("a line break or tab in a text must be written as \\n or \\t")
            }
            place += 1
            if byte == UInt8(ascii: "\\") {
                content += text.bytes[plain..<(place - 1)]
                content += try scanEscape()
                plain = place
            }
        }
        // Most texts have no escapes, and are taken as they are.
        let rest = text.bytes[plain..<place]
        guard takeByte("\"") else {
            throw wrong("the text that begins here doesn't end", at: start)
        }
        let bytes = content.isEmpty ? rest : content + rest
        let whole =
            isUTF8
            ? String(decoding: bytes, as: UTF8.self) : String(validating: bytes, as: UTF8.self)
        guard let whole else {
            throw wrong("the text isn't UTF-8", at: start)
        }
        return whole
    }

    private mutating func scanEscape() throws(DocumentError) -> [UInt8] {
        let simple: [UInt8: UInt8] = [
            0x22: 0x22, 0x5C: 0x5C, 0x2F: 0x2F, 0x62: 0x08, 0x66: 0x0C, 0x6E: 0x0A, 0x72: 0x0D,
            0x74: 0x09,
        ]
        guard let byte else {
            throw wrong("expected a character after '\\'")
        }
        if let plain = simple[byte] {
            place += 1
            return [plain]
        }
        guard takeByte("u") else {
            throw wrong("expected one of \" \\ / b f n r t u after '\\'")
        }
        let start = place
        var units = [try scanUnit()]
        if UTF16.isLeadSurrogate(units[0]), takeByte("\\"), takeByte("u") {
            units.append(try scanUnit())
        }
        guard let text = String(validating: units, as: UTF16.self) else {
            throw wrong("this half of a surrogate pair has no other half", at: start)
        }
        return Array(text.utf8)
    }

    private mutating func scanUnit() throws(DocumentError) -> UInt16 {
        let end = place + 4
        guard end <= text.bytes.count,
            text.bytes[place..<end].allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
            let unit = UInt16(String(decoding: text.bytes[place..<end], as: UTF8.self), radix: 16)
        else {
            throw wrong("expected four hexadecimal digits after \\u")
        }
        place = end
        return unit
    }
}
