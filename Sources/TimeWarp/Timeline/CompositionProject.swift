import Documents
import Foundation
import Media
import TimeMaps

/// A composition and the folder at which its relative paths start.
public struct CompositionProject: Sendable {
    /// The composition.
    public var composition: Composition
    /// The folder at which relative paths start; nil for the working directory.
    public let folder: String?
    /// How the project wants to be rendered.
    public let settings: ProjectSettings
    /// Notes (sentences) on what the file contained that a composition can't represent.
    public let notes: [String]

    /// The media files that can't be found, sorted, with their paths as they stand in the file.
    public let missingMedia: [String]

    /// The formats of its file, and of the project files that it names.
    let formats: ProjectFormats

    /// The composition with paths for the working directory.
    package var timeline: Composition {
        get throws { try composition.replacingMedia { MediaPath.resolve($0, in: folder) } }
    }

    /// What happens when media files of a project can't be found.
    public enum MissingMedia: Sendable {
        /// The project isn't read, and the error names all of them.
        case refused
        /// The project is read, and a note names all of them: enough to write it in another format.
        case noted
    }

    /// Reads a project file. Media files whose duration it doesn't say are opened.
    ///
    /// A media file that isn't where the project says is looked for beside the project and in the
    /// ``ProjectFormats/mediaFolders``, by its name and duration; a note says where it was found.
    ///
    /// - Parameters:
    ///   - formats: the formats that are known; by default, edit files only. The module `Exchange` has those of other
    ///     programs.
    ///   - missing: what happens when media files can't be found.
    /// - Throws: ``MediaError`` if the file or its media can't be read, or the file isn't a composition.
    public init(
        contentsOfFile path: String, formats: ProjectFormats = .editFiles,
        missingMedia missing: MissingMedia = .refused
    ) throws {
        try self.init(
            contentsOfFile: path, missingMedia: missing, MediaCatalogue(formats))
    }

    /// - Parameter catalogue: knows the projects that this one is nested in.
    package init(
        contentsOfFile path: String, missingMedia missing: MissingMedia = .refused,
        _ catalogue: MediaCatalogue
    ) throws {
        let formats = catalogue.formats
        self.formats = formats
        try catalogue.enter(path)
        var lasting: RationalTime?
        defer {
            catalogue.leave(lasting)
        }
        let folder = (path as NSString).deletingLastPathComponent
        self.folder = folder.isEmpty ? nil : folder
        let finder = MediaFinder(
            besides: folder, in: formats.mediaFolders, playsImages: formats.sequenceRate != nil
        ) { (try? catalogue.requireAllowed($0)) != nil }
        let read = try Self.read(path, formats, missing, catalogue, finder)
        let places = try MediaPlaces(of: read, finder, folder)
        let gaps = missing == .refused ? places.absent.intersection(read.placeholders) : []
        let needed = places.absent.subtracting(gaps)
        if missing == .refused, !needed.isEmpty {
            throw Self.missing(MediaPlaces.list(needed, read.mediaDurations), path)
        }
        composition = try read.composition.replacingMedia {
            gaps.contains($0) ? nil : places.moved[$0] ?? $0
        }
        settings = read.settings
        notes = read.notes + places.notes
        missingMedia = places.absent.sorted()
        for media in composition.mediaFiles {
            let file = MediaPath.resolve(media, in: folder)
            if formats.includes(file), !places.isMissing(media) {
                _ = try catalogue.duration(of: file, missing)
            }
        }
        lasting = composition.duration
    }

    /// What a file says.
    private static func read(
        _ path: String, _ formats: ProjectFormats, _ missing: MissingMedia,
        _ catalogue: MediaCatalogue,
        _ finder: MediaFinder
    ) throws -> ReadProject {
        let format = formats.format(of: path) ?? EditFileFormat()
        let file = format.contentFile(of: path)
        try catalogue.requireAllowed(file)
        let data = try SmallFile.data(at: file, kind: format.name, largest: format.largestFile)
        /// Media files that can't be found, and whose durations the project doesn't say.
        var unknown: Set<String> = []
        let media = ProjectMedia(
            duration: { media in
                guard let file = finder.path(of: media) else {
                    // Reading goes on, so that all that is missing can be named.
                    unknown.insert(media)
                    return assumedDuration
                }
                return try catalogue.duration(of: file, missing)
            },
            open: { media in
                guard let file = finder.path(of: media) else {
                    throw MediaError.absent(media)
                }
                return try catalogue.placed(at: file)
            })
        let result = Result { try format.read(data, media) }
        guard unknown.isEmpty else {
            throw try Self.missing(unknown, in: try? result.get(), path, finder)
        }
        do {
            return try result.get()
        } catch let error
            where error is CompositionError || error is CurveError || error is TimeError
            || error is DocumentError
        {
            throw MediaError(.damaged, file: path, reason: "\(error)")
        }
    }

