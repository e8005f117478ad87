import Foundation
import Media
import TimeMaps

/// Makes the decisions of a plan, and notes what can't be kept.
struct Planner {
    let clip: Clip
    let destination: String
    let settings: RenderSettings
    let container: Container
    private let indices: PacketIndices
    var warnings: [String] = []

    /// - Parameter indices: shared with the plans of other clips of the same files.
    init(
        _ clip: Clip, to destination: String, settings: RenderSettings,
        indices: PacketIndices = PacketIndices()
    ) throws {
        self.indices = indices
        self.clip = clip
        self.destination = destination
        self.settings = settings
        container = try Container(forFileAt: destination)
        try AtomicFile.requireWritable(
            destination, notBeing: clip.asset.path, existing: settings.existing)
        if let codec = settings.videoCodec {
            try container.require(codec, file: destination)
        }
        if let codec = settings.audioCodec {
            try container.require(codec, file: destination)
        }
        let seconds = clip.map.outputDuration
        guard seconds.isFinite, seconds < RenderPlan.longestSeconds else {
            throw MediaError(
                .incompatible, file: destination, reason: "the output would last \(seconds) s",
                remedy: "Choose a smaller factor")
        }
    }

    func requireSomething(
        _ video: [RenderPlan.VideoTrack], _ audio: [RenderPlan.AudioTrack]
    ) throws {
        guard video.isEmpty && audio.isEmpty else {
            return
        }
        let isMuted = settings.sound == .mute && !clip.asset.audioStreams.isEmpty
        if case .retimed = settings.pictures, !isMuted, !clip.asset.videoStreams.isEmpty,
            !container.videoCodecs.isEmpty
        {
            throw MediaError(
                .damaged, file: clip.asset.path, reason: "no picture of it can be decoded",
                remedy: "Check that it plays in another program")
        }
        throw MediaError(
            .noUsableStream, file: clip.asset.path,
            reason: "nothing of it goes into a .\(container.rawValue) file",
            remedy: isMuted
                ? "Leave out \(.muting)" : "Name the output for what the input holds")
    }

    // MARK: - Pictures

    mutating func planVideo() throws -> [RenderPlan.VideoTrack] {
        switch settings.pictures {
        case .retimed: return try planEncoded()
        case .moved: return try planMoved()
        case .left, .copied: return []
        }
    }

    private mutating func planEncoded() throws -> [RenderPlan.VideoTrack] {
        let streams = clip.asset.videoStreams
        guard let codec = settings.videoCodec ?? container.videoCodecs.first else {
            if !streams.isEmpty {
                warnings.append(
                    "a .\(container.rawValue) file holds no pictures: only sound is kept")
            }
            return []
        }
        try VideoEncoder.validate(
            codec, quality: settings.quality, preset: settings.preset, path: destination)
        return try streams.compactMap { stream in
            guard let (stream, format) = try decoded(stream) else {
                warnings.append(
                    "stream \(stream.index) (\(stream.codecName)): no picture of it can be decoded;"
                        + " it is left out")
                return nil
            }
            return try plan(stream, codec: codec, format: format)
        }
    }

    private func decoded(
        _ stream: Asset.Stream
    ) throws -> (stream: Asset.Stream, format: VideoFormat)? {
        try Self.decoded(stream, of: clip.asset, from: clip.range.start)
    }

    /// What the pictures really are, which headers don't always say; nil where none can be decoded.
    static func decoded(
        _ stream: Asset.Stream, of asset: Asset, from start: RationalTime
    ) throws -> (stream: Asset.Stream, format: VideoFormat)? {
        let reader = try FrameStream(of: asset, stream: stream, from: start, threads: 1)
        guard let first = try reader.next(), var format = stream.videoFormat else {
            return nil
        }
        format.width = first.frame.width
        format.height = first.frame.height
        format.pixelFormat = first.frame.pixelFormat
        format.color = format.color.completed(by: first.frame.color)
        return (stream.completed(by: first.frame), format)
    }

    private mutating func plan(
        _ stream: Asset.Stream, codec: VideoCodec, format: VideoFormat
    ) throws -> RenderPlan.VideoTrack {
        let pixelFormat = try VideoEncoder.pixelFormat(
            for: format.pixelFormat, codec: codec, path: destination)
        warnings += Self.losses(from: format.pixelFormat, to: pixelFormat, codec: codec)
        warnings += [container.rotationWarning(of: stream)].compactMap { $0 }
        if stream.hasDynamicLight {
            warnings.append("Dolby Vision metadata is dropped; the base picture is kept")
        }
        if stream.tags["timecode"] != nil {
            warnings.append("the time code is dropped: it counts frames of the old timing")
        }
        if settings.mixesFrames {
            noteMixing(of: format)
        }
        return try track(
            stream, as: codec, pixelFormat, format, timing(for: stream, format: format))
    }

