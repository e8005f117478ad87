import Media
import TimeMaps

/// The codec, format and timing of a track's frames.
struct FrameCoding: Sendable {
    let codec: VideoCodec
    let format: VideoFormat
    let timing: RenderPlan.Timing
    /// The frame rate, or the average of a variable one.
    let frameRate: FrameRate?
    /// The clockwise rotation that a player will apply, in degrees.
    let rotation: Double
}

extension FrameCoding {
    init(_ track: RenderPlan.VideoTrack, as codec: VideoCodec) {
        self.init(
            codec: codec, format: track.format, timing: track.timing, frameRate: track.frameRate,
            rotation: track.model?.rotation ?? 0)
    }
}

/// Receives the packets of an encoder.
struct PacketSink: Sendable {
    /// Receives the format of the packets, before the first packet.
    let open: @Sendable (EncodedFormat) throws -> Void
    let send: @Sendable (Packet) throws -> Void
}

extension PacketSink {
    /// A track of the file that is being written.
    init(_ interleaver: Interleaver, track: Int) {
        self.init(
            open: { interleaver.open(track, as: $0) },
            send: { try interleaver.send($0, to: track) })
    }
}

/// Encodes frames, counts them and reports progress. Used on the encoding thread.
struct FrameWriter {
    var tally = VideoTally()
    private let encoder: VideoEncoder
    private let stages: StageGroup
    private let progress: WrittenProgress
    private let sink: PacketSink
    private let secondsPerTick: Double
    private let keepsTimes: Bool
    private var previews: PreviewMaker?

    /// Opens the encoder.
    ///
    /// - Parameters:
    ///   - endsTrack: whether the track ends with these frames.
    ///   - threads: how many threads the encoder uses.
    init(
        _ coding: FrameCoding, for plan: RenderPlan, endsTrack: Bool, threads: Int,
        stages: StageGroup, progress: WrittenProgress, sink: PacketSink
    ) throws {
        self.stages = stages
        self.progress = progress
        self.sink = sink
        let timeBase: RationalTime
        switch coding.timing {
        case .fixed(let rate, _):
            timeBase = rate.frameDuration
            keepsTimes = false
        case .variable(let ticks):
            timeBase = RationalTime(1, over: ticks)
            keepsTimes = true
        }
        secondsPerTick = timeBase.seconds
        let settings = plan.settings
        encoder = try VideoEncoder(
            VideoEncoderSettings(
                codec: coding.codec, format: coding.format, timeBase: timeBase,
                frameRate: coding.frameRate,
                cadence: keepsTimes && endsTrack ? .variable : .constant,
                quality: settings.quality, preset: settings.preset, threads: threads),
            for: plan.container, path: plan.destination)
        if progress.isShown, let seconds = settings.secondsBetweenPreviews {
            previews = PreviewMaker(rotation: coding.rotation, secondsBetween: seconds)
        }
        try sink.open(try encoder.encodedFormat())
    }

    mutating func write(_ frame: Frame, tick: Int64, duration: Int64) throws {
        try stages.checkStopped()
        try encoder.encode(frame, at: tick, lasting: duration, sink.send)
        tally.framesWritten += 1
        let seconds = Double(tick) * secondsPerTick
        if keepsTimes {
            tally.times.append(seconds)
        }
        if let preview = try previews?.preview(of: frame, shownAt: seconds) {
            progress.show(preview)
        }
        progress.wrote(lasting: Double(duration) * secondsPerTick)
    }

    func finish() throws {
        try encoder.finish(sink.send)
    }
}