    /// A file that is missing lasts so long until it is known what else is missing.
    private static let assumedDuration = RationalTime.seconds(1_000_000)

    /// - Parameters:
    ///   - unknown: media files that can't be found, and whose durations the project doesn't say.
    ///   - read: the project with assumed durations, which may name more files that can't be found; nil if they don't do.
    private static func missing(
        _ unknown: Set<String>, in read: ReadProject?, _ path: String, _ finder: MediaFinder
    ) throws -> MediaError {
        let folder = (path as NSString).deletingLastPathComponent
        let absent = try read.map { try MediaPlaces(of: $0, finder, folder).absent } ?? []
        let list = MediaPlaces.list(absent.union(unknown), read?.mediaDurations ?? [:])
        let which =
            unknown.count == 1 ? "\(unknown.min() ?? "") lasts" : "\(unknown.count) of them last"
        return missing("\(list), and the project doesn't say how long \(which)", path)
    }

    private static func missing(_ list: String, _ path: String) -> MediaError {
        MediaError(
            .noInput, file: path, reason: list,
            remedy: "Put what is missing beside the project, or name its folder (\(.mediaFolder))")
    }

    /// A composition that plays files one after another, each whole and at normal speed.
    ///
    /// - Parameters:
    ///   - clips: the paths of the files, or of other projects.
    ///   - dissolve: for how long two neighbours overlap and dissolve; 0 for cuts.
    ///   - formats: the formats of project files that are known.
    ///
    /// - Throws: ``MediaError`` if a file can't be read, or is too short for its dissolves.
    public init(
        clips: [String], dissolving dissolve: RationalTime = .zero,
        formats: ProjectFormats = .editFiles
    ) throws {
        try self.init(clips: clips, dissolving: dissolve, MediaCatalogue(formats))
    }

    /// - Parameter catalogue: opens the files, which are then open.
    package init(
        clips: [String], dissolving dissolve: RationalTime, _ catalogue: MediaCatalogue
    ) throws {
        var track = Track()
        let half = try dissolve.multiplied(by: 1, over: 2)
        for (index, path) in clips.enumerated() {
            let end = try catalogue.duration(of: path, .refused)
            let start = index == 0 ? .zero : half
            let last = index == clips.count - 1 ? end : try end - half
            guard start < last else {
                throw MediaError(
                    .incompatible, file: path,
                    reason: "it lasts \(end.secondsText) s, which is too short for its dissolves",
                    remedy: "Choose a shorter dissolve")
            }
            let clip = try PlacedClip(path, range: TimeRange(start: start, end: last))
            try track.append(
                Segment(clip, blending: Blending(dissolve: index == 0 ? .zero : dissolve)))
        }
        self.init(Composition(tracks: [track]), formats: catalogue.formats)
    }

    /// A composition whose paths are for the working directory, to be written with ``file(named:settings:)``.
    ///
    /// - Parameters:
    ///   - settings: how it wants to be rendered.
    ///   - formats: the formats of project files that are known.
    public init(
        _ composition: Composition, settings: ProjectSettings = ProjectSettings(),
        formats: ProjectFormats = .editFiles
    ) {
        self.composition = composition
        self.settings = settings
        self.formats = formats
        folder = nil
        notes = []
        missingMedia = []
    }

    /// Whether a JSON file says near its beginning that it is a composition.
    package static func seemsToBeOne(_ path: String) -> Bool {
        SmallFile.head(of: path).contains("\"\(Composition.fileVersion)\"")
    }

