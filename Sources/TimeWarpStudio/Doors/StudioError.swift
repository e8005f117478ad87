import Hummingbird
import Media

/// A request that can't be answered, with a sentence for people.
struct StudioError: Error, HTTPResponseError {
    let status: HTTPResponse.Status
    let message: String

    init(_ status: HTTPResponse.Status, _ message: String) {
        self.status = status
        self.message = message
    }

    func response(from request: Request, context: some RequestContext) throws -> Response {
        try .json(ErrorAnswer(error: .init(message: message)), status: status)
    }
}

extension OrderError: HTTPResponseError {
    var status: HTTPResponse.Status { .unprocessableContent }

    func response(from request: Request, context: some RequestContext) throws -> Response {
        try .json(
            ErrorAnswer(
                error: .init(message: message, field: field, column: column, place: place)),
            status: status)
    }
}

/// An error as the page reads it.
struct ErrorAnswer: Encodable {
    struct Content: Encodable {
        let message: String
        var field: OrderError.Field?
        var column: Int?
        var place: Double?
    }
    let error: Content
}

extension Response {
    /// An answer in JSON.
    static func json(
        _ content: some Encodable, status: HTTPResponse.Status = .ok
    ) throws -> Response {
        let data = try StudioJSON.encoder.encode(content)
        return Response(
            status: status,
            headers: [.contentType: "application/json; charset=utf-8", .cacheControl: "no-store"],
            body: .init(byteBuffer: ByteBuffer(bytes: data)))
    }

    /// Done, and nothing to say.
    static var done: Response { Response(status: .noContent) }
}
