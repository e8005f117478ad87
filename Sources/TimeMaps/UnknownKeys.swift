private struct AnyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

extension Decoder {
    /// Throws a ``CurveError`` for any key that isn't among `known`, so that a misspelt key is an error and
    /// not silently ignored.
    package func refuseUnknownKeys(
        besides known: [some CodingKey & RawRepresentable<String>]
    ) throws {
        let names = try container(keyedBy: AnyKey.self).allKeys.map(\.stringValue)
        let expected = known.map(\.rawValue)
        guard let unknown = names.sorted().first(where: { !expected.contains($0) }) else {
            return
        }
        throw CurveError(
            .malformed,
            "\(Curve.path(codingPath)): \"\(unknown)\" means nothing here; known keys are "
                + expected.joined(separator: ", "))
    }
}
