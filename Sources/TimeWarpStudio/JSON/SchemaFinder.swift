import Documents
import Foundation
import Overview
import TimeMaps
import TimeWarp

/// A type that is coded by its own code, so that decoding doesn't show how.
protocol SchemaGiving: Decodable {
    /// How it is coded.
    static func schema(_ finder: SchemaFinder) throws -> Schema
    /// A value, for whatever decodes one.
    static var example: Self { get throws }
}

/// A type that the API names.
protocol SchemaNamed: Decodable {
    static var schemaName: String { get }
}

/// Finds how types are coded in JSON, by decoding them from nothing: whatever is asked for belongs to the schema.
final class SchemaFinder {
    /// The schemas of types with names, and of the library's documents.
    private(set) var definitions: [String: Schema]
    /// The types with names, of which each belongs to one.
    private var types: [String: any Decodable.Type] = [:]

    /// - Parameter documents: the library's schemas, by names.
    init(documents: [String: Schema] = [:]) {
        definitions = documents
    }

    func schema(of type: any Decodable.Type) throws -> Schema {
        switch type {
        case is String.Type: return Schema("string")
        case is Bool.Type: return Schema("boolean")
        case is Date.Type: return Schema("string", format: "date-time")
        case is any BinaryInteger.Type: return Schema("integer")
        case is any BinaryFloatingPoint.Type: return Schema("number")
        case let type as any Wrapper.Type: return try type.schema(self)
        case let type as any SchemaGiving.Type: return try type.schema(self)
        case let type as any SchemaNamed.Type: return try named(type.schemaName, type)
        default: break
        }
        if let choices = words(of: type) {
            return Schema("string", choices: choices)
        }
        return try object(type)
    }

    /// The schema of what an endpoint takes or gives, which has a name: its type's, if it has no other one.
    func schema(ofContent type: any Decodable.Type) throws -> Schema {
        switch type {
        case is any Wrapper.Type, is any SchemaGiving.Type, is any SchemaNamed.Type:
            try schema(of: type)
        default: try named(String(describing: type), type)
        }
    }

    private func named(_ name: String, _ type: any Decodable.Type) throws -> Schema {
        guard let known = types[name] else {
            guard definitions[name] == nil else {
                throw SchemaError(reason: "a document of the library is called \(name)")
            }
            types[name] = type
            definitions[name] = try object(type)
            return Schema(reference: name)
        }
        guard known == type else {
            throw SchemaError(reason: "two types are called \(name)")
        }
        return Schema(reference: name)
    }

    /// Adds an object whose members are of some types.
    func define(_ name: String, _ members: [String: any Decodable.Type]) throws {
        definitions[name] = Schema(
            "object", properties: try members.mapValues(schema(ofContent:)),
            required: members.keys.sorted())
    }

    private func object(_ type: any Decodable.Type) throws -> Schema {
        let found = FoundMembers()
        _ = try type.init(from: EmptyDecoder(finder: self, found: found))
        return Schema(
            "object", properties: found.members, required: found.required.sorted())
    }

    /// A value of a type, for what decodes one.
    fileprivate func value<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let simple: Any? =
            switch type {
            case is String.Type: ""
            case is Bool.Type: false
            case is Date.Type: Date(timeIntervalSince1970: 0)
            case let type as any ExpressibleByZero.Type: type.zero
            case let type as any Wrapper.Type: type.empty
            case let type as any SchemaGiving.Type: try type.example
            case let type as any CaseIterable.Type: type.first
            default: nil
            }
        return try simple as? Value
            ?? Value(from: EmptyDecoder(finder: self, found: FoundMembers()))
    }
}

extension CaseIterable {
    fileprivate static var first: Any? { allCases.first }
}

private protocol ExpressibleByZero { static var zero: Self { get } }
extension Int: ExpressibleByZero {}
extension Int64: ExpressibleByZero {}
extension Double: ExpressibleByZero {}
extension Float: ExpressibleByZero {}

/// A list, a dictionary, or a value that may be missing.
private protocol Wrapper {
    static func schema(_ finder: SchemaFinder) throws -> Schema
    static var empty: Self { get }
}

