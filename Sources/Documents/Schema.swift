/// A JSON Schema, as far as documents and the studio's API are described by it.
package final class Schema: Encodable, Sendable {
    /// What a value may be; empty for anything.
    package let types: [String]
    package let properties: [String: Schema]?
    package let required: [String]?
    package let items: Schema?
    /// What each value of an object is, whatever its key.
    package let values: Schema?
    package let choices: [String]?
    package let format: String?
    /// The name of the definition that says what it is.
    package let reference: String?
    /// What a value says, for people.
    package let description: String?
    /// Whether an object has no other properties.
    package let isClosed: Bool

    package init(
        _ types: String..., properties: [String: Schema]? = nil, required: [String]? = nil,
        items: Schema? = nil, values: Schema? = nil, choices: [String]? = nil,
        format: String? = nil, reference: String? = nil, description: String? = nil,
        isClosed: Bool = false
    ) {
        (self.types, self.properties, self.required) = (types, properties, required)
        (self.items, self.values, self.choices) = (items, values, choices)
        (self.format, self.reference, self.isClosed) = (format, reference, isClosed)
        self.description = description
    }

    /// The same with changes.
    private init(
        _ schema: Schema, types: [String]? = nil, properties: [String: Schema]? = nil,
        items: Schema? = nil, values: Schema? = nil, reference: String? = nil,
        description: String? = nil
    ) {
        self.types = types ?? schema.types
        self.properties = properties ?? schema.properties
        self.items = items ?? schema.items
        self.values = values ?? schema.values
        self.reference = reference ?? schema.reference
        (required, choices) = (schema.required, schema.choices)
        (format, isClosed) = (schema.format, schema.isClosed)
        self.description = description ?? schema.description
    }

    /// The same for other types.
    package func with(types: [String]) -> Schema { Schema(self, types: types) }

    /// The same with a description.
    package func described(_ description: String?) -> Schema {
        Schema(self, description: description)
    }

    /// The same with a further property.
    package func adding(_ name: String, _ property: Schema) -> Schema {
        Schema(self, properties: (properties ?? [:]).merging([name: property]) { _, new in new })
    }

    /// What may also be null.
    package var orNull: Schema {
        reference == nil && types.count == 1 ? with(types: types + ["null"]) : self
    }

    /// The same with other names of definitions.
    package func renaming(_ rename: (String) -> String) -> Schema {
        Schema(
            self, properties: properties?.mapValues { $0.renaming(rename) },
            items: items?.renaming(rename), values: values?.renaming(rename),
            reference: reference.map(rename))
    }

    /// Where the definitions stand in a document, for an encoder's `userInfo`: a text such as "#/components/schemas/".
    package static let definitions = CodingUserInfoKey(rawValue: "definitions")

    private enum Key: String, CodingKey {
        case type, properties, required, items, format, description
        case values = "additionalProperties"
        case choices = "enum"
        case reference = "$ref"
    }

    /// Definitions are looked for where ``definitions`` says, or else in "$defs".
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        if types.count == 1 {
            try container.encode(types[0], forKey: .type)
        } else if !types.isEmpty {
            try container.encode(types, forKey: .type)
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
        try container.encodeIfPresent(description, forKey: .description)
        let place = Self.definitions.flatMap { encoder.userInfo[$0] as? String } ?? "#/$defs/"
        try container.encodeIfPresent(reference.map { place + $0 }, forKey: .reference)
    }
}
