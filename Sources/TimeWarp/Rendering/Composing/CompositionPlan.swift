import Media
import TimeMaps

/// Everything about rendering a composition, decided, checked and predicted, before anything is written.
///
/// ```
///  picture tracks, upper over lower ─► parts, one after another ─► one encoder
///  sound tracks                     ─► parts, faded at their cuts ─► sum ─► one encoder
/// ```
/// Each part is planned as a clip by itself is, and rendered by the same stages.
public struct CompositionPlan: Sendable {
    /// The composition that is rendered.
    public let composition: Composition
    /// The file to be written.
    public let destination: String
    /// The kind of file.
    public let container: Container
    /// What the render was asked for.
    public let settings: RenderSettings
    /// Nil where no track shows anything, or the file holds no pictures.
    public let pictures: PictureTrack?
    /// Nil where no track is heard.
    public let sound: SoundTrack?
    /// Its markers.
    public let chapters: [Asset.Chapter]
    /// What cannot be kept, and what is remarkable.
    public let warnings: [String]

    /// The picture track to be written.
    public struct PictureTrack: Sendable {
        /// The codec that encodes it.
        public let codec: VideoCodec
        /// Of every picture; its pixel format is what the encoder stores.
        public let format: VideoFormat
        /// When its frames are shown.
        public let timing: RenderPlan.Timing
        /// The encoder's rate, or the average of a variable one; nil where unknown.
        public let frameRate: FrameRate?
        let parts: [PicturePart]

        /// Clips and gaps, one after another.
        public var partCount: Int { parts.count }
    }

    /// A stretch of output in which one clip is seen, or nothing.
    struct PicturePart: Sendable {
        /// In frames of a fixed rate, or ticks of a variable one.
        let ticks: Range<Int64>
        /// The clip by itself, which has one picture track; nil for black.
        let plan: RenderPlan?
    }

    /// The sound track to be written.
    public struct SoundTrack: Sendable {
        /// The codec that encodes it.
        public let codec: AudioCodec
        /// Its sample rate and loudspeakers.
        public let format: AudioFormat
        /// Samples a second of the output.
        public let sampleRate: Int
        /// Samples a channel of the output.
        public let sampleCount: Int64
        /// The parts of each track that is heard, in order.
        let tracks: [[SoundPart]]

        /// Clips that are heard, and how many tracks they are on.
        public var partCount: Int { tracks.reduce(0) { $0 + $1.count } }
        /// How many tracks of the composition are heard.
        public var trackCount: Int { tracks.count }
    }

    /// A stretch of output in which a clip is heard.
    struct SoundPart: Sendable {
        /// In samples of the output.
        let samples: Range<Int64>
        let fades: PartFades
        let mix: ChannelMix
        /// The clip by itself, which has one sound track.
        let plan: RenderPlan
    }

    /// How long the output will last, in seconds.
    public let outputDuration: Double

    /// Decides everything. Opens each file once and decodes a picture of those that are seen.
    ///
    /// - Parameters:
    ///   - folder: where the composition's relative paths start; nil for the working directory.
    ///   - settings: a rate of `.source` is the composition's own, or the first clip's.
    /// - Throws: ``MediaError`` naming the file that can't be used, or when the container can't hold what
    ///   is asked for, or the destination is taken or is one of the inputs; ``CompositionError``.
    public init(
        _ composition: Composition, in folder: String? = nil, to destination: String,
        settings: RenderSettings = RenderSettings()
    ) throws {
        try self.init(composition, in: folder, to: destination, settings: settings, format: nil)
    }

    /// The same with all that there is to say of the pictures said.
    package init(
        _ composition: Composition, in folder: String? = nil, to destination: String,
        settings: RenderSettings, format: VideoFormat?
    ) throws {
        var planner = try CompositionPlanner(
            composition, in: folder, to: destination, settings: settings, format: format)
        self.composition = composition
        self.destination = destination
        self.settings = settings
        container = planner.container
        pictures = try planner.planPictures()
        sound = try planner.planSound()
        try planner.requireSomething(pictures, sound)
        chapters = try planner.planChapters()
        warnings = planner.warnings
        outputDuration = composition.duration.seconds
    }

    /// The sound of one clip by itself, as it would be in a composition of that format; silence where its
    /// file has none.
    package init(
        soundOf clip: Clip, sampleRate: Int, channels: String, to destination: String,
        settings: RenderSettings
    ) throws {
        composition = Composition()
        self.destination = destination
        self.settings = settings
        let container = try Container(forFileAt: destination)
        self.container = container
        pictures = nil
        chapters = []
        warnings = []
        outputDuration = clip.map.outputDuration
        guard let codec = settings.audioCodec ?? container.audioCodecs.first,
            let layout = ChannelLayout(named: channels)
        else {
            throw MediaError(
                .incompatible, file: destination, reason: "it can't hold sound as \(channels)")
        }
        let format = AudioFormat(
            sampleRate: sampleRate, layout: layout, bitsPerSample: nil, isFloat: true)
        let encoded = try AudioEncoder.encodable(codec, format: format, path: destination)
        guard encoded.sampleRate == sampleRate, encoded.layout == layout else {
            throw MediaError(
                .incompatible, file: destination,
                reason: "\(codec.rawValue) can't hold \(channels) at \(sampleRate) Hz")
        }
        let count = max(1, Int64((clip.map.outputDuration * Double(sampleRate)).rounded()))
        let part = try clip.asset.audioStreams.first.flatMap { stream in
            try stream.audioFormat.map { source in
                SoundPart(
                    samples: 0..<count, fades: PartFades(rise: 0..<0, fall: 0..<0),
                    mix: try ChannelMix(from: source.layout, to: layout, path: clip.asset.path),
                    plan: RenderPlan(
                        part: clip, of: destination, container, settings,
                        audio: [
                            RenderPlan.AudioTrack(
                                source: stream, codec: codec, format: source,
                                sampleRate: sampleRate, sampleCount: count)
                        ]))
            }
        }
        sound = SoundTrack(
            codec: codec, format: format, sampleRate: sampleRate, sampleCount: count,
            tracks: part.map { [[$0]] } ?? [])
    }
}

extension CompositionPlan: RunnablePlan {
    var sourceName: String {
        composition.name.isEmpty ? "a composition" : composition.name
    }
    var sourceSeconds: Double { outputDuration }
    var tags: [String: String] {
        composition.name.isEmpty ? [:] : ["title": composition.name]
    }
    var passedOn: [Asset.Stream] { [] }
    var passedOnAsset: Asset? { nil }
    var trackCount: Int { (pictures == nil ? 0 : 1) + (sound == nil ? 0 : 1) }

    func tracks(at site: RenderSite) -> [OutputTrack] {
        let shown = pictures.map { track in
            let stages = CompositionPictures(
                plan: self, track: track, trackNumber: 0, site: site)
            return OutputTrack(
                like: nil, content: .pictures(track.timing, stages.tally), start: stages.start)
        }
        let heard = sound.map { track in
            let stages = CompositionSound(
                plan: self, track: track, trackNumber: shown == nil ? 0 : 1,
                leads: shown == nil, site: site)
            return OutputTrack(
                like: nil,
                content: .sound(
                    sampleRate: track.sampleRate, sampleCount: track.sampleCount, stages.tally),
                start: stages.start)
        }
        return [shown, heard].compactMap { $0 }
    }
}
