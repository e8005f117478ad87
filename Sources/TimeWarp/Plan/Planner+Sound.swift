import Media
import TimeMaps

/// Plans audio tracks.
extension Planner {
    mutating func planAudio() throws -> [RenderPlan.AudioTrack] {
        guard let codec = audioCodec else {
            if file.map({ !$0.asset.audioStreams.isEmpty })
                ?? heard.contains(where: { !$0.isEmpty })
            {
                noteSilence()
            }
            return []
        }
        guard let file else {
            let most = heard.joined().map(\.asset.audioStreams.count).max() ?? 0
            // A complete format is used even if there is no sound.
            return try (0..<trackCount(of: max(1, most), codec)).compactMap {
                try planMixed($0, codec)
            }
        }
        let streams = file.asset.audioStreams
        return try streams.prefix(trackCount(of: streams.count, codec)).compactMap { stream in
            try stream.audioFormat.flatMap { try plan(stream, $0, of: file, codec) }
        }
    }

    /// How many of this many audio tracks the container can hold. Those that are dropped, and a known problem of the
    /// codec in the container, are noted.
    private mutating func trackCount(of count: Int, _ codec: AudioCodec) -> Int {
        let isOne = count > 1 && container.holdsOneTrack
        if isOne {
            note(
                "a .\(container.rawValue) file can hold one audio track: the other \(count - 1) "
                    + "are dropped")
        }
        if container == .mkv && codec == .aac && !MatroskaWriter.statesEncoderDelay {
            note(
                "this FFmpeg can't store AAC's encoder delay in a .mkv file: picture and sound "
                    + "stay together, but are up to 24 ms late; opus, flac and pcm are exact"
            )
        }
        return isOne ? 1 : count
    }

    /// Notes that sound is dropped because the container can hold none.
    private mutating func noteSilence() {
        if container.audioCodecs.isEmpty, settings.audio.mode != .mute {
            note("a .\(container.rawValue) file can't hold sound: only the picture is kept")
        }
    }

    // MARK: - A file's own tracks

    private mutating func plan(
        _ stream: Asset.Stream, _ format: AudioFormat, of file: AssetClip, _ codec: AudioCodec
    ) throws -> RenderPlan.AudioTrack? {
        let encoded =
            purpose == .measuring
            ? (sampleRate: format.sampleRate, layout: format.layout)
            : try AudioEncoder.encodable(codec, format: format, path: destination)
        if encoded.layout != format.layout {
            note(
                "\(codec.rawValue) doesn't support the layout \(format.layout): "
                    + "the channels are labelled \(encoded.layout)")
        }
        let played = settings.audio.mode == .keep ? clip?.unretimed?.assetClip : file
        guard let played else {
            note("nothing is left of the sound, which keeps its speed, in this part of the output")
            return nil
        }
        let seconds = min(file.map.outputDuration, played.map.outputDuration)
        let samples = seconds * Double(encoded.sampleRate)
        let count = max(1, Int64(samples.rounded()))
        let segment = AudioSegment(
            samples: 0..<count, fades: .none, envelopes: try clip?.soundEnvelopes ?? [],
            mix: .unchanged,
            sound: ClipSound(
                clip: played, stream: stream, format: format, map: played.map,
                sampleRate: encoded.sampleRate, sampleCount: count))
        return RenderPlan.AudioTrack(
            model: stream, codec: codec, format: format, sampleRate: encoded.sampleRate,
            sampleCount: count, layers: [[segment]])
    }

    // MARK: - Tracks in one format

    /// - Parameter number: the number of the audio streams in their files, counted from 0.
    private mutating func planMixed(
        _ number: Int, _ codec: AudioCodec
    ) throws -> RenderPlan.AudioTrack? {
        guard let format = try soundFormat(number, codec) else {
            return nil
        }
        let wanted = source.format
        let samples = duration.seconds * Double(format.sampleRate)
        let cutter = SoundCutter(
            end: duration, crossfade: wanted.crossfade, streamNumber: number,
            format: format, sampleCount: max(1, Int64(samples.rounded())))
        let layers = try heard.map { try cutter.segments(of: $0) }
        let isAskedFor = wanted.sampleRate != nil && wanted.channels != nil && number == 0
        guard isAskedFor || layers.contains(where: { !$0.isEmpty }) else {
            return nil
        }
        return RenderPlan.AudioTrack(
            model: Self.commonModel(of: layers.joined().map(\.sound.stream)), codec: codec,
            format: format, sampleRate: format.sampleRate, sampleCount: cutter.sampleCount,
            layers: layers.filter { !$0.isEmpty })
    }

