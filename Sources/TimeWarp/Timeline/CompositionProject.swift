import Foundation
import Media
import TimeMaps

/// A composition and the folder at which its relative paths start.
public struct CompositionProject: Sendable {
    /// The composition.
    public var composition: Composition
    /// The folder at which relative paths start; nil for the working directory.
    public let folder: String?
    /// Notes (sentences) on what the file contained that a composition can't represent.
    public let notes: [String]

    /// The formats of its file, and of the project files that it names.
    let formats: ProjectFormats

    /// Reads a project file. Media files whose duration it doesn't say are opened.
    ///
    /// - Parameter formats: the formats that are known; by default, edit files only. The module `Exchange` has those of
    ///   other programs.
    /// - Throws: ``MediaError`` if the file or its media can't be read, or the file isn't a composition.
    public init(contentsOfFile path: String, formats: ProjectFormats = .editFiles) throws {
        try self.init(contentsOfFile: path, formats: formats, in: [])
    }

    /// How deep compositions may nest.
    private static let deepest = 16

    /// - Parameter outer: the files of the compositions that this one is nested in.
    private init(contentsOfFile path: String, formats: ProjectFormats, in outer: [String]) throws {
        self.formats = formats
        let place = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        guard !outer.contains(place), outer.count < Self.deepest else {
            throw MediaError(
                .damaged, file: path,
                reason: outer.contains(place)
                    ? "it contains itself, directly or in another composition"
                    : "compositions are nested more than \(Self.deepest) deep in it")
        }
        let format = formats.format(of: path) ?? EditFileFormat()
        let data = try SmallFile.data(at: path, kind: format.name, largest: format.largestFile)
        let folder = (path as NSString).deletingLastPathComponent
        var nested: Set<String> = []
        let duration = { (media: String) throws -> RationalTime in
            let file = MediaPath.resolve(media, in: folder)
            guard formats.includes(file) else {
                return try Asset(at: file).duration
            }
            nested.insert(file)
            return try CompositionProject(
                contentsOfFile: file, formats: formats, in: outer + [place]
            ).composition.duration
        }
        let media = ProjectMedia(
            duration: duration,
            open: { try Clip.Source(at: MediaPath.resolve($0, in: folder), formats: formats) })
        do {
            (composition, notes) = try format.read(data, media)
        } catch let error as CompositionError {
            throw MediaError(.damaged, file: path, reason: error.description)
        } catch let error as CurveError {
            throw MediaError(.damaged, file: path, reason: error.description)
        }
        self.folder = folder.isEmpty ? nil : folder
        for media in Set(composition.tracks.flatMap(\.segments).compactMap(\.clip?.media)) {
            let file = MediaPath.resolve(media, in: folder)
            if formats.includes(file), nested.insert(file).inserted {
                _ = try CompositionProject(
                    contentsOfFile: file, formats: formats, in: outer + [place])
            }
        }
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
        self.formats = formats
        var track = Track()
        let half = try dissolve.multiplied(by: 1, over: 2)
        for (index, path) in clips.enumerated() {
            let end = try Clip.Source(at: path, formats: formats).duration
            let start = index == 0 ? .zero : half
            let last = index == clips.count - 1 ? end : try end - half
            guard start < last else {
                throw MediaError(
                    .incompatible, file: path,
                    reason: "it lasts \(end.seconds) s, which is too short for its dissolves",
                    remedy: "Choose a shorter dissolve")
            }
            let clip = try PlacedClip(path, range: TimeRange(start: start, end: last))
            try track.append(
                Segment(clip, blending: Blending(dissolve: index == 0 ? .zero : dissolve)))
        }
        composition = Composition(tracks: [track])
        folder = nil
        notes = []
    }

    /// Whether a JSON file says near its beginning that it is a composition.
    package static func seemsToBeOne(_ path: String) -> Bool {
        SmallFile.head(of: path).contains("\"\(Composition.fileVersion)\"")
    }

    /// The content for a project file, in the format that its name tells. Relative paths start at the folder of that file.
    ///
    /// - Parameter path: the path of the file, which isn't written here.
    /// - Returns: the content, and notes (sentences) on what the format can't hold.
    /// - Throws: ``CompositionError`` or ``CurveError`` if a segment can't be written.
    public func file(named path: String) throws -> (data: Data, notes: [String]) {
        let place = (path as NSString).deletingLastPathComponent
        let composition = try composition.replacingMedia {
            MediaPath.rebase($0, from: folder, to: place)
        }
        var known: [String: Clip.Source?] = [:]
        let open = { (media: String) throws -> Clip.Source in
            let file = MediaPath.resolve(media, in: place)
            let source = known[file] ?? (try? Clip.Source(at: file, formats: formats))
            known[file] = source
            guard let source else {
                throw MediaError(.noInput, file: file, reason: "it can't be opened")
            }
            return source
        }
        let media = ProjectMedia(duration: { try open($0).duration }, open: open)
        let format = formats.format(of: path) ?? EditFileFormat()
        let written = try format.write(composition, media)
        return (written.file, written.notes)
    }
}

extension Composition {
    /// The same composition with other paths.
    fileprivate func replacingMedia(_ path: (String) -> String) throws -> Composition {
        var result = self
        result.tracks = try tracks.map { track in
            let segments = try track.segments.map { segment -> Segment in
                guard let clip = segment.clip else {
                    return segment
                }
                let moved = try PlacedClip(
                    path(clip.media), range: clip.range, retiming: clip.retiming,
                    window: clip.isWhole ? nil : clip.window, name: clip.name)
                return segment.playing(moved)
            }
            return try Track(name: track.name, carries: track.carries, segments: segments)
        }
        return result
    }
}