    /// How pictures of a stream come about at given times.
    mutating func track(
        _ stream: Asset.Stream, as codec: VideoCodec, _ pixelFormat: PixelFormat,
        _ format: VideoFormat, _ timing: RenderPlan.Timing
    ) throws -> RenderPlan.VideoTrack {
        let rate: FrameRate?
        switch timing {
        case .fixed(let fixed, _): rate = fixed
        case .variable: rate = averageRate(of: stream, format: format)
        }
        let index = try index(of: stream, timing, format)
        return RenderPlan.VideoTrack(
            source: stream, making: .encoded(codec, pixelFormat), format: format, timing: timing,
            frameRate: rate, index: index,
            pieceLength: index.flatMap { pieceLength($0, timing, codec) })
    }

    /// Where pictures lie, where that must be known or pays: it costs another pass over the file.
    private mutating func index(
        of stream: Asset.Stream, _ timing: RenderPlan.Timing, _ format: VideoFormat
    ) throws -> PacketIndex? {
        guard !clip.map.isRising || passesOverMany(timing, format) || settings.jobs > 1 else {
            return nil
        }
        let index = try packetIndex(of: stream)
        if !index.isComplete && settings.jobs > 1 {
            warnings.append(
                "stream \(stream.index) (\(stream.codecName)) doesn't state when each picture is "
                    + "shown, so it can't be cut: it is rendered in one piece")
        }
        return index.isComplete ? index : nil
    }

    /// Short enough that all jobs have work to the end, and that what waits to be joined stays small; long
    /// enough that the encoder, which would set a key picture every 250 anyway, loses little.
    private func pieceLength(
        _ index: PacketIndex, _ timing: RenderPlan.Timing, _ codec: VideoCodec
    ) -> Int64? {
        guard settings.jobs > 1 else {
            return nil
        }
        let count: Int64
        switch timing {
        case .fixed(_, let frames): count = frames
        case .variable: count = Int64(index.times.count)
        }
        let wanted = count / Int64(2 * settings.jobs)
        return codec.isIntraOnly ? min(max(wanted, 24), 120) : min(max(wanted, 100), 600)
    }

    func packetIndex(of stream: Asset.Stream) throws -> PacketIndex {
        try indices.index(of: stream, in: clip.asset)
    }

    /// Whether a quarter of the pictures or more need not be decoded.
    private func passesOverMany(_ timing: RenderPlan.Timing, _ format: VideoFormat) -> Bool {
        guard case .fixed(_, let count) = timing, settings.shutterDegrees == nil else {
            return false
        }
        let pictures = format.usualRate.framesPerSecond * playedSeconds
        // A mixture needs both its neighbours.
        let needed = Double(count) * (settings.frames.usesNeighbours ? 3 : 1)
        return needed < pictures * 0.75
    }

    /// How much of the source is played, however often.
    private var playedSeconds: Double {
        clip.map.pieces.reduce(0) { $0 + abs($1.sourceEnd - $1.sourceStart) }
    }

    private mutating func noteMixing(of format: VideoFormat) {
        if settings.rate == .any {
            warnings.append(
                "with every source frame at its own time nothing lies between them: nothing is mixed"
            )
        } else if !FrameMixer.canMix(format.pixelFormat) {
            warnings.append(
                "pictures in \(format.pixelFormat) can't be mixed: they are held instead")
        }
    }

    static func losses(
        from source: PixelFormat, to target: PixelFormat, codec: VideoCodec
    ) -> [String] {
        var losses: [String] = []
        if source.hasAlpha && !target.hasAlpha {
            losses.append("transparency is lost")
        }
        if source.bitDepth > target.bitDepth {
            losses.append("\(source.bitDepth) bits a component become \(target.bitDepth)")
        }
        let fine = source.chromaShift
        let coarse = target.chromaShift
        if coarse.horizontal > fine.horizontal || coarse.vertical > fine.vertical {
            losses.append("colour resolution falls from \(source) to \(target)")
        }
        return losses.map { "\(codec.rawValue) can't keep all of the picture: \($0)" }
    }

    private mutating func timing(
        for stream: Asset.Stream, format: VideoFormat
    ) -> RenderPlan.Timing {
        switch settings.rate {
        case .fixed(let rate):
            return .fixed(rate, frameCount: frameCount(at: rate))
        case .source:
            let rate = format.usualRate
            return .fixed(rate, frameCount: frameCount(at: rate))
        case .any:
            return .variable(ticksPerSecond: ticksPerSecond(for: format))
        }
    }

