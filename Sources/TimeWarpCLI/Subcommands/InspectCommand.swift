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
        if !projects.formats.includes(input),
            let asset = try projects.source(at: input).asset
        {
            return try print(AssetDescription(asset)) { $0.text }
        }
        // What a project says is shown without its media files as well.
        let project = try CompositionProject(
            contentsOfFile: input, formats: projects.formats, missingMedia: .noted)
        let description =
            project.missingMedia.isEmpty
            ? try CompositionDescription(MediaSource(project, path: input))
            : try CompositionDescription(withoutMedia: project, file: input)
        try print(description) { $0.text }
    }

    private func print<Description: Encodable>(
        _ description: Description, as text: (Description) -> String
    ) throws {
        try StandardOutput.print(
            json ? JSONOutput.text(description, as: "inspection/1") : text(description))
    }
}
