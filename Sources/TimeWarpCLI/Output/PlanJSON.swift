import Foundation
import Media
import TimeWarp

/// The plan that `--dry-run --json` prints.
struct PlanJSON: Encodable {
    /// The file that would be written; - is stdout.
    private let output: String
    /// Whether there is such a file already.
    private let outputExists: Bool
    /// The container, such as mp4.
    private let container: String
    /// The file that is read, or the composition's name.
    private let source: String
    /// The duration of what is used of the source, in seconds.
    private let sourceDurationSeconds: Double
    /// The duration of the output, in seconds.
    private let outputDurationSeconds: Double
    /// The lowest speed; nil if there isn't one clip. 0 freezes, and below it plays backwards.
    private let lowestSpeed: Double?
    /// The highest speed; nil if there isn't one clip, or if a cut leaves no limit.
    private let highestSpeed: Double?
    /// The video tracks that would be rendered.
    private let video: [Video]
    /// The audio tracks that would be rendered.
    private let audio: [Audio]
    /// Streams whose packets are copied.
    private let copied: [Stream]
    /// Subtitle streams that are retimed.
    private let subtitles: [Stream]
    /// Streams that are passed on.
    private let attachments: [Stream]
    /// How many chapters there are.
    private let chapters: Int
    /// What can't be kept, and what else is worth knowing; one sentence each.
    private let notes: [String]

    /// A video track.
    private struct Video: Encodable {
        /// The source's stream; nil if it is made of several.
        let stream: Int?
        /// How many segments it has.
        let segments: Int
        /// The codec; nil for packets that are copied.
        let codec: String?
        /// FFmpeg's name of the encoder, such as libx264; nil for packets that are copied.
        let encoder: String?
        /// How pixels are stored; nil for packets that are copied.
        let pixelFormat: String?
        /// The width of a frame, in pixels.
        let width: Int
        /// The height of a frame, in pixels.
        let height: Int
        /// By how many degrees a player turns the frames clockwise; nil for none.
        let rotationDegrees: Double?
        /// Frames a second, as a fraction; nil where every source frame has its own time.
        let frameRate: String?
        /// How many frames it has; nil where that isn't known before.
        let frames: Int64?
        /// How many seconds are kept as they are stored; nil where nothing is to be kept.
        let keptSeconds: Double?
    }

    /// An audio track.
    private struct Audio: Encodable {
        /// The source's stream; nil if it is made of several.
        let stream: Int?
        /// How many segments it has.
        let segments: Int
        /// The codec.
        let codec: String
        /// Samples a second.
        let sampleRate: Int
        /// The channel layout, such as stereo.
        let channelLayout: String
        /// How many samples each channel has.
        let samples: Int64
        /// How many seconds are kept as they are stored; nil where nothing is to be kept.
        let keptSeconds: Double?
    }

    /// A stream of a file that is passed on.
    private struct Stream: Encodable {
        /// The file.
        let file: String
        /// Its index in the file.
        let stream: Int
        /// Its kind, such as subtitles.
        let kind: String
        /// Its codec.
        let codec: String

        init(_ stream: Asset.Stream, of file: String) {
            (self.file, self.stream) = (file, stream.index)
            (kind, codec) = (stream.kindName, stream.codecName)
        }
    }

    init(_ plan: RenderPlan) {
        let isOfOneFile = plan.clip?.asset != nil
        output = plan.destination
        outputExists = FileManager.default.fileExists(atPath: plan.destination)
        (container, source) = (plan.container.rawValue, plan.sourceName)
        (sourceDurationSeconds, outputDurationSeconds) = (plan.sourceDuration, plan.outputDuration)
        let speeds = plan.clip?.map.speedRange
        lowestSpeed = speeds?.lowerBound
        highestSpeed = speeds.flatMap { $0.upperBound.isFinite ? $0.upperBound : nil }
        video = plan.video.enumerated().map { index, track in
            var frames = index == 0 ? plan.expectedFrameCount : nil
            var encoder: EncoderDescription?
            if case .encoded(let codec, _) = track.making {
                encoder = track.encoder ?? codec.encoder
            }
            if case .fixed(_, let count) = track.timing {
                frames = count
            }
            return Video(
                stream: isOfOneFile ? track.model?.index : nil, segments: track.segmentCount,
                codec: encoder?.codec.rawValue, encoder: encoder?.name,
                pixelFormat: track.pixelFormat?.description,
                width: track.format.width, height: track.format.height,
                rotationDegrees: track.model.flatMap { $0.rotation == 0 ? nil : $0.rotation },
                frameRate: track.frameRate?.description, frames: frames,
                keptSeconds: track.keeping?.keptSeconds)
        }
        audio = plan.audio.map { track in
            Audio(
                stream: isOfOneFile ? track.model?.index : nil, segments: track.segmentCount,
                codec: track.codec.rawValue, sampleRate: track.sampleRate,
                channelLayout: track.format.layout.description, samples: track.sampleCount,
                keptSeconds: track.keeping?.keptSeconds)
        }
        copied = plan.copied.map { Stream($0.stream, of: $0.asset.path) }
        subtitles = plan.subtitles.map { Stream($0.model, of: plan.sourceName) }
        attachments = plan.attachments.map { Stream($0.stream, of: $0.asset.path) }
        (chapters, notes) = (plan.chapters.count, plan.warnings)
    }
}
