import Media
import TimeMaps

/// The pictures that a clip shows: decoded on a thread of their own, handed out in the order of the map.
struct FrameSource: Sendable {
    private enum Way: Sendable {
        /// As they are decoded.
        case inOrder(BoundedChannel<TimedFrame>)
        case inAnyOrder(FrameSupply)
    }
    private let frames: ClipFrames
    private let way: Way

    /// Decoded pictures that may wait: enough to keep both threads busy.
    private static let waitingPictures = 2

    /// Begins to decode.
    ///
    /// - Parameters:
    ///   - visits: those of a chunk; nil for all that the clip shows.
    ///   - share: what it may take of the machine.
    ///   - progress: of a track that leads it.
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

    /// Hands out one picture after another, nil after the last. What it returns lives on one thread.
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

/// What one source of frames may take of the machine.
struct DecodingShare: Sendable {
    /// For decoded frames, in bytes.
    let memoryBytes: Int
    /// How many sources work side by side.
    let jobs: Int
}
