import TestSupport
import Testing

@testable import TimeWarpCLI

@Suite("--version")
struct VersionTests {
    @Test("--version tells the program, the commit, FFmpeg's libraries and the licence")
    func text() throws {
        let result = try timewarp(["--version"], in: try TemporaryFolder())
        #expect(result.exitCode == 0)
        let lines = result.output.split(separator: "\n").map(String.init)
        #expect(
            try lines[0].contains(
                Regex(#"^timewarp \d+\.\d+\.\d+, (unknown commit|commit [0-9a-f]{12})"#)))
        #expect(lines[1].hasPrefix("FFmpeg "))
        let ffmpeg = try ReferenceTools.run("/usr/bin/env", ["ffmpeg", "-version"])
        for library in ["libavutil", "libavcodec", "libavformat", "libswscale", "libswresample"] {
            let line = try #require(lines.first { $0.hasPrefix("  \(library) ") })
            let version = try #require(line.split(separator: " ").last)
            // "libavutil      57. 28.100 / 57. 28.100": the version compiled against, and the version loaded.
            let words = try #require(
                ffmpeg.output.split(separator: "\n").first { $0.hasPrefix(library) })
            #expect(words.filter { $0 != " " }.hasSuffix("/\(version)"))
        }
        #expect(lines.contains { $0.hasPrefix("Licence of the program as a whole: ") })
    }

    struct Linked: Sendable, CustomTestStringConvertible {
        let ffmpeg: [String]
        let whole: String
        var testDescription: String { "\(ffmpeg)" }
    }

    @Test(
        "a GPL part makes the whole GPL, and from version 3, with which Swift's licence goes",
        arguments: [
            Linked(ffmpeg: ["LGPL version 2.1 or later"], whole: "MIT"),
            Linked(
                ffmpeg: ["GPL version 2 or later"],
                whole: "GPL version 3 or later"),
            Linked(
                ffmpeg: ["GPL version 3 or later", "LGPL version 2.1 or later"],
                whole: "GPL version 3 or later"),
            Linked(
                ffmpeg: ["nonfree and unredistributable"],
                whole: "it may not be distributed"),
        ])
    func licence(_ linked: Linked) {
        let text = ProgramLicence(ofFFmpeg: linked.ffmpeg).text
        #expect(text.hasPrefix("Licence of the program as a whole: \(linked.whole)"))
    }
}
