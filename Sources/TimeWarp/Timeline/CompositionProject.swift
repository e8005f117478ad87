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

    /// Reads a project file: an edit file (JSON), or OpenTimelineIO if its name ends in `.otio`. Media files
    /// whose duration the project file doesn't say are opened.
    ///
    /// - Throws: ``MediaError`` if the file or its media can't be read, or the file isn't a composition.
    public init(contentsOfFile path: String) throws {
        try self.init(contentsOfFile: path, in: [])
    }

    /// How deep compositions may nest.
    private static let deepest = 16

    /// - Parameter outer: the files of the compositions that this one is nested in.
    private init(contentsOfFile path: String, in outer: [String]) throws {
        let place = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        guard !outer.contains(place), outer.count < Self.deepest else {
            throw MediaError(
                .damaged, file: path,
                reason: outer.contains(place)
                    ? "it contains itself, directly or in another composition"
                    : "compositions are nested more than \(Self.deepest) deep in it")
        }
        let isTimeline = Self.isOpenTimelineIO(path)
        let data = try SmallFile.data(
            at: path, kind: "a composition",
            largest: isTimeline ? Composition.largestTimeline : Composition.largestFile)
        let folder = (path as NSString).deletingLastPathComponent
        var nested: Set<String> = []
        let duration = { (media: String) throws -> RationalTime in
            let file = MediaPath.resolve(media, in: folder)
            guard Self.isProject(file) else {
                return try Asset(at: file).duration
            }
            nested.insert(file)
            return try CompositionProject(contentsOfFile: file, in: outer + [place]).composition
                .duration
        }
        do {
            if isTimeline {
                (composition, notes) = try Composition.reading(
                    openTimelineIO: data, mediaDuration: duration)
            } else {
                composition = try Composition(json: data, mediaDuration: duration)
                notes = []
            }
        } catch let error as CompositionError {
            throw MediaError(.damaged, file: path, reason: error.description)
        } catch let error as CurveError {
            throw MediaError(.damaged, file: path, reason: error.description)
        }
        self.folder = folder.isEmpty ? nil : folder
        for media in Set(composition.tracks.flatMap(\.segments).compactMap(\.clip?.media)) {
            let file = MediaPath.resolve(media, in: folder)
            if Self.isProject(file), nested.insert(file).inserted {
                _ = try CompositionProject(contentsOfFile: file, in: outer + [place])
            }
        }
    }

    /// A composition that plays files one after another, each whole and at normal speed.
    ///
    /// - Parameters:
    ///   - clips: the paths of the files, or of other projects.
    ///   - dissolve: for how long two neighbours overlap and dissolve; 0 for cuts.
    ///
    /// - Throws: ``MediaError`` if a file can't be read, or is too short for its dissolves.
    public init(clips: [String], dissolving dissolve: RationalTime = .zero) throws {
        var track = Track()
        let half = try dissolve.multiplied(by: 1, over: 2)
        for (index, path) in clips.enumerated() {
            let end = try Clip.Source(at: path).duration
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

    /// Whether a file's name (its extension) says that it is a project file rather than a media file.
    public static func isProject(_ path: String) -> Bool {
        isOpenTimelineIO(path) || path.lowercased().hasSuffix(".json")
    }

    /// Whether a JSON file says near its beginning that it is a composition.
    package static func seemsToBeOne(_ path: String) -> Bool {
        SmallFile.head(of: path).contains("\"\(Composition.fileVersion)\"")
    }

    private static func isOpenTimelineIO(_ path: String) -> Bool {
        path.lowercased().hasSuffix(".otio")
    }

    /// The content for a project file: an edit file (JSON), or OpenTimelineIO if the name ends in `.otio`.
    /// Relative paths start at the folder of that file.
    ///
    /// - Parameter path: the path of the file, which isn't written here.
    /// - Returns: the content, and notes (sentences) on what other programs will see differently.
    /// - Throws: ``MediaError`` if a media file can't be read, ``CompositionError`` or ``CurveError`` if a
    ///   segment's time map can't be made.
    public func file(named path: String) throws -> (data: Data, notes: [String]) {
        let place = (path as NSString).deletingLastPathComponent
        let composition = try composition.replacingMedia {
            MediaPath.rebase($0, from: folder, to: place)
        }
        guard Self.isOpenTimelineIO(path) else {
            return (try composition.json(), [])
        }
        var durations: [String: RationalTime] = [:]
        for media in composition.tracks.flatMap(\.segments).compactMap(\.clip?.media) {
            durations[media] =
                try durations[media]
                ?? Clip.Source(at: MediaPath.resolve(media, in: place)).duration
        }
        let (data, notes) = try composition.openTimelineIO(mediaDurations: durations)
        return (data, notes)
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
