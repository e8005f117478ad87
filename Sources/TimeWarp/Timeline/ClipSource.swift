import Media
import TimeMaps

/// What a clip can play: a media file (``Asset``) or an edit of several (``CompositionAsset``).
public protocol ClipSource: Sendable {
    /// The source as one of the kinds that there are.
    var clipSource: Clip.Source { get }
}

extension Clip {
    /// What a clip plays.
    public enum Source: Sendable {
        /// A media file.
        case asset(Asset)
        /// An edit of several media files.
        case composition(CompositionAsset)
    }
}

extension Asset: ClipSource {
    /// The file as a clip's source.
    public var clipSource: Clip.Source { .asset(self) }
}

extension CompositionAsset: ClipSource {
    /// The composition as a clip's source.
    public var clipSource: Clip.Source { .composition(self) }
}

extension Clip.Source: ClipSource {
    /// This source.
    public var clipSource: Clip.Source { self }

    /// Opens a media file or a project file, which is told by its name; see ``ProjectFormats/includes(_:)``.
    ///
    /// - Parameter formats: the formats of project files that are known.
    /// - Throws: ``MediaError`` if it can't be read.
    public init(at path: String, formats: ProjectFormats = .editFiles) throws {
        self =
            formats.includes(path)
            ? .composition(try CompositionAsset(contentsOfFile: path, formats: formats))
            : .asset(try formats.asset(at: path))
    }

    /// The path of the file; for a composition that wasn't read from a file, its name.
    public var path: String {
        switch self {
        case .asset(let asset): asset.path
        case .composition(let composition): composition.path
        }
    }

    /// How long it lasts.
    public var duration: RationalTime {
        switch self {
        case .asset(let asset): asset.duration
        case .composition(let composition): composition.duration
        }
    }

    /// How much of it is used where nothing else is said: all; 5 s of a picture.
    var usualDuration: RationalTime {
        switch self {
        case .asset(let asset): asset.usualDuration
        case .composition(let composition): composition.duration
        }
    }

    /// The usual time between frames, in seconds, for the limits on what a curve may do within one frame. It is nil
    /// without video.
    package var frameDuration: Double? {
        switch self {
        case .asset(let asset): Clip.frameDuration(of: asset)
        case .composition(let composition): composition.frameRate.map { 1 / $0.framesPerSecond }
        }
    }

    /// The format of its video, for a composition that of the clip which is seen first; nil without video.
    package var videoFormat: VideoFormat? {
        switch self {
        case .asset(let asset): asset.mainVideo?.videoFormat
        case .composition(let composition): composition.videoFormat
        }
    }

    /// The end of its sound, in its own time; zero if a file has no sound. That of a composition is its end.
    package var soundEnd: RationalTime {
        switch self {
        case .asset(let asset): asset.soundEnd
        case .composition(let composition): composition.duration
        }
    }

    /// The end of its video; nil without video.
    package var videoEnd: RationalTime? {
        switch self {
        case .asset(let asset): asset.mainVideo?.end
        case .composition(let composition): composition.hasVideo ? composition.duration : nil
        }
    }

    /// The range from one instant to another. A `start` or `end` of nil is that of the source.
    ///
    /// - Throws: ``MediaError`` if the range would be empty.
    package func part(from start: RationalTime?, to end: RationalTime?) throws -> TimeRange {
        let start = start ?? .zero
        let end = min(end ?? duration, duration)
        guard start < end else {
            throw MediaError(
                .noUsableStream, file: path,
                reason: "it lasts \(duration.secondsText) s, and the range from "
                    + "\(start.secondsText) s to \(end.secondsText) s holds nothing of it",
                remedy: "Choose a \(.range) inside the clip")
        }
        return try TimeRange(start: start, end: end)
    }

    /// Whether it is a photo or a drawing.
    var isPicture: Bool {
        switch self {
        case .asset(let asset): asset.isPicture
        case .composition: false
        }
    }

    /// The paths of its media files and project files.
    package var files: Set<String> {
        switch self {
        case .asset(let asset): [asset.path]
        case .composition(let composition): composition.files
        }
    }

    /// The media files that it reads, each once.
    package var assets: [Asset] {
        switch self {
        case .asset(let asset): [asset]
        case .composition(let composition): composition.assets
        }
    }
}