    /// The content for a project file, in the format that its name tells. Relative paths start at the folder of that file.
    ///
    /// - Parameters:
    ///   - path: the path of the file, which isn't written here.
    ///   - settings: how it is rendered, as far as that is known; nil for ``settings``.
    /// - Returns: the content, and notes (sentences) on what the format can't hold.
    /// - Throws: ``CompositionError`` or ``CurveError`` if a segment can't be written; ``MediaError`` if projects of that
    ///   kind are only read.
    public func file(
        named path: String, settings: ProjectSettings? = nil
    ) throws -> (data: Data, notes: [String]) {
        let place = (path as NSString).deletingLastPathComponent
        let composition = try composition.replacingMedia {
            MediaPath.rebase($0, from: folder, to: place)
        }
        var known: [String: MediaSource?] = [:]
        let open = { (media: String) throws -> MediaSource in
            let file = MediaPath.resolve(media, in: place)
            let source = known[file] ?? (try? MediaSource(at: file, formats: formats))
            known[file] = source
            guard let source else {
                throw MediaError(.noInput, file: file, reason: "it can't be opened")
            }
            return source
        }
        let media = ProjectMedia(
            duration: { try open($0).duration },
            location: { media in
                media.contains("://") || MediaPath.isAbsolute(media)
                    ? media : URL(fileURLWithPath: MediaPath.resolve(media, in: place)).path
            }, open: open)
        let format = formats.format(of: path) ?? EditFileFormat()
        guard format.contentFile(of: path) == path else {
            throw MediaError(
                .unsupported, file: path,
                reason: "a project of this kind is a folder, and only files are written",
                remedy: "Choose another ending")
        }
        guard composition.timelines.isEmpty || format is EditFileFormat else {
            throw MediaError(
                .unsupported, file: path,
                reason: "timelines that an edit contains are only written to edit files",
                remedy: "Write .json, or write each timeline to a file of its own first")
        }
        let written = try format.write(composition, settings ?? self.settings, media)
        return (written.file, written.notes)
    }
}

/// Where the media files of a project are.
private struct MediaPlaces {
    /// The paths of those that are elsewhere, by the paths in the project. They start at the project's folder as well.
    private(set) var moved: [String: String] = [:]
    private(set) var absent: Set<String> = []
    private var durations: [String: RationalTime]

    init(of project: ReadProject, _ finder: MediaFinder, _ folder: String) throws {
        durations = project.mediaDurations
        for media in project.composition.mediaFiles.sorted() {
            guard let path = finder.path(of: media, lasting: durations[media]) else {
                absent.insert(media)
                continue
            }
            if path != MediaPath.resolve(media, in: folder) {
                moved[media] = MediaPath.rebase(path, from: nil, to: folder)
            }
        }
    }

    func isMissing(_ media: String) -> Bool { absent.contains(media) }

    /// A sentence that names the files that can't be found; nil if there are none.
    var missing: String? {
        absent.isEmpty ? nil : Self.list(absent, durations)
    }

    /// A sentence that names files that can't be found, and how long they last as far as that is known.
    static func list(_ media: Set<String>, _ durations: [String: RationalTime]) -> String {
        let names = media.sorted().map { media in
            media + (durations[media].map { " (\(($0.seconds * 1000).rounded() / 1000) s)" } ?? "")
        }
        let what = media.count == 1 ? "a media file" : "\(media.count) media files"
        return "\(what) can't be found: \(names.joined(separator: ", "))"
    }

    var notes: [String] {
        let found = moved.sorted { $0.key < $1.key }.map {
            "\($0.key) was found at \($0.value)."
        }
        return found + (missing.map { [$0.prefix(1).uppercased() + $0.dropFirst() + "."] } ?? [])
    }
}

extension Composition {
    /// The same composition with other paths; nil for a gap.
    func replacingMedia(_ path: (String) -> String?) throws -> Composition {
        var result = self
        let contained = Set(timelines.map(\.name))
        result.timelines = try timelines.map { try $0.replacingMedia(path) }
        result.tracks = try tracks.map { track in
            let segments = try track.segments.map { segment -> Segment in
                guard let clip = segment.clip, !contained.contains(clip.media) else {
                    return segment
                }
                guard let media = path(clip.media) else {
                    return try .gap(lasting: segment.duration)
                }
                return segment.playing(clip.playing(media))
            }
            return try Track(name: track.name, carries: track.carries, segments: segments)
        }
        return result
    }
}
