/// Finds the handler of a request by its method and path.
public struct Router: Sendable {
    /// Makes the response to a request. It may run for many requests at the same time.
    public typealias Handler = @Sendable (Request) async throws -> Response

    private struct Route: Sendable {
        let method: Request.Method
        let parts: [Substring]
        let handler: Handler

        /// The values of the named parts; nil if the path doesn't match.
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

    /// A router without routes.
    public init() {}

    /// Adds a route. If several match a request, the first one added is used.
    ///
    /// - Parameters:
    ///   - method: of the requests. Routes for GET also handle HEAD.
    ///   - path: its parts joined by slashes, without a leading slash, such as `media/:id`. A part that begins
    ///     with a colon matches any one part of a request's path, and ``Request/parameters`` holds the match by
    ///     that name.
    ///   - handler: makes the response.
    public mutating func on(
        _ method: Request.Method, _ path: String, _ handler: @escaping Handler
    ) {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        routes.append(Route(method: method, parts: parts, handler: handler))
    }

    /// Adds a route for GET and HEAD requests; see ``on(_:_:_:)``.
    public mutating func get(_ path: String, _ handler: @escaping Handler) {
        on(.get, path, handler)
    }

    /// Adds a route for POST requests; see ``on(_:_:_:)``.
    public mutating func post(_ path: String, _ handler: @escaping Handler) {
        on(.post, path, handler)
    }

    /// Adds a route for PUT requests; see ``on(_:_:_:)``.
    public mutating func put(_ path: String, _ handler: @escaping Handler) {
        on(.put, path, handler)
    }

    /// Adds a route for DELETE requests; see ``on(_:_:_:)``.
    public mutating func delete(_ path: String, _ handler: @escaping Handler) {
        on(.delete, path, handler)
    }

    /// The response of the matching route's handler. The status is 404 if no route has the path, and 405 if no
    /// route with the path has the method.
    ///
    /// - Throws: what the handler throws.
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
