import Hummingbird

/// Refuses requests that a foreign page makes through a name of its own that leads here.
public struct LoopbackGuard<Context: RequestContext>: RouterMiddleware {
    public init() {}

    public func handle(
        _ request: Request, context: Context,
        next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        let host = request.head.authority?.split(separator: ":").first.map(String.init)
        guard let host, ["127.0.0.1", "localhost"].contains(host) else {
            throw HTTPError(.forbidden, message: "this server answers for 127.0.0.1 alone")
        }
        var response = try await next(request, context)
        response.headers[.xContentTypeOptions] = "nosniff"
        return response
    }
}
