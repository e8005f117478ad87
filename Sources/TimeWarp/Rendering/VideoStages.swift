import Foundation
import Media
import TimeMaps

/// What a track's stages counted.
struct VideoTally: Sendable {
    var decoding = DecodingTally()
    /// Turns of source frames on the screen.
    var framesRead: Int64 = 0
    var framesWritten: Int64 = 0
    var framesRepeated: Int64 = 0
    var framesSkipped: Int64 = 0
    var framesSynthesised: Int64 = 0
    /// When each written frame is to be shown, in seconds, for a variable rate; a fixed rate needs
    /// no list.
    var times: [Double] = []

    /// Takes over what was counted of anything but decoding.
    mutating func count(_ encoded: VideoTally) {
        let decoding = decoding
        self = encoded
        self.decoding = decoding
    }
}

/// One picture track: decoded on one thread, retimed and encoded on another; in several pairs of those
/// where it is made in pieces.
struct VideoStages: Sendable {
    let plan: RenderPlan
    let track: RenderPlan.VideoTrack
    let trackNumber: Int
    let interleaver: Interleaver
    let stages: StageGroup
    /// Nil for tracks that don't lead the progress.
    let progress: ProgressMeter?
    let spill: SpillSpace
    let tally = Tally(VideoTally())

    /// Decoded pictures that may wait: enough to keep both threads busy.
    private static let waitingPictures = 2

    func start() {
        switch track.making {
        case .moved(let packets):
            let moving = MoveStages(
                plan: plan, track: track, timetable: packets.timetable, trackNumber: trackNumber,
                interleaver: interleaver, stages: stages, progress: progress, tally: tally)
            stages.start("move") { try moving.run() }
        case .encoded(let codec, _):
            if let index = track.index, let length = track.pieceLength {
                PieceStages(self, codec, index: index, pieceLength: length).start()
            } else if plan.clip.map.isRising, track.index == nil {
                startInOrder(as: codec)
            } else {
                startInAnyOrder(as: codec)
            }
        }
    }

    private func startInOrder(as codec: VideoCodec) {
        let frames = BoundedChannel<TimedFrame>(
            capacity: Self.waitingPictures * track.format.byteCount)
        stages.register(frames)
        stages.start("decode") { try decode(into: frames) }
        stages.start("encode") {
            try encode(as: codec) {
                try frames.receive().map {
                    try Showing($0, in: plan.clip, ticksPerSecond: track.timing.ticksPerSecond)
                }
            }
        }
    }

    private func startInAnyOrder(as codec: VideoCodec) {
        let supply = PictureSupply(
            plan, track, stages: stages, progress: progress, spill: spill)
        stages.start("decode") { try supply.decode(tally) }
        stages.start("encode") {
            var pictures = SuppliedPictures(supply)
            try encode(as: codec) { try pictures.next() }
        }
    }

    private func decode(into frames: BoundedChannel<TimedFrame>) throws {
        let reader = try FrameStream(
            of: plan.clip.asset, stream: track.source, from: plan.clip.range.start,
            threads: plan.settings.threadsOfCodec())
        while let frame = try reader.next(), frame.start < plan.clip.range.end {
            try frames.send(frame, cost: frame.frame.byteCount)
        }
        frames.finish()
        tally.update { $0.decoding = DecodingTally(of: reader) }
    }

    private func encode(as codec: VideoCodec, _ next: () throws -> Showing?) throws {
        let sink = PacketSink(
            open: { [interleaver, trackNumber] in interleaver.open(trackNumber, as: $0) },
            send: { [interleaver, trackNumber] in try interleaver.send($0, to: trackNumber) })
        let encoding = VideoEncoding(
            plan: plan, track: track, codec: codec, part: .whole(track),
            threads: plan.settings.threadsOfCodec(), stages: stages,
            progress: WrittenProgress(progress),
            sink: sink)
        let counted = try encoding.run(next)
        interleaver.finish(trackNumber)
        tally.update { $0.count(counted) }
    }
}