extension Optional: Wrapper where Wrapped: Decodable {
    fileprivate static func schema(_ finder: SchemaFinder) throws -> Schema {
        try finder.schema(of: Wrapped.self).orNull
    }
    fileprivate static var empty: Self { nil }
}

extension Array: Wrapper where Element: Decodable {
    fileprivate static func schema(_ finder: SchemaFinder) throws -> Schema {
        Schema("array", items: try finder.schema(of: Element.self))
    }
    fileprivate static var empty: Self { [] }
}

extension Dictionary: Wrapper where Key == String, Value: Decodable {
    fileprivate static func schema(_ finder: SchemaFinder) throws -> Schema {
        Schema("object", values: try finder.schema(of: Value.self))
    }
    fileprivate static var empty: Self { [:] }
}

extension JobFile: SchemaGiving {
    static func schema(_ finder: SchemaFinder) -> Schema { Schema(reference: "Job") }
    static var example: JobFile {
        get throws {
            let json = """
                { "timewarp": "job/1", "output": { "path": "a.mp4" }, "timeline": { "format": "source",
                  "tracks": [{ "segments": [{ "media": "a", "warp": { "curve": "ramp" } }] }] } }
                """
            return try JSONDecoder().decode(JobFile.self, from: Data(json.utf8))
        }
    }
}

extension FileClip: SchemaGiving {
    static func schema(_ finder: SchemaFinder) -> Schema { Schema(reference: "Segment") }
    static var example: FileClip {
        get throws {
            guard let clip = try JobFile.example.clip else {
                throw SchemaError.unknown
            }
            return clip
        }
    }
}

extension Beats: SchemaNamed { static let schemaName = "Beats" }
extension Waveform: SchemaNamed { static let schemaName = "Waveform" }
extension RenderProgress: SchemaNamed { static let schemaName = "Progress" }

extension Curve: SchemaGiving {
    static func schema(_ finder: SchemaFinder) -> Schema { Schema(reference: "Curve") }
    static var example: Curve { .builtIn(.ramp, factor: 1, modifier: 0.5) }
}

extension RationalTime: SchemaGiving {
    static func schema(_ finder: SchemaFinder) -> Schema {
        let whole = Schema("integer")
        return Schema(
            "object", properties: ["value": whole, "timescale": whole],
            required: ["timescale", "value"])
    }
    static var example: RationalTime { .zero }
}

private final class FoundMembers {
    var members: [String: Schema] = [:]
    var required: Set<String> = []
}

/// Decodes values that mean nothing, and notes which members are asked for.
private struct EmptyDecoder: Decoder {
    let finder: SchemaFinder
    let found: FoundMembers
    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(EmptyObject<Key>(decoder: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw SchemaError.unknown }
    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        throw SchemaError.unknown
    }
}

/// Why there is no schema.
struct SchemaError: Error {
    let reason: String

    fileprivate static let unknown = SchemaError(
        reason: "a type has code of its own, and doesn't say how it is coded")
}

private struct EmptyObject<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: EmptyDecoder
    let codingPath: [any CodingKey] = []
    let allKeys: [Key] = []

    func contains(_ key: Key) -> Bool { true }
    func decodeNil(forKey key: Key) -> Bool { false }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        decoder.found.required.insert(key.stringValue)
        decoder.found.members[key.stringValue] = try decoder.finder.schema(of: type)
        return try decoder.finder.value(type)
    }

    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        try optional(type, key)
    }

    // The library's own of these ask for the value.
    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
        try optional(type, key)
    }
    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
        try optional(type, key)
    }
    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
        try optional(type, key)
    }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
        try optional(type, key)
    }
    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? {
        try optional(type, key)
    }

    private func optional<Value: Decodable>(_ type: Value.Type, _ key: Key) throws -> Value? {
        decoder.found.members[key.stringValue] = try decoder.finder.schema(of: type)
        return nil
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> { throw SchemaError.unknown }
    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        throw SchemaError.unknown
    }
    func superDecoder() throws -> any Decoder { decoder }
    func superDecoder(forKey key: Key) throws -> any Decoder { throw SchemaError.unknown }
}
