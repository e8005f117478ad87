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

    /// Adds what another part of the same track counted; nothing of decoding.
    mutating func add(_ other: VideoTally) {
        framesRead += other.framesRead
        framesWritten += other.framesWritten
        framesRepeated += other.framesRepeated
        framesSkipped += other.framesSkipped
        framesSynthesised += other.framesSynthesised
        times += other.times
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
            } else {
                let source = PictureSource(
                    decoding: track, of: plan, stages: stages, progress: progress, spill: spill,
                    tally: tally)
                stages.start("encode") { try encode(as: codec, source.pictures()) }
            }
        }
    }

    private func encode(as codec: VideoCodec, _ next: () throws -> Showing?) throws {
        let counted = try write(
            as: codec, part: .whole(track), threads: plan.settings.threadsOfCodec(),
            progress: WrittenProgress(progress), sink: PacketSink(interleaver, track: trackNumber),
            next)
        interleaver.finish(trackNumber)
        tally.update { $0.count(counted) }
    }

    /// Retimes and encodes the pictures of a part.
    ///
    /// - Parameter threads: of the encoder.
    /// - Returns: what was counted; nothing of decoding.
    func write(
        as codec: VideoCodec, part: TrackPart, threads: Int, progress: WrittenProgress,
        sink: PacketSink, _ next: () throws -> Showing?
    ) throws -> VideoTally {
        var writer = try FrameWriter(
            PictureCoding(track, as: codec), for: plan, endsTrack: part.isLast, threads: threads,
            stages: stages, progress: progress, sink: sink)
        var retimed = VideoTally()
        try PictureRetiming(plan: plan, track: track, part: part, stages: stages)
            .run(next, counting: &retimed) { try writer.write($0, tick: $1, duration: $2) }
        try writer.finish()
        retimed.add(writer.tally)
        return retimed
    }
}
