import Media
import TimeMaps

/// Decodes the frames that a clip shows on a thread of its own, and returns them in the order of the map.
struct FrameSource: Sendable {
    private enum Way: Sendable {
        /// Frames in the order in which they are decoded.
        case inOrder(BoundedChannel<TimedFrame>)
        case inAnyOrder(ReorderedFrames)
    }
    private let frames: ClipFrames
    private let way: Way
    /// Finished once all frames have been decoded.
    private let end = BoundedChannel<Never>(capacity: 0)

    /// How many decoded frames may wait: enough to keep both threads busy.
    static let waitingFrames = 2

    /// Starts decoding.
    ///
    /// - Parameters:
    ///   - presentations: those of a chunk; nil for all that the clip shows.
    ///   - share: how much memory and how many cores it may use.
    ///   - progress: only for the track that drives the progress display.
    ///   - cache: where decoded frames are kept; nil for nowhere.
    ///   - tally: counts what is decoded.
    ///   - earlier: sources that are to have decoded all their frames first.
    init(
        decoding frames: ClipFrames, presentations: [Presentation]? = nil, share: DecodingShare,
        stages: StageGroup, progress: ProgressMeter?, spill: SpillSpace, cache: FrameCache?,
        tally: Tally<VideoTally>, after earlier: [FrameSource]
    ) {
        self.frames = frames
        let end = end
        stages.register(end)
        func start(_ decode: @escaping @Sendable () throws -> Void) {
            stages.start("decode") {
                for source in earlier {
                    _ = try source.end.receive()
                }
                try decode()
                end.finish()
            }
        }
        guard frames.clip.map.isRising, frames.index == nil else {
            let reordered = ReorderedFrames(
                frames, presentations: presentations, share: share, stages: stages,
                progress: progress, spill: spill, cache: cache)
            start { try reordered.decode(tally) }
            way = .inAnyOrder(reordered)
            return
        }
        let decoded = BoundedChannel<TimedFrame>(
            capacity: Self.waitingFrames * frames.format.byteCount)
        stages.register(decoded)
        start { try Self.decode(frames, into: decoded, tally) }
        way = .inOrder(decoded)
    }

    private static func decode(
        _ frames: ClipFrames, into decoded: BoundedChannel<TimedFrame>, _ tally: Tally<VideoTally>
    ) throws {
        let clip = frames.clip
        let reader = try FrameStream(
            of: clip.asset, stream: frames.stream, from: clip.range.start,
            threads: frames.settings.resources.threadsOfCodec(), by: frames.hardware,
            shortSide: frames.settings.video.shortSide)
        let last = clip.map.latestSourceTime
        let shown =
            last < clip.map.sourceDuration - Tolerance.stated
            ? clip.range.start.seconds + last : .infinity
        while let frame = try reader.next(), frame.start < clip.range.end,
            frame.start.seconds < shown
        {
            try decoded.send(frame, cost: frame.frame.byteCount)
        }
        decoded.finish()
        tally.update { $0.decoding.add(DecodingTally(of: reader)) }
    }

    /// Returns a closure that returns one frame after another, and nil after the last. Use the closure on one thread.
    func presentedFrames() -> () throws -> PresentedFrame? {
        switch way {
        case .inOrder(let decoded):
            return { [frames] in
                try decoded.receive().map {
                    try PresentedFrame(
                        $0, in: frames.clip, ticksPerSecond: frames.timing.ticksPerSecond)
                }
            }
        case .inAnyOrder(let reordered):
            var inOrder = OrderedFrames(reordered)
            return { try inOrder.next() }
        }
    }
}

/// How much of the machine one source of frames may use.
struct DecodingShare: Sendable {
    /// Memory for decoded frames, in bytes.
    let memoryBytes: Int
    /// How many sources run in parallel.
    let jobs: Int
}
