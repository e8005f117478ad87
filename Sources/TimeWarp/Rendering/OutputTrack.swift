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
    /// When tick 0 of a video track is.
    var offset = RationalTime.zero
    /// The output time from which on nothing of it may be shown, though there are packets; nil if there are none.
    var hiddenFrom: RationalTime?
    /// Starts the track's threads.
    let start: @Sendable () -> Void
}

extension RenderPlan {
    /// The tracks of the file in their order. Their threads aren't started yet.
    ///
    /// The tracks of a stream that starts at an output time.
    func tracks(at site: RenderSite, from time: RationalTime) -> [OutputTrack] {
        video.enumerated().map { number, track in
            let stages = VideoStages(
                plan: self, track: track, trackNumber: number, site: site, leads: false)
            return OutputTrack(
                like: track.model, content: .video(track.timing, stages.tally),
                offset: track.offset, start: { stages.start(from: time) })
        }
            + audio.enumerated().map { number, track in
                let stages = AudioStages(
                    plan: self, track: track, site: site,
                    sink: PacketSink(site.interleaver, track: video.count + number), leads: false)
                return OutputTrack(
                    like: track.model,
                    content: .sound(
                        sampleRate: track.sampleRate, sampleCount: track.sampleCount, stages.tally),
                    start: { stages.start(from: time) })
            }
    }

    /// - Parameter rendered: the pieces from which encoded packets are taken; nil to encode them.
    func tracks(at site: RenderSite, joining rendered: RenderedPieces?) -> [OutputTrack] {
        let firstCopy = video.count
        let firstCue = firstSound + audio.count
        return video.enumerated().map { output($1, number: $0, at: site, rendered) }
            + copied.enumerated().map { output($1, number: firstCopy + $0, at: site) }
            + audio.enumerated().map {
                output(
                    $1, number: firstSound + $0, at: site, rendered,
                    leads: video.isEmpty && $0 == 0)
            } + subtitles.enumerated().map { output($1, number: firstCue + $0, at: site) }
    }

    private func output(
        _ track: VideoTrack, number: Int, at site: RenderSite, _ rendered: RenderedPieces?
    ) -> OutputTrack {
        let stages = VideoStages(
            plan: self, track: track, trackNumber: number, site: site, leads: number == 0)
        return OutputTrack(
            like: track.model, content: .video(track.timing, stages.tally), offset: track.offset,
            hiddenFrom: track.hasOverhang
                ? try? RationalTime(seconds: outputDuration, timescale: 1_000_000) : nil,
            start: {
                if let rendered, case .encoded(let codec, _) = track.making {
                    stages.startJoining(rendered, codec)
                } else {
                    stages.start()
                }
            })
    }

    private func output(_ track: CopiedTrack, number: Int, at site: RenderSite) -> OutputTrack {
        let stages = CopyStages(track: track, trackNumber: number, site: site)
        return OutputTrack(
            like: track.stream, content: .copied(track.stream, stages.tally),
            hiddenFrom: track.kept.end, start: stages.start)
    }

    private func output(
        _ track: AudioTrack, number: Int, at site: RenderSite, _ rendered: RenderedPieces?,
        leads: Bool
    ) -> OutputTrack {
        let stages = AudioStages(
            plan: self, track: track, site: site,
            sink: PacketSink(site.interleaver, track: number), leads: leads)
        return OutputTrack(
            like: track.model,
            content: .sound(
                sampleRate: track.sampleRate, sampleCount: track.sampleCount, stages.tally),
            start: {
                rendered.map { stages.startJoining($0, number: number) } ?? stages.start()
            })
    }

    private func output(_ track: SubtitleTrack, number: Int, at site: RenderSite) -> OutputTrack {
        let stages = CueStages(
            track: track, container: container, trackNumber: number, site: site)
        return OutputTrack(like: track.model, content: .subtitles, start: stages.start)
    }
}

extension RenderPlan.VideoTrack {
    /// Whether packets are passed on whose frames lie after the end.
    fileprivate var hasOverhang: Bool {
        guard case .packets(let packets)? = segments.last?.source else {
            return false
        }
        return packets.timetable.overhang > 0
    }
}
