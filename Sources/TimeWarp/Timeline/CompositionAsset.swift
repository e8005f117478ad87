import Media
import TimeMaps

/// A composition whose media files are open, so that it can be retimed like a single file: a ``Clip`` of it runs across
/// all its cuts.
///
/// ```
///  edit.json   ├─ a.mp4 ─┼─ b.mov ─┼─ inner.json ─┤       retimed as a whole, decoded and encoded once
///  inner.json                      ├ c.mp4 ┼ a.mp4 ┤      compositions nest
/// ```
public struct CompositionAsset: Sendable {
    /// The composition.
    public let composition: Composition
    /// The path of its file; else its name.
    public let path: String
    /// Notes (sentences) on what the file contained that a composition can't represent.
    public let notes: [String]
    /// The media of the composition, by their paths as it has them.
    let media: [String: Clip.Source]

    /// Opens all media files of a composition.
    ///
    /// - Parameters:
    ///   - folder: the folder at which relative paths start; nil for the working directory.
    ///   - formats: the formats of project files that are known.
    /// - Throws: ``MediaError`` if a file can't be read, or compositions contain each other.
    /// - Complexity: that of opening each file once.
    public init(
        _ composition: Composition, in folder: String? = nil, formats: ProjectFormats = .editFiles
    ) throws {
        try self.init(
            composition, in: folder,
            path: composition.name.isEmpty ? "a composition" : composition.name, notes: [],
            catalogue: MediaCatalogue(formats))
    }

    /// Reads a project file and opens all its media files.
    ///
    /// - Parameter formats: the formats of project files that are known.
    /// - Throws: ``MediaError`` if a file can't be read, or compositions contain each other.
    public init(contentsOfFile path: String, formats: ProjectFormats = .editFiles) throws {
        self = try MediaCatalogue(formats).composition(at: path)
    }

    /// The same for a project that was read already, perhaps with another format.
    package init(_ project: CompositionProject, path: String) throws {
        try self.init(
            project.composition, in: project.folder, path: path, notes: project.notes,
            catalogue: MediaCatalogue(project.formats))
    }

    init(
        _ composition: Composition, in folder: String?, path: String, notes: [String],
        catalogue: MediaCatalogue
    ) throws {
        self.composition = composition
        self.path = path
        self.notes = notes
        let names = Set(composition.tracks.flatMap(\.segments).compactMap(\.clip?.media))
        media = try names.sorted().reduce(into: [:]) { media, name in
            media[name] = try catalogue.placed(at: MediaPath.resolve(name, in: folder))
        }
    }

    /// Reads a project file and opens all its media files, on a thread of its own: the caller's thread isn't blocked.
    ///
    /// - Throws: as ``init(contentsOfFile:formats:)``; `CancellationError` when the task was cancelled before.
    public static func load(
        contentsOfFile path: String, formats: ProjectFormats = .editFiles
    ) async throws -> CompositionAsset {
        try await runBlocking { checkCancelled in
            try checkCancelled()
            return try CompositionAsset(contentsOfFile: path, formats: formats)
        }
    }

    /// How long it lasts.
    public var duration: RationalTime { composition.duration }

    /// The media files, also those of nested compositions, each once and sorted by their paths.
    public var assets: [Asset] {
        var known: [String: Asset] = [:]
        for asset in media.values.flatMap(\.assets) {
            known[asset.path] = asset
        }
        return known.sorted { $0.key < $1.key }.map(\.value)
    }

    /// The paths of its media files and project files.
    var files: Set<String> {
        media.values.reduce(into: [path]) { $0.formUnion($1.files) }
    }

    /// Whether any clip of it is seen.
    var hasVideo: Bool { firstSeen != nil }

    /// The rate of its frames: its own, or that of the first clip; nil without video.
    package var frameRate: FrameRate? { videoFormat?.usualRate }

    /// The format of the clip that is seen first, with the rate that the composition states; nil without video.
    package var videoFormat: VideoFormat? {
        guard var format = firstSeenAsset?.mainVideo?.videoFormat else {
            return nil
        }
        if let statedRate {
            format.setConstantRate(statedRate)
        }
        return format
    }

    /// The file that is seen first, also in nested compositions; nil without video.
    package var firstSeenAsset: Asset? {
        switch firstSeen {
        case .asset(let asset): asset
        case .composition(let inner): inner.firstSeenAsset
        case nil: nil
        }
    }

    /// The rate that it states, or that the composition states which is seen first.
    var statedRate: FrameRate? { composition.format.frameRate ?? firstSeenComposition?.statedRate }

    /// The size that it states, or that the composition states which is seen first.
    package var statedSize: Composition.Size? {
        composition.format.size ?? firstSeenComposition?.statedSize
    }

    private var firstSeenComposition: CompositionAsset? {
        guard case .composition(let inner) = firstSeen else {
            return nil
        }
        return inner
    }

    /// The width of its frames divided by their height: its own, or that of the first clip as it is shown; nil without
    /// video.
    var frameShape: Double? {
        if let size = statedSize {
            return Double(size.width) / Double(size.height)
        }
        return firstSeenAsset?.mainVideo.flatMap { stream in
            stream.videoFormat?.shownRatio(turned: stream.rotation)
        }
    }

    /// The source of the clip that is seen first.
    private var firstSeen: Clip.Source? {
        let first = composition.tracks.filter { $0.carries != .sound }.compactMap { track in
            track.placed.first { placed in
                guard let clip = placed.segment.clip else {
                    return false
                }
                switch media[clip.media] {
                case .asset(let asset): return !asset.videoStreams.isEmpty
                case .composition(let inner): return inner.hasVideo
                case nil: return false
                }
            }
        }
        // Of two that begin together the upper one is seen.
        let earliest = first.reversed().min { $0.range.start < $1.range.start }
        return earliest?.segment.clip.flatMap { media[$0.media] }
    }
}
