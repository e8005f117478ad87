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
}

/// One picture track: decoded on one thread, retimed and encoded on another.
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

    /// Decoded pictures that may wait, in bytes: enough to keep both threads busy.
    private static let waitingBytes = 48 << 20

    func start() {
        switch track.making {
        case .moved(let packets):
            let moving = MoveStages(
                plan: plan, track: track, timetable: packets.timetable, trackNumber: trackNumber,
                interleaver: interleaver, stages: stages, progress: progress, tally: tally)
            stages.start("move") { try moving.run() }
        case .encoded(let codec, _):
            startEncoding(as: codec)
        }
    }

    private func startEncoding(as codec: VideoCodec) {
        guard plan.clip.map.isRising, track.index == nil else {
            startInAnyOrder(as: codec)
            return
        }
        let frames = BoundedChannel<TimedFrame>(capacity: Self.waitingBytes)
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
            threads: plan.settings.threads)
        while let frame = try reader.next(), frame.start < plan.clip.range.end {
            try frames.send(frame, cost: frame.frame.byteCount)
        }
        frames.finish()
        tally.update {
            $0.decoding = DecodingTally(
                framesDecoded: reader.framesDecoded, damagedPackets: reader.damagedPackets,
                readError: reader.readError?.description)
        }
    }

    private func encode(as codec: VideoCodec, _ next: () throws -> Showing?) throws {
        var writer = try FrameWriter(self, codec)
        switch track.timing {
        case .fixed(let rate, let count):
            try encodeFixed(next, rate: rate, count: count, to: &writer)
        case .variable:
            try encodeVariable(next, to: &writer)
        }
        try writer.finish()
        let counted = writer.tally
        tally.update { tally in
            let decoding = tally.decoding
            tally = counted
            tally.decoding = decoding
        }
    }

    private func encodeFixed(
        _ next: () throws -> Showing?, rate: FrameRate, count: Int64,
        to writer: inout FrameWriter
    ) throws {
        // The first picture to come needn't be the first that has a turn.
        let firstTurn = track.index.flatMap {
            plan.visits(of: track, $0.times).first { _ in true }?.start.seconds
        }
        var previous: Showing?
        var current = try next()
        var synthesiser = FrameSynthesiser(
            plan.settings, map: plan.clip.map, rate: rate, tickCount: count,
            offset: plan.gridOffset(firstTurn: firstTurn ?? current?.start.seconds ?? 0, rate))
        while let showing = current {
            try stages.checkStopped()
            let following = try next()
            let shown = try synthesiser.show(showing, after: previous, before: following) {
                try writer.write($0, tick: $1, duration: 1)
            }
            writer.tally.framesRead += 1
            writer.tally.framesSkipped += shown == 0 ? 1 : 0
            writer.tally.framesRepeated += Int64(max(0, shown - 1))
            previous = showing
            current = following
        }
        try synthesiser.finish { try writer.write($0, tick: $1, duration: 1) }
        writer.tally.framesSynthesised = synthesiser.framesSynthesised
    }

    private func encodeVariable(
        _ next: () throws -> Showing?, to writer: inout FrameWriter
    ) throws {
        var selector = VariableRateSelector<Frame>()
        var end: Int64 = 0
        while let showing = try next() {
            try stages.checkStopped()
            writer.tally.framesRead += 1
            end = showing.end.tick
            if let placed = selector.place(showing.frame, at: showing.start.tick) {
                try writer.write(placed.picture, tick: placed.tick, duration: placed.duration)
            }
        }
        if let placed = selector.finish(at: end) {
            try writer.write(placed.picture, tick: placed.tick, duration: placed.duration)
        }
        writer.tally.framesSkipped = Int64(selector.collisions)
    }
}

/// Encodes frames, counts them and shows how far it is. Lives on the encoding thread.
private struct FrameWriter {
    var tally = VideoTally()
    private let stages: VideoStages
    private let encoder: VideoEncoder
    private let secondsPerTick: Double
    private let keepsTimes: Bool
    private var previews: PreviewMaker?

    init(_ stages: VideoStages, _ codec: VideoCodec) throws {
        self.stages = stages
        let track = stages.track
        let timeBase: RationalTime
        switch track.timing {
        case .fixed(let rate, _):
            timeBase = rate.frameDuration
            keepsTimes = false
        case .variable(let ticks):
            timeBase = RationalTime(1, over: ticks)
            keepsTimes = true
        }
        secondsPerTick = timeBase.seconds
        let settings = stages.plan.settings
        encoder = try VideoEncoder(
            VideoEncoderSettings(
                codec: codec, format: track.format, timeBase: timeBase,
                frameRate: track.frameRate, cadence: keepsTimes ? .variable : .constant,
                quality: settings.quality, preset: settings.preset,
                threads: settings.threads),
            for: stages.plan.container, path: stages.plan.destination)
        if stages.progress != nil, let seconds = settings.secondsBetweenPreviews {
            previews = PreviewMaker(rotation: track.source.rotation, secondsBetween: seconds)
        }
        stages.interleaver.open(stages.trackNumber, as: try encoder.encodedFormat())
    }

    mutating func write(_ frame: Frame, tick: Int64, duration: Int64) throws {
        try stages.stages.checkStopped()
        try encoder.encode(frame, at: tick, lasting: duration) { packet in
            try stages.interleaver.send(packet, to: stages.trackNumber)
        }
        tally.framesWritten += 1
        let seconds = Double(tick) * secondsPerTick
        if keepsTimes {
            tally.times.append(seconds)
        }
        if let preview = try previews?.preview(of: frame, shownAt: seconds) {
            stages.progress?.show(preview)
        }
        stages.progress?.reached(seconds, frames: tally.framesWritten)
    }

    func finish() throws {
        try encoder.finish { packet in
            try stages.interleaver.send(packet, to: stages.trackNumber)
        }
        stages.interleaver.finish(stages.trackNumber)
    }
}