    /// The first stream that says its language, if all have the same title and the same language as far as they say it;
    /// else nil.
    static func commonModel(of streams: [Asset.Stream]) -> Asset.Stream? {
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

    /// The format of the first clip that has sound, unless the composition asks for another.
    private mutating func soundFormat(
        _ number: Int, _ codec: AudioCodec
    ) throws -> AudioFormat? {
        let wanted = source.format
        let first = heard.joined().sorted { $0.range.start < $1.range.start }.lazy.compactMap {
            $0.asset.audioStreams.dropFirst(number).first?.audioFormat
        }.first
        var asked: AudioFormat?
        if number == 0, let rate = wanted.sampleRate, wanted.channels != nil {
            asked = AudioFormat(
                sampleRate: rate, layout: ChannelLayout(channelCount: 2), bitsPerSample: nil,
                isFloat: true)
        }
        guard var format = first ?? asked else {
            return nil
        }
        format.sampleRate = wanted.sampleRate ?? format.sampleRate
        if let name = wanted.channels {
            guard let layout = ChannelLayout(named: name) else {
                throw MediaError(
                    .incompatible, file: destination,
                    reason: "\"\(name)\" is not a channel layout",
                    remedy: "Use mono, stereo, 5.1, 7.1 or another layout's name")
            }
            format.layout = layout
        }
        let encoded = try AudioEncoder.encodable(codec, format: format, path: destination)
        if encoded.sampleRate != format.sampleRate || encoded.layout != format.layout {
            note(
                "\(codec.rawValue) uses \(encoded.sampleRate) Hz \(encoded.layout) instead of "
                    + "\(format.sampleRate) Hz \(format.layout)")
        }
        format.sampleRate = encoded.sampleRate
        format.layout = encoded.layout
        return format
    }

    /// The plan for the sound of the planner's clip alone, in a format of its own. It is silent if the file has no sound.
    func planSound(sampleRate: Int, channels: String) throws -> RenderPlan {
        guard let file, let codec = audioCodec, let layout = ChannelLayout(named: channels) else {
            throw MediaError(
                .incompatible, file: destination, reason: "it can't hold \(channels) sound")
        }
        let format = AudioFormat(
            sampleRate: sampleRate, layout: layout, bitsPerSample: nil, isFloat: true)
        let encoded = try AudioEncoder.encodable(codec, format: format, path: destination)
        guard encoded.sampleRate == sampleRate, encoded.layout == layout else {
            throw MediaError(
                .incompatible, file: destination,
                reason: "\(codec.rawValue) can't hold \(channels) at \(sampleRate) Hz")
        }
        let count = max(1, Int64((file.map.outputDuration * Double(sampleRate)).rounded()))
        let segment = try file.asset.audioStreams.first.flatMap { stream in
            try stream.audioFormat.map { source in
                AudioSegment(
                    samples: 0..<count, fades: .none, envelopes: [],
                    mix: try ChannelMix(from: source.layout, to: layout, path: file.asset.path),
                    sound: ClipSound(
                        clip: file, stream: stream, format: source, map: file.map,
                        sampleRate: sampleRate, sampleCount: count))
            }
        }
        let track = RenderPlan.AudioTrack(
            model: nil, codec: codec, format: format, sampleRate: sampleRate, sampleCount: count,
            layers: segment.map { [[$0]] } ?? [])
        return RenderPlan(
            source: source, clip: clip, destination: destination, container: container,
            settings: settings, video: [], copied: [], audio: [track], subtitles: [],
            attachments: [], chapters: [], tags: [:], outputDuration: file.map.outputDuration,
            exactOutputDuration: file.map.exactOutputDuration, warnings: [])
    }
}
