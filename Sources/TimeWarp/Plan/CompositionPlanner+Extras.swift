import Media
import TimeMaps

/// Plans chapters, tags and attached files.
extension CompositionPlanner {
    /// Of one file all tags are kept; the name of the composition is the title.
    var tags: [String: String] {
        let assets = source.assets
        var tags = assets.count == 1 ? assets[0].tags : [:]
        if !composition.name.isEmpty {
            tags["title"] = composition.name
        }
        return tags
    }

    /// The cover of a single file, and the attached files of all, those of one name once.
    mutating func planAttachments() -> [RenderPlan.CopiedTrack] {
        let assets = source.assets
        var names: Set<String> = []
        return assets.flatMap { planner.attachments(of: $0, isOneOfMany: assets.count > 1) }
            .filter { names.insert($0.stream.tags["filename"] ?? "\(names.count)").inserted }
    }

    /// Where the files' chapters are presented, in order. A chapter that goes on after a cut is there once.
    private func placedChapters() throws -> [(time: RationalTime, name: String)] {
        let hasSeen = seen.joined().contains { !$0.asset.chapters.isEmpty }
        var placed: [(time: RationalTime, file: String, chapter: Asset.Chapter)] = []
        for flat in (hasSeen ? seen : heard).joined() where !flat.asset.chapters.isEmpty {
            let shown = try AssetClip(
                of: flat.asset, through: flat.map, from: flat.start,
                window: (.zero, flat.range.duration))
            for (chapter, range) in shown.presented(flat.asset.chapters) {
                placed.append((try flat.range.start.sum(range.start), flat.asset.path, chapter))
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

    /// Markers and the files' chapters.
    mutating func planChapters() throws -> [Asset.Chapter] {
        var markers = try source.placedMarkers(in: clip)
        markers.placed = (markers.placed + (try placedChapters())).sorted { $0.time < $1.time }
        for hidden in markers.hidden {
            planner.note("the marker \"\(hidden)\" isn't presented, so it is dropped")
        }
        guard planner.container.holdsChapters else {
            if !markers.placed.isEmpty {
                planner.note("a .\(planner.container.rawValue) file can't hold markers as chapters")
            }
            return []
        }
        let ends = markers.placed.dropFirst().map(\.time) + [duration]
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
}
