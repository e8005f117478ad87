import Media
import TimeMaps

/// Plans subtitles, chapters, attachments and copied tracks.
extension ClipPlanner {
    /// Plans the video and subtitles that are copied without changes.
    mutating func planCopied() throws -> [RenderPlan.CopiedTrack] {
        guard case .copied = planner.settings.video.mode else {
            return []
        }
        let asset = videoAsset
        if asset.path != clip.asset.path {
            try planner.requireWritable(reading: asset)
        }
        let streams = try asset.streams.filter { stream in
            let isHeld = planner.container.holdsPackets(of: stream)
            switch stream.content {
            case .video:
                guard isHeld else {
                    throw MediaError(
                        .incompatible, file: planner.destination,
                        reason:
                            "a .\(planner.container.rawValue) file can't hold the \(stream.codecName) "
                            + "video of \(asset.path) without encoding",
                        remedy:
                            "Write .mkv, which can hold nearly everything, or .wav for the sound")
                }
                return true
            case .subtitle:
                if !isHeld {
                    planner.note(
                        "subtitles of stream \(stream.index) (\(stream.codecName)) can't be copied "
                            + "into a .\(planner.container.rawValue) file")
                }
                return isHeld
            case .audio, .attachment, .cover, .other:
                return false
            }
        }
        try planner.requireHeld(streams, of: asset)
        return try streams.map { try planner.copied($0, of: asset) }
    }

    mutating func planSubtitles() -> [RenderPlan.SubtitleTrack] {
        switch planner.settings.video.mode {
        case .retimed, .unretimed, .restamped: break
        case .dropped, .copied: return []
        }
        let streams = clip.asset.streams.filter { stream in
            guard case .subtitle(let kind) = stream.content else {
                return false
            }
            if kind == .bitmap && !clip.map.isRising {
                planner.note(
                    "subtitles of stream \(stream.index) (\(stream.codecName)) are images that are "
                        + "switched on and off one after another; they are dropped because they "
                        + "would be played in another order")
                return false
            }
            let isKept = planner.container.holds(kind)
            if !isKept {
                planner.note(
                    "subtitles of stream \(stream.index) (\(stream.codecName)) can't be stored "
                        + "in a .\(planner.container.rawValue) file; .mkv can hold them")
            }
            return isKept
        }
        return streams.map {
            RenderPlan.SubtitleTrack(
                model: $0, form: .kept,
                segments: [SubtitleSegment(clip: clip, stream: $0, window: nil)])
        }
    }

    /// Notes the titles of tracks that the container can't store.
    mutating func noteTitles(of streams: [Asset.Stream]) {
        let lost = streams.compactMap { $0.tags["title"] }
        guard !planner.container.holdsTrackTitles, !lost.isEmpty else {
            return
        }
        planner.note(
            "a .\(planner.container.rawValue) file can't hold the titles of tracks: "
                + lost.map { "\"\($0)\"" }.joined(separator: ", "))
    }

    mutating func planChapters() -> [Asset.Chapter] {
        let chapters = videoAsset.chapters
        guard planner.container.holdsChapters else {
            if !chapters.isEmpty {
                planner.note("a .\(planner.container.rawValue) file can't hold chapters")
            }
            return []
        }
        if case .copied = planner.settings.video.mode {
            return chapters
        }
        return clip.map.isRising ? chapters.compactMap(retimed) : placedAnew(chapters)
    }

    private func retimed(_ chapter: Asset.Chapter) -> Asset.Chapter? {
        guard let shown = chapter.range.intersection(clip.range),
            let start = try? clip.outputInstant(of: shown.start),
            let end = try? clip.outputInstant(of: shown.end),
            let range = try? TimeRange(start: start, end: end)
        else {
            return nil
        }
        return Asset.Chapter(range: range, tags: chapter.tags)
    }

    /// Chapters in output order, each once for each time that it is presented.
    private func placedAnew(_ chapters: [Asset.Chapter]) -> [Asset.Chapter] {
        clip.presented(chapters).map { Asset.Chapter(range: $0.range, tags: $0.chapter.tags) }
            .sorted { $0.range.start < $1.range.start }
    }
}
