import LocalServer

/// The routes of renders: start, list, cancel, play, download and show in their folder.
struct RenderRoutes {
    let queue: RenderQueue

    func add(to router: inout Router) {
        router.get("api/renders") { _ in
            try Response.json(["renders": await queue.list()])
        }
        router.post("api/renders") { request in
            let job = try JobRequest(json: try await request.json())
            return try Response.json(try await queue.add(job), status: .created)
        }
        router.get("api/renders/:id") { request in
            try Response.json(try await queue.find(request.identity))
        }
        router.delete("api/renders/:id") { request in
            try await queue.remove(request.identity)
            return Response.done
        }
        router.post("api/renders/:id/return") { request in
            try Response.json(try await queue.bringBack(request.identity))
        }
        router.post("api/renders/:id/cancel") { request in
            try Response.json(try await queue.cancel(request.identity))
        }
        router.post("api/renders/:id/again") { request in
            try Response.json(try await queue.runAgain(request.identity))
        }
        router.post("api/renders/:id/show") { request in
            let path = try await queue.result(request.identity).path
            guard let desktop = Desktop.present, desktop.show(path) else {
                throw StudioError(
                    .conflict, "There is no desktop here that shows folders. The file is \(path)")
            }
            return Response.done
        }
        router.get("api/renders/:id/content") { request in
            let result = try await queue.result(request.identity)
            return try Response.file(result.path, for: request)
        }
        router.get("api/renders/:id/download") { request in
            let result = try await queue.result(request.identity)
            return try Response.file(result.path, downloadName: result.name, for: request)
        }
    }
}
