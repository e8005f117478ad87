import Media
import TimeMaps

/// The codec, format and timing of a track's frames.
struct FrameCoding: Sendable {
    let codec: VideoCodec
    let pixelFormat: PixelFormat?
    let format: VideoFormat
    let timing: RenderPlan.Timing
    /// The frame rate, or the average of a variable one.
    let frameRate: FrameRate?
    /// The clockwise rotation that a player will apply, in degrees.
    let rotation: Double
    /// Whether closed captions, which are a few letters in each frame, stay readable.
    let keepsCaptions: Bool
}

extension FrameCoding {
    init(_ track: RenderPlan.VideoTrack, as codec: VideoCodec) {
        self.init(
            codec: codec, pixelFormat: track.pixelFormat, format: track.format,
            timing: track.timing, frameRate: track.frameRate,
            rotation: track.model?.rotation ?? 0,
            keepsCaptions: track.segments.allSatisfy { $0.frames?.keepsEachFrame ?? false })
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
    private let keepsCaptions: Bool
    private weak var latest: Frame?
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
        secondsPerTick = coding.timeBase.seconds
        keepsTimes = coding.timing.ticksPerSecond != nil
        keepsCaptions = coding.keepsCaptions
        encoder = try VideoEncoder(coding, for: plan, endsTrack: endsTrack, threads: threads)
        if let seconds = progress.secondsBetweenPreviews {
            previews = PreviewMaker(rotation: coding.rotation, secondsBetween: seconds)
        }
        try sink.open(try encoder.encodedFormat())
    }

    mutating func write(_ frame: Frame, tick: Int64, duration: Int64) throws {
        try stages.checkStopped()
        let isReadable = keepsCaptions && frame !== latest
        try encoder.encode(
            frame, at: tick, lasting: duration, keepsCaptions: isReadable, sink.send)
        tally.framesWritten += 1
        tally.captionsDropped += !keepsCaptions && frame.hasCaptions ? 1 : 0
        latest = frame
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

extension FrameCoding {
    /// The length of a tick, in seconds.
    fileprivate var timeBase: RationalTime {
        switch timing {
        case .fixed(let rate, _): rate.frameDuration
        case .variable(let ticks): RationalTime(1, over: ticks)
        }
    }
}

extension VideoEncoder {
    /// Opens the encoder of a plan's track, or of a piece of it.
    ///
    /// - Parameters:
    ///   - endsTrack: whether the track ends with these frames.
    ///   - threads: how many threads the encoder uses.
    convenience init(
        _ coding: FrameCoding, for plan: RenderPlan, endsTrack: Bool, threads: Int
    ) throws {
        let settings = plan.settings
        try self.init(
            VideoEncoderSettings(
                codec: coding.codec, format: coding.format, storedPixelFormat: coding.pixelFormat,
                timeBase: coding.timeBase,
                frameRate: coding.frameRate,
                cadence: coding.timing.ticksPerSecond != nil && endsTrack ? .variable : .constant,
                quality: settings.video.quality, preset: settings.video.preset, threads: threads,
                isReproducible: settings.resources.isCut),
            for: plan.container, path: plan.destination)
    }
}
