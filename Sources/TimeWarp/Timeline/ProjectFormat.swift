import Foundation
import Media
import TimeMaps

/// A format of project files: files that hold a composition.
public protocol ProjectFormat: Sendable {
    /// The format's name for people, such as `an OpenTimelineIO file`.
    var name: String { get }
    /// The extensions of its files, in lower case and without the dot.
    var extensions: [String] { get }
    /// The extensions of the files that are written, each with the programs that open them, such as `Kdenlive`: for
    /// menus. None by default.
    var written: KeyValuePairs<String, String> { get }
    /// The size of the largest file that is read, in bytes.
    var largestFile: Int { get }

    /// The path of the file to read for a project's path: another one if projects may be folders. These aren't written.
    func contentFile(of path: String) -> String

    /// Reads a composition. Its paths are as they stand in the file.
    ///
    /// - Parameter media: what is known about media files, by their paths as they stand in the file.
    /// - Throws: ``CompositionError``, ``CurveError`` or `TimeError` that says what is wrong with the file; what `media`
    ///   throws.
    func read(_ file: Data, _ media: ProjectMedia) throws -> ReadProject

    /// Writes a composition.
    ///
    /// - Parameter settings: how it is rendered, as far as that is known.
    /// - Returns: the content of the file, and notes (sentences) on what the format can't hold.
    /// - Throws: ``CompositionError`` or ``CurveError`` if a segment can't be written.
    func write(
        _ composition: Composition, _ settings: ProjectSettings, _ media: ProjectMedia
    ) throws -> (file: Data, notes: [String])
}

extension ProjectFormat {
    /// The path itself: a project is a file.
    public func contentFile(of path: String) -> String { path }

    /// None.
    public var written: KeyValuePairs<String, String> { [:] }
}

/// Settings of a render that a project asks for. A composition has none: they hold for all of its clips.
public struct ProjectSettings: Hashable, Sendable {
    /// What happens to the sound of retimed clips; nil if nothing is said.
    public var sound: RenderSettings.AudioMode?
    /// What retimed clips show between two frames of their files; nil if nothing is said.
    public var frames: RenderSettings.FrameSynthesis?

    /// Settings of which those that are nil aren't said.
    public init(
        sound: RenderSettings.AudioMode? = nil, frames: RenderSettings.FrameSynthesis? = nil
    ) {
        (self.sound, self.frames) = (sound, frames)
    }
}

/// What a project file says.
public struct ReadProject: Sendable {
    /// The composition. Its paths are as they stand in the file.
    public var composition: Composition
    /// How the project wants to be rendered.
    public var settings: ProjectSettings
    /// Notes (sentences) on what was changed or dropped.
    public var notes: [String]
    /// How long media files last, by their paths as they stand in the file, as far as it says so. A file that isn't where
    /// it should be is looked for by its name and duration.
    public var mediaDurations: [String: RationalTime]
    /// Names of clips whose files the project itself says are missing. Where no such file is found, a gap is rendered.
    public var placeholders: Set<String>

    /// What a project file says.
    public init(
        _ composition: Composition, settings: ProjectSettings = ProjectSettings(),
        notes: [String] = [], mediaDurations: [String: RationalTime] = [:],
        placeholders: Set<String> = []
    ) {
        self.composition = composition
        self.settings = settings
        self.notes = notes
        self.mediaDurations = mediaDurations
        self.placeholders = placeholders
    }
}

/// What a format may know about the media files of a project.
public struct ProjectMedia {
    private let openSource: (String) throws -> MediaSource
    private let askDuration: (String) throws -> RationalTime
    private let locate: (String) -> String

    /// - Parameters:
    ///   - duration: returns how long a file lasts.
    ///   - location: returns where a file is, as an absolute path if that is known.
    ///   - open: opens a file.
    public init(
        duration: @escaping (String) throws -> RationalTime,
        location: @escaping (String) -> String = { $0 },
        open: @escaping (String) throws -> MediaSource
    ) {
        askDuration = duration
        locate = location
        openSource = open
    }

    /// Where a file is, for formats in which paths are absolute.
    public func location(of media: String) -> String { locate(media) }

    /// How long a file lasts.
    ///
    /// - Throws: ``MediaError`` if it can't be read.
    public func duration(of media: String) throws -> RationalTime { try askDuration(media) }

    /// A file as a clip's source; nil if it can't be opened here.
    public func source(of media: String) -> MediaSource? { try? openSource(media) }
}

/// The formats of project files that are known, told apart by the extensions of their files.
public struct ProjectFormats: Sendable {
    private let formats: [String: any ProjectFormat]
    /// The extensions of the files that are written, each with the programs that open them: for menus.
    public let written: [(extension: String, programs: String)]
    /// Folders in which media files are looked for, with all that they contain, if they aren't where a project says.
    public var mediaFolders: [String] = []
    /// How many images a second a folder or a name with `####` stands for, see ``ImageSequence``; nil if no name stands for
    /// several files.
    public var sequenceRate: FrameRate?

    /// The formats, of which each extension belongs to one.
    public init(_ formats: [any ProjectFormat]) {
        let pairs = formats.flatMap { format in format.extensions.map { ($0, format) } }
        self.formats = Dictionary(uniqueKeysWithValues: pairs)
        written = formats.flatMap { $0.written.map { ($0.key, $0.value) } }
    }

    /// Edit files (JSON) only.
    public static let editFiles = ProjectFormats([EditFileFormat()])

    /// The same formats, with folders in which media files are looked for.
    public func searching(_ folders: [String]) -> ProjectFormats {
        var copy = self
        copy.mediaFolders = folders
        return copy
    }

    /// The same formats, with sequences of images; nil for none.
    public func playing(imagesAt rate: FrameRate?) -> ProjectFormats {
        var copy = self
        copy.sequenceRate = rate
        return copy
    }

    /// Opens a media file, or a sequence of images.
    package func asset(at path: String) throws -> Asset {
        guard let sequenceRate, ImageSequence.isNamed(path) else {
            return try Asset(at: path)
        }
        return try Asset(of: ImageSequence(at: path, rate: sequenceRate))
    }

    /// All extensions, sorted.
    public var extensions: [String] { formats.keys.sorted() }

    /// Whether a file's name (its extension) says that it is a project file rather than a media file.
    public func includes(_ path: String) -> Bool { format(of: path) != nil }

    /// The path of the file to read for a project's path: another one if the project is a folder.
    package func contentFile(of path: String) -> String {
        format(of: path)?.contentFile(of: path) ?? path
    }

    /// The format of a file, by its name.
    func format(of path: String) -> (any ProjectFormat)? {
        formats[(path as NSString).pathExtension.lowercased()]
    }
}

/// Edit files (JSON); see ``Composition/init(json:mediaDuration:)``.
public struct EditFileFormat: ProjectFormat {
    public let name = "a composition"
    public let extensions = ["json"]
    public let written: KeyValuePairs = ["json": "TimeWarp"]
    public let largestFile = Composition.largestFile

    /// The format; it has no settings.
    public init() {}

    public func read(_ file: Data, _ media: ProjectMedia) throws -> ReadProject {
        ReadProject(try Composition(json: file, mediaDuration: media.duration(of:)))
    }

    public func write(
        _ composition: Composition, _ settings: ProjectSettings, _ media: ProjectMedia
    ) throws -> (file: Data, notes: [String]) {
        (try composition.json(), [])
    }
}
