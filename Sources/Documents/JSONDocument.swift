import Foundation

/// A JSON document (RFC 8259) that knows the line and column of each of its values.
///
/// ```
///  bytes ──► SourceText ──► JSONScanner ──► JSONValue ──► ValueDecoder ──► any Decodable
///            (positions)                    (the tree)    (errors with path, line and column)
/// ```
public struct JSONDocument: Sendable {
    package let text: SourceText
    package let root: JSONValue

    /// What happens to keys that the decoded type doesn't ask for.
    public enum UnknownKeys: Sendable {
        /// A misspelt key is an error, with a hint at the one that is meant.
        case refused
        /// Programs may write keys of their own.
        case ignored
    }

    /// The usual limit on how deep values may lie in each other.
    public static let usualNesting = 64

    /// Reads the text of a document.
    ///
    /// - Parameters:
    ///   - kind: what it is, such as "curve file", for errors.
    ///   - largest: how many bytes it may have.
    ///   - nesting: how deep values may lie in each other.
    /// - Throws: ``DocumentError`` with the place of the first byte that isn't valid.
    /// - Complexity: O(n) bytes, in time and memory.
    public init(
        _ data: Data, kind: String = "document", largest: Int = .max, nesting: Int = usualNesting
    ) throws(DocumentError) {
        guard data.count <= largest else {
            throw DocumentError("the \(kind) is larger than \(largest >> 20) MiB")
        }
        text = SourceText(data)
        root = try JSONScanner.value(of: text, nestedAtMost: nesting)
    }

    /// The document as a value.
    ///
    /// A type's `init(from:)` may throw any error: the place of the innermost value that couldn't be decoded is added to it.
    /// `DecodingError`s have their place from their coding path.
    ///
    /// - Parameters:
    ///   - unknownKeys: what happens to keys that the type doesn't ask for.
    ///   - userInfo: is passed on to `init(from:)`.
    /// - Throws: ``DocumentError``.
    public func decode<Value: Decodable>(
        _ type: Value.Type, unknownKeys: UnknownKeys = .refused,
        userInfo: [CodingUserInfoKey: any Sendable] = [:]
    ) throws(DocumentError) -> Value {
        try decode(
            type, from: root, at: DocumentPath(), unknownKeys: unknownKeys, userInfo: userInfo)
    }

    /// A part of the document as a value.
    package func decode<Value: Decodable>(
        _ type: Value.Type, from value: JSONValue, at path: DocumentPath,
        unknownKeys: UnknownKeys = .refused, userInfo: [CodingUserInfoKey: any Sendable] = [:]
    ) throws(DocumentError) -> Value {
        try DocumentReading(
            text: text, root: root, unknownKeys: unknownKeys, userInfo: userInfo
        ).decode(type, value, .start(path))
    }

    /// The value at a path; nil if there is none.
    package func value(at path: DocumentPath) -> JSONValue? {
        path.steps.reduce(Optional(root)) { value, step in value?.inner(step) }
    }

    /// The position of the value at a path. For a missing value it is the position of the object or list that
    /// should contain it; for an object or list inside an object, it is the position of its key.
    package func position(of path: DocumentPath) -> TextPosition {
        var value = root
        var offset = root.bytes.lowerBound
        for step in path.steps {
            guard let inner = value.inner(step) else {
                break
            }
            let isLarge = inner.object != nil || inner.list != nil
            offset = inner.bytes.lowerBound
            if case .key(let key) = step, isLarge, let member = value.object?.member(key) {
                offset = member.offset
            }
            value = inner
        }
        return text.position(at: offset)
    }

    /// An error with the position of its path in this document.
    package func locating(_ error: DocumentError) -> DocumentError {
        let problem = error.problem
        return DocumentError(
            DocumentProblem(
                path: problem.path, position: problem.position ?? position(of: problem.path),
                message: problem.message), underlying: error.underlying)
    }

    /// A value as the text of a document: with sorted keys and a newline at the end.
    ///
    /// - Throws: `EncodingError` if a number isn't finite, and what the value throws.
    public static func data(of value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(value) + Data("\n".utf8)
    }
}
