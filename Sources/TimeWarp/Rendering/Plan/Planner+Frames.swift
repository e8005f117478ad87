import Media
import TimeMaps

/// What it takes to show the frames of one clip.
extension Planner {
    /// How frames of a stream come about at given times.
    ///
    /// - Parameter gridPhase: see ``ClipFrames/gridPhase``.
    mutating func frames(
        of stream: Asset.Stream, _ format: VideoFormat, in clip: Clip,
        _ timing: RenderPlan.Timing, gridPhase: Double? = nil
    ) throws -> ClipFrames {
        ClipFrames(
            clip: clip, stream: stream, format: format, timing: timing, settings: settings,
            index: try index(of: stream, format, in: clip, timing), gridPhase: gridPhase)
    }

    /// Where packets lie, where that must be known or pays: it costs another pass over the file.
    private mutating func index(
        of stream: Asset.Stream, _ format: VideoFormat, in clip: Clip, _ timing: RenderPlan.Timing
    ) throws -> PacketIndex? {
        guard
            !clip.map.isRising || settings.jobs > 1
                || skipsMany(of: format, in: clip, timing)
        else {
            return nil
        }
        let index = try indices.index(of: stream, in: clip.asset)
        if !index.isComplete && settings.jobs > 1 {
            note(
                "stream \(stream.index) (\(stream.codecName)) doesn't state when each picture is "
                    + "shown, so it can't be cut: it is rendered in one piece")
        }
        return index.isComplete ? index : nil
    }

    /// Whether a quarter of the frames or more need not be decoded.
    private func skipsMany(
        of format: VideoFormat, in clip: Clip, _ timing: RenderPlan.Timing
    ) -> Bool {
        guard case .fixed(_, let count) = timing, settings.shutterDegrees == nil else {
            return false
        }
        let frames = format.usualRate.framesPerSecond * clip.playedSeconds
        // A mixture needs both its neighbours.
        let needed = Double(count) * (settings.frames.usesNeighbours ? 3 : 1)
        return needed < frames * 0.75
    }

    /// Ticks a second: fine enough that frames stay apart where the map is fastest, and at least 1/90000 s.
    mutating func ticksPerSecond(for format: VideoFormat, in clip: Clip) -> Int32 {
        if container.tickSeconds > 0 {
            note("Matroska keeps times to 1 ms; write .mp4 or .mov for exact variable frame times")
            return Int32((1 / container.tickSeconds).rounded())
        }
        let speeds = clip.map.speedRange
        let fastest = min(max(speeds.upperBound, -speeds.lowerBound, 1), 1000)
        let closest = 1 / (format.usualRate.framesPerSecond * fastest)
        var ticks: Int32 = 90_000
        while Double(ticks) * closest < 4 && ticks < 5_760_000 {
            ticks *= 2
        }
        return ticks
    }
}

extension Clip {
    /// How much of the source is played, however often, in seconds.
    var playedSeconds: Double {
        map.pieces.reduce(0) { $0 + abs($1.sourceEnd - $1.sourceStart) }
    }

    /// Frames a second of the output where each source frame comes once; nil where that is no rate.
    func averageRate(of stream: Asset.Stream, _ format: VideoFormat) -> FrameRate? {
        let frames = Double(stream.frameCount ?? 0)
        let share = playedSeconds / asset.duration.seconds
        let average =
            frames > 0
            ? frames * share / map.outputDuration
            : format.usualRate.framesPerSecond * playedSeconds / map.outputDuration
        return average > 0.001 && average < 100_000
            ? FrameRate(Int32((average * 1000).rounded(.up)), over: 1000) : nil
    }
}
