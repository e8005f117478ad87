import Foundation

/// Decodes the values of a document, and adds to errors where they are.
final class DocumentReading {
    private let text: SourceText
    private let root: JSONValue
    let refusesUnknownKeys: Bool
    let userInfo: [CodingUserInfoKey: Any]

    init(
        text: SourceText, root: JSONValue, unknownKeys: JSONDocument.UnknownKeys,
        userInfo: [CodingUserInfoKey: any Sendable]
    ) {
        (self.text, self.root, self.userInfo) = (text, root, userInfo)
        refusesUnknownKeys = unknownKeys == .refused
    }

    func decode<Value: Decodable>(
        _ type: Value.Type, _ value: JSONValue, _ place: @autoclosure () -> ValuePlace
    ) throws(DocumentError) -> Value {
        if let plain = try plain(type, value, place) {
            return plain
        }
        let place = place()
        let decoder = ValueDecoder(value, place, self)
        do {
            let decoded = try Value(from: decoder)
            try decoder.refuseUnknownKeys()
            return decoded
        } catch {
            let located = located(error, as: type, value, place)
            // Of a key that is misspelt, the error says that it's missing, or that something else isn't said.
            guard located.problem.path == place.path, let misspelt = decoder.misspelt else {
                throw located
            }
            throw misspelt
        }
    }

    // MARK: Plain values

    /// A text, a number, true or false; nil for types that decode themselves.
    private func plain<Value>(
        _ type: Value.Type, _ value: JSONValue, _ place: () -> ValuePlace
    ) throws(DocumentError) -> Value? {
        switch type {
        case is String.Type:
            guard let text = value.text else {
                throw mismatch(value, "a text", place())
            }
            return text as? Value
        case is Double.Type:
            guard let number = value.number else {
                throw mismatch(value, "a number", place())
            }
            return number as? Value
        case is Float.Type:
            guard let number = value.number else {
                throw mismatch(value, "a number", place())
            }
            return Float(number) as? Value
        case is Bool.Type:
            guard case .truth(let truth) = value.content else {
                throw mismatch(value, "true or false", place())
            }
            return truth as? Value
        case let integer as any FixedWidthInteger.Type:
            return try whole(integer, value, place) as? Value
        default:
            return nil
        }
    }

    /// A whole number, exactly.
    private func whole<Integer: FixedWidthInteger>(
        _ type: Integer.Type, _ value: JSONValue, _ place: () -> ValuePlace
    ) throws(DocumentError) -> Integer {
        guard let number = value.number else {
            throw mismatch(value, "a whole number", place())
        }
        let digits = String(decoding: text.bytes[value.bytes], as: UTF8.self)
        guard let integer = Integer(digits) ?? Integer(exactly: number) else {
            throw wrong("\(digits) isn't a whole number that fits here", value, place())
        }
        return integer
    }

    // MARK: Errors

    func mismatch(_ value: JSONValue, _ expected: String, _ place: ValuePlace) -> DocumentError {
        wrong("it is \(value.kind), not \(expected)", value, place)
    }

    func wrong(
        _ message: String, _ value: JSONValue, _ place: ValuePlace, underlying: (any Error)? = nil
    ) -> DocumentError {
        wrong(message, at: value.bytes.lowerBound, place, underlying: underlying)
    }

    func wrong(
        _ message: String, at offset: Int, _ place: ValuePlace, underlying: (any Error)? = nil
    ) -> DocumentError {
        DocumentError(
            DocumentProblem(
                path: place.path, position: text.position(at: offset), message: message),
            underlying: underlying)
    }

    private func located(
        _ error: any Error, as type: any Decodable.Type, _ value: JSONValue, _ place: ValuePlace
    ) -> DocumentError {
        switch error {
        case let error as DocumentError: error
        case let error as DecodingError: located(error, as: type, value, place)
        default: wrong("\(error)", value, place, underlying: error)
        }
    }

    /// An error that names a value by its coding path, which counts from the root of the document.
    private func located(
        _ error: DecodingError, as type: any Decodable.Type, _ value: JSONValue, _ place: ValuePlace
    ) -> DocumentError {
        let (context, message) = Self.parts(of: error)
        if let text = value.text, let words = words(of: type) {
            return wrong(
                "\"\(text)\" means nothing here.\(Spelling.hint(for: text, in: words)) Known are "
                    + words.joined(separator: ", "), value, place)
        }
        var (inner, place) = (root, ValuePlace.start(DocumentPath()))
        for key in context.codingPath {
            if let list = inner.list, let index = key.intValue, list.indices.contains(index) {
                (inner, place) = (list[index], .inside(place, .index(index)))
            } else {
                inner = inner.object?[key.stringValue] ?? inner
                place = .inside(place, .key(key.stringValue))
            }
        }
        return wrong(message, inner, place, underlying: context.underlyingError)
    }

    private static func parts(of error: DecodingError) -> (DecodingError.Context, String) {
        switch error {
        case .keyNotFound(let key, let context):
            return (context, "\"\(key.stringValue)\" is missing")
        case .typeMismatch(_, let context), .valueNotFound(_, let context),
            .dataCorrupted(let context):
            return (context, context.debugDescription)
        @unknown default:
            return (DecodingError.Context(codingPath: [], debugDescription: ""), "\(error)")
        }
    }
}

/// The words that stand for the cases of an enumeration; nil for other types.
package func words(of type: Any.Type) -> [String]? {
    func list<Enumeration: CaseIterable>(_ type: Enumeration.Type) -> [String] {
        type.allCases.compactMap { ($0 as? any RawRepresentable)?.rawValue as? String }
    }
    let words = (type as? any CaseIterable.Type).map { list($0) } ?? []
    return words.isEmpty ? nil : words
}

/// Where a value stands: a path that is only put together for an error.
indirect enum ValuePlace {
    case start(DocumentPath)
    case inside(ValuePlace, DocumentPath.Step)

    var path: DocumentPath {
        var steps: [DocumentPath.Step] = []
        var place = self
        while case .inside(let outer, let step) = place {
            steps.append(step)
            place = outer
        }
        guard case .start(let path) = place else {
            return DocumentPath(steps.reversed())
        }
        return DocumentPath(path.steps + steps.reversed())
    }
}
