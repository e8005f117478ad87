extension KeyedDecodingContainer {
    /// An error about the value of a key.
    package func wrong(
        _ key: Key, _ message: String, underlying: (any Error)? = nil
    ) -> DecodingError {
        .dataCorrupted(
            DecodingError.Context(
                codingPath: codingPath + [key], debugDescription: message,
                underlyingError: underlying))
    }

    /// What is made of the value of a key. Errors of `make` are about that value.
    package func decode<Value: Decodable, Result>(
        _ type: Value.Type, forKey key: Key, _ make: (Value) throws -> Result
    ) throws -> Result {
        try about(key, decode(type, forKey: key), make)
    }

    /// The same for a key that may be absent.
    package func decodeIfPresent<Value: Decodable, Result>(
        _ type: Value.Type, forKey key: Key, _ make: (Value) throws -> Result
    ) throws -> Result? {
        try decodeIfPresent(type, forKey: key).map { try about(key, $0, make) }
    }

    private func about<Value, Result>(
        _ key: Key, _ value: Value, _ make: (Value) throws -> Result
    ) throws -> Result {
        do {
            return try make(value)
        } catch {
            throw wrong(key, "\(error)", underlying: error)
        }
    }

    /// Requires the version of a document.
    ///
    /// - Throws: `DecodingError`.
    package func requireVersion(_ version: String, forKey key: Key) throws {
        let stated = try decode(String.self, forKey: key)
        guard stated == version else {
            throw wrong(key, "it must be \"\(version)\", not \"\(stated)\"")
        }
    }

    /// Decodes a list after checking its length, because decoding takes a thousand times longer than
    /// counting.
    ///
    /// - Throws: `DecodingError` when the list has more than `most` items.
    package func decode<Item: Decodable>(
        listOf item: Item.Type, forKey key: Key, atMost most: Int
    ) throws -> [Item] {
        let count = try nestedUnkeyedContainer(forKey: key).count ?? 0
        guard count <= most else {
            throw wrong(key, "there are \(count); \(most) is the most")
        }
        return try decode([Item].self, forKey: key)
    }
}
