import Foundation
import Media
import TimeMaps

/// What a track's stages counted.
struct VideoTally: Sendable {
    var framesRead: Int64 = 0
    var framesWritten: Int64 = 0
    var framesRepeated: Int64 = 0
    var framesSkipped: Int64 = 0
    var damagedPackets = 0
    /// When each written frame is to be shown, in seconds, for a variable rate; a fixed rate needs
    /// no list.
    var times: [Double] = []
    var readError: String?
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
    let tally = Tally(VideoTally())

    /// Decoded pictures that may wait, in bytes: enough to keep both threads busy.
    private static let waitingBytes = 48 << 20

    func start() {
        let frames = BoundedChannel<TimedFrame>(capacity: Self.waitingBytes)
        stages.register(frames)
        stages.start("decode") { try decode(into: frames) }
        stages.start("encode") { try encode(from: frames) }
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
            $0.damagedPackets = reader.damagedPackets
            $0.readError = reader.readError.map(\.description)
        }
    }

    private func encode(from frames: BoundedChannel<TimedFrame>) throws {
        var writer = try FrameWriter(self)
        switch track.timing {
        case .fixed(let rate, let count):
            try encodeFixed(from: frames, rate: rate, count: count, to: &writer)
        case .variable(let ticks):
            try encodeVariable(from: frames, ticksPerSecond: ticks, to: &writer)
        }
        try writer.finish()
        let counted = writer.tally
        tally.update { tally in
            let damage = (tally.damagedPackets, tally.readError)
            tally = counted
            (tally.damagedPackets, tally.readError) = damage
        }
    }

    private func encodeFixed(
        from frames: BoundedChannel<TimedFrame>, rate: FrameRate, count: Int64,
        to writer: inout FrameWriter
    ) throws {
        var selector = FixedRateSelector(
            framesPerSecond: rate.framesPerSecond, tickCount: count)
        var current = try frames.receive()
        while let frame = current {
            try stages.checkStopped()
            let following = try frames.receive()
            let ticks = selector.ticks(
                from: outputSeconds(of: frame.start),
                until: following.map { outputSeconds(of: $0.start) })
            writer.tally.framesRead += 1
            writer.tally.framesSkipped += ticks.isEmpty ? 1 : 0
            writer.tally.framesRepeated += Int64(max(0, ticks.count - 1))
            for tick in ticks {
                try writer.write(frame.frame, tick: tick, duration: 1)
            }
            current = following
        }
    }

    private func encodeVariable(
        from frames: BoundedChannel<TimedFrame>, ticksPerSecond: Int32,
        to writer: inout FrameWriter
    ) throws {
        var selector = VariableRateSelector<Frame>()
        var end = RationalTime.zero
        while let frame = try frames.receive() {
            try stages.checkStopped()
            writer.tally.framesRead += 1
            end = min(frame.end, plan.clip.range.end)
            let tick = try outputTick(of: frame.start, ticksPerSecond)
            if let placed = selector.place(frame.frame, at: tick) {
                try writer.write(placed.picture, tick: placed.tick, duration: placed.duration)
            }
        }
        if let placed = selector.finish(at: try outputTick(of: end, ticksPerSecond)) {
            try writer.write(placed.picture, tick: placed.tick, duration: placed.duration)
        }
        writer.tally.framesSkipped = Int64(selector.collisions)
    }

    private func outputSeconds(of assetTime: RationalTime) -> Double {
        let sourceSeconds = assetTime.seconds - plan.clip.range.start.seconds
        return plan.clip.map.outputTime(of: max(0, sourceSeconds))
    }

    private func outputTick(of assetTime: RationalTime, _ ticksPerSecond: Int32) throws -> Int64 {
        let sourceTime = assetTime.relative(to: plan.clip.range.start)
        return try plan.clip.map.outputTime(
            of: max(.zero, sourceTime), timescale: ticksPerSecond, rounding: .nearest
        ).value
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

    init(_ stages: VideoStages) throws {
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
                codec: track.codec, format: track.format, timeBase: timeBase,
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