    /// To within half a frame of the exact length, and at least one.
    private func frameCount(at rate: FrameRate) -> Int64 {
        max(1, Int64((clip.map.outputDuration * rate.framesPerSecond).rounded()))
    }

    /// Fine enough that frames stay apart where the map is fastest, and at least 1/90000 s.
    mutating func ticksPerSecond(for format: VideoFormat) -> Int32 {
        if container.tickSeconds > 0 {
            warnings.append(
                "Matroska keeps times to 1 ms; write .mp4 or .mov for exact variable frame times")
            return Int32((1 / container.tickSeconds).rounded())
        }
        let speeds = clip.map.speedRange
        let fastest = min(max(speeds.upperBound, -speeds.lowerBound, 1), 1000)
        let closest = 1 / (format.usualRate.framesPerSecond * fastest)
        var ticks: Int32 = 90_000
        while Double(ticks) * closest < 4 && ticks < 5_760_000 {
            ticks *= 2
        }
        return ticks
    }

    func averageRate(of stream: Asset.Stream, format: VideoFormat) -> FrameRate? {
        let frames = Double(stream.frameCount ?? 0)
        let share = playedSeconds / clip.asset.duration.seconds
        let average =
            frames > 0
            ? frames * share / clip.map.outputDuration
            : format.usualRate.framesPerSecond * playedSeconds / clip.map.outputDuration
        return average > 0.001 && average < 100_000
            ? FrameRate(Int32((average * 1000).rounded(.up)), over: 1000) : nil
    }

    // MARK: - Sound

    mutating func planAudio() throws -> [RenderPlan.AudioTrack] {
        guard settings.sound != .mute,
            let codec = settings.audioCodec ?? container.audioCodecs.first
        else {
            return []
        }
        var streams = clip.asset.audioStreams
        if streams.count > 1 && container.holdsOneTrack {
            warnings.append(
                "a .\(container.rawValue) file holds one sound track: the other "
                    + "\(streams.count - 1) are left out")
            streams = [streams[0]]
        }
        if container == .mkv && codec == .aac && !MatroskaWriter.statesEncoderDelay {
            warnings.append(
                "this FFmpeg can't tell a .mkv file how long AAC's encoder delay is: picture and "
                    + "sound stay together, but come up to 24 ms late; opus, flac and pcm are exact"
            )
        }
        return try streams.compactMap { stream in
            guard let format = stream.audioFormat else {
                return nil
            }
            let encoded = try AudioEncoder.encodable(codec, format: format, path: destination)
            if encoded.layout != format.layout {
                warnings.append(
                    "\(codec.rawValue) has no layout \(format.layout): "
                        + "the channels are labelled \(encoded.layout)")
            }
            let kept = settings.sound == .keep ? clip.range.duration.seconds : .infinity
            let samples = min(clip.map.outputDuration, kept) * Double(encoded.sampleRate)
            return RenderPlan.AudioTrack(
                source: stream, codec: codec, format: format, sampleRate: encoded.sampleRate,
                sampleCount: max(1, Int64(samples.rounded())))
        }
    }
}

/// Where the pictures of files lie; each is looked through once.
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

extension Asset.Stream {
    fileprivate var spanSeconds: Double { (end?.seconds ?? 0) - (start?.seconds ?? 0) }
}

extension Container {
    /// What is lost of a stream's rotation.
    func rotationWarning(of stream: Asset.Stream) -> String? {
        guard stream.rotation != 0, !holdsRotation else {
            return nil
        }
        return "a .\(rawValue) file can't say that the picture is turned by "
            + "\(Int(stream.rotation))°; .mp4 and .mov can"
    }
}

extension Asset {
    /// Refuses to hold one picture for a day, or for hours in a file of seconds: what is done then isn't what
    /// was wished for, and takes as long.
    func requireNoJumps(in range: TimeRange) throws {
        let timed = videoStreams + audioStreams
        // Slides may stand for hours while somebody talks.
        let present = timed.map { $0.longestGap?.presentSeconds ?? $0.spanSeconds }.max() ?? 0
        let longest = min(86_400, max(14_400, 1000 * present))
        for stream in timed {
            guard let gap = stream.longestGap, gap.seconds > longest,
                gap.startSeconds < range.end.seconds, gap.endSeconds > range.start.seconds
            else {
                continue
            }
            throw MediaError(
                .damaged, file: path,
                reason:
                    "its times jump: stream \(stream.index) (\(stream.codecName)) has nothing from "
                    + "\(gap.startSeconds) s to \(gap.endSeconds) s",
                remedy: "Choose a part before or after that, by \(.range) or on the timeline")
        }
    }
}
