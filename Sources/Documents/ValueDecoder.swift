/// Decodes one value of a document, and remembers which keys of its objects were asked for.
final class ValueDecoder: Decoder {
    let value: JSONValue
    let place: ValuePlace
    let reading: DocumentReading
    private var objects: [ObjectReading] = []

    init(_ value: JSONValue, _ place: ValuePlace, _ reading: DocumentReading) {
        (self.value, self.place, self.reading) = (value, place, reading)
    }

    var codingPath: [any CodingKey] { place.path.steps.map(PathKey.init) }
    var userInfo: [CodingUserInfoKey: Any] { reading.userInfo }

    /// The members of a value, which is this decoder's or lies in it.
    fileprivate func object(_ value: JSONValue, _ place: ValuePlace) throws -> ObjectReading {
        if let known = objects.first(where: { $0.offset == value.bytes.lowerBound }) {
            return known
        }
        guard let members = value.object else {
            throw reading.mismatch(value, "an object", place)
        }
        let object = ObjectReading(members, at: value.bytes.lowerBound, place)
        objects.append(object)
        return object
    }

    fileprivate func list(_ value: JSONValue, _ place: ValuePlace) throws -> [JSONValue] {
        guard let list = value.list else {
            throw reading.mismatch(value, "a list", place)
        }
        return list
    }

    /// Throws for the first key that nobody asked for, and for one that stands twice.
    func refuseUnknownKeys() throws {
        guard reading.refusesUnknownKeys else {
            return
        }
        for object in objects {
            if let twice = object.members.repeated.first {
                throw reading.wrong(
                    "the key \"\(twice.key)\" appears twice", at: twice.offset, object.place)
            }
            if let unknown = object.unknown.first(where: { _ in true }) {
                throw meaningless(unknown, in: object)
            }
        }
    }

    /// The error for a key that nobody asked for so far and that is like one that is missing; nil if there is none.
    var misspelt: DocumentError? {
        guard reading.refusesUnknownKeys else {
            return nil
        }
        for object in objects {
            let missing = object.askedFor.filter { object.members.index(of: $0) == nil }
            let misspelt = object.unknown.first {
                Spelling.nearest(to: $0.key, in: missing) != nil
            }
            if let misspelt {
                return meaningless(misspelt, in: object)
            }
        }
        return nil
    }

    private func meaningless(
        _ member: JSONObject.Member, in object: ObjectReading
    ) -> DocumentError {
        let hint = Spelling.hint(for: member.key, in: object.askedFor)
        return reading.wrong(
            "\"\(member.key)\" means nothing here.\(hint) Known keys are "
                + object.askedFor.joined(separator: ", "), at: member.offset, object.place)
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(KeyedValues(try object(value, place), self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        ListedValues(try list(value, place), place, self)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        SingleValue(decoder: self)
    }
}

/// The members of an object, and which of them were asked for.
private final class ObjectReading {
    let members: JSONObject
    let offset: Int
    let place: ValuePlace
    private var asked: [String] = []
    private var isAskedFor: [Bool]

    init(_ members: JSONObject, at offset: Int, _ place: ValuePlace) {
        (self.members, self.offset, self.place) = (members, offset, place)
        isAskedFor = Array(repeating: false, count: members.members.count)
    }

    func member(_ key: some CodingKey) -> JSONValue? {
        let key = key.stringValue
        asked.append(key)
        guard let index = members.index(of: key) else {
            return nil
        }
        isAskedFor[index] = true
        return members.members[index].value
    }

    /// The keys that were asked for, each once.
    var askedFor: [String] {
        asked.reduce(into: []) { keys, key in
            if !keys.contains(key) {
                keys.append(key)
            }
        }
    }

    /// The members that nobody asked for.
    var unknown: some Sequence<JSONObject.Member> {
        zip(members.members, isAskedFor).lazy.filter { !$1 }.map(\.0)
    }
}

private struct KeyedValues<Key: CodingKey>: KeyedDecodingContainerProtocol {
    private let object: ObjectReading
    private let decoder: ValueDecoder

    init(_ object: ObjectReading, _ decoder: ValueDecoder) {
        (self.object, self.decoder) = (object, decoder)
    }

    var codingPath: [any CodingKey] { object.place.path.steps.map(PathKey.init) }
    var allKeys: [Key] { object.members.members.compactMap { Key(stringValue: $0.key) } }

    func contains(_ key: Key) -> Bool { object.member(key) != nil }

    private func value(_ key: Key) throws -> JSONValue {
        guard let value = object.member(key) else {
            throw decoder.reading.wrong(
                "\"\(key.stringValue)\" is missing", at: object.offset, object.place)
        }
        return value
    }

    private func place(_ key: Key) -> ValuePlace { .inside(object.place, .key(key.stringValue)) }

    func decodeNil(forKey key: Key) throws -> Bool { try value(key).isNull }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try decoder.reading.decode(type, value(key), place(key))
    }

    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        guard let value = object.member(key), !value.isNull else {
            return nil
        }
        return try decoder.reading.decode(type, value, place(key))
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        KeyedDecodingContainer(
            KeyedValues<Nested>(try decoder.object(value(key), place(key)), decoder))
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        ListedValues(try decoder.list(value(key), place(key)), place(key), decoder)
    }

