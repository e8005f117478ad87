import Foundation

/// A type whose values may be a text or a number, whatever one value is written as.
package protocol TextOrNumber {}

/// A type whose values may contain each other: it is described once, under a name.
package protocol SchemaNaming {
    /// The name in the schema's definitions.
    static var schemaName: String { get }
}

/// A JSON Schema (draft 2020-12) of a kind of document, made from the types that write and read it: samples are encoded to see
/// which keys there are and what their values are, and read without each key in turn to see which of them must be there.
package struct DocumentSchema: Encodable {
    private let title: String
    /// What a document is.
    package let root: Schema
    /// The schemas of types with names.
    package let definitions: [String: Schema]

    /// - Parameters:
    ///   - title: the name of the kind of document.
    ///   - samples: values that have every key and every kind of value between them.
    ///   - descriptions: what keys say, by their places: `video.rate`, `keyframes[].at` of a list's objects, and
    ///     `segment.media` of the type that is named "segment".
    ///   - read: reads a document, and throws if it isn't of that kind.
    package init(
        title: String, of samples: [some Encodable], descriptions: [String: String] = [:],
        read: (Data) throws -> Void
    ) throws {
        let (root, definitions) = (Shape(), Definitions())
        for sample in samples {
            try sample.encode(to: ShapeEncoder(root, definitions))
        }
        for sample in samples {
            let data = try JSONEncoder().encode(sample)
            let value = try JSONSerialization.jsonObject(with: data)
            root.notePresent(in: value, definitions) { changed in
                (try? JSONSerialization.data(withJSONObject: changed)).map { data in
                    (try? read(data)) != nil
                } ?? false
            }
        }
        self.title = title
        self.root = root.schema(descriptions)
        self.definitions = Shape.schemas(of: definitions.shapes, descriptions)
    }

    private enum Key: String, CodingKey {
        case schema = "$schema"
        case definitions = "$defs"
        case title
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode("https://json-schema.org/draft/2020-12/schema", forKey: .schema)
        try container.encode(title, forKey: .title)
        if !definitions.isEmpty {
            try container.encode(definitions, forKey: .definitions)
        }
        try root.encode(to: encoder)
    }
}

/// The shapes that have names.
private final class Definitions {
    var shapes: [String: Shape] = [:]

    func shape(_ name: String) -> Shape {
        let shape = shapes[name] ?? Shape()
        shapes[name] = shape
        return shape
    }
}

/// What values may be at one place.
private final class Shape {
    var types: Set<String> = []
    var choices: Set<String>?
    var reference: String?
    var properties: [String: Shape] = [:]
    /// The keys that an object was read without.
    var optional: Set<String> = []
    var items: Shape?

    func property(_ key: String) -> Shape {
        let shape = properties[key] ?? Shape()
        properties[key] = shape
        return shape
    }

    func item() -> Shape {
        let shape = items ?? Shape()
        items = shape
        return shape
    }

    /// Notes which keys an object can be without.
    ///
    /// - Parameter isRead: whether the whole document is read if another value is in the place of this one.
    func notePresent(
        in value: Any, _ definitions: Definitions, _ isRead: (Any) -> Bool
    ) {
        if let reference {
            definitions.shape(reference).noteMembers(of: value, definitions, isRead)
        } else {
            noteMembers(of: value, definitions, isRead)
        }
    }

    private func noteMembers(
        of value: Any, _ definitions: Definitions, _ isRead: (Any) -> Bool
    ) {
        if let object = value as? [String: Any] {
            optional.formUnion(properties.keys.filter { object[$0] == nil })
            for (key, inner) in object.sorted(by: { $0.key < $1.key }) {
                var changed = object
                changed[key] = nil
                if !optional.contains(key), isRead(changed) {
                    optional.insert(key)
                }
                property(key).notePresent(in: inner, definitions) { inner in
                    changed[key] = inner
                    return isRead(changed)
                }
            }
        } else if let list = value as? [Any] {
            for (index, inner) in list.enumerated() {
                item().notePresent(in: inner, definitions) { inner in
                    var changed = list
                    changed[index] = inner
                    return isRead(changed)
                }
            }
        }
    }

