import Foundation
import Media
import TimeMaps

/// Makes the parts of a plan that are the same for clips and compositions, and notes what can't be kept.
///
/// ``ClipPlanner`` and ``CompositionPlanner`` make the other parts.
struct Planner {
    let destination: String
    let settings: RenderSettings
    let container: Container
    let purpose: Purpose
    let indices = PacketIndices()
    private(set) var warnings: [String] = []

    /// What a plan is for.
    enum Purpose {
        /// The destination will be written.
        case rendering
        /// The destination exists, perhaps made by another program, and is only read.
        case measuring
    }

    /// Chooses the container.
    ///
    /// - Throws: ``MediaError`` if the container can't hold the codecs of the settings.
    init(
        _ destination: String, _ settings: RenderSettings, for purpose: Purpose = .rendering
    ) throws {
        self.purpose = purpose
        self.destination = destination
        self.settings = settings
        switch purpose {
        case .rendering:
            container = try settings.output.container ?? Container(forFileAt: destination)
        // For any other file type: Matroska can hold nearly everything.
        case .measuring:
            container =
                settings.output.container ?? (try? Container(forFileAt: destination)) ?? .mkv
        }
        if let codec = settings.video.codec {
            try container.require(codec, file: destination)
        }
        if let codec = settings.audio.codec {
            try container.require(codec, file: destination)
        }
    }

    /// The codec of video tracks; nil if the container can't hold video.
    var videoCodec: VideoCodec? { settings.video.codec ?? container.videoCodecs.first }

    /// The codec of audio tracks; nil if there is to be no audio.
    var audioCodec: AudioCodec? {
        settings.audio.mode == .mute ? nil : settings.audio.codec ?? container.audioCodecs.first
    }

    /// Notes that sound is dropped because the container can hold none.
    mutating func noteSilence() {
        if container.audioCodecs.isEmpty, settings.audio.mode != .mute {
            note("a .\(container.rawValue) file can't hold sound: only the picture is kept")
        }
    }

    /// Throws if the container can't hold so many frames a second.
    func require(_ rate: FrameRate) throws {
        guard container != .gif || rate.framesPerSecond <= 50 else {
            throw MediaError(
                .incompatible, file: destination,
                reason:
                    "browsers show at most 50 frames of a GIF a second, and it would have \(rate)",
                remedy: "Choose a lower frame rate, such as 25 or 50")
        }
    }

    /// Throws if the destination exists and may not be replaced, or is a file that is read.
    func requireWritable(reading asset: Asset) throws {
        guard purpose == .rendering else {
            return
        }
        try AtomicFile.requireWritable(
            destination, notBeing: asset.path, existing: settings.output.existing)
    }

    /// Adds a warning unless it was added before.
    mutating func note(_ warning: String) {
        if !warnings.contains(warning) {
            warnings.append(warning)
        }
    }

    mutating func note(_ warnings: [String]) {
        for warning in warnings {
            note(warning)
        }
    }

    // MARK: - Video

    /// A stream, the real format of its frames, which headers don't always say, and the first frame that was decoded.
    struct DecodedStream {
        let stream: Asset.Stream
        let format: VideoFormat
        let first: TimedFrame
    }

    /// Decodes the frame of a stream that is shown at some time; nil if none can be decoded.
    static func decoded(
        _ stream: Asset.Stream, of asset: Asset, from start: RationalTime
    ) throws -> DecodedStream? {
        let reader = try FrameStream(of: asset, stream: stream, from: start, threads: 1)
        guard let first = try reader.next(), var format = stream.videoFormat else {
            return nil
        }
        format.width = first.frame.width
        format.height = first.frame.height
        format.pixelFormat = first.frame.pixelFormat
        format.color = format.color.completed(by: first.frame.color)
        return DecodedStream(
            stream: stream.completed(by: first.frame), format: format, first: first)
    }

    /// Throws if the codec's encoder doesn't support the settings.
    func validate(_ codec: VideoCodec) throws {
        try VideoEncoder.validate(
            codec, quality: settings.video.quality, preset: settings.video.preset, path: destination
        )
    }

