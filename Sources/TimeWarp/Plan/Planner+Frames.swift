import Media
import TimeMaps

/// Plans the frames of one clip.
extension Planner {
    /// The frames of a stream at given times.
    ///
    /// - Parameters:
    ///   - gridPhase: see ``ClipFrames/gridPhase``.
    ///   - shapes: see ``ClipFrames/shapes``.
    mutating func frames(
        of stream: Asset.Stream, _ format: VideoFormat, in clip: AssetClip,
        _ timing: RenderPlan.Timing, gridPhase: Double? = nil, shapes: [Double] = []
    ) throws -> ClipFrames {
        ClipFrames(
            clip: clip, stream: stream, format: format, timing: timing, settings: settings,
            index: try index(of: stream, format, in: clip, timing),
            hardware: try hardware(for: stream, of: clip.asset), gridPhase: gridPhase,
            shapes: shapes)
    }

    /// The packet index of a stream if it is necessary or worth it: it needs another pass over the file.
    /// Otherwise nil.
    private mutating func index(
        of stream: Asset.Stream, _ format: VideoFormat, in clip: AssetClip,
        _ timing: RenderPlan.Timing
    ) throws -> PacketIndex? {
        guard
            !clip.map.isRising || settings.resources.isCut || settings.video.keepsPackets
                || settings.output.isStream || skipsMany(of: format, in: clip, timing)
        else {
            return nil
        }
        let index = try indices.index(of: stream, in: clip.asset)
        if !index.isComplete && settings.resources.isCut {
            note(
                "stream \(stream.index) (\(stream.codecName)) doesn't say when each frame is "
                    + "presented, so it isn't cut into pieces")
        }
        return index.isComplete ? index : nil
    }

    /// Whether at least a quarter of the frames need not be decoded.
    private func skipsMany(
        of format: VideoFormat, in clip: AssetClip, _ timing: RenderPlan.Timing
    ) -> Bool {
        guard case .fixed(_, let count) = timing, settings.video.shutterDegrees == nil,
            !settings.video.bridgesRepeats
        else {
            return false
        }
        let frames = format.usualRate.framesPerSecond * clip.playedSeconds
        // A mixed frame needs both neighbours.
        let needed = Double(count) * (settings.video.frames.usesNeighbours ? 3 : 1)
        return needed < frames * 0.75
    }

    /// The time base of a variable rate, in ticks a second: fine enough to keep frames apart where the map is
    /// fastest, and at least 90000.
    mutating func ticksPerSecond(for format: VideoFormat, in clip: AssetClip) -> Int32 {
        if container.tickSeconds > 0 {
            note(
                "a .\(container.rawValue) file keeps times to \(Int(container.tickSeconds * 1000)) ms; write .mp4 or "
                    + ".mov for exact variable frame times")
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

extension AssetClip {
    /// How many seconds of the source are played; what is repeated counts again.
    var playedSeconds: Double {
        map.pieces.reduce(0) { $0 + abs($1.sourceEnd - $1.sourceStart) }
    }

    /// The average frame rate of the output if each source frame comes once; nil if that isn't a possible rate.
    func averageRate(of stream: Asset.Stream, _ format: VideoFormat) -> FrameRate? {
        let frames = Double(stream.frameCount ?? 0)
        let share = playedSeconds / asset.duration.seconds
        let average =
            frames > 0
            ? frames * share / map.outputDuration
            : format.usualRate.framesPerSecond * playedSeconds / map.outputDuration
        return FrameRate(average: average)
    }
}

extension FrameRate {
    /// An average of frames per second, rounded up to thousandths; nil if it isn't a possible rate.
    init?(average: Double) {
        guard average > 0.001, average < 100_000 else {
            return nil
        }
        self.init(known: Int32((average * 1000).rounded(.up)), over: 1000)
    }
}
