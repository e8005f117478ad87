import Foundation

/// What a client is given.
public struct Response: Sendable {
    public var status: Status
    public var headers: Headers
    public var body: Body

    public init(status: Status, headers: Headers = [:], body: Body = .empty) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// Why a request isn't answered otherwise, as JSON: `{"error":{"message":"…"}}`.
    static func error(_ message: String, status: Status) -> Response {
        let content = try? JSONEncoder().encode(["error": ["message": message]])
        return Response(
            status: status,
            headers: [
                .contentType: "application/json; charset=utf-8", .cacheControl: "no-store",
            ], body: .data(content ?? Data()))
    }

    /// - Parameter allowed: what can be done there instead.
    static func methodNotAllowed(_ allowed: [String]) -> Response {
        var response = error("This can't be done here.", status: .methodNotAllowed)
        response.headers[.allow] = allowed.joined(separator: ", ")
        return response
    }

    /// How a request ended (RFC 9110, section 15).
    public struct Status: RawRepresentable, Hashable, Sendable {
        public let rawValue: Int

        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        public static let ok = Status(rawValue: 200)
        public static let created = Status(rawValue: 201)
        public static let noContent = Status(rawValue: 204)
        public static let partialContent = Status(rawValue: 206)
        public static let seeOther = Status(rawValue: 303)
        public static let notModified = Status(rawValue: 304)
        public static let badRequest = Status(rawValue: 400)
        public static let forbidden = Status(rawValue: 403)
        public static let notFound = Status(rawValue: 404)
        public static let methodNotAllowed = Status(rawValue: 405)
        public static let conflict = Status(rawValue: 409)
        public static let contentTooLarge = Status(rawValue: 413)
        public static let unsupportedMediaType = Status(rawValue: 415)
        public static let rangeNotSatisfiable = Status(rawValue: 416)
        public static let unprocessableContent = Status(rawValue: 422)
        public static let internalServerError = Status(rawValue: 500)
        public static let insufficientStorage = Status(rawValue: 507)
    }

    /// What is sent. A HEAD request is told its length and gets none of it.
    public enum Body: Sendable {
        case empty
        case data(Data)
        /// A part of an open file. The kernel copies it to the client.
        case file(OpenFile, Range<Int64>)
        /// Pieces as they come, each sent at once, until the stream or the connection ends. The next one
        /// is asked for when the last one has been sent.
        case stream(AsyncStream<Data>)
    }
}
