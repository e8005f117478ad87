import Media
import TimeMaps

/// The encoder, format and timing of a track's frames.
struct FrameCoding: Sendable {
    let encoder: EncoderDescription
    let pixelFormat: PixelFormat?
    let format: VideoFormat
    let timing: RenderPlan.Timing
    /// The frame rate, or the average of a variable one.
    let frameRate: FrameRate?
    /// The clockwise rotation that a player will apply, in degrees.
    let rotation: Double
    /// Whether closed captions, which are a few letters in each frame, stay readable.
    let keepsCaptions: Bool
    /// What the track has besides packets of this encoder; nil for nothing.
    var seam: TrackSeam?
}

extension FrameCoding {
    init(_ track: RenderPlan.VideoTrack, as codec: VideoCodec) {
        self.init(
            encoder: track.encoder ?? codec.encoder, pixelFormat: track.pixelFormat,
            format: track.format,
            timing: track.timing, frameRate: track.frameRate,
            rotation: track.model?.rotation ?? 0,
            keepsCaptions: track.segments.allSatisfy { $0.frames?.keepsEachFrame ?? false },
            seam: track.keeping?.seam)
    }
}

extension RenderPlan.Timing {
    /// The length of a tick, in seconds.
    package var timeBase: RationalTime {
        switch self {
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
        _ coding: FrameCoding, _ settings: RenderSettings, endsTrack: Bool, threads: Int,
        for container: Container, path: String
    ) throws {
        try self.init(
            VideoEncoderSettings(
                encoder: coding.encoder, format: coding.format,
                storedPixelFormat: coding.pixelFormat,
                timeBase: coding.timing.timeBase,
                frameRate: coding.frameRate,
                cadence: coding.timing.ticksPerSecond != nil && endsTrack ? .variable : .constant,
                quality: settings.video.quality, bitRate: settings.video.bitRate,
                preset: settings.video.preset, threads: threads,
                isReproducible: settings.resources.isCut, seam: coding.seam?.coding,
                isStream: settings.output.isStream),
            for: container, path: path)
    }
}
