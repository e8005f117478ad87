import Foundation
import LocalServer
import Pages

/// The page's files, and the part of the API about events and the page's stored state (its session).
struct PageRoutes {
    let store: StudioStore
    let events: StudioEvents

    func add(to api: inout API) {
        api.get(
            "api/events",
            "Listen to events: each has a name, and the content that Events has by it.",
            gives: .other("text/event-stream")
        ) { _ in
            Response(
                status: .ok,
                headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
                body: .stream(events.listen()))
        }
        api.get("api/session", "Get the page's state.", gives: .other("application/json")) { _ in
            let session = await store.session() ?? "null"
            return Response(
                status: .ok,
                headers: [.contentType: "application/json", .cacheControl: "no-store"],
                body: .data(Data("{\"session\":\(session)}".utf8)))
        }
        api.on(
            .put, "api/session", "Store the page's state.", takes: .other("application/json"),
            status: .noContent, gives: .nothing
        ) { request in
            let data = try await request.json()
            guard (try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)) != nil
            else {
                throw StudioError(.badRequest, "The page's state must be JSON.")
            }
            try await store.keep(session: String(decoding: data, as: UTF8.self))
            return Response.done
        }
    }

    /// Adds the pages' files.
    ///
    /// - Parameter first: the name of the page that is sent for `/`.
    static func addFiles(first: String, to router: inout Router) {
        for (name, content) in WebPages.studio {
            let response = response(name, content)
            router.get(name) { _ in response }
            if name == first {
                router.get("") { _ in response }
            }
        }
    }

    private static func response(_ name: String, _ content: Data) -> Response {
        let type =
            switch name.split(separator: ".").last {
            case "html": "text/html; charset=utf-8"
            case "css": "text/css; charset=utf-8"
            default: "text/javascript; charset=utf-8"
            }
        // Not cached, because a newer program has a newer page at the same address.
        return Response(
            status: .ok, headers: [.contentType: type, .cacheControl: "no-cache"],
            body: .data(content))
    }
}
