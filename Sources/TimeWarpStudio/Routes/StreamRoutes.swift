import LocalServer
import Media
import TimeMaps
import TimeWarp

/// The part of the API that plays what jobs make, before it is rendered and after.
struct StreamRoutes {
    let library: MediaLibrary
    let queue: RenderQueue
    let streams = PlayedStreams()

    func add(to api: inout API) {
        api.on(
            .post, "api/stream",
            "Play what a job makes, from an instant on: a fragmented MP4, whose times are a second later than the output's. "
                + "The size is that of a frame's shorter side, at most.",
            queries: PlayedStreams.Place.queries, takes: .json(JobRequest.self),
            gives: .other("video/mp4")
        ) { request in
            let place = try PlayedStreams.Place(request)
            let text = try await request.json()
            let job = try JobRequest(json: text)
            let (record, source) = try await library.open(job.clip.media)
            return try await streams.response(
                of: record.stamp + String(decoding: text, as: UTF8.self), at: place
            ) { shortSide in
                try JobError.blaming(.media) {
                    try RenderPlan(
                        streaming: job.job(of: source, to: job.name), shortSide: shortSide,
                        MediaCatalogue(holding: source))
                }
            }
        }
        api.get(
            "api/renders/:id/stream", "Play a finished file in the same way.",
            queries: PlayedStreams.Place.queries, gives: .other("video/mp4")
        ) { request in
            let place = try PlayedStreams.Place(request)
            let file = try await queue.result(request.identity).path
            return try await streams.response(of: request.identity, at: place) { shortSide in
                let source = try MediaSource(at: file, formats: .all)
                return try RenderPlan(
                    streaming: RenderJob(asIs: source), shortSide: shortSide,
                    MediaCatalogue(holding: source))
            }
        }
    }
}