    func superDecoder() throws -> any Decoder { decoder }

    func superDecoder(forKey key: Key) throws -> any Decoder {
        ValueDecoder(try value(key), place(key), decoder.reading)
    }
}

private struct ListedValues: UnkeyedDecodingContainer {
    private let values: [JSONValue]
    private let outer: ValuePlace
    private let decoder: ValueDecoder
    private(set) var currentIndex = 0

    init(_ values: [JSONValue], _ outer: ValuePlace, _ decoder: ValueDecoder) {
        (self.values, self.outer, self.decoder) = (values, outer, decoder)
    }

    var codingPath: [any CodingKey] { outer.path.steps.map(PathKey.init) }
    var count: Int? { values.count }
    var isAtEnd: Bool { currentIndex == values.count }
    private var place: ValuePlace { .inside(outer, .index(currentIndex)) }

    private var next: JSONValue {
        get throws {
            guard !isAtEnd else {
                throw DocumentError(
                    DocumentProblem(
                        path: outer.path,
                        message: "the list has only \(values.count) entries"))
            }
            return values[currentIndex]
        }
    }

    mutating func decodeNil() throws -> Bool {
        guard try next.isNull else {
            return false
        }
        currentIndex += 1
        return true
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let value = try decoder.reading.decode(type, next, place)
        currentIndex += 1
        return value
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> {
        let object = try decoder.object(next, place)
        currentIndex += 1
        return KeyedDecodingContainer(KeyedValues<Nested>(object, decoder))
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let (list, place) = (try decoder.list(next, place), place)
        currentIndex += 1
        return ListedValues(list, place, decoder)
    }

    mutating func superDecoder() throws -> any Decoder {
        let inner = ValueDecoder(try next, place, decoder.reading)
        currentIndex += 1
        return inner
    }
}

private struct SingleValue: SingleValueDecodingContainer {
    let decoder: ValueDecoder

    var codingPath: [any CodingKey] { decoder.codingPath }
    func decodeNil() -> Bool { decoder.value.isNull }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try decoder.reading.decode(type, decoder.value, decoder.place)
    }
}

/// A step of a path as `Decoder` wants it.
private struct PathKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(_ step: DocumentPath.Step) {
        switch step {
        case .key(let key): (stringValue, intValue) = (key, nil)
        case .index(let index): (stringValue, intValue) = ("\(index)", index)
        }
    }

    init?(stringValue: String) { (self.stringValue, intValue) = (stringValue, nil) }
    init?(intValue: Int) { (stringValue, self.intValue) = ("\(intValue)", intValue) }
}

extension JSONValue {
    fileprivate var isNull: Bool {
        guard case .null = content else {
            return false
        }
        return true
    }
}
