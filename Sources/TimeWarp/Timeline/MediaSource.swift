import Media
import TimeMaps

/// What a clip or a segment plays, opened: a media file, or a composition with all its media files. Both are retimed alike:
/// a ``Clip`` of a composition runs across all its cuts.
///
/// ```
///  edit.json   ├─ a.mp4 ─┼─ b.mov ─┼─ inner.json ─┤       retimed as a whole, decoded and encoded once
///  inner.json                      ├ c.mp4 ┼ a.mp4 ┤      compositions nest
/// ```
public struct MediaSource: Sendable {
    /// The path of the file; for a composition that wasn't read from a file, its name.
    public let path: String
    /// How long it lasts.
    public let duration: RationalTime
    /// The file; nil for a composition.
    public let asset: Asset?
    /// The composition; nil for a file.
    public fileprivate(set) var composition: Composition?
    /// Notes (sentences) on what a project file contained that a composition can't represent.
    public let notes: [String]
    /// The media files that it reads, also those of nested compositions, each once; of a composition sorted by their paths.
    public let assets: [Asset]
    /// The media of the composition, by their paths as it has them; none for a file.
    let media: [String: MediaSource]
    /// The paths of its media files and project files.
    package let files: Set<String>
    /// The file that is seen first; nil without video.
    package let firstSeenAsset: Asset?
    /// The rate that the composition states, or that the one states which is seen first.
    let statedRate: FrameRate?
    /// The size that the composition states, or that the one states which is seen first.
    package let statedSize: Composition.Size?

    /// A media file.
    public init(_ asset: Asset) {
        path = asset.path
        duration = asset.duration
        self.asset = asset
        composition = nil
        notes = []
        assets = [asset]
        media = [:]
        files = [asset.path]
        firstSeenAsset = asset.videoStreams.isEmpty ? nil : asset
        (statedRate, statedSize) = (nil, nil)
    }

    /// Opens a media file or a project file, which is told by its name, with all its media files.
    ///
    /// - Parameter formats: the formats of project files that are known; see ``ProjectFormats/includes(_:)``.
    /// - Throws: ``MediaError`` if a file can't be read, or compositions contain each other.
    /// - Complexity: that of opening each file once.
    public init(at path: String, formats: ProjectFormats = .editFiles) throws {
        self = try MediaCatalogue(formats).source(at: path)
    }

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
        try self.init(composition, in: folder, catalogue: MediaCatalogue(formats))
    }

    /// The same for a project that was read already, perhaps with another format.
    package init(_ project: CompositionProject, path: String) throws {
        try self.init(
            project.composition, in: project.folder, path: path, notes: project.notes,
            catalogue: MediaCatalogue(project.formats))
    }

    /// - Parameter path: that of its file; nil for the composition's name.
    package init(
        _ composition: Composition, in folder: String? = nil, path: String? = nil,
        notes: [String] = [],
        catalogue: MediaCatalogue
    ) throws {
        self.path = path ?? (composition.name.isEmpty ? "a composition" : composition.name)
        duration = composition.duration
        asset = nil
        self.composition = composition
        self.notes = notes
        let names = Set(composition.tracks.flatMap(\.segments).compactMap(\.clip?.media))
        media = try names.sorted().reduce(into: [:]) { media, name in
            media[name] =
                try composition.opened(name, in: folder, catalogue)
                ?? catalogue.placed(at: MediaPath.resolve(name, in: folder))
        }
        var known: [String: Asset] = [:]
        for asset in media.values.flatMap(\.assets) {
            known[asset.path] = asset
        }
        assets = known.sorted { $0.key < $1.key }.map(\.value)
        // A timeline that it contains has no file of its own.
        files = media.reduce(into: [self.path]) { files, inner in
            let isContained = composition.contained(inner.key) != nil
            files.formUnion(
                isContained ? inner.value.files.subtracting([inner.key]) : inner.value.files)
        }
        let first = Self.firstSeen(of: composition, media)
        firstSeenAsset = first?.firstSeenAsset
        statedRate = composition.format.frameRate ?? first?.statedRate
        statedSize = composition.format.size ?? first?.statedSize
    }

    /// The source of the clip that is seen first.
    private static func firstSeen(
        of composition: Composition, _ media: [String: MediaSource]
    ) -> MediaSource? {
        let first = composition.tracks.filter { $0.carries != .sound }.compactMap { track in
            track.placed.first { placed in
                placed.segment.clip.flatMap { media[$0.media] }?.hasVideo ?? false
            }
        }
        // Of two that begin together the upper one is seen.
        let earliest = first.reversed().min { $0.range.start < $1.range.start }
        return earliest?.segment.clip.flatMap { media[$0.media] }
    }

    /// Opens a file or a project as ``init(at:formats:)-(String,_)``, on a thread of its own: the caller's thread isn't blocked.
    ///
    /// - Throws: as ``init(at:formats:)-(String,_)``; `CancellationError` when the task was cancelled before.
    public static func load(
        at path: String, formats: ProjectFormats = .editFiles
    ) async throws -> MediaSource {
        try await runBlocking { checkCancelled in
            try checkCancelled()
            return try MediaSource(at: path, formats: formats)
        }
    }
}

