import ArgumentParser
import Foundation
import Media
import Overview
import TimeMaps
import TimeWarp

struct InspectCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Tell what a file holds, and when.")

    @Argument(help: "The file to look at.", completion: .file())
    var input: String

    @Flag(help: "As JSON.")
    var json = false

    func run() throws {
        let description = AssetDescription(try Asset(at: input))
        try StandardOutput.print(json ? JSONOutput.text(description) : description.text)
    }
}
