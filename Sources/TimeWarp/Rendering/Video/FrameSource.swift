import Media
import TimeMaps

/// The frames of a clip, which are decoded on a separate thread and returned in the order of the map.
struct FrameSource: Sendable {
    private enum Way: Sendable {
        /// Frames are presented in the order in which they are decoded.
        case inOrder(BoundedChannel<TimedFrame>)
        case inAnyOrder(FrameSupply)
    }
    private let frames: ClipFrames
    private let way: Way

    /// How many decoded frames may wait: enough to keep both threads busy.
    private static let waitingPictures = 2

    /// Starts to decode.
    ///
    /// - Parameters:
    ///   - presentations: those of a chunk; nil for all of the clip.
    ///   - share: the resources that it may use.
    ///   - progress: nil if the track doesn't report the progress.
    ///   - tally: counts what is decoded.
    init(
        decoding frames: ClipFrames, presentations: [Presentation]? = nil, share: DecodingShare,
        stages: StageGroup, progress: ProgressMeter?, spill: SpillSpace, tally: Tally<VideoTally>
    ) {
        self.frames = frames
        guard frames.clip.map.isRising, frames.index == nil else {
            let supply = FrameSupply(
                frames, presentations: presentations, share: share, stages: stages,
                progress: progress,
                spill: spill)
            stages.start("decode") { try supply.decode(tally) }
            way = .inAnyOrder(supply)
            return
        }
        let decoded = BoundedChannel<TimedFrame>(
            capacity: Self.waitingPictures * frames.format.byteCount)
        stages.register(decoded)
        stages.start("decode") { try Self.decode(frames, into: decoded, tally) }
        way = .inOrder(decoded)
    }

    private static func decode(
        _ frames: ClipFrames, into decoded: BoundedChannel<TimedFrame>, _ tally: Tally<VideoTally>
    ) throws {
        let clip = frames.clip
        let reader = try FrameStream(
            of: clip.asset, stream: frames.stream, from: clip.range.start,
            threads: frames.settings.threadsOfCodec())
        while let frame = try reader.next(), frame.start < clip.range.end {
            try decoded.send(frame, cost: frame.frame.byteCount)
        }
        decoded.finish()
        tally.update { $0.decoding.add(DecodingTally(of: reader)) }
    }

    /// Returns a function that returns one frame after another, and nil after the last. Use it on one thread.
    func pictures() -> () throws -> PresentedFrame? {
        switch way {
        case .inOrder(let decoded):
            return { [frames] in
                try decoded.receive().map {
                    try PresentedFrame(
                        $0, in: frames.clip, ticksPerSecond: frames.timing.ticksPerSecond)
                }
            }
        case .inAnyOrder(let supply):
            var pictures = SuppliedFrames(supply)
            return { try pictures.next() }
        }
    }
}

/// The resources that one source of frames may use.
struct DecodingShare: Sendable {
    /// The memory for decoded frames, in bytes.
    let memoryBytes: Int
    /// How many sources work in parallel.
    let jobs: Int
}
