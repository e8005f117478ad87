import Foundation
import LocalServer
import Media

/// An error that knows the response to the request that caused it.
protocol ErrorWithResponse: Error {
    var response: Response { get throws }
}

/// The failure of a request: an HTTP status and a message for people.
struct StudioError: ErrorWithResponse {
    let status: Response.Status
    let message: String

    init(_ status: Response.Status, _ message: String) {
        self.status = status
        self.message = message
    }

    var response: Response {
        get throws { try .json(ErrorResponse(error: .init(message: message)), status: status) }
    }
}

extension JobError: ErrorWithResponse {
    var response: Response {
        get throws {
            try .json(
                ErrorResponse(
                    error: .init(message: message, field: field, column: column, place: place)),
                status: .unprocessableContent)
        }
    }
}

/// The JSON of an error response.
struct ErrorResponse: Codable, SchemaNamed {
    static let schemaName = "Failure"

    struct Content: Codable {
        let message: String
        var field: JobError.Field?
        var column: Int?
        var place: Double?
    }
    let error: Content
}

extension Response {
    /// A JSON response.
    static func json(
        _ content: some Encodable, status: Status = .ok
    ) throws -> Response {
        Response(
            status: status,
            headers: [.contentType: "application/json; charset=utf-8", .cacheControl: "no-store"],
            body: .data(try StudioJSON.encoder.encode(content)))
    }

    /// The response without content to a successful request.
    static var done: Response { Response(status: .noContent) }
}
