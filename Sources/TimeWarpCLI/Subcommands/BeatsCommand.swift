import ArgumentParser
import Foundation
import Media
import Overview

struct BeatsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "beats",
        abstract: "Find the beats, the tempo and the onsets of a file's sound.",
        discussion: """
            A beat is where one would tap a foot, an onset is where a sound begins. Without --json, each line is \
            the time of a beat in seconds, for scripts; the tempo goes to stderr.

              timewarp beats song.mp3
              timewarp beats song.mp3 --json > beats.json
            """)

    @Argument(help: "The media file to listen to.", completion: .file())
    var input: String

    @Flag(help: "Print beats, onsets and tempo as JSON.")
    var json = false

    func run() async throws {
        let beats = try await runBlocking { [input] checkCancelled in
            try Beats(of: try Asset(at: input), checkCancelled: checkCancelled)
        }
        guard !json else {
            try StandardOutput.print(JSONOutput.text(beats, as: "beats/1"))
            return
        }
        StandardError.print("timewarp: \(beats.summary)")
        for beat in beats.beats {
            try StandardOutput.print(String(format: "%.5f", beat))
        }
    }
}

extension Beats {
    /// The tempo and the counts in a sentence.
    fileprivate var summary: String {
        guard let tempo else {
            return "no steady beat, \(onsets.count) onsets"
        }
        let tempi = sections.map { section in
            String(format: "%.2f from %.3f s to %.3f s", section.tempo, section.start, section.end)
        }
        let parts = sections.count > 1 ? " (" + tempi.joined(separator: ", ") + ")" : ""
        return String(format: "%.2f beats a minute", tempo) + parts
            + ", \(beats.count) beats, \(onsets.count) onsets"
    }
}
