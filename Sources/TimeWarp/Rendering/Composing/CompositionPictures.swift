import Media
import TimeMaps

/// The picture track of a composition: part after part, each decoded on a thread of its own, the next one
/// beginning while one is shown; conformed and encoded on one.
struct CompositionPictures: Sendable {
    let plan: CompositionPlan
    let track: CompositionPlan.PictureTrack
    let trackNumber: Int
    let site: RenderSite
    let tally = Tally(VideoTally())

    func start() {
        site.stages.start("encode") { try encode() }
    }

    private func encode() throws {
        var writer = try FrameWriter(
            PictureCoding(
                codec: track.codec, format: track.format, timing: track.timing,
                frameRate: track.frameRate, rotation: 0),
            for: plan, threads: plan.settings.threadsOfCodec(), stages: site.stages,
            progress: WrittenProgress(site.progress),
            sink: PacketSink(site.interleaver, track: trackNumber))
        var counted = VideoTally()
        var upcoming = track.parts.first.flatMap(source)
        for (index, part) in track.parts.enumerated() {
            let current = upcoming
            upcoming = index + 1 < track.parts.count ? source(of: track.parts[index + 1]) : nil
            try show(part, current, &counted, &writer)
        }
        try writer.finish()
        site.interleaver.finish(trackNumber)
        counted.add(writer.tally)
        tally.update { $0.count(counted) }
    }

    /// Begins to decode a part.
    private func source(of part: CompositionPlan.PicturePart) -> PictureSource? {
        guard !part.ticks.isEmpty, let plan = part.plan, let video = plan.video.first else {
            return nil
        }
        return PictureSource(
            decoding: video, of: plan, stages: site.stages, progress: nil, spill: site.spill,
            tally: tally)
    }

    private func show(
        _ part: CompositionPlan.PicturePart, _ source: PictureSource?, _ counted: inout VideoTally,
        _ writer: inout FrameWriter
    ) throws {
        var end = part.ticks.lowerBound
        var latest: Frame?
        if let source, let plan = part.plan, let video = plan.video.first {
            let conformer = FrameConformer(
                to: track.format, from: video.source, path: plan.clip.asset.path)
            let retiming = PictureRetiming(
                plan: plan, track: video, part: trackPart(of: part), stages: site.stages)
            var retimed = VideoTally()
            var late: Int64 = 0
            try retiming.run(source.pictures(), counting: &retimed) { frame, tick, duration in
                let conformed = try conformer.conform(frame)
                // The first picture may come a little late, as it does where sound begins before it.
                let start = latest == nil ? end : part.ticks.lowerBound + tick
                let until = min(part.ticks.lowerBound + tick + duration, part.ticks.upperBound)
                guard start < until else {
                    late += 1
                    return
                }
                end = until
                latest = conformed
                try writer.write(conformed, tick: start, duration: end - start)
            }
            retimed.framesSkipped += late
            counted.add(retimed)
        }
        try fill(end..<max(end, part.ticks.upperBound), with: latest, &writer)
    }

    /// Gaps, and what couldn't be decoded.
    private func fill(
        _ ticks: Range<Int64>, with latest: Frame?, _ writer: inout FrameWriter
    ) throws {
        guard !ticks.isEmpty else {
            return
        }
        let frame = try latest ?? Frame.black(track.format)
        guard case .fixed = track.timing else {
            try writer.write(frame, tick: ticks.lowerBound, duration: Int64(ticks.count))
            return
        }
        for tick in ticks {
            try writer.write(frame, tick: tick, duration: 1)
        }
    }

    /// A part in its own ticks: it begins where the one before ends, whenever its first picture comes.
    private func trackPart(of part: CompositionPlan.PicturePart) -> TrackPart {
        let count = Int64(part.ticks.count)
        return TrackPart(
            ticks: 0..<count, isFirst: false, endTick: count, isLast: false,
            own: -.infinity..<(.infinity))
    }
}
