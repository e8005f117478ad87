/// What the page sends to have a clip evaluated or rendered.
struct PageRequest: Sendable {
    /// The identity of the clip.
    var media = ""
    /// How it is retimed, as in a segment of a job; all of it at normal speed if there is nothing.
    var segment: [String: any Sendable] = [:]
    var isSound = false
    var output: [String: any Sendable] = ["path": "out.mp4"]
    var video: [String: any Sendable] = [:]
    var audio: [String: any Sendable] = [:]
    /// What stands beside the job.
    var more: [String: any Sendable] = [:]

    /// The body of the request.
    var json: [String: any Sendable] {
        let segments: [[String: any Sendable]] = [segment.merging(["media": media]) { $1 }]
        var track: [String: any Sendable] = ["segments": segments]
        track["carries"] = isSound ? "sound" : nil
        let tracks: [[String: any Sendable]] = [track]
        let timeline: [String: any Sendable] = ["format": "source", "tracks": tracks]
        let job: [String: any Sendable] = [
            "timewarp": "job/1", "timeline": timeline, "output": output, "video": video,
            "audio": audio,
        ]
        return more.merging(["job": job]) { $1 }
    }
}