extension Composition {
    /// A timeline that it contains, opened; nil if none has the name.
    ///
    /// - Parameter folder: the folder at which relative paths start; nil for the working directory.
    func opened(
        _ name: String, in folder: String?, _ catalogue: MediaCatalogue
    ) throws -> MediaSource? {
        try contained(name).map { timeline in
            // Its name is what it is called by in this one, and no title.
            var timeline = timeline
            timeline.name = ""
            return try MediaSource(timeline, in: folder, path: name, catalogue: catalogue)
        }
    }

    /// A timeline that plays this one as a whole.
    ///
    /// - Parameters:
    ///   - folder: the folder at which relative paths start; nil for the working directory.
    ///   - change: changes the segment that plays it.
    package func asOneSegment(
        in folder: String?, _ catalogue: MediaCatalogue,
        _ change: (inout Segment, MediaSource) throws -> Void
    ) throws -> Composition {
        var inner = self
        inner.name = name.isEmpty ? "timeline" : name
        let source = try MediaSource(inner, in: folder, path: inner.name, catalogue: catalogue)
        var segment = try Segment(of: source)
        try change(&segment, source)
        return Composition(
            name: name, format: format, tracks: [try Track(segments: [segment])],
            timelines: [inner])
    }
}

// MARK: - Whole timelines

extension Composition {
    /// The same timeline, which contains the projects that it plays, so that only media files are needed for it.
    ///
    /// - Throws: as ``MediaSource/init(_:in:formats:)``; ``CompositionError`` if it would be too large.
    package func containingProjects(_ catalogue: MediaCatalogue) throws -> Composition {
        var room = Composition.mostSegments
        let source = try MediaSource(self, catalogue: catalogue)
        // What is rendered as its source is has its source's title.
        let title = source.media.values.lazy.compactMap(\.composition?.name).first
        let isOwn = format.isConformed || !name.isEmpty
        return try source.contained(named: isOwn ? name : title ?? "", &room)
    }

    /// A source that is rendered as it is, with this timeline's title if it has one.
    func titled(_ source: MediaSource) -> MediaSource {
        var source = source
        if !name.isEmpty {
            source.composition?.name = name
        }
        return source
    }
}

extension MediaSource {
    /// The composition with its media at their paths, and the compositions that it plays in it.
    ///
    /// - Parameter room: how many segments there may still be.
    fileprivate func contained(named name: String, _ room: inout Int) throws -> Composition {
        var result = composition ?? Composition()
        room -= result.tracks.reduce(0) { $0 + $1.segments.count }
        guard room >= 0 else {
            throw CompositionError.invalid(
                "with the projects that it plays it has more than \(Composition.mostSegments) segments"
            )
        }
        result.name = name
        result = try result.replacingMedia { media[$0]?.asset?.path ?? $0 }
        result.timelines = try media.sorted { $0.key < $1.key }.compactMap { name, inner in
            try inner.composition.map { _ in try inner.contained(named: name, &room) }
        }
        return result
    }
}

// MARK: - Facts

extension MediaSource {
    /// How much of it is used where nothing else is said: all; 5 s of a picture.
    var usualDuration: RationalTime { asset?.usualDuration ?? duration }

    /// What the composition is rendered as; a file keeps its own format.
    var format: Composition.Format { composition?.format ?? .asSource }

    /// Whether it is a photo or a drawing.
    var isPicture: Bool { asset?.isPicture ?? false }

    /// Whether anything of it is seen.
    var hasVideo: Bool { firstSeenAsset != nil }

    /// The format of its video, for a composition that of the clip which is seen first, with the rate that the composition
    /// states; nil without video.
    package var videoFormat: VideoFormat? {
        guard var format = firstSeenAsset?.mainVideo?.videoFormat else {
            return nil
        }
        if let statedRate {
            format.setConstantRate(statedRate)
        }
        return format
    }

    /// The usual time between frames, in seconds, for the limits on what a curve may do within one frame. It is nil
    /// without video.
    package var frameDuration: Double? {
        guard let asset else {
            return videoFormat.map { 1 / $0.usualRate.framesPerSecond }
        }
        return Clip.frameDuration(of: asset)
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

    /// The end of its sound, in its own time; zero if a file has no sound. That of a composition is its end.
    package var soundEnd: RationalTime { asset?.soundEnd ?? duration }

    /// The end of its video; nil without video.
    package var videoEnd: RationalTime? {
        guard let asset else {
            return hasVideo ? duration : nil
        }
        return asset.mainVideo?.end
    }

    /// Where it ends for a track that carries some of it: of a file's sound alone, where the sound ends.
    ///
    /// - Throws: ``MediaError`` if there is no sound.
    package func end(for carried: Track.Content) throws -> RationalTime {
        try carried == .sound ? asset?.soundRange.end ?? duration : duration
    }

    /// The range from one instant to another. A `start` or `end` of nil is that of the source.
    ///
    /// - Throws: ``MediaError`` if the range would be empty.
    package func part(from start: RationalTime?, to end: RationalTime?) throws -> TimeRange {
        let (start, asked) = (start ?? .zero, end ?? duration)
        let end = min(asked, duration)
        guard start < end else {
            let range = "the range from \(start.secondsText) s to \(asked.secondsText) s"
            throw MediaError(
                .noUsableStream, file: path,
                reason: asked <= start
                    ? "\(range) ends before it begins"
                    : "it lasts \(duration.secondsText) s, and \(range) holds nothing of it",
                remedy: "Choose a \(.range) inside the clip")
        }
        return try TimeRange(start: start, end: end)
    }
}
