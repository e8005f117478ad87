import Documents
import Foundation
import Media
import TimeMaps

/// A render as a value: what is shown, and how it is made.
///
/// Everything that renders only makes one of these: the command line, the studio, a story, a program. It is stored as JSON:
///
/// ```json
/// { "timewarp": "job/1",
///   "timeline": { "format": "source", "tracks": [ { "segments": [
///     { "media": "in.mp4", "range": ["2", "10"], "warp": { "curve": "ramp" } } ] } ] },
///   "output": { "path": "out.mp4" },
///   "video": { "rate": "60", "frames": "motion" },
///   "audio": { "mode": "keep-pitch" } }
/// ```
/// A timeline is what an edit file holds (see ``Composition/init(json:mediaDuration:)``), or one clip whose format is
/// `"source"`, so that every track, rotation, tags and attachments of it are kept. What isn't said is as in
/// ``RenderSettings``.
public struct RenderJob: Hashable, Sendable {
    /// What is shown.
    public var timeline: Composition
    /// The path of the file to write. Its extension chooses the container, unless the settings do.
    public var destination: String
    /// The part of the output that is rendered, to look at a sample of it; nil for all of it.
    public var outputRange: OutputRange?
    /// How it is made.
    public var settings: RenderSettings

    /// A part of the output.
    public struct OutputRange: Hashable, Sendable {
        /// Where it starts, in output time.
        public let start: RationalTime
        /// Where it ends; nil for the output's end.
        public let end: RationalTime?

        /// A part from one instant to another.
        public init(from start: RationalTime = .zero, to end: RationalTime? = nil) {
            (self.start, self.end) = (start, end)
        }
    }

    /// A job. Relative paths start at the working directory.
    public init(
        _ timeline: Composition, to destination: String, outputRange: OutputRange? = nil,
        settings: RenderSettings = RenderSettings()
    ) {
        self.timeline = timeline
        self.destination = destination
        self.outputRange = outputRange
        self.settings = settings
    }
}

extension RenderJob {
    /// The size of the largest job file that is read, in bytes.
    public static let largestFile = Composition.largestFile

    /// Reads a job file. Its relative paths, which start at its folder, become paths for the working directory.
    ///
    /// - Parameter formats: the formats of project files that are known.
    /// - Throws: ``MediaError`` if it can't be read, isn't a job, or a media file without a range can't be opened.
    public init(contentsOfFile path: String, formats: ProjectFormats = .editFiles) throws {
        self = try Self.read(path, formats: formats).job
    }

    /// A job file's content, and its media as far as they had to be opened.
    package static func read(
        _ path: String, in folder: String? = nil, formats: ProjectFormats
    ) throws -> (job: RenderJob, media: MediaCatalogue) {
        try read(
            SmallFile.data(at: path, kind: "a job", largest: largestFile), named: path,
            in: folder ?? (path as NSString).deletingLastPathComponent, formats: formats)
    }

    /// A job, and its media as far as they had to be opened.
    ///
    /// - Parameters:
    ///   - path: what errors call it.
    ///   - folder: where relative paths start.
    ///   - requireAllowed: throws if a media file may not be opened.
    package static func read(
        _ json: Data, named path: String, in folder: String, formats: ProjectFormats,
        requireAllowed: @escaping (_ path: String) throws -> Void = { _ in }
    ) throws -> (job: RenderJob, media: MediaCatalogue) {
        do {
            let document = try JSONDocument(json, kind: "job", largest: largestFile)
            let file = try document.decode(JobFile.self)
            var resources = file.settings.resources
            resources.mediaFolders = try resources.mediaFolders.map { name in
                let place = MediaPath.resolve(name, in: folder)
                try requireAllowed(place)
                return place
            }
            let media = MediaCatalogue(formats, for: resources)
            media.requireAllowed = requireAllowed
            let job = try file.job(of: document, in: folder) { path, carried in
                let source = try media.source(at: path)
                return file.timeline.format.isConformed
                    ? source.usualDuration : try source.end(for: carried)
            }
            return (job, media)
        } catch let error as DocumentError {
            throw MediaError(.damaged, file: path, reason: "\(error)")
        }
    }

    /// Reads a job.
    ///
    /// - Parameters:
    ///   - folder: where relative paths start; nil for the working directory.
    ///   - mediaDuration: returns the duration of a media file, whose path is one for the working directory. It is called
    ///     if a segment has no range.
    /// - Throws: ``DocumentError`` with line, column and path, such as `video.rate`; what `mediaDuration` throws.
    public init(
        json: Data, in folder: String? = nil,
        mediaDuration: (_ file: String) throws -> RationalTime
    ) throws {
        let document = try JSONDocument(json, kind: "job", largest: Self.largestFile)
        self = try document.decode(JobFile.self)
            .job(of: document, in: folder) { media, _ in try mediaDuration(media) }
    }

    /// The job as JSON with sorted keys and a newline at the end. Reading it gives an equal job, whose paths are absolute.
    public func json() throws -> Data {
        try JSONDocument.data(
            of: JobFile(replacingPaths { URL(fileURLWithPath: $0).standardizedFileURL.path }))
    }

    /// The same job with other paths.
    package func replacingPaths(_ change: (String) -> String) throws -> RenderJob {
        var job = self
        job.timeline = try timeline.replacingMedia { change($0) }
        job.destination =
            destination == RenderSettings.Output.pipe ? destination : change(destination)
        if case .copied(let file) = settings.video.mode {
            job.settings.video.mode = .copied(from: change(file))
        }
        job.settings.resources.mediaFolders = settings.resources.mediaFolders.map(change)
        job.settings.resources.temporaryFolder = settings.resources.temporaryFolder.map(change)
        return job
    }
}

extension RenderJob: Codable {
    /// Decodes what ``init(json:in:mediaDuration:)`` reads, with its paths as they stand there. Each segment must have a
    /// range.
    public init(from decoder: any Decoder) throws {
        self = try JobFile(from: decoder).job { media, _ in
            throw CompositionError(.malformed, "the clip of \(media) needs a range")
        }
    }

    /// Encodes the job with its paths as they are.
    public func encode(to encoder: any Encoder) throws {
        try JobFile(self).encode(to: encoder)
    }
}
