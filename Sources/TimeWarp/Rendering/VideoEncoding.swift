import Media
import TimeMaps

/// The part of a picture track that one encoder makes.
struct TrackPart: Sendable {
    /// Of a fixed rate; empty for a variable one.
    let ticks: Range<Int64>
    /// The first part begins where its first picture is shown, any other where the one before ends.
    let isFirst: Bool
    /// When the next part begins, in ticks of a variable rate; nil for the last part.
    let endTick: Int64?
    let isLast: Bool
    /// Turns that begin then, in output seconds, belong to it; others are there as neighbours.
    let own: Range<Double>

    /// All of a track.
    static func whole(_ track: RenderPlan.VideoTrack) -> TrackPart {
        var count: Int64 = 0
        if case .fixed(_, let frames) = track.timing {
            count = frames
        }
        return TrackPart(
            ticks: 0..<count, isFirst: true, endTick: nil, isLast: true,
            own: -.infinity..<(.infinity))
    }
}

/// Where the packets of an encoder go.
struct PacketSink: Sendable {
    /// Takes what they hold, before the first.
    let open: @Sendable (EncodedFormat) throws -> Void
    let send: @Sendable (Packet) throws -> Void
}

/// Retimes the pictures of a part and encodes them, on one thread.
struct VideoEncoding {
    let plan: RenderPlan
    let track: RenderPlan.VideoTrack
    let codec: VideoCodec
    let part: TrackPart
    /// Threads of the encoder.
    let threads: Int
    let stages: StageGroup
    let progress: WrittenProgress
    let sink: PacketSink

    /// Encodes what `next` hands out until there is no more.
    ///
    /// - Returns: what was counted; nothing of decoding.
    func run(_ next: () throws -> Showing?) throws -> VideoTally {
        var writer = try FrameWriter(self)
        switch track.timing {
        case .fixed(let rate, _):
            try encodeFixed(next, rate: rate, to: &writer)
        case .variable:
            try encodeVariable(next, to: &writer)
        }
        try writer.finish()
        return writer.tally
    }

    private func encodeFixed(
        _ next: () throws -> Showing?, rate: FrameRate, to writer: inout FrameWriter
    ) throws {
        var previous: Showing?
        var current = try next()
        // Where turns are known beforehand, the first to come needn't be the first of all.
        let grid = track.index.flatMap { plan.grid(of: track, $0.times) }
        let offset =
            grid?.offset ?? plan.gridOffset(firstTurn: current?.start.seconds ?? 0, rate)
        var synthesiser = FrameSynthesiser(
            plan.settings, map: plan.clip.map, rate: rate, part: part, offset: offset)
        while let showing = current {
            try stages.checkStopped()
            let following = try next()
            let shown = try synthesiser.show(showing, after: previous, before: following) {
                try writer.write($0, tick: $1, duration: 1)
            }
            if part.own.contains(showing.start.seconds) {
                writer.tally.framesRead += 1
                writer.tally.framesSkipped += shown == 0 ? 1 : 0
                writer.tally.framesRepeated += Int64(max(0, shown - 1))
            }
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
        if let placed = selector.finish(at: part.endTick ?? end) {
            try writer.write(placed.picture, tick: placed.tick, duration: placed.duration)
        }
        writer.tally.framesSkipped = Int64(selector.collisions)
    }
}

/// Encodes frames, counts them and shows how far it is. Lives on the encoding thread.
private struct FrameWriter {
    var tally = VideoTally()
    private let encoding: VideoEncoding
    private let encoder: VideoEncoder
    private let secondsPerTick: Double
    private let keepsTimes: Bool
    private var previews: PreviewMaker?

    init(_ encoding: VideoEncoding) throws {
        self.encoding = encoding
        let track = encoding.track
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
        let settings = encoding.plan.settings
        encoder = try VideoEncoder(
            VideoEncoderSettings(
                codec: encoding.codec, format: track.format, timeBase: timeBase,
                frameRate: track.frameRate,
                cadence: keepsTimes && encoding.part.isLast ? .variable : .constant,
                quality: settings.quality, preset: settings.preset, threads: encoding.threads),
            for: encoding.plan.container, path: encoding.plan.destination)
        if encoding.progress.isShown, let seconds = settings.secondsBetweenPreviews {
            previews = PreviewMaker(rotation: track.source.rotation, secondsBetween: seconds)
        }
        try encoding.sink.open(try encoder.encodedFormat())
    }

    mutating func write(_ frame: Frame, tick: Int64, duration: Int64) throws {
        try encoding.stages.checkStopped()
        try encoder.encode(frame, at: tick, lasting: duration, encoding.sink.send)
        tally.framesWritten += 1
        let seconds = Double(tick) * secondsPerTick
        if keepsTimes {
            tally.times.append(seconds)
        }
        if let preview = try previews?.preview(of: frame, shownAt: seconds) {
            encoding.progress.show(preview)
        }
        encoding.progress.wrote(lasting: Double(duration) * secondsPerTick)
    }

    func finish() throws {
        try encoder.finish(encoding.sink.send)
    }
}
