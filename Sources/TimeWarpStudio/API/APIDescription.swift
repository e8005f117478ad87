import Documents
import Foundation
import LocalServer
import TimeWarp

/// The studio's API for other programs, made from its endpoints and their types.
struct APIDescription {
    private let endpoints: [Endpoint]
    private let finder: SchemaFinder

    /// - Complexity: some hundred jobs are read for the schema of a job.
    init(of endpoints: [Endpoint]) throws {
        self.endpoints = endpoints
        finder = SchemaFinder(documents: try Self.documents())
        // Finds all definitions.
        for endpoint in endpoints {
            _ = try schema(endpoint.takes)
            _ = try schema(endpoint.gives)
        }
        _ = try finder.schema(of: ErrorResponse.self)
        try finder.define("Events", StudioEvents.contents)
    }

    /// The schemas of the library's documents: a job, and what it names.
    private static func documents() throws -> [String: Schema] {
        let job = try RenderJob.documentSchema()
        var schemas = ["Job": job.root.renaming(\.capitalized)]
        for (name, schema) in job.definitions {
            schemas[name.capitalized] = schema.renaming(\.capitalized)
        }
        schemas["CurveFile"] = schemas["Curve"]?.adding("timewarp", Schema("string"))
        return schemas
    }

    private func schema(_ content: Endpoint.Content) throws -> Schema? {
        guard case .json(let type) = content else {
            return nil
        }
        return try finder.schema(ofContent: type)
    }

    /// The types in TypeScript, for the checker of the pages' JavaScript.
    func typeScript() throws -> String {
        let types = finder.definitions.sorted { $0.key < $1.key }.map { name, schema in
            "export type \(name) = \(schema.typeScript());\n"
        }
        return
            "// What the studio's server takes and gives. Made from its Swift types: see APIDescriptionTests.\n\n"
            + types.joined(separator: "\n")
    }
}

extension APIDescription: Encodable {
    /// An OpenAPI document (JSON).
    func openAPI() throws -> Data {
        let encoder = StudioJSON.encoder
        if let key = Schema.definitions {
            encoder.userInfo[key] = "#/components/schemas/"
        }
        return try encoder.encode(self)
    }

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(_ name: String) { stringValue = name }
        init?(stringValue: String) { self.init(stringValue) }
        init?(intValue: Int) { nil }
    }

    /// Encodes an OpenAPI document.
    func encode(to encoder: any Encoder) throws {
        var document = encoder.container(keyedBy: Key.self)
        try document.encode("3.1.0", forKey: Key("openapi"))
        try document.encode(
            [
                "title": "TimeWarp studio", "version": "1",
                "description": """
                The API of the studio's page, for other programs on the same machine. Times are in seconds unless it \
                says otherwise; members that would be null may be missing. A job here has the format "source" and one \
                track of one segment, whose media is the identity of a clip. Files are sent with ranges (206) and as \
                not modified (304). Any other status than the one that is listed comes with a Failure.
                """,
            ], forKey: Key("info"))
        try document.encode([["bearer": [String]()]], forKey: Key("security"))
        var components = document.nestedContainer(keyedBy: Key.self, forKey: Key("components"))
        try components.encode(finder.definitions, forKey: Key("schemas"))
        try components.encode(
            ["bearer": ["type": "http", "scheme": "bearer"]], forKey: Key("securitySchemes"))
        var paths = document.nestedContainer(keyedBy: Key.self, forKey: Key("paths"))
        for (path, endpoints) in Dictionary(grouping: endpoints, by: \.path) {
            var item = paths.nestedContainer(keyedBy: Key.self, forKey: Key(Self.template(path)))
            for endpoint in endpoints {
                var operation = item.nestedContainer(
                    keyedBy: Key.self, forKey: Key(endpoint.method.rawValue.lowercased()))
                try encode(endpoint, in: &operation)
            }
        }
    }

    private func encode(
        _ endpoint: Endpoint, in operation: inout KeyedEncodingContainer<Key>
    ) throws {
        try operation.encode(endpoint.summary, forKey: Key("summary"))
        var parameters = operation.nestedUnkeyedContainer(forKey: Key("parameters"))
        for part in endpoint.path.split(separator: "/") where part.hasPrefix(":") {
            try parameters.encode(
                Parameter(String(part.dropFirst()), in: "path", "string", isRequired: true))
        }
        for query in endpoint.queries {
            try parameters.encode(
                Parameter(query.name, in: "query", query.type, isRequired: query.isRequired))
        }
        if let content = try content(endpoint.takes) {
            try operation.encode(Body(content: content), forKey: Key("requestBody"))
        }
        let response = Reply(
            description: endpoint.summary, content: try content(endpoint.gives))
        let failure = Reply(
            description: "What is wrong.",
            content: ["application/json": ["schema": try finder.schema(of: ErrorResponse.self)]])
        try operation.encode(
            ["\(endpoint.status.rawValue)": response, "default": failure], forKey: Key("responses"))
    }

    private struct Parameter: Encodable {
        let name: String
        let `in`: String
        let required: Bool
        let schema: Schema

        init(_ name: String, in place: String, _ type: String, isRequired: Bool) {
            (self.name, self.in, required, schema) = (name, place, isRequired, Schema(type))
        }
    }

    private struct Body: Encodable {
        var required = true
        let content: [String: [String: Schema]]
    }

    private struct Reply: Encodable {
        let description: String
        let content: [String: [String: Schema]]?
    }

    private func content(_ content: Endpoint.Content) throws -> [String: [String: Schema]]? {
        switch content {
        case .json: ["application/json": ["schema": try schema(content) ?? Schema()]]
        case .other(let type): [type: [:]]
        case .nothing: nil
        }
    }

    /// The path with what differs in braces.
    private static func template(_ path: String) -> String {
        "/"
            + path.split(separator: "/")
            .map { $0.hasPrefix(":") ? "{\($0.dropFirst())}" : String($0) }
            .joined(separator: "/")
    }
}

extension API {
    /// Adds the descriptions of all endpoints that were added before.
    mutating func describeItself() {
        let endpoints = endpoints
        get(
            "api/openapi.json", "Get this description, as an OpenAPI document.",
            gives: .other("application/json")
        ) { _ in
            Response(
                status: .ok, headers: [.contentType: "application/json"],
                body: .data(
                    try await runBlocking { _ in
                        try APIDescription(of: endpoints).openAPI()
                    }))
        }
        get(
            "api/server.d.ts", "Get the types of this API in TypeScript.",
            gives: .other("text/plain")
        ) { _ in
            Response(
                status: .ok, headers: [.contentType: "text/plain; charset=utf-8"],
                body: .data(
                    Data(
                        try await runBlocking { _ in
                            try APIDescription(of: endpoints).typeScript()
                        }.utf8)))
        }
    }
}

extension StudioEvents {
    /// What is said of each kind of event, by their names.
    fileprivate static let contents: [String: any Codable.Type] = {
        func pair<Content>(_ kind: Kind<Content>) -> (String, any Codable.Type) {
            (kind.name, Content.self)
        }
        return Dictionary(
            uniqueKeysWithValues: [
                pair(.hello), pair(.curves), pair(.media), pair(.render), pair(.progress),
                pair(.preview), pair(.removed), pair(.returned), pair(.story),
            ])
    }()
}
