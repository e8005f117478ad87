import ArgumentParser
import Foundation
import Media
import Overview
import TimeMaps
import TimeWarp

struct InspectCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Show the streams, durations and timestamps of a media file.")

    @Argument(help: "The file to inspect.", completion: .file())
    var input: String

    @Flag(help: "Print the description as JSON.")
    var json = false

    func run() throws {
        let description = AssetDescription(try Asset(at: input))
        try StandardOutput.print(json ? JSONOutput.text(description) : description.text)
    }
}
