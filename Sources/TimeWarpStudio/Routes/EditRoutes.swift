import LocalServer

/// The part of the API about edits: list, make, change and export.
struct EditRoutes {
    let edits: EditLibrary

    private struct EditList: Codable {
        let edits: [EditRecord]
    }

    func add(to api: inout API) {
        api.get("api/edits", "List the edits.") { _ in EditList(edits: await edits.list()) }
        api.send("api/edits", "Make an edit, which is a clip too.", status: .created) {
            (_, edit: EditRequest) in
            MediaResponse(try await edits.add(edit))
        }
        api.get("api/edits/:id", "Get an edit.") { try await edits.edit($0.identity) }
        api.send("api/edits/:id", "Change an edit.", by: .put) { (request, edit: EditRequest) in
            MediaResponse(try await edits.change(request.identity, edit))
        }
        api.get(
            "api/edits/:id/file", "Get an edit as a project of an editor.",
            queries: [.text("format")]
        ) {
            try await edits.file($0.identity, format: $0.query["format"] ?? "json")
        }
    }
}
