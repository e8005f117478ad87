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

        static func number(_ name: String) -> Query { Query(name: name, type: "number") }
        static func text(_ name: String) -> Query { Query(name: name, type: "string") }
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
        on(.get, path, summary, queries, .nothing, .ok, .json(Answer.self)) { request in
            try Response.json(await answer(request))
        }
    }

    /// Answers requests without a body by JSON.
    mutating func post<Answer: Codable>(
        _ path: String, _ summary: String, status: Response.Status = .ok,
        _ answer: @escaping @Sendable (Request) async throws -> Answer
    ) {
        on(.post, path, summary, [], .nothing, status, .json(Answer.self)) { request in
            try Response.json(await answer(request), status: status)
        }
    }

    /// Answers requests with JSON by JSON.
    mutating func send<Body: SentJSON, Answer: Codable>(
        _ path: String, _ summary: String, by method: Request.Method = .post,
        queries: [Endpoint.Query] = [], status: Response.Status = .ok,
        _ answer: @escaping @Sendable (Request, Body) async throws -> Answer
    ) {
        on(method, path, summary, queries, .json(Body.self), status, .json(Answer.self)) {
            try Response.json(
                await answer($0, Body(json: try await $0.json())), status: status)
        }
    }

    /// Carries out requests to which there is nothing to say.
    mutating func act(
        _ method: Request.Method, _ path: String, _ summary: String,
        _ act: @escaping @Sendable (Request) async throws -> Void
    ) {
        on(method, path, summary, [], .nothing, .noContent, .nothing) { request in
            try await act(request)
            return Response.done
        }
    }

    /// Answers requests by whatever isn't JSON of one type.
    mutating func get(
        _ path: String, _ summary: String, queries: [Endpoint.Query] = [],
        gives: Endpoint.Content, _ handler: @escaping Router.Handler
    ) {
        on(.get, path, summary, queries, .nothing, .ok, gives, handler)
    }

    /// Adds any endpoint.
    mutating func on(
        _ method: Request.Method, _ path: String, _ summary: String,
        _ queries: [Endpoint.Query], _ takes: Endpoint.Content, _ status: Response.Status,
        _ gives: Endpoint.Content, _ handler: @escaping Router.Handler
    ) {
        endpoints.append(
            Endpoint(
                method: method, path: path, summary: summary, queries: queries, takes: takes,
                status: status, gives: gives))
        router.on(method, path, handler)
    }
}
