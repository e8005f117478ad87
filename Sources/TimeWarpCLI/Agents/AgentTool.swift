import Documents
import Foundation

/// Something that an agent may ask for.
struct AgentTool: Sendable {
    let name: String
    /// What it does, for the agent.
    let description: String
    /// What it takes.
    let input: AgentInput
    /// Whether it writes nothing.
    var isReadOnly = true
    let run: @Sendable (AgentCall) async throws -> [AgentContent]
}

/// The schema of a tool's arguments.
struct AgentInput: Encodable, Sendable {
    let properties: [String: Schema]
    var required: [String] = []
    var definitions: [String: Schema] = [:]

    private enum Key: String, CodingKey {
        case type, properties, required, additionalProperties
        case definitions = "$defs"
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode("object", forKey: .type)
        try container.encode(properties, forKey: .properties)
        try container.encode(required, forKey: .required)
        try container.encode(false, forKey: .additionalProperties)
        if !definitions.isEmpty {
            try container.encode(definitions, forKey: .definitions)
        }
    }
}

/// A call of a tool.
struct AgentCall: Sendable {
    let arguments: AgentMessage.Parameters
    let folders: AgentFolders
    /// Tells how much is done, from 0 to 1, if the agent asked for it.
    let tellProgress: @Sendable (_ fraction: Double, _ message: String) -> Void

    /// A text that must be there.
    ///
    /// - Throws: `AgentMessage.Fault`.
    func text(_ key: String) throws -> String {
        guard let text = arguments[key].string else {
            throw AgentMessage.Fault.wrong("\(key) is missing, or no text")
        }
        return text
    }

    /// A value that must be there, and that has a place of its own in documents.
    ///
    /// - Throws: `AgentMessage.Fault`; `DocumentError` with its path in the arguments.
    func value<Value: Decodable>(of key: String, as type: Value.Type) throws -> Value {
        let document = try JSONDocument(arguments.json ?? Data("{}".utf8))
        let path = DocumentPath([.key(key)])
        guard let value = document.value(at: path) else {
            throw AgentMessage.Fault.wrong("\(key) is missing")
        }
        return try document.decode(type, from: value, at: path)
    }

    /// The JSON of an argument that must be there.
    ///
    /// - Throws: `AgentMessage.Fault`.
    func json(_ key: String) throws -> Data {
        guard let json = arguments[key].json else {
            throw AgentMessage.Fault.wrong("\(key) is missing")
        }
        return json
    }
}

/// A part of what a tool answers.
enum AgentContent: Encodable, Sendable {
    case text(String)
    case png([UInt8])

    /// A value as JSON in one line: what an agent reads costs by its length.
    static func json(_ value: some Encodable) throws -> AgentContent {
        .text(try JSONOutput.line(value))
    }

    private enum Key: CodingKey {
        case type, text, data, mimeType
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        switch self {
        case .text(let text):
            try container.encode("text", forKey: .type)
            try container.encode(text, forKey: .text)
        case .png(let bytes):
            try container.encode("image", forKey: .type)
            try container.encode(Data(bytes).base64EncodedString(), forKey: .data)
            try container.encode("image/png", forKey: .mimeType)
        }
    }
}
