import Media
import TimeMaps

/// What is heard, and what is marked.
extension CompositionPlanner {
    mutating func planAudio() throws -> [RenderPlan.AudioTrack] {
        guard let codec = planner.audioCodec else {
            return []
        }
        let heard = composition.tracks.filter { $0.carries != .picture }
        guard let format = try soundFormat(of: heard, codec) else {
            return []
        }
        let samples = composition.duration.seconds * Double(format.sampleRate)
        let cutter = SoundCutter(
            composition: composition, format: format,
            sampleCount: max(1, Int64(samples.rounded())))
        let layers = try heard.map { track in
            try cutter.segments(of: track) { try asset($0) }
        }
        let isAskedFor =
            composition.format.sampleRate != nil && composition.format.channels != nil
        guard isAskedFor || layers.contains(where: { !$0.isEmpty }) else {
            return []
        }
        return [
            RenderPlan.AudioTrack(
                model: nil, codec: codec, format: format, sampleRate: format.sampleRate,
                sampleCount: cutter.sampleCount, layers: layers.filter { !$0.isEmpty })
        ]
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
                    .incompatible, file: planner.destination,
                    reason: "\"\(name)\" is no channel layout",
                    remedy: "There are mono, stereo, 5.1, 7.1 and more")
            }
            format.layout = layout
        }
        let encoded = try AudioEncoder.encodable(codec, format: format, path: planner.destination)
        if encoded.sampleRate != format.sampleRate || encoded.layout != format.layout {
            planner.note(
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
            planner.note("the marker \"\(hidden.marker.name)\" isn't shown, so it is left out")
        }
        guard planner.container.holdsChapters else {
            if !markers.isEmpty {
                planner.note("a .\(planner.container.rawValue) file holds no chapters for markers")
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