    /// The format in which an encoder stores the frames of a source. Losses are noted.
    mutating func stored(_ source: VideoFormat, _ codec: VideoCodec) throws -> VideoFormat {
        let pixelFormat = try VideoEncoder.pixelFormat(
            for: source.pixelFormat, codec: codec, wanted: settings.video.pixelFormat,
            path: destination)
        if codec == .h264, settings.video.pixelFormat == nil, !pixelFormat.isPlain {
            note(
                "h264 in \(pixelFormat) is rarely played by devices and browsers; with the pixel format "
                    + "yuv420p it is, and hevc is played in 10 bits, too")
        }
        note(Self.losses(from: source.pixelFormat, to: pixelFormat, codec: codec))
        let whole = source.stored(as: pixelFormat)
        let stored = whole.cropped(for: codec)
        if stored.width < whole.width || stored.height < whole.height {
            note(
                "\(codec.rawValue) stores colour for pairs of pixels: the last column or row is "
                    + "cropped, and \(whole.width)×\(whole.height) becomes "
                    + "\(stored.width)×\(stored.height)")
        }
        return stored
    }

    private static func losses(
        from source: PixelFormat, to target: PixelFormat, codec: VideoCodec
    ) -> [String] {
        var losses: [String] = []
        if source.hasAlpha && !target.hasAlpha {
            losses.append("transparency is lost where there is any")
        }
        if source.bitDepth > target.bitDepth {
            losses.append("\(source.bitDepth) bits for each component become \(target.bitDepth)")
        }
        let fine = source.chromaShift
        let coarse = target.chromaShift
        if coarse.horizontal > fine.horizontal || coarse.vertical > fine.vertical {
            losses.append("colour resolution falls from \(source) to \(target)")
        }
        return losses.map { "\(codec.rawValue) can't store the video without loss: \($0)" }
    }

    /// Notes what a new video track can't have of its source.
    mutating func noteLosses(of stream: Asset.Stream) {
        note(container.losses(of: stream))
        if stream.hasDynamicLight {
            note("Dolby Vision metadata is dropped; the base layer is kept")
        }
        if stream.tags["timecode"] != nil {
            note("the time code is dropped: it counts frames of the old timing")
        }
    }

    // MARK: - Attachments

    /// The covers and attached files that are kept of a file. Notes those that aren't, and tracks of data.
    ///
    /// - Parameter isOneOfMany: whether the output is made of several files: it then has no cover, and each note names the
    ///   file.
    mutating func attachments(
        of asset: Asset, isOneOfMany: Bool = false
    ) -> [RenderPlan.CopiedTrack] {
        let streams = asset.streams.filter { stream in
            let isKept: Bool
            switch stream.content {
            case .video, .audio, .subtitle: return false
            case .cover: isKept = container.holdsCover && !isOneOfMany
            case .attachment: isKept = container == .mkv
            case .other: isKept = false
            }
            // MP4 stores chapters twice: as chapters, and as a text track, which libav reports as data.
            let isOfChapters = stream.codecName == "bin_data" && !asset.chapters.isEmpty
            if !isKept && !isOfChapters {
                note(
                    (isOneOfMany ? "\(asset.path): " : "")
                        + "stream \(stream.index) (\(stream.kindName), \(stream.codecName)) is dropped: "
                        + "a .\(container.rawValue) file can't hold it, or it can't be retimed")
            }
            return isKept
        }
        return streams.map {
            RenderPlan.CopiedTrack(asset: asset, stream: $0, origin: .zero, kept: .all)
        }
    }

    // MARK: - Audio

    /// How many of so many audio tracks the container can hold. Those that are dropped, and a known problem of the
    /// codec in the container, are noted.
    mutating func audioTrackCount(of count: Int, _ codec: AudioCodec) -> Int {
        let isOne = count > 1 && container.holdsOneTrack
        if isOne {
            note(
                "a .\(container.rawValue) file can hold one audio track: the other \(count - 1) "
                    + "are dropped")
        }
        noteDelay(of: codec)
        return isOne ? 1 : count
    }

    private mutating func noteDelay(of codec: AudioCodec) {
        if container == .mkv && codec == .aac && !MatroskaWriter.statesEncoderDelay {
            note(
                "this FFmpeg can't store AAC's encoder delay in a .mkv file: picture and sound "
                    + "stay together, but are up to 24 ms late; opus, flac and pcm are exact"
            )
        }
    }
}

/// The packet indices of files. Each stream is read only once.
final class PacketIndices {
    private struct Key: Hashable {
        let path: String
        let stream: Int
    }
    private var known: [Key: PacketIndex] = [:]

    func index(of stream: Asset.Stream, in asset: Asset) throws -> PacketIndex {
        let key = Key(path: asset.path, stream: stream.index)
        if let index = known[key] {
            return index
        }
        let index = try PacketIndex(of: asset, stream: stream) { try Task.checkCancellation() }
        known[key] = index
        return index
    }
}
