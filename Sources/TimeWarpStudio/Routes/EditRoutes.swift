import LocalServer

/// The routes of edits: list, make, change and export.
struct EditRoutes {
    let edits: EditLibrary

    func add(to router: inout Router) {
        router.get("api/edits") { _ in
            try Response.json(["edits": await edits.list()])
        }
        router.post("api/edits") { request in
            let edit = try EditRequest(json: try await request.json())
            return try Response.json(
                MediaResponse(try await edits.add(edit)), status: .created)
        }
        router.get("api/edits/:id") { request in
            try Response.json(try await edits.edit(request.identity))
        }
        router.put("api/edits/:id") { request in
            let edit = try EditRequest(json: try await request.json())
            return try Response.json(
                MediaResponse(try await edits.change(request.identity, edit)))
        }
        router.get("api/edits/:id/file") { request in
            try Response.json(
                try await edits.file(
                    request.identity, format: request.query["format"] ?? "json"))
        }
    }
}
