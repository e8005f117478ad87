import Media
import TimeMaps

/// What is heard, and what is marked.
extension CompositionPlanner {
    mutating func planSound() throws -> CompositionPlan.SoundTrack? {
        guard settings.sound != .mute,
            let codec = settings.audioCodec ?? container.audioCodecs.first
        else {
            return nil
        }
        let heard = composition.tracks.filter { $0.carries != .picture }
        guard let format = try soundFormat(of: heard, codec) else {
            return nil
        }
        let samples = composition.duration.seconds * Double(format.sampleRate)
        let cutter = SoundCutter(
            composition: composition, format: format, codec: codec,
            sampleCount: max(1, Int64(samples.rounded())), settings: settings,
            destination: destination, container: container)
        let tracks = try heard.map { track in
            try cutter.parts(of: track) { try asset($0) }
        }
        let isAskedFor =
            composition.format.sampleRate != nil && composition.format.channels != nil
        guard isAskedFor || tracks.contains(where: { !$0.isEmpty }) else {
            return nil
        }
        return CompositionPlan.SoundTrack(
            codec: codec, format: format, sampleRate: format.sampleRate,
            sampleCount: cutter.sampleCount, tracks: tracks.filter { !$0.isEmpty })
    }

    /// The first clip's that has sound, unless another is asked for.
    private mutating func soundFormat(
        of tracks: [Track], _ codec: AudioCodec
    ) throws -> AudioFormat? {
        let placed = tracks.flatMap(\.placed).sorted { $0.range.start < $1.range.start }
        let first = try placed.lazy.compactMap(\.segment.clip).compactMap {
            try asset($0.media).audioStreams.first?.audioFormat
        }.first
        // A format that says all there is to say is kept to, though nothing be heard.
        var asked: AudioFormat?
        if let rate = composition.format.sampleRate, composition.format.channels != nil {
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
                    .incompatible, file: destination,
                    reason: "\"\(name)\" is no channel layout",
                    remedy: "There are mono, stereo, 5.1, 7.1 and more")
            }
            format.layout = layout
        }
        let encoded = try AudioEncoder.encodable(codec, format: format, path: destination)
        if encoded.sampleRate != format.sampleRate || encoded.layout != format.layout {
            warnings.append(
                "\(codec.rawValue) takes \(encoded.sampleRate) Hz \(encoded.layout) for "
                    + "\(format.sampleRate) Hz \(format.layout)")
        }
        format.sampleRate = encoded.sampleRate
        format.layout = encoded.layout
        return format
    }

    // MARK: - Markers

    mutating func planChapters() throws -> [Asset.Chapter] {
        let markers = try composition.markers
        for hidden in try composition.hiddenMarkers {
            warnings.append("the marker \"\(hidden.marker.name)\" isn't shown, so it is left out")
        }
        guard container.holdsChapters else {
            if !markers.isEmpty {
                warnings.append("a .\(container.rawValue) file holds no chapters for markers")
            }
            return []
        }
        let ends = markers.dropFirst().map(\.time) + [composition.duration]
        let chapters = try zip(markers, ends).compactMap { placed, end -> Asset.Chapter? in
            guard placed.time < end else {
                return nil
            }
            return Asset.Chapter(
                range: try TimeRange(start: placed.time, end: end),
                tags: ["title": placed.marker.name])
        }
        // In MP4 the first chapter always starts the film: without one before it, it would be moved there.
        guard let first = chapters.first?.range.start, first > .zero else {
            return chapters
        }
        let opening = Asset.Chapter(
            range: try TimeRange(start: .zero, end: first), tags: ["title": ""])
        return [opening] + chapters
    }
}
