import Hummingbird

/// Renders: start, list, cancel, play, download.
struct RenderRoutes {
    let queue: RenderQueue

    func add(to router: Router<BasicRequestContext>) {
        router.get("api/renders") { _, _ in
            try Response.json(["renders": try await queue.list()])
        }
        router.post("api/renders") { request, _ in
            let order = try Order(json: try await request.json())
            return try Response.json(try await queue.add(order), status: .created)
        }
        router.get("api/renders/:id") { _, context in
            try Response.json(try await queue.find(context.identity))
        }
        router.delete("api/renders/:id") { _, context in
            try await queue.remove(context.identity)
            return Response.done
        }
        router.post("api/renders/:id/cancel") { _, context in
            try Response.json(try await queue.cancel(context.identity))
        }
        router.post("api/renders/:id/again") { _, context in
            try Response.json(try await queue.runAgain(context.identity))
        }
        router.get("api/renders/:id/content") { request, context in
            let result = try await queue.result(context.identity)
            return try await FileAnswer(result.path).response(to: request, context: context)
        }
        router.get("api/renders/:id/download") { request, context in
            let result = try await queue.result(context.identity)
            return try await FileAnswer(result.path, downloadName: result.name)
                .response(to: request, context: context)
        }
    }
}
