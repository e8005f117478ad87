import Foundation
import Media
import TimeMaps

/// Makes the plan of a render, and notes what can't be kept.
///
/// ```
///  source, retimed ─► layers of clips, each of one file ─► tracks of segments
/// ```
/// A file keeps its tracks and their formats. Of a composition, the first tracks of all files make the first track of the
/// output, and so on, in one format.
struct Planner {
    /// What is rendered.
    let source: MediaSource
    /// How the source is retimed as a whole; nil if a composition plays as it is, or a file's packets are copied.
    let clip: Clip?
    /// The same, if the source is a file.
    let file: AssetClip?
    /// The file that copied video, covers, chapters and tags come from; nil for a composition.
    let videoAsset: Asset?
    let destination: String
    let settings: RenderSettings
    let container: Container
    let purpose: Purpose
    /// How long the output lasts.
    let duration: RationalTime
    /// The format of the frames of a composition, of whose clips only the main video is used then; nil to take that of the
    /// first clip.
    let wantedFormat: VideoFormat?
    /// Whether the clip only chooses a part of the composition.
    private let isSample: Bool
    /// The video streams of a composition's files that are used, the main ones first, by the files' paths.
    let films: [String: [Asset.Stream]]
    let indices: PacketIndices
    /// What is seen: layers from the lowest, each with clips in order. None for a file that isn't faded.
    private(set) var seen: [[ResolvedClip]] = []
    /// What is heard of a composition.
    private(set) var heard: [[ResolvedClip]] = []
    private(set) var warnings: [String] = []
    private var decoded: [StreamKey: DecodedStream] = [:]
    /// What decodes streams, as far as hardware has been tried.
    var decoders: [StreamKey: HardwareDecoding] = [:]

    /// What a plan is for.
    enum Purpose {
        /// The destination will be written.
        case rendering
        /// The destination exists, perhaps made by another program, and is only read.
        case measuring
    }

