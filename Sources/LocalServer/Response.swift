import Foundation

/// An HTTP response.
public struct Response: Sendable {
    /// The status code.
    public var status: Status
    /// The header fields. The server adds `Content-Length`, `Date` and `Connection` itself.
    public var headers: Headers
    /// What is sent after the headers.
    public var body: Body

    /// A response with these parts.
    public init(status: Status, headers: Headers = [:], body: Body = .empty) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// An error response with a JSON body: `{"error":{"message":"…"}}`.
    static func error(_ message: String, status: Status) -> Response {
        let content = try? JSONEncoder().encode(["error": ["message": message]])
        return Response(
            status: status,
            headers: [
                .contentType: "application/json; charset=utf-8", .cacheControl: "no-store",
            ], body: .data(content ?? Data()))
    }

    /// - Parameter allowed: the names of the methods that the resource supports.
    static func methodNotAllowed(_ allowed: [String]) -> Response {
        var response = error("This resource doesn't support the method.", status: .methodNotAllowed)
        response.headers[.allow] = allowed.joined(separator: ", ")
        return response
    }

    /// The status code of a response (RFC 9110, section 15).
    public struct Status: RawRepresentable, Hashable, Sendable {
        /// The code, from 100 to 599.
        public let rawValue: Int

        /// Any code from 100 to 599.
        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// The request succeeded.
        public static let ok = Status(rawValue: 200)
        /// The request created a resource.
        public static let created = Status(rawValue: 201)
        /// The request succeeded, and the response has no body.
        public static let noContent = Status(rawValue: 204)
        /// The body holds the requested byte range.
        public static let partialContent = Status(rawValue: 206)
        /// The client is to fetch another address, which `Location` holds.
        public static let seeOther = Status(rawValue: 303)
        /// The client already has the current version.
        public static let notModified = Status(rawValue: 304)
        /// The request is malformed.
        public static let badRequest = Status(rawValue: 400)
        /// The server refuses the request.
        public static let forbidden = Status(rawValue: 403)
        /// There is no such resource.
        public static let notFound = Status(rawValue: 404)
        /// The resource doesn't support the method.
        public static let methodNotAllowed = Status(rawValue: 405)
        /// The request doesn't fit the current state of the resource.
        public static let conflict = Status(rawValue: 409)
        /// The body is larger than permitted.
        public static let contentTooLarge = Status(rawValue: 413)
        /// The type of the body isn't supported.
        public static let unsupportedMediaType = Status(rawValue: 415)
        /// The requested byte range lies outside of the file.
        public static let rangeNotSatisfiable = Status(rawValue: 416)
        /// The body is well-formed, but its values are invalid.
        public static let unprocessableContent = Status(rawValue: 422)
        /// The server failed.
        public static let internalServerError = Status(rawValue: 500)
        /// The disk is full.
        public static let insufficientStorage = Status(rawValue: 507)
    }

    /// The body of a response. The response to a HEAD request states the length of the body but doesn't send
    /// it.
    public enum Body: Sendable {
        /// Nothing.
        case empty
        /// Bytes in memory.
        case data(Data)
        /// A range of an open file's bytes. The kernel copies it to the client, without a detour through the
        /// program's memory.
        case file(OpenFile, Range<Int64>)
        /// Pieces of unknown total length. Each is sent as soon as it comes, until the stream ends or the
        /// connection is closed. The next piece is taken from the stream when the last one has been sent.
        case stream(AsyncStream<Data>)
    }
}
