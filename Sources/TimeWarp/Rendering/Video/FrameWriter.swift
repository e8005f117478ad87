import Media
import TimeMaps

/// Encodes frames, counts them and reports progress. Used on the encoding thread.
struct FrameWriter {
    var tally = VideoTally()
    /// Frames that are over by then aren't written.
    var firstTick = Int64.min
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
        secondsPerTick = coding.timing.timeBase.seconds
        keepsTimes = coding.timing.ticksPerSecond != nil
        keepsCaptions = coding.keepsCaptions
        encoder = try VideoEncoder(
            coding, plan.settings, endsTrack: endsTrack, threads: threads, for: plan.container,
            path: plan.destination)
        if let seconds = progress.secondsBetweenPreviews {
            previews = PreviewMaker(rotation: coding.rotation, secondsBetween: seconds)
        }
        try sink.open(try encoder.encodedFormat())
    }

    mutating func write(_ frame: Frame, tick: Int64, duration: Int64) throws {
        try stages.checkStopped()
        guard tick + duration > firstTick else {
            return
        }
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
