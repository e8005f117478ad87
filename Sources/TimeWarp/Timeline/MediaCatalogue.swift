import Foundation
import Media
import TimeMaps

/// The media files and projects of a job, each opened once however often they are played. Projects may contain each other:
/// they are read twice at the most, for their duration and to be played.
package final class MediaCatalogue {
    private struct Known {
        let duration: RationalTime
        /// How many levels of projects it has, with its own.
        let levels: Int
    }

    /// How deep compositions may nest.
    private static let deepest = 16

    let formats: ProjectFormats
    /// What is known of the media files.
    let files: KnownFiles
    /// Throws if a file may not be opened; it is asked before each is.
    package var requireAllowed: (_ path: String) throws -> Void = { _ in }
    private var sources: [String: MediaSource] = [:]
    private var known: [String: Known] = [:]
    /// The projects that are being read, each in the one before it, and the levels that were found in each, with its own.
    private var reading: [(place: String, levels: Int)] = []

    /// - Parameters:
    ///   - formats: the formats of project files that are known.
    ///   - files: what is known of the media files, so that it isn't looked for again.
    package init(_ formats: ProjectFormats, knowing files: KnownFiles = .none) {
        self.formats = formats
        self.files = files
    }

    /// One that has a source open.
    package convenience init(holding source: MediaSource) {
        self.init(ProjectFormats([]))
        sources[source.path] = source
    }

    /// The same with what the settings of a job say of its media.
    package convenience init(
        _ formats: ProjectFormats, for resources: RenderSettings.Resources,
        knowing files: KnownFiles = .none
    ) {
        self.init(
            formats.searching(resources.mediaFolders).playing(imagesAt: resources.sequenceRate),
            knowing: files)
    }

    /// A media file or a project, opened.
    ///
    /// - Throws: ``MediaError`` if it can't be read.
    package func source(at path: String) throws -> MediaSource {
        if let source = sources[path] {
            return source
        }
        try requireAllowed(path)
        let source =
            formats.includes(path)
            ? try project(at: path)
            : MediaSource(try files.asset(at: path) ?? formats.asset(at: path))
        sources[path] = source
        return source
    }

    /// The same as it is placed on a timeline, where a picture lasts as long as its place asks for.
    func placed(at path: String) throws -> MediaSource {
        let source = try source(at: path)
        return source.asset.map { MediaSource($0.placeable) } ?? source
    }

    /// Reads a project file and opens all its media files.
    private func project(at path: String) throws -> MediaSource {
        let project = try CompositionProject(contentsOfFile: path, self)
        return try MediaSource(
            project.composition, in: project.folder, path: path, notes: project.notes,
            catalogue: self)
    }

    /// How long a file lasts. A project is read for that, unless it was before.
    ///
    /// - Parameter missing: what happens when media files of the project can't be found.
    func duration(
        of path: String, _ missing: CompositionProject.MissingMedia
    ) throws -> RationalTime {
        guard formats.includes(path) else {
            return try source(at: path).usualDuration
        }
        guard let found = known[Self.place(of: path)] else {
            try requireAllowed(path)
            return try CompositionProject(contentsOfFile: path, missingMedia: missing, self)
                .composition.duration
        }
        try requireRoom(for: found.levels, path)
        contain(found.levels)
        return found.duration
    }

    /// Remembers that a project is being read.
    ///
    /// - Throws: ``MediaError`` if it is being read already, or is nested too deep.
    func enter(_ path: String) throws {
        let place = Self.place(of: path)
        guard !reading.contains(where: { $0.place == place }) else {
            throw MediaError(
                .damaged, file: path,
                reason: "it contains itself, directly or in another composition")
        }
        try requireRoom(for: 1, path)
        reading.append((place, 1))
    }

    /// Ends what ``enter(_:)`` begins.
    ///
    /// - Parameter duration: how long the project lasts; nil if it couldn't be read.
    func leave(_ duration: RationalTime?) {
        guard let last = reading.popLast(), let duration else {
            return
        }
        known[last.place] = Known(duration: duration, levels: last.levels)
        contain(last.levels)
    }

    /// Counts a project of this many levels in the one that is being read.
    private func contain(_ levels: Int) {
        if let last = reading.indices.last {
            reading[last].levels = max(reading[last].levels, levels + 1)
        }
    }

    private func requireRoom(for levels: Int, _ path: String) throws {
        guard reading.count + levels <= Self.deepest else {
            throw MediaError(
                .damaged, file: path,
                reason: "compositions are nested more than \(Self.deepest) deep in it")
        }
    }

    private static func place(of path: String) -> String {
        URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    }
}
