import Foundation
import TestSupport
import Testing
import TimeWarp

/// What `--progress json` says.
struct Event: Decodable {
    let event: String
    var fraction: Double?
    var report: RenderReport?
    var text, file, reason, remedy, message: String?
    var exitCode: Int32?
}

@Suite("Events for programs")
struct EventTests {
    @Test(
        "programs are told of notes and failures by events, too, also of a command line that is wrong"
    )
    func events() throws {
        let folder = try folderWithClip()
        func last(_ line: String) throws -> Event {
            let words = line.split(separator: " ").map(String.init) + ["--progress", "json"]
            let result = try timewarp(words, in: folder)
            let lines = result.errors.split(separator: "\n")
            let events = try lines.map { try JSONDecoder().decode(Event.self, from: Data($0.utf8)) }
            let last = try #require(events.last)
            #expect(last.exitCode == result.exitCode)
            return last
        }
        let missing = try last("warp no.mp4 -o x.mp4")
        #expect(missing.event == "failed" && missing.exitCode == 66 && missing.file == "no.mp4")
        #expect(missing.reason?.contains("no such file") == true)
        let existing = try last("warp in.mp4 -o in.mkv --video-codec gif")
        #expect(existing.exitCode == 64 && existing.remedy?.contains(".gif") == true)
        let unknown = try last("warp in.mp4 -o x.mp4 --frames flow")
        #expect(unknown.exitCode == 64 && unknown.message?.contains("motion") == true)
        let all = try last("warp in.mp4 no.mp4 -o there/")
        #expect(all.event == "failed")
        let noted = try timewarp(
            ["warp", "in.mp4", "-o", "x.wav", "--progress=json"], in: folder)
        #expect(noted.errors.hasPrefix(#"{"event":"note","text":"a .wav file"#))
    }

    @Test("the environment asks for events, too, of commands that show no progress as of others")
    func environment() throws {
        let folder = try folderWithClip()
        func events(_ words: [String]) throws -> [Event] {
            let result = try ReferenceTools.run(
                "env", ["TIMEWARP_MESSAGES=json", program] + words, in: folder.url)
            return try result.errors.split(separator: "\n").map {
                try JSONDecoder().decode(Event.self, from: Data($0.utf8))
            }
        }
        let missing = try events(["inspect", "no.mp4"])
        #expect(missing.map(\.event) == ["failed"] && missing.last?.file == "no.mp4")
        let rendered = try events(["scale", "in.mp4", "-o", "x.mkv", "--speed", "2"])
        #expect(rendered.first?.event == "progress" && rendered.last?.event == "finished")
    }
}
