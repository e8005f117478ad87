import ArgumentParser
import Exchange
import Foundation
import Media
import Overview
import TimeMaps
import TimeWarp

struct InspectCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract:
            "Show the streams, durations and timestamps of a media file, or the clips of a project."
    )

    @Argument(
        help: "The file or project (\(ProjectOptions.endings)) to inspect.", completion: .file())
    var input: String

    @OptionGroup(title: "Projects")
    var projects: ProjectOptions

    @Flag(help: "Print the description as JSON.")
    var json = false

    func run() throws {
        if projects.formats.includes(input) {
            // What a project says is shown without its media files as well.
            let project = try CompositionProject(
                contentsOfFile: input, formats: projects.formats, missingMedia: .noted)
            guard project.missingMedia.isEmpty else {
                let description = try CompositionDescription(withoutMedia: project, file: input)
                try StandardOutput.print(json ? JSONOutput.text(description) : description.text)
                return
            }
        }
        switch try projects.source(at: input) {
        case .asset(let asset):
            let description = AssetDescription(asset)
            try StandardOutput.print(json ? JSONOutput.text(description) : description.text)
        case .composition(let composition):
            let description = try CompositionDescription(composition)
            try StandardOutput.print(json ? JSONOutput.text(description) : description.text)
        }
    }
}
