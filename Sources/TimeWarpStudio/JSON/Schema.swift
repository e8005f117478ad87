/// A JSON Schema, as far as the studio's API is described by it.
final class Schema: Codable, Sendable {
    let type: [String]
    let properties: [String: Schema]?
    let required: [String]?
    let items: Schema?
    /// What each value of an object is, whatever its key.
    let values: Schema?
    let choices: [String]?
    let format: String?
    /// The name of the definition that says what it is.
    let reference: String?
    /// Whether an object has no other properties.
    let isClosed: Bool

    private static let definitions = "#/components/schemas/"

    private enum Key: String, CodingKey {
        case type, properties, required, items, format
        case values = "additionalProperties"
        case choices = "enum"
        case reference = "$ref"
    }

    init(
        _ type: String..., properties: [String: Schema]? = nil, required: [String]? = nil,
        items: Schema? = nil, values: Schema? = nil, choices: [String]? = nil,
        format: String? = nil, reference: String? = nil, isClosed: Bool = false
    ) {
        self.type = type
        self.properties = properties
        self.required = required
        self.items = items
        self.values = values
        self.choices = choices
        self.format = format
        self.reference = reference
        self.isClosed = isClosed
    }

    /// The same with a further property.
    func adding(_ name: String, _ property: Schema) -> Schema {
        Schema(
            "object", properties: (properties ?? [:]).merging([name: property]) { _, new in new },
            required: required, isClosed: isClosed)
    }

    /// What may also be null.
    var orNull: Schema {
        reference == nil && type.count == 1
            ? Schema(
                type[0], "null", properties: properties, required: required, items: items,
                values: values, choices: choices, format: format) : self
    }

    /// Reads the schemas of the library's documents, whose definitions are among those of the API.
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        let one = try? container.decode(String.self, forKey: .type)
        type = try one.map { [$0] } ?? container.decodeIfPresent([String].self, forKey: .type) ?? []
        properties = try container.decodeIfPresent([String: Schema].self, forKey: .properties)
        required = try container.decodeIfPresent([String].self, forKey: .required)
        items = try container.decodeIfPresent(Schema.self, forKey: .items)
        values = try? container.decode(Schema.self, forKey: .values)
        isClosed = (try? container.decode(Bool.self, forKey: .values)) == false
        choices = try container.decodeIfPresent([String].self, forKey: .choices)
        format = try container.decodeIfPresent(String.self, forKey: .format)
        reference = try container.decodeIfPresent(String.self, forKey: .reference).map {
            ($0.split(separator: "/").last ?? "").capitalized
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        if type.count == 1 {
            try container.encode(type[0], forKey: .type)
        } else if !type.isEmpty {
            try container.encode(type, forKey: .type)
        }
        try container.encodeIfPresent(properties, forKey: .properties)
        try container.encodeIfPresent(required, forKey: .required)
        try container.encodeIfPresent(items, forKey: .items)
        try container.encodeIfPresent(values, forKey: .values)
        if isClosed {
            try container.encode(false, forKey: .values)
        }
        try container.encodeIfPresent(choices, forKey: .choices)
        try container.encodeIfPresent(format, forKey: .format)
        try container.encodeIfPresent(reference.map { Self.definitions + $0 }, forKey: .reference)
    }
}

extension Schema {
    /// The same in TypeScript.
    func typeScript(_ indent: String = "") -> String {
        if let reference {
            return reference
        }
        if let choices {
            return choices.map { "\"\($0)\"" }.joined(separator: " | ")
        }
        return type.isEmpty
            ? "unknown" : type.map { one($0, indent) }.joined(separator: " | ")
    }

    private func one(_ type: String, _ indent: String) -> String {
        switch type {
        case "integer", "number": return "number"
        case "array":
            let item = items?.typeScript(indent) ?? "unknown"
            return item.contains(" | ") ? "(\(item))[]" : "\(item)[]"
        case "object":
            guard let properties else {
                return "Record<string, \(values?.typeScript(indent) ?? "unknown")>"
            }
            let members = properties.sorted { $0.key < $1.key }.map { key, value in
                let mark = required?.contains(key) ?? false ? "" : "?"
                return "\(indent)    \(key)\(mark): \(value.typeScript(indent + "    ")),\n"
            }
            return "{\n\(members.joined())\(indent)}"
        default: return type
        }
    }
}
