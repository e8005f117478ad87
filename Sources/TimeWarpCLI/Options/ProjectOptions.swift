import ArgumentParser
import Exchange
import Media
import TimeWarp

/// How projects and sequences of images among the inputs are read.
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

    @Option(
        help: ArgumentHelp(
            """
            Inputs may be sequences of images, so many a second: a folder, or a name with #### (or \
            %04d) where the number is. Without it no name ever stands for several files.
            """, valueName: "rate"))
    var sequenceRate: FrameRate?

    var formats: ProjectFormats {
        ProjectFormats.all.searching(media).playing(imagesAt: sequenceRate)
    }

    /// What a job says of its media.
    func apply(to settings: inout RenderSettings) {
        settings.resources.mediaFolders = media
        settings.resources.sequenceRate = sequenceRate
    }

    /// Opens an input: a media file, a project or a sequence of images.
    func source(at path: String) throws -> MediaSource {
        try source(at: path, in: MediaCatalogue(formats))
    }

    /// The same for a job, with whose media it stays open.
    func source(at path: String, in media: MediaCatalogue) throws -> MediaSource {
        if let sequenceRate, !formats.includes(path), !ImageSequence.isNamed(path) {
            // It throws, and says how to name the sequence that the image belongs to.
            _ = try ImageSequence(at: path, rate: sequenceRate)
        }
        return try media.source(at: StandardInput.path(of: path))
    }
}
