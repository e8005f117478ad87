import Foundation
import LocalServer

/// A request that the studio answers, as its API's description has it.
struct Endpoint: Sendable {
    /// What a request or a response has besides its head.
    enum Content: Sendable {
        case json(any Decodable.Type)
        /// Anything else, by its media type.
        case other(String)
        case nothing
    }

    /// A value in the query.
    struct Query: Sendable {
        let name: String
        let type: String
        var isRequired = false

        static func number(_ name: String) -> Query { Query(name: name, type: "number") }
        static func integer(_ name: String) -> Query { Query(name: name, type: "integer") }
        static func text(_ name: String) -> Query { Query(name: name, type: "string") }

        /// The same, without which the request is refused.
        var needed: Query { Query(name: name, type: type, isRequired: true) }
    }

    let method: Request.Method
    /// The path, in which parts that begin with a colon stand for any one part.
    let path: String
    /// What it does, in a sentence.
    let summary: String
    let queries: [Query]
    let takes: Content
    let status: Response.Status
    let gives: Content
}

/// The studio's API: how each request is answered, with what its description says of it. Types say what is taken and given.
struct API {
    private(set) var router = Router()
    private(set) var endpoints: [Endpoint] = []

    /// Answers requests without a body by JSON.
    mutating func get<Answer: Codable>(
        _ path: String, _ summary: String, queries: [Endpoint.Query] = [],
        _ answer: @escaping @Sendable (Request) async throws -> Answer
    ) {
        on(.get, path, summary, queries: queries, gives: .json(Answer.self)) { request in
            try Response.json(await answer(request))
        }
    }

    /// Answers requests without a body by JSON.
    mutating func post<Answer: Codable>(
        _ path: String, _ summary: String, status: Response.Status = .ok,
        _ answer: @escaping @Sendable (Request) async throws -> Answer
    ) {
        on(.post, path, summary, status: status, gives: .json(Answer.self)) { request in
            try Response.json(await answer(request), status: status)
        }
    }

    /// Answers requests with JSON by JSON.
    mutating func send<Body: SentJSON, Answer: Codable>(
        _ path: String, _ summary: String, by method: Request.Method = .post,
        queries: [Endpoint.Query] = [], status: Response.Status = .ok,
        _ answer: @escaping @Sendable (Request, Body) async throws -> Answer
    ) {
        on(
            method, path, summary, queries: queries, takes: .json(Body.self), status: status,
            gives: .json(Answer.self)
        ) {
            try Response.json(
                await answer($0, Body(json: try await $0.json())), status: status)
        }
    }

    /// Carries out requests to which there is nothing to say.
    mutating func act(
        _ method: Request.Method, _ path: String, _ summary: String,
        _ act: @escaping @Sendable (Request) async throws -> Void
    ) {
        on(method, path, summary, status: .noContent, gives: .nothing) { request in
            try await act(request)
            return Response.done
        }
    }

    /// Answers requests by whatever isn't JSON of one type.
    mutating func get(
        _ path: String, _ summary: String, queries: [Endpoint.Query] = [],
        gives: Endpoint.Content, _ handler: @escaping Router.Handler
    ) {
        on(.get, path, summary, queries: queries, gives: gives, handler)
    }

    /// Adds any endpoint.
    mutating func on(
        _ method: Request.Method, _ path: String, _ summary: String,
        queries: [Endpoint.Query] = [], takes: Endpoint.Content = .nothing,
        status: Response.Status = .ok, gives: Endpoint.Content, _ handler: @escaping Router.Handler
    ) {
        endpoints.append(
            Endpoint(
                method: method, path: path, summary: summary, queries: queries, takes: takes,
                status: status, gives: gives))
        router.on(method, path, handler)
    }
}
