import LocalServer

/// The part of the API about stories: list, check, draw, build and play.
struct StoryRoutes {
    let stories: StoryLibrary

    private struct StoryList: Codable {
        /// The workspace's folder, where story files are looked for.
        let folder: String
        let stories: [WorkspaceFiles.Entry]
        let isCut: Bool
    }

    func add(to api: inout API) {
        api.get("api/stories", "List the story files of the workspace.") { _ in
            let found = try await stories.list()
            return StoryList(folder: stories.folder, stories: found.files, isCut: found.isCut)
        }
        api.get("api/stories/:id", "Read and check a story.") {
            try await stories.story($0.identity)
        }
        api.get("api/stories/:id/graph", "Draw a story's graph.", gives: .other("image/svg+xml")) {
            Response(
                status: .ok,
                headers: [
                    .contentType: "image/svg+xml", .cacheControl: "private, no-cache",
                    // Its style is in the document, which runs nothing and loads nothing.
                    .contentSecurityPolicy: "default-src 'none'; style-src 'unsafe-inline'",
                ], body: .data(try await stories.graph($0.identity)))
        }
        api.send("api/stories", "Write a new story file.", status: .created) {
            (_, story: NewStory) in
            try await stories.add(story)
        }
        api.send("api/stories/:id", "Change a story file.", by: .put) {
            (request, change: StoryChangeRequest) in
            try await stories.change(change, of: request.identity)
        }
        api.get(
            "api/stories/:id/strip", "Draw frames of a part of a segment's media.",
            queries: [
                .text("segment").needed, .number("from").needed, .number("to").needed,
                .integer("frames"),
            ],
            gives: .other("image/png")
        ) { request in
            _ = try await stories.file(request.identity)
            guard let segment = request.query["segment"],
                let from = request.query["from"].flatMap(Double.init),
                let to = request.query["to"].flatMap(Double.init),
                let frames = Int(request.query["frames"] ?? "24"), (1...24).contains(frames)
            else {
                throw StudioError(
                    .badRequest,
                    "A strip has a segment, from and to in seconds, and 1 to 24 frames.")
            }
            return Response(
                status: .ok, headers: [.contentType: "image/png", .cacheControl: "no-store"],
                body: .data(
                    try await stories.strip(
                        of: request.identity, segment: segment, from: from, to: to,
                        frames: frames)))
        }
        api.post("api/stories/:id/build", "Build a story.", status: .created) {
            try await stories.build($0.identity)
        }
        api.act(.post, "api/stories/:id/cancel", "Cancel a build.") {
            try await stories.cancel($0.identity)
        }
        for path in ["film/:file", "film/:folder/:file"] {
            api.get("api/stories/:id/" + path, "Play a built story.", gives: .other("*/*")) {
                try await film($0)
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
