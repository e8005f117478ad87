import LocalServer

/// The routes of stories: list, check, draw, build and play.
struct StoryRoutes {
    let stories: StoryLibrary

    private struct StoryList: Encodable {
        /// The workspace's folder, where story files are looked for.
        let folder: String
        let stories: [WorkspaceFiles.Entry]
        let isCut: Bool
    }

    func add(to router: inout Router) {
        router.get("api/stories") { _ in
            let found = try await stories.list()
            return try Response.json(
                StoryList(folder: stories.folder, stories: found.files, isCut: found.isCut))
        }
        router.get("api/stories/:id") { request in
            try Response.json(try await stories.story(request.identity))
        }
        router.get("api/stories/:id/graph") { request in
            Response(
                status: .ok,
                headers: [
                    .contentType: "image/svg+xml", .cacheControl: "private, no-cache",
                    // Its style is in the document, which runs nothing and loads nothing.
                    .contentSecurityPolicy: "default-src 'none'; style-src 'unsafe-inline'",
                ], body: .data(try await stories.graph(request.identity)))
        }
        router.put("api/stories/:id/times") { request in
            let change = try StoryTimeRequest(json: try await request.json())
            return try Response.json(try await stories.change(change, of: request.identity))
        }
        router.get("api/stories/:id/strip") { request in
            _ = try await stories.file(request.identity)
            guard let segment = request.query["segment"],
                let from = request.query["from"].flatMap(Double.init),
                let to = request.query["to"].flatMap(Double.init)
            else {
                throw StudioError(.badRequest, "A strip has a segment, and from and to in seconds.")
            }
            return Response(
                status: .ok, headers: [.contentType: "image/png", .cacheControl: "no-store"],
                body: .data(
                    try await stories.strip(
                        of: request.identity, segment: segment, from: from, to: to)))
        }
        router.post("api/stories/:id/build") { request in
            try Response.json(try await stories.build(request.identity), status: .created)
        }
        router.post("api/stories/:id/cancel") { request in
            try await stories.cancel(request.identity)
            return Response.done
        }
        for path in ["film/:file", "film/:folder/:file"] {
            router.get("api/stories/:id/" + path) { request in
                try await film(request)
            }
        }
    }

    /// What the player's page may do: as its own policy says, and be shown inside the studio's page.
    private static let playerPolicy = [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'",
        "media-src 'self' blob:", "img-src 'self' data:", "base-uri 'none'", "form-action 'none'",
        "frame-ancestors 'self'",
    ].joined(separator: "; ")

    private func film(_ request: Request) async throws -> Response {
        let folder = try await stories.film(request.identity)
        let parts = ["folder", "file"].compactMap { request.parameters[$0] }
        var response = FolderServer(folder).response(to: request, at: parts)
        response.headers[.contentSecurityPolicy] = Self.playerPolicy
        return response
    }
}