    /// Chooses the container.
    ///
    /// - Parameters:
    ///   - clip: how the source is retimed as a whole; nil if a composition plays as it is, or a file's packets are copied.
    ///   - isSample: whether the clip only chooses a part of the composition.
    ///   - format: the format of the frames of a composition; nil to take that of the first clip.
    ///   - media: opens the file whose video is copied, if it is another.
    /// - Throws: ``MediaError`` if the container can't hold the codecs of the settings, an input would be replaced, or the
    ///   output would be empty or too long.
    init(
        _ source: MediaSource, playing clip: Clip? = nil, isSample: Bool = false,
        to destination: String, settings: RenderSettings, format: VideoFormat? = nil,
        for purpose: Purpose = .rendering,
        _ media: MediaCatalogue = MediaCatalogue(.editFiles)
    ) throws {
        self.source = source
        self.clip = clip
        file = clip?.assetClip
        self.purpose = purpose
        self.destination = destination
        self.settings = settings
        wantedFormat = format
        films = source.assets.reduce(into: [:]) { $0[$1.path] = $1.films }
        indices = PacketIndices(media.files)
        self.isSample = isSample
        switch purpose {
        case .rendering where destination == RenderSettings.Output.pipe:
            container = try Self.pipedContainer(settings)
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
        guard source.duration > .zero || source.composition == nil else {
            throw MediaError(
                .incompatible, file: destination, reason: "the composition is empty",
                remedy: "Put a clip on a track")
        }
        let seconds = clip?.map.outputDuration ?? source.duration.seconds
        guard seconds.isFinite, seconds < RenderPlan.longestSeconds else {
            throw MediaError(
                .incompatible, file: destination, reason: "the output would last \(seconds) s",
                remedy: purpose == .measuring
                    ? "Give the curve or the map that it was made with" : "Choose a smaller factor")
        }
        duration = try clip?.map.duration.onFineTicks ?? source.duration
        if let file, case .copied(let path) = settings.video.mode, path != file.asset.path {
            videoAsset = try media.source(at: path).asset ?? Asset(at: path)
        } else {
            videoAsset = file?.asset
        }
        for asset in source.assets + [videoAsset].compactMap({ $0 }) {
            try requireWritable(reading: asset)
        }
    }

    /// The container for a pipe, which has no name.
    private static func pipedContainer(_ settings: RenderSettings) throws -> Container {
        guard settings.resources.pieces == nil else {
            throw MediaError(
                .incompatible, file: RenderSettings.Output.pipe,
                reason: "pieces are joined in a file, not in a pipe",
                remedy: "Give the output a name")
        }
        guard let container = settings.output.container, Container.piped.contains(container) else {
            let names = Container.piped.map(\.rawValue).joined(separator: " ")
            throw MediaError(
                .incompatible, file: RenderSettings.Output.pipe,
                reason: settings.output.container.map {
                    "a .\($0.rawValue) file can't be written into a pipe: its beginning is written last"
                } ?? "a pipe has no name that says what kind of file to write",
                remedy: "Choose one with \(.container): \(names)")
        }
        return container
    }

    /// How long the video lasts.
    var videoDuration: RationalTime {
        guard settings.video.keepsTimes, let clip else {
            return duration
        }
        return clip.unretimed?.range.duration ?? .zero
    }

    /// How long the output lasts, in seconds, as exactly as a file's map says it.
    var outputDuration: Double { file?.map.outputDuration ?? duration.seconds }

    /// The same as a fraction; nil if it is none.
    var exactOutputDuration: RationalTime? {
        guard let file else {
            return duration
        }
        return file.map.exactOutputDuration
    }

    // MARK: - The plan

    /// The plan of everything that is seen and heard.
    mutating func plan() throws -> RenderPlan {
        try resolve()
        let video = try planVideo()
        let copied = try planCopied()
        let audio = try keep(try planAudio())
        try requireSomething(video, audio)
        // Browsers refuse streams with more than video and sound.
        let isPlain = settings.output.isStream
        let subtitles = isPlain ? [] : try planSubtitles()
        let attachments = isPlain ? [] : planAttachments()
        let chapters = isPlain ? [] : try planChapters()
        noteTitles(
            of: video.compactMap(\.model) + copied.map(\.stream) + audio.compactMap(\.model)
                + subtitles.map(\.model))
        return RenderPlan(
            source: source, clip: clip, destination: destination, container: container,
            settings: settings, video: try cut(try keep(video), beside: audio), copied: copied,
            audio: audio, subtitles: subtitles, attachments: attachments, chapters: chapters,
            tags: tags, outputDuration: outputDuration,
            exactOutputDuration: exactOutputDuration, warnings: warnings)
    }

    /// Finds what is seen and heard when, and checks that it can be.
    private mutating func resolve() throws {
        if let file {
            try file.asset.requireNoJumps(in: file.range)
            note(file.asset.decodingWarnings)
        } else {
            try requireOwnVideo()
            noteUnused()
        }
        note(clip?.map.warnings ?? [])
        guard wholeFile == nil else {
            return
        }
        seen = try layers(for: .pictures, keepsSpeed: settings.video.keepsTimes).map {
            $0.filter(\.isSeen)
        }
        let keepsSpeed = settings.audio.mode == .keep
        heard = try layers(
            for: (clip == nil || isSample) && keepsSpeed ? .soundWithoutHandles : .sound,
            keepsSpeed: keepsSpeed
        ).map { $0.filter(\.isHeard) }
        for clip in (seen + heard).joined() {
            try clip.asset.requireNoJumps(in: clip.played.range)
        }
    }

    /// The file, if all of its video is one segment.
    var wholeFile: AssetClip? { clip?.blending?.fades == true ? nil : file }

    /// - Parameter keepsSpeed: whether the map of the clip doesn't count.
    private func layers(
        for purpose: DissolveLane.Purpose, keepsSpeed: Bool
    ) throws -> [[ResolvedClip]] {
        var flattening = Flattening(for: purpose)
        let parts =
            try clip?.parts(for: purpose, keepsSpeed: keepsSpeed) ?? [
                Flattening.Part(
                    range: TimeRange(start: .zero, duration: source.duration), map: nil,
                    start: .zero)
            ]
        return try parts.reduce(into: []) { layers, part in
            layers.append(inOrder: try flattening.layers(of: source, part))
        }
    }

    private func requireOwnVideo() throws {
        if case .copied(let path) = settings.video.mode {
            throw MediaError(
                .incompatible, file: destination,
                reason: "a composition can't be combined with the video of \(path)",
                remedy: "Put that file on a track")
        }
    }

    /// Notes what a composition doesn't use of its files, and what can't be decoded.
    private mutating func noteUnused() {
        for asset in source.assets {
            note(asset.decodingWarnings.map { "\(asset.path): \($0)" })
            let used = Set(films[asset.path, default: []].map(\.index))
            for other in asset.videoStreams where !used.contains(other.index) {
                note(
                    "\(asset.path): stream \(other.index) (\(other.codecName)) is dropped: it lasts less than half as "
                        + "long as the longest video track")
            }
            let images = asset.streams.filter { $0.subtitleKind == .bitmap }.count
            if images > 0 {
                note("\(asset.path): \(images) image subtitle tracks dropped")
            }
        }
    }

    private func requireSomething(
        _ video: [RenderPlan.VideoTrack], _ audio: [RenderPlan.AudioTrack]
    ) throws {
        guard video.isEmpty && audio.isEmpty else {
            return
        }
        guard let asset = file?.asset else {
            throw MediaError(
                .noUsableStream, file: destination,
                reason: "a .\(container.rawValue) file can hold nothing of the composition")
        }
        let isMuted = settings.audio.mode == .mute && !asset.audioStreams.isEmpty
        if case .retimed = settings.video.mode, !isMuted, !asset.videoStreams.isEmpty,
            !container.videoCodecs.isEmpty
        {
            throw MediaError(
                .damaged, file: asset.path, reason: "no frame of it can be decoded",
                remedy: "Check that it plays in another program")
        }
        throw MediaError(
            .noUsableStream, file: asset.path,
            reason: "a .\(container.rawValue) file can hold none of its streams",
            remedy: isMuted
                ? "Leave out \(.muting)" : "Choose an output file type for what the input has")
    }

    // MARK: - Checks and notes

    /// Throws if the destination exists and may not be replaced, or is a file that is read.
    func requireWritable(reading asset: Asset) throws {
        guard purpose == .rendering, !settings.output.isStream,
            destination != RenderSettings.Output.pipe
        else {
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

    // MARK: - Decoding

    /// A stream, the real format of its frames, which headers don't always say, and when the first one is shown.
    struct DecodedStream {
        let stream: Asset.Stream
        let format: VideoFormat
        /// When the first frame is shown, in asset time.
        let start: RationalTime
        let end: RationalTime
    }

    struct StreamKey: Hashable {
        let path: String
        let index: Int
    }

    /// The frame of a stream that is shown at some time, decoded once; nil if none can be decoded.
    mutating func decoded(
        _ stream: Asset.Stream, of asset: Asset, from start: RationalTime = .zero
    ) throws -> DecodedStream? {
        let key = StreamKey(path: asset.path, index: stream.index)
        if let known = decoded[key] {
            return known
        }
        let reader = try FrameStream(of: asset, stream: stream, from: start, threads: 1)
        guard let first = try reader.next(), var format = stream.videoFormat else {
            return nil
        }
        format.width = first.frame.width
        format.height = first.frame.height
        format.pixelFormat = first.frame.pixelFormat
        format.color = format.color.completed(by: first.frame.color)
        format = settings.video.shortSide.map { format.limited(toShortSide: $0) } ?? format
        let found = DecodedStream(
            stream: stream.completed(by: first.frame), format: format, start: first.start,
            end: first.end)
        decoded[key] = found
        return found
    }
}

extension [[ResolvedClip]] {
    /// Appends to each layer what follows in it.
    mutating func append(inOrder following: [[ResolvedClip]]) {
        for (number, clips) in following.enumerated() {
            if number == count {
                append([])
            }
            self[number] += clips
        }
    }
}

/// The packet indices of files. Each stream is read only once.
final class PacketIndices {
    private struct Key: Hashable {
        let path: String
        let stream: Int
    }
    private let files: KnownFiles
    private var known: [Key: PacketIndex] = [:]

    init(_ files: KnownFiles) {
        self.files = files
    }

    func index(of stream: Asset.Stream, in asset: Asset) throws -> PacketIndex {
        let key = Key(path: asset.path, stream: stream.index)
        if let index = known[key] {
            return index
        }
        let index =
            try files.index(ofStream: stream.index, at: asset.path)
            ?? PacketIndex(of: asset, stream: stream) { try Task.checkCancellation() }
        known[key] = index
        return index
    }
}
