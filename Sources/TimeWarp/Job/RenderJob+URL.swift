import Foundation
import Media

extension RenderJob {
    /// Reads a job file; see ``init(contentsOfFile:formats:)``.
    ///
    /// - Throws: ``MediaError``, also for a URL that isn't a file's.
    public init(contentsOf url: URL, formats: ProjectFormats = .editFiles) throws {
        try self.init(contentsOfFile: try url.filePath(), formats: formats)
    }

    /// A job that writes the file of a URL.
    ///
    /// - Throws: ``MediaError`` for a URL that isn't a file's.
    public init(
        _ timeline: Composition, to url: URL, outputRange: OutputRange? = nil,
        settings: RenderSettings = RenderSettings()
    ) throws {
        self.init(
            timeline, to: try url.filePath(), outputRange: outputRange, settings: settings)
    }
}

extension MediaSource {
    /// Opens a media file or a project file; see ``init(at:formats:)-(String,_)``.
    ///
    /// - Throws: ``MediaError``, also for a URL that isn't a file's.
    public init(at url: URL, formats: ProjectFormats = .editFiles) throws {
        try self.init(at: try url.filePath(), formats: formats)
    }
}
