import Media
import TimeMaps

/// The frames of a segment, or a part of them, that one encoder makes, or whose packets are kept.
struct EncodedRun: Sendable {
    /// The frames to show; nil for black and for mixed clips.
    let frames: ClipFrames?
    /// The clips to mix, from the lowest; none if nothing is.
    var mixed: [MixedFrames] = []
    /// Counted in ticks from the segment's start.
    let part: RunBounds
    /// What to present; nil for all that the clip shows.
    let presentations: [Presentation]?
    /// The packets that are kept; nil if frames are encoded.
    var kept: KeptStretch?
    /// About how much work it is, in the units of ``FrameCost``; 0 if the track isn't cut.
    let cost: Int64
    /// The place on the track that the run fills; nil if the track starts and ends with these frames.
    let place: Place?

    struct Place: Sendable {
        /// The segment's first tick on the track.
        let offset: Int64
        /// The ticks of the track that are filled.
        let ticks: Range<Int64>
    }
}

extension EncodedRun {
    /// A run of a whole segment.
    ///
    /// - Parameters:
    ///   - firstTick: the tick of the track from which on it is shown.
    ///   - cost: nil if the track isn't cut.
    init(all segment: VideoSegment, from firstTick: Int64 = 0, cost: FrameCost? = nil) {
        let frames = segment.frames
        guard let whole = segment.ticks else {
            self.init(
                frames: frames,
                part: .whole(frames?.timing ?? .variable(ticksPerSecond: 1), from: firstTick),
                presentations: nil, cost: 0, place: nil)
            return
        }
        // The segment starts where the previous one ends, even if its first frame comes later.
        let count = Int64(whole.count)
        let ticks = whole.clamped(to: firstTick..<max(firstTick, whole.upperBound))
        self.init(
            frames: frames, mixed: segment.mixed,
            part: RunBounds(
                ticks: ticks.lowerBound - whole.lowerBound..<count, isFirst: false, endTick: count,
                own: -.infinity..<(.infinity)),
            presentations: nil,
            cost: cost?.segment(of: ticks, layerCount: segment.mixed.count) ?? 0,
            place: Place(offset: whole.lowerBound, ticks: ticks))
    }
}

/// Converts the frames of a run to the format and the times of its track. Used on the encoding thread.
struct RunWriting {
    let run: EncodedRun
    /// The track's format.
    let format: VideoFormat
    let timing: RenderPlan.Timing

    func write(
        _ sources: [FrameSource], stages: StageGroup, counting tally: inout VideoTally,
        to writer: inout FrameWriter
    ) throws {
        var retimed = VideoTally()
        defer { tally.add(retimed) }
        let source = sources.first
        guard let place = run.place else {
            if let source, let frames = run.frames {
                let conformer = FrameConformer(
                    to: format, from: frames.stream.upright(keepsTags: true),
                    path: frames.clip.asset.path)
                var fitted: Int64 = 0
                try FrameRetiming(frames: frames, part: run.part, stages: stages)
                    .run(source.presentedFrames(), counting: &retimed) { frame, tick, duration in
                        let shown = try conformer.fitted(frame)
                        fitted += shown === frame ? 0 : 1
                        try writer.write(shown, tick: tick, duration: duration)
                    }
                retimed.framesFitted += fitted
            }
            return
        }
        guard run.mixed.isEmpty else {
            try FrameMixing(
                zip(run.mixed, sources).map { ($0, $1) }, part: run.part, place: place,
                format: format, timing: timing, stages: stages
            ).run(counting: &retimed) { try writer.write($0, tick: $1, duration: $2) }
            return
        }
        var latest: Frame?
        var end = place.ticks.lowerBound
        if let source, let frames = run.frames {
            let conformer = FrameConformer(
                to: format, from: frames.stream, within: frames.shapes,
                path: frames.clip.asset.path)
            var late: Int64 = 0
            try FrameRetiming(frames: frames, part: run.part, stages: stages)
                .run(source.presentedFrames(), counting: &retimed) { frame, tick, duration in
                    let conformed = try conformer.conform(frame)
                    // The first frame may come a little late if the file's sound starts earlier.
                    let start = latest == nil ? end : place.offset + tick
                    let until = min(place.offset + tick + duration, place.ticks.upperBound)
                    guard start < until else {
                        late += 1
                        return
                    }
                    end = until
                    latest = conformed
                    try writer.write(conformed, tick: start, duration: end - start)
                }
            retimed.framesSkipped += late
        }
        try fill(end..<max(end, place.ticks.upperBound), with: latest, &writer)
    }

    /// Fills gaps, and places whose frames couldn't be decoded.
    private func fill(
        _ ticks: Range<Int64>, with latest: Frame?, _ writer: inout FrameWriter
    ) throws {
        guard !ticks.isEmpty else {
            return
        }
        let frame = try latest ?? Frame.black(format)
        guard case .fixed = timing else {
            try writer.write(frame, tick: ticks.lowerBound, duration: Int64(ticks.count))
            return
        }
        for tick in ticks {
            try writer.write(frame, tick: tick, duration: 1)
        }
    }
}

extension RunBounds {
    /// A whole track with one segment.
    static func whole(_ timing: RenderPlan.Timing, from firstTick: Int64 = 0) -> RunBounds {
        var count: Int64 = 0
        if case .fixed(_, let frames) = timing {
            count = frames
        }
        return RunBounds(
            ticks: min(firstTick, count)..<count, isFirst: firstTick == 0, endTick: nil,
            own: -.infinity..<(.infinity))
    }
}