    /// The schemas of shapes by their keys, at a place of the document.
    static func schemas(
        of shapes: [String: Shape], _ descriptions: [String: String], in place: String = ""
    ) -> [String: Schema] {
        shapes.reduce(into: [:]) { schemas, each in
            let inner = place.isEmpty ? each.key : "\(place).\(each.key)"
            schemas[each.key] = each.value.schema(descriptions, at: inner)
        }
    }

    func schema(_ descriptions: [String: String], at place: String = "") -> Schema {
        if let reference {
            return Schema(reference: reference, description: descriptions[place])
        }
        let isObject = types.contains("object")
        let required = properties.keys.filter { !optional.contains($0) }.sorted()
        return Schema(
            properties: isObject
                ? Self.schemas(of: properties, descriptions, in: place) : nil,
            required: isObject && !required.isEmpty ? required : nil,
            items: items?.schema(descriptions, at: place + "[]"),
            choices: types == ["string"] ? choices?.sorted() : nil,
            description: descriptions[place], isClosed: isObject
        ).with(types: types.sorted())
    }
}

/// Encodes nothing, and notes what would be encoded.
private struct ShapeEncoder: Encoder {
    let shape: Shape
    let definitions: Definitions
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    init(_ shape: Shape, _ definitions: Definitions, _ path: [any CodingKey] = []) {
        (self.shape, self.definitions, codingPath) = (shape, definitions, path)
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        shape.types.insert("object")
        return KeyedEncodingContainer(ShapeKeys<Key>(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        shape.types.insert("array")
        return ShapeItems(encoder: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { ShapeValue(encoder: self) }

    func note<Value: Encodable>(_ value: Value, in shape: Shape, at path: [any CodingKey]) throws {
        switch Value.self {
        case is any TextOrNumber.Type: shape.types.formUnion(["string", "number"])
        case let type as any SchemaNaming.Type:
            shape.reference = type.schemaName
            try value.encode(
                to: ShapeEncoder(definitions.shape(type.schemaName), definitions, path))
        case is Bool.Type: shape.types.insert("boolean")
        case is String.Type: shape.types.insert("string")
        case is any BinaryInteger.Type: shape.types.insert("integer")
        case is any BinaryFloatingPoint.Type: shape.types.insert("number")
        default:
            if let words = words(of: Value.self) {
                shape.types.insert("string")
                shape.choices = (shape.choices ?? []).union(words)
            } else {
                try value.encode(to: ShapeEncoder(shape, definitions, path))
            }
        }
    }
}

private struct ShapeKeys<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: ShapeEncoder
    var codingPath: [any CodingKey] { encoder.codingPath }

    private func inner(_ key: Key) -> ShapeEncoder {
        ShapeEncoder(
            encoder.shape.property(key.stringValue), encoder.definitions, codingPath + [key])
    }

    func encodeNil(forKey key: Key) {}

    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        let inner = inner(key)
        try inner.note(value, in: inner.shape, at: inner.codingPath)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> { inner(key).container(keyedBy: type) }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        inner(key).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { encoder }
    func superEncoder(forKey key: Key) -> any Encoder { inner(key) }
}

private struct ShapeItems: UnkeyedEncodingContainer {
    let encoder: ShapeEncoder
    var codingPath: [any CodingKey] { encoder.codingPath }
    var count = 0

    private func inner() -> ShapeEncoder {
        ShapeEncoder(encoder.shape.item(), encoder.definitions, codingPath)
    }

    func encodeNil() {}

    func encode<Value: Encodable>(_ value: Value) throws {
        let inner = inner()
        try inner.note(value, in: inner.shape, at: codingPath)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) -> KeyedEncodingContainer<Nested> { inner().container(keyedBy: type) }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { inner().unkeyedContainer() }
    func superEncoder() -> any Encoder { inner() }
}

private struct ShapeValue: SingleValueEncodingContainer {
    let encoder: ShapeEncoder
    var codingPath: [any CodingKey] { encoder.codingPath }

    func encodeNil() {}

    func encode<Value: Encodable>(_ value: Value) throws {
        try encoder.note(value, in: encoder.shape, at: codingPath)
    }
}
