import Foundation
import Hummingbird

/// The page itself, what it is told, and where it keeps its things.
struct PageRoutes {
    let store: StudioStore
    let events: StudioEvents

    func add(to router: Router<BasicRequestContext>) {
        router.get("/") { _, _ in Self.answer(PageFiles.page) }
        for (name, content) in PageFiles.all {
            router.get("\(name)") { _, _ in Self.answer((name, content)) }
        }
        router.get("api/openapi.json") { _, _ in
            Response(
                status: .ok, headers: [.contentType: "application/json"],
                body: .init(byteBuffer: ByteBuffer(bytes: PackageResources.openapi_json)))
        }
        router.get("api/events") { _, _ in
            Response(
                status: .ok,
                headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
                body: Self.body(events.listen()))
        }
        router.get("api/desk") { _, _ in
            let desk = try await store.desk() ?? "null"
            return Response(
                status: .ok,
                headers: [.contentType: "application/json", .cacheControl: "no-store"],
                body: .init(byteBuffer: ByteBuffer(string: "{\"desk\":\(desk)}")))
        }
        router.put("api/desk") { request, _ in
            let data = try await request.json()
            guard (try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)) != nil
            else {
                throw StudioError(.badRequest, "The desk holds JSON.")
            }
            try await store.keep(desk: String(decoding: data, as: UTF8.self))
            return Response.done
        }
    }

    private static func answer(_ file: (name: String, bytes: [UInt8])) -> Response {
        let type =
            switch file.name.split(separator: ".").last {
            case "html": "text/html; charset=utf-8"
            case "css": "text/css; charset=utf-8"
            default: "text/javascript; charset=utf-8"
            }
        // A newer program has a newer page at the same address.
        return Response(
            status: .ok, headers: [.contentType: type, .cacheControl: "no-cache"],
            body: .init(byteBuffer: ByteBuffer(bytes: file.bytes)))
    }

    private static func body(_ events: AsyncStream<String>) -> ResponseBody {
        ResponseBody { writer in
            try await writer.write(ByteBuffer(string: "event: hello\ndata: {}\n\n"))
            for await event in events {
                try await writer.write(ByteBuffer(string: event))
            }
            try await writer.finish(nil)
        }
    }
}
