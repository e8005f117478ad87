import Media
import TimeMaps

/// What the renderer needs of a plan, whatever is planned: one clip, or a composition of many.
protocol RunnablePlan: Sendable {
    /// The file to be written.
    var destination: String { get }
    var container: Container { get }
    var settings: RenderSettings { get }
    /// How long the output will last, in seconds.
    var outputDuration: Double { get }
    var warnings: [String] { get }
    /// What is read, as a report names it, and how long that lasts.
    var sourceName: String { get }
    var sourceSeconds: Double { get }
    var chapters: [Asset.Chapter] { get }
    var tags: [String: String] { get }
    /// Streams that are passed on as they are, and the file they are in.
    var passedOn: [Asset.Stream] { get }
    var passedOnAsset: Asset? { get }
    var trackCount: Int { get }

    /// The tracks of the file in their order, ready to be started.
    func tracks(at site: RenderSite) -> [OutputTrack]
}

/// What the tracks of one render share.
struct RenderSite: Sendable {
    let interleaver: Interleaver
    let stages: StageGroup
    let progress: ProgressMeter
    let spill: SpillSpace
}

/// A track of the file being written.
struct OutputTrack: Sendable {
    /// What a report tells of it.
    enum Content: Sendable {
        case pictures(RenderPlan.Timing, Tally<VideoTally>)
        case sound(sampleRate: Int, sampleCount: Int64, Tally<AudioTally>)
        /// Subtitles, or packets that are passed on.
        case other
    }
    /// The stream whose rotation, tags and disposition it keeps.
    let like: Asset.Stream?
    let content: Content
    /// Starts its threads.
    let start: @Sendable () -> Void
}

extension RenderPlan: RunnablePlan {
    var sourceName: String { clip.asset.path }
    var sourceSeconds: Double { clip.range.duration.seconds }
    var tags: [String: String] { pictureAsset.tags }
    var passedOnAsset: Asset? { pictureAsset }
    var trackCount: Int { video.count + copied.count + audio.count + subtitles.count }

    func tracks(at site: RenderSite) -> [OutputTrack] {
        let firstCopy = video.count
        let firstSound = firstCopy + copied.count
        let firstCue = firstSound + audio.count
        return video.enumerated().map { pictures($1, number: $0, at: site) }
            + copied.enumerated().map { copy($1, number: firstCopy + $0, at: site) }
            + audio.enumerated().map {
                sound(
                    $1, number: firstSound + $0, at: site,
                    leads: video.isEmpty && $0 == 0)
            } + subtitles.enumerated().map { cues($1, number: firstCue + $0, at: site) }
    }

    private func pictures(
        _ track: VideoTrack, number: Int, at site: RenderSite
    ) -> OutputTrack {
        let stages = VideoStages(
            plan: self, track: track, trackNumber: number, interleaver: site.interleaver,
            stages: site.stages, progress: number == 0 ? site.progress : nil, spill: site.spill)
        return OutputTrack(
            like: track.source, content: .pictures(track.timing, stages.tally),
            start: stages.start)
    }

    private func copy(
        _ stream: Asset.Stream, number: Int, at site: RenderSite
    ) -> OutputTrack {
        let stages = CopyStages(
            asset: pictureAsset, stream: stream, trackNumber: number, interleaver: site.interleaver,
            stages: site.stages)
        return OutputTrack(like: stream, content: .other, start: stages.start)
    }

    private func sound(
        _ track: AudioTrack, number: Int, at site: RenderSite, leads: Bool
    ) -> OutputTrack {
        let stages = AudioStages(
            plan: self, track: track, trackNumber: number, interleaver: site.interleaver,
            stages: site.stages, progress: leads ? site.progress : nil, spill: site.spill)
        return OutputTrack(
            like: track.source,
            content: .sound(
                sampleRate: track.sampleRate, sampleCount: track.sampleCount, stages.tally),
            start: stages.start)
    }

    private func cues(
        _ stream: Asset.Stream, number: Int, at site: RenderSite
    ) -> OutputTrack {
        let stages = CueStages(
            plan: self, stream: stream, trackNumber: number, interleaver: site.interleaver,
            stages: site.stages)
        return OutputTrack(like: stream, content: .other, start: stages.start)
    }
}
