/// Finds what answers a request, by its method and path.
public struct Router: Sendable {
    /// Answers a request.
    public typealias Handler = @Sendable (Request) async throws -> Response

    private struct Route: Sendable {
        let method: Request.Method
        let parts: [Substring]
        let handler: Handler

        /// What the named parts are; nil when the path is another.
        func parameters(of path: [String]) -> [String: String]? {
            guard path.count == parts.count else {
                return nil
            }
            var parameters: [String: String] = [:]
            for (part, given) in zip(parts, path) {
                if part.hasPrefix(":") {
                    parameters[String(part.dropFirst())] = given
                } else if part != given {
                    return nil
                }
            }
            return parameters
        }
    }
    private var routes: [Route] = []

    public init() {}

    /// - Parameter path: its parts joined by slashes, such as `media/:id`; a part after a colon is any, and the
    ///   request's parameter of that name.
    public mutating func on(
        _ method: Request.Method, _ path: String, _ handler: @escaping Handler
    ) {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        routes.append(Route(method: method, parts: parts, handler: handler))
    }

    /// GET, and HEAD with it.
    public mutating func get(_ path: String, _ handler: @escaping Handler) {
        on(.get, path, handler)
    }

    public mutating func post(_ path: String, _ handler: @escaping Handler) {
        on(.post, path, handler)
    }

    public mutating func put(_ path: String, _ handler: @escaping Handler) {
        on(.put, path, handler)
    }

    public mutating func delete(_ path: String, _ handler: @escaping Handler) {
        on(.delete, path, handler)
    }

    /// The response of the route: 404 where there is none of that path, 405 none of that method.
    public func respond(to request: Request) async throws -> Response {
        let method = request.method == .head ? .get : request.method
        var allowed: [String] = []
        for route in routes {
            guard let parameters = route.parameters(of: request.path) else {
                continue
            }
            if route.method == method {
                var request = request
                request.parameters = parameters
                return try await route.handler(request)
            }
            allowed.append(route.method.rawValue)
        }
        guard allowed.isEmpty else {
            return .methodNotAllowed(allowed)
        }
        return .error("There is nothing here.", status: .notFound)
    }
}
