import Foundation
import Media
import TestSupport
import Testing
import TimeMaps
import TimeWarp

@testable import TimeWarpStudio

@Suite("Sound stretched to match another recording")
struct MatchTests {
    /// Pairs of a source time and an output time as a job has them.
    private func points(_ anchors: [[Double]]) -> [[String: Double]] {
        anchors.map { ["source": $0[0], "output": $0[1]] }
    }

    /// Copies two recordings into the workspace, and adds them as clips.
    private func clips(
        _ folder: TemporaryFolder, _ studio: RunningStudio
    ) async throws -> (recording: String, reference: String, pair: TwoRecordings) {
        let pair = try TwoRecordings(in: folder)
        var ids: [String] = []
        for path in [pair.recording, pair.reference] {
            let name = (path as NSString).lastPathComponent
            try FileManager.default.copyItem(
                atPath: path, toPath: folder.path("workspace/\(name)"))
            let files: [[String: Any]] = try #require(
                try await studio.ask("GET", "/api/files")["files"])
            let file = try #require(files.first { $0["name"] as? String == name }?["id"] as? String)
            let added = try await studio.ask("POST", "/api/media", json: ["file": file])
            ids.append(try #require(added["id"]))
        }
        return (ids[0], ids[1], pair)
    }

    @Test("the page's request renders what the command would")
    func matched() async throws {
        let folder = try TemporaryFolder()
        try await RunningStudio.run(in: folder) { studio in
            let (recording, reference, pair) = try await clips(folder, studio)
            let match = try await studio.ask(
                "POST", "/api/match",
                json: ["media": recording, "reference": reference, "way": "match"])
            #expect(match.status == 200)
            let anchors: [[Double]] = try #require(match["anchors"])
            let duration: String = try #require(match["duration"])
            let expected = try await Stretch.of(
                Asset(at: pair.recording), matching: Asset(at: pair.reference))
            #expect(anchors == expected.anchors.map { [$0.source.seconds, $0.output.seconds] })
            let agreement: [String: Any] = try #require(match["agreement"])
            #expect(abs((agreement["offset"] as? Double ?? 0) - 1.5) < 1e-4)
            #expect((agreement["windows"] as? [[Double]])?.count ?? 0 > 10)

            let json = PageRequest(
                media: recording, segment: ["anchors": points(anchors), "duration": duration],
                isSound: true, more: ["reference": reference]
            ).json
            let request = try JobRequest(json: try JSONSerialization.data(withJSONObject: json))
            let clip = try request.clip(of: MediaSource(at: pair.recording))
            #expect(clip.range == expected.clip.range)
            func numbers(_ map: TimeMap) -> [[Double]] {
                map.pieces.map { [$0.outputStart, $0.outputEnd, $0.sourceStart, $0.sourceEnd] }
            }
            #expect(numbers(clip.map) == numbers(expected.clip.map))

            let evaluation = try await studio.ask("POST", "/api/evaluate", json: json)
            let command: String = try #require(evaluation["command"])
            #expect(command.contains("--match reference.wav"))
            #expect((evaluation["outputDuration"] as Double?) == 40)
        }
    }

    @Test("anchors that were set by hand come with the file for the command")
    func byHand() async throws {
        let folder = try TemporaryFolder()
        try await RunningStudio.run(in: folder) { studio in
            let (recording, _, pair) = try await clips(folder, studio)
            func evaluated(_ anchors: [[Double]]) async throws -> RunningStudio.Answer {
                try await studio.ask(
                    "POST", "/api/evaluate",
                    json: PageRequest(
                        media: recording, segment: ["anchors": points(anchors)], isSound: true
                    ).json)
            }
            let anchors = [[0.5, 2], [20.25, 22.000_000_001]]
            let evaluation = try await evaluated(anchors)
            let command: String = try #require(evaluation["command"])
            #expect(command.contains("--anchors anchors.txt"))
            let text: String = try #require(evaluation["anchorFile"])
            try Data(text.utf8).write(to: folder.url.appendingPathComponent("anchors.txt"))
            let read = try [TimeAnchor](contentsOfFile: folder.path("anchors.txt"))
            #expect(read.map { [$0.source.seconds, $0.output.seconds] } == anchors)
            let expected = try Stretch(Asset(at: pair.recording), through: read)
            #expect(
                abs((evaluation["outputDuration"] ?? 0.0) - expected.duration.seconds) < 1e-9)
            for wrong in [
                [[1.0, 2]], [[1, 2], [0, 3]], [[0, 0], [1e300, 1]],
            ] {
                let answer = try await evaluated(wrong)
                #expect(answer.status == 422, "\(wrong)")
                let error: [String: Any] = try #require(answer["error"])
                #expect(error["field"] as? String == "match")
            }
            let half = PageRequest(
                media: recording, segment: ["anchors": [["source": 1], ["source": 2]]],
                isSound: true)
            #expect(try await studio.ask("POST", "/api/evaluate", json: half.json).status == 422)
        }
    }

    @Test("what can't be compared is said in a sentence without paths")
    func refused() async throws {
        let folder = try TemporaryFolder()
        try await RunningStudio.run(in: folder) { studio in
            let (recording, reference, _) = try await clips(folder, studio)
            let sample = try await studio.sample()
            for (media, other, way, words) in [
                (recording, sample, "match", "recordings of different events"),
                (recording, reference, "like", "clocks don't drift"),
            ] {
                let answer = try await studio.ask(
                    "POST", "/api/match", json: ["media": media, "reference": other, "way": way])
                #expect(answer.status == 422)
                let error: [String: Any] = try #require(answer["error"])
                let message = try #require(error["message"] as? String)
                #expect(message.contains(words) && !message.contains("/"), "\(message)")
                #expect(error["field"] as? String == "match")
            }
            let half = PageRequest(
                media: recording, segment: ["anchors": [["source": 1], ["source": 2]]],
                isSound: true)
            #expect(try await studio.ask("POST", "/api/evaluate", json: half.json).status == 422)
            let gone = try await studio.ask(
                "POST", "/api/match",
                json: ["media": recording, "reference": "none", "way": "match"])
            #expect(gone.status == 404)
        }
    }
}
