import Documents
import Foundation
import Media
import RandomCompositions
import TestSupport
import Testing
import TimeMaps

@testable import TimeWarp

/// Jobs as values: what is written, read, refused, and rendered.
@Suite("Render jobs")
struct RenderJobTests {
    @Test("written and read again they are equal (500, seed 5)")
    func thereAndBack() throws {
        var random = RandomJobs(seed: 5)
        for _ in 0..<500 {
            let job = try random.job()
            let json = try job.json()
            #expect(try RenderJob(json: json, mediaDuration: unknown) == job)
            #expect(try RenderJob(json: json, mediaDuration: unknown).json() == json)
            // As a part of another document.
            let data = try JSONEncoder().encode([job])
            #expect(try JSONDecoder().decode([RenderJob].self, from: data) == [job])
        }
    }

    /// What is written says its ranges.
    private func unknown(_ media: String) throws -> RationalTime {
        throw MediaError(.noInput, file: media, reason: "nobody should ask for it")
    }

    @Test("files may be named by URLs, and addresses are refused")
    func urls() async throws {
        let folder = try TemporaryFolder()
        let clip = folder.url.appending(path: "a clip.mp4")
        try TestClip { $0.frameCount = 10 }.write(to: clip.path)
        let source = try MediaSource(at: clip)
        #expect(try await Asset.load(at: clip).duration == source.duration)
        let film = try Composition(
            of: Segment(
                PlacedClip(clip.path, range: TimeRange(start: .zero, end: RationalTime(1, over: 5)))
            ))
        let job = try RenderJob(film, to: folder.url.appending(path: "out.mkv"))
        #expect(job.destination == folder.path("out.mkv"))
        let file = folder.url.appending(path: "job.json")
        try job.json().write(to: file)
        #expect(try RenderJob(contentsOf: file) == job)
        let plan = try await RenderPlan.make(for: job)
        #expect(plan.outputDuration == 0.2)
        let address = try #require(URL(string: "https://example.org/clip.mp4"))
        #expect(throws: MediaError.self) { try Asset(at: address) }
        #expect(throws: MediaError.self) { try RenderJob(film, to: address) }
    }

    @Test("what a job doesn't say is as in the default settings, and paths start at its folder")
    func defaults() throws {
        let job = try RenderJob(
            json: Data(
                """
                { "timewarp": "job/1", "timeline": { "format": "source", "tracks": [
                  { "segments": [ { "media": "in.mp4" } ] } ] }, "output": { "path": "../out.mp4" } }
                """.utf8), in: "films"
        ) { media in
            #expect(media == "films/in.mp4")
            return seconds(7)
        }
        #expect(job.destination == "films/../out.mp4")
        #expect(job.settings == RenderSettings())
        #expect(job.outputRange == nil)
        let clip = try #require(job.timeline.tracks[0].segments[0].clip)
        #expect(clip.range == (try range(0, 7)))
    }

    static let wrongParts: [(part: String, place: String, says: String)] = [
        (#""video": { "frame": "hold" }"#, "video", #""frame" means nothing here"#),
        (#""video": { "rate": "fast" }"#, "video.rate", "no frame rate"),
        (#""video": { "shutter": 0 }"#, "video.shutter", "above 0"),
        (#""video": { "mode": "copied" }"#, "video", "file"),
        (#""video": { "file": "b.mp4" }"#, "video.file", "copied"),
        (#""video": { "codec": "h263" }"#, "video.codec", "h264"),
        (#""video": { "pixelFormat": "yuv421p" }"#, "video.pixelFormat", "no pixel format"),
        (#""audio": { "mode": "loud" }"#, "audio.mode", "keep-pitch"),
        (#""audio": { "bitRate": 12 }"#, "audio.bitRate", "1000"),
        (#""resources": { "jobs": 0 }"#, "resources.jobs", "1 to 64"),
        (#""resources": { "sequenceRate": "any" }"#, "resources.sequenceRate", "fixed"),
        (#""audo": {}"#, "", #""audo" means nothing here"#),
    ]

    @Test("what is wrong in one is told with its place", arguments: wrongParts)
    func wrong(part: String, place: String, says: String) throws {
        let json = """
            {
              "timewarp": "job/1",
              "output": { "path": "out.mp4" },
              "timeline": { "tracks": [ { "segments": [ { "media": "a", "range": [0, 1] } ] } ] },
              \(part)
            }
            """
        let error = try #require(throws: DocumentError.self) {
            try RenderJob(json: Data(json.utf8), mediaDuration: unknown)
        }
        #expect(error.problem.position?.line == 5, "\(error)")
        #expect("\(error.problem.path)".hasPrefix(place), "\(error)")
        #expect(error.problem.message.contains(says), "\(error)")
    }

    @Test("ranges, windows and places of the timeline are told from the job's start")
    func wrongTimeline() throws {
        let json = """
            { "timewarp": "job/1", "output": { "path": "out.mp4", "range": ["3", "2"] },
              "timeline": { "tracks": [] } }
            """
        let error = try #require(throws: DocumentError.self) {
            try RenderJob(json: Data(json.utf8), mediaDuration: unknown)
        }
        #expect("\(error)".contains("output.range"))
        let other = json.replacingOccurrences(of: #", "range": ["3", "2"]"#, with: "")
            .replacingOccurrences(
                of: "[]",
                with: #"[ { "segments": [ { "media": "a", "range": [4, 1] } ] } ]"#)
        let second = try #require(throws: DocumentError.self) {
            try RenderJob(json: Data(other.utf8), mediaDuration: unknown)
        }
        #expect("\(second)".contains("timeline.tracks[0].segments[0].range"))
    }

    @Test("sound alone may be asked for outside of its file; picture may not")
    func outside() throws {
        func job(_ carries: String) throws -> RenderJob {
            try RenderJob(
                json: Data(
                    """
                    { "timewarp": "job/1", "output": { "path": "out.wav" }, "timeline": { "tracks": [
                      { "carries": "\(carries)", "segments": [
                        { "media": "a", "range": ["-0.5", "1"] } ] } ] } }
                    """.utf8), mediaDuration: unknown)
        }
        #expect(try job("sound").timeline.tracks[0].segments[0].clip?.range.start == seconds(-1, 2))
        #expect(throws: DocumentError.self) { try job("both") }
    }
}
