import Media
import TimeMaps

/// The pictures that a clip shows: decoded on a thread of their own, handed out in the order of the map.
struct PictureSource: Sendable {
    private enum Way: Sendable {
        /// As they are decoded.
        case inOrder(BoundedChannel<TimedFrame>)
        case inAnyOrder(PictureSupply)
    }
    private let plan: RenderPlan
    private let track: RenderPlan.VideoTrack
    private let way: Way

    /// Decoded pictures that may wait: enough to keep both threads busy.
    private static let waitingPictures = 2

    /// Begins to decode.
    ///
    /// - Parameters:
    ///   - progress: of a track that leads it.
    ///   - tally: counts what is decoded.
    init(
        decoding track: RenderPlan.VideoTrack, of plan: RenderPlan, stages: StageGroup,
        progress: ProgressMeter?, spill: SpillSpace, tally: Tally<VideoTally>
    ) {
        self.plan = plan
        self.track = track
        guard plan.clip.map.isRising, track.index == nil else {
            let supply = PictureSupply(
                plan, track, stages: stages, progress: progress, spill: spill)
            stages.start("decode") { try supply.decode(tally) }
            way = .inAnyOrder(supply)
            return
        }
        let frames = BoundedChannel<TimedFrame>(
            capacity: Self.waitingPictures * track.format.byteCount)
        stages.register(frames)
        stages.start("decode") {
            try Self.decode(track, of: plan, into: frames, tally)
        }
        way = .inOrder(frames)
    }

    private static func decode(
        _ track: RenderPlan.VideoTrack, of plan: RenderPlan,
        into frames: BoundedChannel<TimedFrame>, _ tally: Tally<VideoTally>
    ) throws {
        let reader = try FrameStream(
            of: plan.clip.asset, stream: track.source, from: plan.clip.range.start,
            threads: plan.settings.threadsOfCodec())
        while let frame = try reader.next(), frame.start < plan.clip.range.end {
            try frames.send(frame, cost: frame.frame.byteCount)
        }
        frames.finish()
        tally.update { $0.decoding.add(DecodingTally(of: reader)) }
    }

    /// Hands out one picture after another, nil after the last. What it returns lives on one thread.
    func pictures() -> () throws -> Showing? {
        switch way {
        case .inOrder(let frames):
            return { [plan, track] in
                try frames.receive().map {
                    try Showing($0, in: plan.clip, ticksPerSecond: track.timing.ticksPerSecond)
                }
            }
        case .inAnyOrder(let supply):
            var pictures = SuppliedPictures(supply)
            return { try pictures.next() }
        }
    }
}
