import Media
import TimeMaps

/// Mixes the frames of clips that lie over each other, as in a dissolve. Each clip is decoded, retimed and converted on
/// threads of its own; the frames are mixed on the encoding thread.
struct FrameMixing {
    /// Receives a frame, its tick on the track, and for how many ticks it is shown.
    typealias Emit = (_ frame: Frame, _ tick: Int64, _ duration: Int64) throws -> Void

    /// The clips with their decoded frames, from the lowest.
    private let layers: [(mixed: MixedFrames, source: FrameSource)]
    /// The ticks from a segment's start that each clip is retimed to.
    private let part: RunBounds
    private let place: EncodedRun.Place
    private let format: VideoFormat
    private let timing: RenderPlan.Timing
    private let stages: StageGroup
    private let mixer = FrameMixer()

    /// How many frames of a clip may wait.
    private static let waitingFrames = 3
    /// With a variable rate, the longest time for which a mix is shown, in parts of a second: even two stills dissolve
    /// smoothly.
    private static let mixesPerSecond: Int64 = 30

    init(
        _ layers: [(MixedFrames, FrameSource)], part: RunBounds, place: EncodedRun.Place,
        format: VideoFormat, timing: RenderPlan.Timing, stages: StageGroup
    ) {
        self.layers = layers.map { ($0, $1) }
        self.part = part
        self.place = place
        self.format = format
        self.timing = timing
        self.stages = stages
    }

    func run(counting tally: inout VideoTally, _ emit: Emit) throws {
        let counts = Tally(VideoTally())
        var frames = layers.map { PlacedFrames(start($0.mixed, $0.source, counts)) }
        let envelopes = layers.map(\.mixed.envelopes)
        var tick = place.ticks.lowerBound
        while tick < place.ticks.upperBound {
            try stages.checkStopped()
            var end = min(tick + longestStep, place.ticks.upperBound)
            for index in frames.indices {
                try frames[index].advance(to: tick)
                end = min(end, frames[index].next ?? end)
            }
            let middle = Double(tick + end) / 2 * secondsPerTick
            let weights = Opacities.weights(of: envelopes, at: middle)
            try emit(
                try mix(zip(frames, weights).map { ($0.shown, $1) }), tick, end - tick)
            tick = end
        }
        for index in frames.indices {
            try frames[index].drain()
        }
        tally.add(counts.current)
    }

    private var longestStep: Int64 {
        switch timing {
        case .fixed: 1
        case .variable(let ticks): max(1, Int64(ticks) / Self.mixesPerSecond)
        }
    }

    private var secondsPerTick: Double { timing.timeBase.seconds }

    /// Starts to retime and convert a clip's frames on a thread of its own.
    private func start(
        _ mixed: MixedFrames, _ source: FrameSource, _ counts: Tally<VideoTally>
    ) -> BoundedChannel<PlacedFrame> {
        let channel = BoundedChannel<PlacedFrame>(capacity: Self.waitingFrames)
        let (frames, part, place, format, stages) = (mixed.frames, part, place, format, stages)
        stages.register(channel)
        stages.start("convert") {
            let conformer = FrameConformer(
                to: format, from: frames.stream, within: frames.shapes,
                path: frames.clip.asset.path)
            var counted = VideoTally()
            try FrameRetiming(frames: frames, part: part, stages: stages)
                .run(source.presentedFrames(), counting: &counted) { frame, tick, _ in
                    try channel.send(
                        PlacedFrame(
                            frame: try conformer.conform(frame), tick: place.offset + tick))
                }
            counts.update { [counted] in $0.add(counted) }
            channel.finish()
        }
        return channel
    }

    /// The weighted mean of frames. What is left to 1 is black; so is a clip without any frame.
    private func mix(_ layers: [(frame: Frame?, weight: Double)]) throws -> Frame {
        var parts = layers.compactMap { layer in
            layer.frame.flatMap { layer.weight > 0 ? (frame: $0, weight: layer.weight) : nil }
        }
        let black = 1 - parts.reduce(0) { $0 + $1.weight }
        if parts.isEmpty || black > Tolerance.nothing {
            parts.append((try Frame.black(format), max(black, Tolerance.nothing)))
        }
        guard parts.count > 1, FrameMixer.canMix(format.pixelFormat) else {
            return parts.max { $0.weight < $1.weight }?.frame ?? parts[0].frame
        }
        return try mixer.mix(parts)
    }
}

/// A frame in the track's format, and the tick of the track at which it is shown.
private struct PlacedFrame: Sendable {
    let frame: Frame
    let tick: Int64
}

/// The frames of one clip, of which always one is shown.
private struct PlacedFrames {
    private let channel: BoundedChannel<PlacedFrame>
    private var latest: Frame?
    private var ahead: PlacedFrame?
    private var hasBegun = false

    init(_ channel: BoundedChannel<PlacedFrame>) {
        self.channel = channel
    }

    /// The frame that is shown; the first if it comes a little late, and nil if there is none.
    var shown: Frame? { latest ?? ahead?.frame }

    /// The tick at which the next frame comes; nil after the last.
    var next: Int64? { ahead?.tick }

    mutating func advance(to tick: Int64) throws {
        if !hasBegun {
            ahead = try channel.receive()
            hasBegun = true
        }
        while let following = ahead, following.tick <= tick {
            latest = following.frame
            ahead = try channel.receive()
        }
    }

    /// Receives what is left, so that the clip's thread can end.
    mutating func drain() throws {
        while try channel.receive() != nil {}
    }
}
