import Foundation
import Media
import Synchronization
import TimeMaps

/// The stages of one video track that is encoded in chunks, several in parallel, which are joined without
/// encoding again.
///
/// ```
///              ┌─► decode ─► encode ─┐
/// ChunkCutter ─┼─► decode ─► encode ─┼─► join, in order ─► Interleaver
///              └─► decode ─► encode ─┘
/// ```
/// Each encoder has one thread unless more are asked for, because with several threads the output of x264 depends on how
/// they were scheduled. Chunks are started and joined in order; those that are finished early wait compressed. At most
/// two per job exist at a time, so memory doesn't grow with length.
final class ChunkStages: Sendable {
    private let video: VideoStages
    private let codec: VideoCodec
    private let jobs: Int
    private let cutter: Mutex<ChunkCutter>
    /// Chunks that were started, in order.
    private let begun: BoundedChannel<ChunkOutput>
    private let permits = BoundedChannel<Void>(capacity: .max)
    private let progress: WrittenProgress

    /// The size of compressed packets that may wait in one chunk, in bytes.
    private static let waitingBytes = 64 << 20

    init(_ video: VideoStages, _ codec: VideoCodec, _ cutting: PieceCutting) {
        self.video = video
        self.codec = codec
        jobs = video.plan.settings.resources.jobs
        begun = BoundedChannel(capacity: .max)
        progress = WrittenProgress(video.progress)
        cutter = Mutex(ChunkCutter(video.track.segments, cutting))
        video.site.stages.register(begun)
        video.site.stages.register(permits)
    }

    func start() {
        for _ in 0..<jobs {
            video.site.stages.start("chunk") { try self.renderChunks() }
        }
        video.site.stages.start("join") { try self.join() }
    }

    private func renderChunks() throws {
        while true {
            _ = try permits.receive()
            guard let (chunk, output) = try begin() else {
                begun.finish()
                return
            }
            try render(chunk, to: output)
        }
    }

    private func begin() throws -> (Chunk, ChunkOutput)? {
        try cutter.withLock { cutter in
            guard let chunk = cutter.next() else {
                let dropped = cutter.presentationsDropped
                video.tally.update { $0.decoding.presentationsDropped = dropped }
                return nil
            }
            let output = ChunkOutput(capacity: Self.waitingBytes)
            video.site.stages.register(output.items)
            try begun.send(output)
            return (chunk, output)
        }
    }

    private func render(_ chunk: Chunk, to output: ChunkOutput) throws {
        let counted = try video.write(
            chunk.runs, count: chunk.runs.count, as: codec,
            endsTrack: chunk.isLast, threads: video.threadsOfEncoder, jobs: jobs,
            progress: progress,
            sink: PacketSink(
                open: { try output.items.send(.format($0), cost: 0) },
                send: { try output.items.send(.packet($0), cost: $0.byteCount) }))
        try output.items.send(.end(counted), cost: 0)
        output.items.finish()
    }

    private func join() throws {
        for _ in 0..<2 * jobs {
            try permits.send(())
        }
        var joining = ChunkJoining(video, codec)
        while let chunk = try begun.receive() {
            while let item = try chunk.items.receive() {
                try joining.take(item)
            }
            try permits.send(())
        }
        try joining.finish()
    }
}

/// What an encoder of a chunk puts out, in order.
enum ChunkItem: Sendable {
    case format(EncodedFormat)
    case packet(Packet)
    case end(VideoTally)
}

/// Joins the packets of one chunk after another to a track of the file.
struct ChunkJoining {
    private let video: VideoStages
    private let codec: VideoCodec
    private var track: JoinedTrack?
    /// The latest packet, where the last one decides how long the track is.
    private var held: Packet?
    /// The tick at which the last frame ends.
    private var end: Int64 = 0

    init(_ video: VideoStages, _ codec: VideoCodec) {
        (self.video, self.codec) = (video, codec)
    }

    mutating func take(_ item: ChunkItem) throws {
        switch item {
        case .format(let format):
            try open(format)
        case .packet(let packet):
            track?.stamp(packet)
            guard isHeld else {
                try video.site.interleaver.send(packet, to: video.trackNumber)
                return
            }
            end = max(end, packet.end ?? end)
            try held.map { try video.site.interleaver.send($0, to: video.trackNumber) }
            held = packet
        case .end(let counted):
            video.tally.update { $0.add(counted) }
        }
    }

    /// Sends what was held back, and finishes the track.
    mutating func finish() throws {
        if let last = held {
            last.endTrack(at: end)
            try video.site.interleaver.send(last, to: video.trackNumber)
        }
        held = nil
        video.site.interleaver.finish(video.trackNumber)
    }

    /// Whether the last packet ends the track: encoders of a variable rate see to it themselves, if they are alone in it.
    private var isHeld: Bool {
        video.track.keeping?.seam != nil && video.track.timing.ticksPerSecond != nil
    }

    private mutating func open(_ format: EncodedFormat) throws {
        guard let joined = track else {
            track = JoinedTrack(
                format,
                followsPTS: video.track.timing.ticksPerSecond == nil
                    || video.track.keeping?.seam != nil,
                delay: video.track.keeping?.seam?.coding.delay ?? 0)
            video.site.interleaver.open(video.trackNumber, as: format)
            return
        }
        guard joined.format.hasSameHeader(as: format) else {
            throw MediaError(
                .library, file: video.plan.destination,
                reason: "\(codec.encoder.name) wrote different headers for two chunks",
                remedy: "Leave out \(.jobs)")
        }
    }
}

/// The output of one chunk.
private final class ChunkOutput: Sendable {
    let items: BoundedChannel<ChunkItem>

    init(capacity: Int) {
        items = BoundedChannel(capacity: capacity)
    }
}

/// Makes the DTS of consecutive encoders increase.
///
/// The first DTS of each encoder are a few frames before its first PTS, as if nothing came before. With unevenly spaced
/// frames they may be earlier than the last DTS of the previous chunk.
struct JoinedTrack {
    let format: EncodedFormat
    private let delay: Int
    /// Whether the DTS follow from the PTS alone.
    private let followsPTS: Bool
    private var shown: [Int64] = []
    private var count = 0

    /// - Parameters:
    ///   - followsPTS: whether the DTS follow from the PTS alone: where each frame lasts one tick, or packets don't all come
    ///     from encoders with the same delay.
    ///   - least: by how many frames presentation lags behind decoding at least.
    init(_ format: EncodedFormat, followsPTS: Bool, delay least: Int = 0) {
        self.format = format
        self.followsPTS = followsPTS
        delay = max(format.reorderingDelay, least)
    }

    /// Sets a packet's DTS. Packets must come in decoding order.
    mutating func stamp(_ packet: Packet) {
        guard let time = packet.pts else {
            return
        }
        shown.insert(time, at: (0..<shown.count).partitionPoint { shown[$0] >= time })
        count += 1
        // x265 states no useful DTS for a chunk of a few frames.
        let isSet = followsPTS && delay > 0
        guard count > delay else {
            if isSet {
                packet.decode(at: shown[0] - Int64(delay - count + 1))
            }
            return
        }
        let earliest = shown.removeFirst()
        if isSet {
            packet.decode(at: earliest)
        } else {
            packet.decodeNotBefore(earliest)
        }
    }
}
