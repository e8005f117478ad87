import ArgumentParser
import Exchange
import TimeWarp

/// How projects among the inputs are read.
struct ProjectOptions: ParsableArguments {
    /// The endings of project files for help texts.
    static let endings = ProjectFormats.all.extensions.map { "." + $0 }.joined(separator: ", ")

    @Option(
        help: ArgumentHelp(
            """
            A folder with the media files of projects, searched with all that it contains for those \
            that aren't where the project says. May be repeated.
            """, valueName: "folder"),
        completion: .directory)
    var media: [String] = []

    var formats: ProjectFormats { ProjectFormats.all.searching(media) }
}
