import Media
import TimeMaps

/// Plans subtitles, chapters, attached files and tags.
extension Planner {
    // MARK: - Subtitles

    mutating func planSubtitles() throws -> [RenderPlan.SubtitleTrack] {
        guard let file else {
            return try planJoinedSubtitles()
        }
        switch settings.video.mode {
        case .retimed, .unretimed, .restamped: break
        case .dropped, .copied: return []
        }
        let streams = file.asset.streams.filter { stream in
            guard case .subtitle(let kind) = stream.content else {
                return false
            }
            if kind == .bitmap && !file.map.isRising {
                note(
                    "subtitles of stream \(stream.index) (\(stream.codecName)) are images that are "
                        + "switched on and off one after another; they are dropped because they "
                        + "would be played in another order")
                return false
            }
            let isKept = container.holds(kind)
            if !isKept {
                note(
                    "subtitles of stream \(stream.index) (\(stream.codecName)) can't be stored "
                        + "in a .\(container.rawValue) file; .mkv can hold them")
            }
            return isKept
        }
        return streams.map {
            RenderPlan.SubtitleTrack(
                model: $0, form: .kept,
                segments: [SubtitleSegment(clip: file, stream: $0, window: nil)])
        }
    }

    /// The text subtitles of all clips that are heard, as their sound: the first of each file make the first track.
    private mutating func planJoinedSubtitles() throws -> [RenderPlan.SubtitleTrack] {
        var tracks: [[SubtitleSegment]] = []
        for clip in heard.joined() {
            let streams = clip.asset.streams.filter { $0.subtitleKind == .text }
            guard !streams.isEmpty else {
                continue
            }
            let played = try clip.played
            for (number, stream) in streams.enumerated() {
                if number == tracks.count {
                    tracks.append([])
                }
                tracks[number].append(
                    SubtitleSegment(
                        clip: played, stream: stream,
                        window: clip.range.start.seconds..<clip.range.end.seconds))
            }
        }
        guard container.holds(.text) else {
            if !tracks.isEmpty {
                note("a .\(container.rawValue) file can't hold subtitles: they are dropped")
            }
            return []
        }
        return tracks.compactMap { segments in
            segments.first.map {
                RenderPlan.SubtitleTrack(
                    model: $0.stream, form: Self.form(of: segments), segments: segments)
            }
        }
    }

    /// The form of a track's subtitles. A track has only one form, and the styles of only one file.
    private static func form(of segments: [SubtitleSegment]) -> CueReader.Form {
        let codecs = Set(segments.map(\.stream.codecName))
        let files = Set(segments.map(\.clip.asset.path))
        let hasStyles = !codecs.isDisjoint(with: ["ass", "ssa"])
        return codecs.count == 1 && (files.count == 1 || !hasStyles) ? .kept : .usual
    }

    // MARK: - Chapters

    mutating func planChapters() throws -> [Asset.Chapter] {
        guard let file, let videoAsset else {
            return try planMarkers()
        }
        let chapters = videoAsset.chapters
        guard container.holdsChapters else {
            if !chapters.isEmpty {
                note("a .\(container.rawValue) file can't hold chapters")
            }
            return []
        }
        if case .copied = settings.video.mode {
            return chapters
        }
        guard file.map.isRising else {
            // In output order, each once for each time that it is presented.
            return file.presented(chapters)
                .map { Asset.Chapter(range: $0.range, tags: $0.chapter.tags) }
                .sorted { $0.range.start < $1.range.start }
        }
        return chapters.compactMap { chapter in
            guard let shown = chapter.range.intersection(file.range),
                let start = try? file.outputInstant(of: shown.start),
                let end = try? file.outputInstant(of: shown.end),
                let range = try? TimeRange(start: start, end: end)
            else {
                return nil
            }
            return Asset.Chapter(range: range, tags: chapter.tags)
        }
    }

    /// Where the files' chapters are presented, in order. A chapter that goes on after a cut is there once.
    private func placedChapters() throws -> [(time: RationalTime, name: String)] {
        let hasSeen = seen.joined().contains { !$0.asset.chapters.isEmpty }
        var placed: [(time: RationalTime, file: String, chapter: Asset.Chapter)] = []
        for clip in (hasSeen ? seen : heard).joined() where !clip.asset.chapters.isEmpty {
            for (chapter, range) in try clip.played.presented(clip.asset.chapters) {
                placed.append((try clip.range.start.sum(range.start), clip.asset.path, chapter))
            }
        }
        placed.sort { $0.time < $1.time }
        return placed.indices.compactMap { index in
            let (time, file, chapter) = placed[index]
            if index > 0, placed[index - 1].file == file, placed[index - 1].chapter == chapter {
                return nil
            }
            return (time, chapter.tags["title"] ?? "")
        }
    }

