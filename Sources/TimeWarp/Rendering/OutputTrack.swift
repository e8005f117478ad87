import Media
import TimeMaps

/// A track of the file that is being written.
struct OutputTrack: Sendable {
    /// What a report says about the track.
    enum Content: Sendable {
        case video(RenderPlan.Timing, Tally<VideoTally>)
        case sound(sampleRate: Int, sampleCount: Int64, Tally<AudioTally>)
        case copied(Asset.Stream, Tally<CopyTally>)
        case subtitles
    }
    /// The stream whose rotation, tags and disposition the track keeps.
    let like: Asset.Stream?
    let content: Content
    /// Starts the track's threads.
    let start: @Sendable () -> Void
}

extension RenderPlan {
    /// The tracks of the file in their order. Their threads aren't started yet.
    func tracks(at site: RenderSite) -> [OutputTrack] {
        let firstCopy = video.count
        let firstSound = firstCopy + copied.count
        let firstCue = firstSound + audio.count
        return video.enumerated().map { output($1, number: $0, at: site) }
            + copied.enumerated().map { output($1, number: firstCopy + $0, at: site) }
            + audio.enumerated().map {
                output(
                    $1, number: firstSound + $0, at: site, leads: video.isEmpty && $0 == 0)
            } + subtitles.enumerated().map { output($1, number: firstCue + $0, at: site) }
    }

    private func output(_ track: VideoTrack, number: Int, at site: RenderSite) -> OutputTrack {
        let stages = VideoStages(
            plan: self, track: track, trackNumber: number, site: site, leads: number == 0)
        return OutputTrack(
            like: track.model, content: .video(track.timing, stages.tally),
            start: stages.start)
    }

    private func output(_ track: CopiedTrack, number: Int, at site: RenderSite) -> OutputTrack {
        let stages = CopyStages(track: track, trackNumber: number, site: site)
        return OutputTrack(
            like: track.stream, content: .copied(track.stream, stages.tally),
            start: stages.start)
    }

    private func output(
        _ track: AudioTrack, number: Int, at site: RenderSite, leads: Bool
    ) -> OutputTrack {
        let stages = AudioStages(
            plan: self, track: track, trackNumber: number, site: site, leads: leads)
        return OutputTrack(
            like: track.model,
            content: .sound(
                sampleRate: track.sampleRate, sampleCount: track.sampleCount, stages.tally),
            start: stages.start)
    }

    private func output(_ track: SubtitleTrack, number: Int, at site: RenderSite) -> OutputTrack {
        let stages = CueStages(
            track: track, container: container, trackNumber: number, site: site)
        return OutputTrack(like: track.model, content: .subtitles, start: stages.start)
    }
}
