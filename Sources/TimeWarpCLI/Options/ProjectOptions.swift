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
            Search this folder, and all folders in it, for media files that aren't where a project \
            says. May be repeated.
            """, valueName: "folder"),
        completion: .directory)
    var media: [String] = []

    @Option(
        help: ArgumentHelp(
            """
            Read numbered images as a film with this many a second: name a folder, or a file with \
            #### (or %04d) for the number. Without this option a name always means one file.
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