    /// A composition's markers and its files' chapters, as chapters.
    private mutating func planMarkers() throws -> [Asset.Chapter] {
        var markers = try source.placedMarkers(
            in: settings.video.keepsTimes ? clip?.unretimed : clip)
        markers.placed = (markers.placed + (try placedChapters())).sorted { $0.time < $1.time }
        for hidden in markers.hidden {
            note("the marker \"\(hidden)\" isn't presented, so it is dropped")
        }
        guard container.holdsChapters else {
            if !markers.placed.isEmpty {
                note("a .\(container.rawValue) file can't hold markers as chapters")
            }
            return []
        }
        let ends = markers.placed.dropFirst().map(\.time) + [videoDuration]
        let chapters = try zip(markers.placed, ends).compactMap { placed, end -> Asset.Chapter? in
            guard placed.time < end else {
                return nil
            }
            return Asset.Chapter(
                range: try TimeRange(start: placed.time, end: end),
                tags: ["title": placed.name])
        }
        // In MP4 the first chapter always starts at 0. A chapter without a title before it keeps it at its own
        // time.
        guard let first = chapters.first?.range.start, first > .zero else {
            return chapters
        }
        let opening = Asset.Chapter(
            range: try TimeRange(start: .zero, end: first), tags: ["title": ""])
        return [opening] + chapters
    }

    // MARK: - Attachments and tags

    /// The covers and attached files. Of several files no cover is kept, and of their attached files those of one name once.
    mutating func planAttachments() -> [RenderPlan.CopiedTrack] {
        guard videoAsset == nil else {
            return videoAsset.map { attachments(of: $0, isOneOfMany: false) } ?? []
        }
        let assets = source.assets
        var names: Set<String> = []
        return assets.flatMap { attachments(of: $0, isOneOfMany: assets.count > 1) }
            .filter { names.insert($0.stream.tags["filename"] ?? "\(names.count)").inserted }
    }

    /// Notes those that aren't kept, and tracks of data.
    ///
    /// - Parameter isOneOfMany: whether the output is made of several files: it then has no cover, and each note names the
    ///   file.
    private mutating func attachments(
        of asset: Asset, isOneOfMany: Bool
    ) -> [RenderPlan.CopiedTrack] {
        let streams = asset.streams.filter { stream in
            let isKept: Bool
            switch stream.content {
            case .video, .audio, .subtitle: return false
            case .cover: isKept = container.holdsCover && !isOneOfMany
            case .attachment: isKept = container == .mkv
            case .other: isKept = false
            }
            // MP4 stores chapters twice: as chapters, and as a text track, which libav reports as data.
            let isOfChapters = stream.codecName == "bin_data" && !asset.chapters.isEmpty
            if !isKept && !isOfChapters {
                note(
                    (isOneOfMany ? "\(asset.path): " : "")
                        + "stream \(stream.index) (\(stream.kindName), \(stream.codecName)) is dropped: "
                        + "a .\(container.rawValue) file can't hold it, or it can't be retimed")
            }
            return isKept
        }
        return streams.map {
            RenderPlan.CopiedTrack(asset: asset, stream: $0, origin: .zero, kept: .all)
        }
    }

    /// Of one file all tags are kept; the name of a composition is the title.
    var tags: [String: String] {
        let assets = videoAsset.map { [$0] } ?? source.assets
        var tags = assets.count == 1 ? assets[0].tags : [:]
        if let name = source.composition?.name, !name.isEmpty {
            tags["title"] = name
        }
        return tags
    }

    /// Notes the titles of a file's tracks that the container can't store.
    mutating func noteTitles(of streams: [Asset.Stream]) {
        let lost = streams.compactMap { $0.tags["title"] }
        guard file != nil, !container.holdsTrackTitles, !lost.isEmpty else {
            return
        }
        note(
            "a .\(container.rawValue) file can't hold the titles of tracks: "
                + lost.map { "\"\($0)\"" }.joined(separator: ", "))
    }
}
