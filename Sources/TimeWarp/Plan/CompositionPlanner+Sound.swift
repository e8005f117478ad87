import Media
import TimeMaps

/// Plans audio and subtitles.
extension CompositionPlanner {
    /// Plans the audio tracks. The first audio tracks of all files make the first track of the output, and so
    /// on.
    mutating func planAudio() throws -> [RenderPlan.AudioTrack] {
        guard let codec = planner.audioCodec else {
            if heard.contains(where: { !$0.isEmpty }) {
                planner.noteSilence()
            }
            return []
        }
        let count = planner.audioTrackCount(
            of: max(1, heard.joined().map(\.asset.audioStreams.count).max() ?? 0), codec)
        return try (0..<count).compactMap { try planAudio(number: $0, codec) }
    }

    /// - Parameter number: the number of the audio streams in their files, counted from 0.
    private mutating func planAudio(
        number: Int, _ codec: AudioCodec
    ) throws -> RenderPlan.AudioTrack? {
        guard let format = try soundFormat(number, codec) else {
            return nil
        }
        let samples = duration.seconds * Double(format.sampleRate)
        let cutter = SoundCutter(
            end: duration, crossfade: composition.format.crossfade, streamNumber: number,
            format: format, sampleCount: max(1, Int64(samples.rounded())))
        let layers = try heard.map { try cutter.segments(of: $0) }
        let isAskedFor =
            composition.format.sampleRate != nil && composition.format.channels != nil
            && number == 0
        guard isAskedFor || layers.contains(where: { !$0.isEmpty }) else {
            return nil
        }
        return RenderPlan.AudioTrack(
            model: Self.model(of: layers.joined().map(\.sound.stream)), codec: codec,
            format: format, sampleRate: format.sampleRate, sampleCount: cutter.sampleCount,
            layers: layers.filter { !$0.isEmpty })
    }

    /// The first stream that says its language, if all have the same title and the same language as far as they say it;
    /// else nil.
    static func model(of streams: [Asset.Stream]) -> Asset.Stream? {
        func language(_ stream: Asset.Stream) -> String? {
            stream.tags["language"].flatMap { $0 == "und" ? nil : $0 }
        }
        guard Set(streams.compactMap(language)).count <= 1,
            Set(streams.map { $0.tags["title"] }).count <= 1
        else {
            return nil
        }
        let index = streams.firstIndex { language($0) != nil }
        return index.map { streams[$0] } ?? streams.first
    }

    // MARK: - Subtitles

    /// Plans the text subtitles of all clips that are heard, as their sound: the first of each file make the
    /// first track.
    mutating func planSubtitles() throws -> [RenderPlan.SubtitleTrack] {
        var tracks: [[SubtitleSegment]] = []
        for flat in heard.joined() {
            let streams = flat.asset.streams.filter { $0.subtitleKind == .text }
            guard !streams.isEmpty else {
                continue
            }
            let shown = try flat.whole
            for (number, stream) in streams.enumerated() {
                if number == tracks.count {
                    tracks.append([])
                }
                tracks[number].append(
                    SubtitleSegment(
                        clip: shown, stream: stream,
                        window: flat.range.start.seconds..<flat.range.end.seconds))
            }
        }
        guard planner.container.holds(.text) else {
            if !tracks.isEmpty {
                planner.note(
                    "a .\(planner.container.rawValue) file can't hold subtitles: they are dropped")
            }
            return []
        }
        return tracks.compactMap { segments in
            segments.first.map {
                RenderPlan.SubtitleTrack(
                    model: $0.stream, form: Self.form(of: segments), segments: segments)
            }
        }
    }

    /// The form of a track's subtitles. A track has only one form, and the styles of only one file.
    private static func form(of segments: [SubtitleSegment]) -> CueReader.Form {
        let codecs = Set(segments.map(\.stream.codecName))
        let files = Set(segments.map(\.clip.asset.path))
        let hasStyles = !codecs.isDisjoint(with: ["ass", "ssa"])
        return codecs.count == 1 && (files.count == 1 || !hasStyles) ? .kept : .usual
    }

    /// The format of the first clip that has sound, unless the composition asks for another.
    private mutating func soundFormat(
        _ number: Int, _ codec: AudioCodec
    ) throws -> AudioFormat? {
        let first = heard.joined().sorted { $0.range.start < $1.range.start }.lazy.compactMap {
            $0.asset.audioStreams.dropFirst(number).first?.audioFormat
        }.first
        // A complete format is used even if there is no sound.
        var asked: AudioFormat?
        if number == 0, let rate = composition.format.sampleRate,
            composition.format.channels != nil
        {
            asked = AudioFormat(
                sampleRate: rate, layout: ChannelLayout(channelCount: 2), bitsPerSample: nil,
                isFloat: true)
        }
        guard var format = first ?? asked else {
            return nil
        }
        format.sampleRate = composition.format.sampleRate ?? format.sampleRate
        if let name = composition.format.channels {
            guard let layout = ChannelLayout(named: name) else {
                throw MediaError(
                    .incompatible, file: planner.destination,
                    reason: "\"\(name)\" is not a channel layout",
                    remedy: "Use mono, stereo, 5.1, 7.1 or another layout's name")
            }
            format.layout = layout
        }
        let encoded = try AudioEncoder.encodable(codec, format: format, path: planner.destination)
        if encoded.sampleRate != format.sampleRate || encoded.layout != format.layout {
            planner.note(
                "\(codec.rawValue) uses \(encoded.sampleRate) Hz \(encoded.layout) instead of "
                    + "\(format.sampleRate) Hz \(format.layout)")
        }
        format.sampleRate = encoded.sampleRate
        format.layout = encoded.layout
        return format
    }
}
