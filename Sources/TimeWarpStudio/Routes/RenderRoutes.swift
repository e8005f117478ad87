import LocalServer

/// The part of the API about renders: start, list, cancel, play, download and show in their folder.
struct RenderRoutes {
    let queue: RenderQueue
    let library: MediaLibrary

    private struct RenderList: Codable {
        let renders: [RenderResponse]
    }

    func add(to api: inout API) {
        api.get("api/renders", "List the renders, the newest first.") { _ in
            RenderList(renders: await queue.list())
        }
        api.send("api/renders", "Queue a render.", status: .created) { (_, job: JobRequest) in
            try await queue.add(job)
        }
        api.get("api/renders/:id", "Get a render.") { try await queue.find($0.identity) }
        api.act(.delete, "api/renders/:id", "Remove a render and its file.") {
            try await queue.remove($0.identity)
        }
        api.post("api/renders/:id/return", "Bring back a render that was removed.") {
            try await queue.bringBack($0.identity)
        }
        api.post("api/renders/:id/cancel", "Cancel a render.") {
            try await queue.cancel($0.identity)
        }
        api.post("api/renders/:id/again", "Queue a render again that didn't finish.") {
            try await queue.runAgain($0.identity)
        }
        api.act(.post, "api/renders/:id/show", "Show the file in its folder, on this machine.") {
            let path = try await queue.result($0.identity).path
            guard let desktop = Desktop.present, desktop.show(path) else {
                throw StudioError(
                    .conflict, "There is no desktop here that shows folders. The file is \(path)")
            }
        }
        api.post("api/renders/:id/clip", "Make a clip of the file.") {
            let result = try await queue.result($0.identity)
            return MediaResponse(try await library.take(result.path, name: result.name))
        }
        api.get("api/renders/:id/download", "Download the file.", gives: .other("video/*")) {
            let result = try await queue.result($0.identity)
            return try Response.file(result.path, downloadName: result.name, for: $0)
        }
    }
}
