import Media
import TimeMaps
import TimeWarp

/// The resources of a file that is written: formats and media files.
struct FCPXMLAssets {
    struct Asset {
        let id: String
        let name: String
        /// The timecode of its first instant.
        let start: RationalTime
        /// Nil if unknown.
        let duration: RationalTime?
        let frameRate: FrameRate?
    }

    private(set) var items: [XMLItem] = []
    private var assets: [String: Asset] = [:]
    private var formats: [String: String] = [:]

    init(_ timeline: ExchangeTimeline, _ rate: FrameRate, _ media: ProjectMedia) {
        _ = format(rate, timeline.format.size)
        let clips = timeline.tracks.flatMap(\.clips).map(\.clip)
        /// The end of what the timeline uses of each file.
        let used = clips.reduce(into: [String: RationalTime]()) { used, clip in
            let end = clip.points.map(\.source).max() ?? .zero
            used[clip.media] = max(used[clip.media] ?? .zero, end)
        }
        for clip in clips where assets[clip.media] == nil {
            add(clip.media, usedUpTo: used[clip.media] ?? .zero, media)
        }
    }

    func asset(of media: String) -> Asset {
        guard let asset = assets[media] else {
            preconditionFailure("every file of the timeline became an asset")
        }
        return asset
    }

    /// The identifier of a format.
    private mutating func format(_ rate: FrameRate, _ size: Composition.Size?) -> String {
        let key = "\(rate) \(size?.width ?? 0) \(size?.height ?? 0)"
        if let known = formats[key] {
            return known
        }
        let id = "r\(items.count + 1)"
        items.append(
            XMLItem(
                "format",
                [
                    "id": id, "frameDuration": rate.frameDuration.finalCut,
                    "width": size.map { "\($0.width)" }, "height": size.map { "\($0.height)" },
                ]))
        formats[key] = id
        return id
    }

    private mutating func add(
        _ path: String, usedUpTo end: RationalTime, _ media: ProjectMedia
    ) {
        let source = media.source(of: path)
        let video = source?.videoFormat
        let rate = video?.usualRate
        let own = rate.map { rate in
            format(rate, video.map { Composition.Size(known: $0.width, height: $0.height) })
        }
        let sound = source?.assets.first?.audioStreams.first?.audioFormat
        let start = source?.timecodeStart ?? .zero
        let duration = source?.duration ?? end
        let isUnknown = source == nil
        let id = "r\(items.count + 1)"
        let name = PlacedClip.fileName(of: path)
        let location = XMLItem(
            "media-rep",
            [
                "kind": "original-media",
                "src": MediaLocation.url(ofPath: media.location(of: path)),
            ])
        items.append(
            XMLItem(
                "asset",
                [
                    "id": id, "name": name, "start": start.finalCut,
                    "duration": duration.finalCut,
                    "hasVideo": video != nil || isUnknown ? "1" : nil, "format": own,
                    "hasAudio": sound != nil || isUnknown ? "1" : nil,
                    "audioSources": sound.map { _ in "1" },
                    "audioChannels": sound.map { "\($0.channelCount)" },
                    "audioRate": sound.map { "\($0.sampleRate)" },
                ], [location]))
        assets[path] = Asset(
            id: id, name: name, start: start, duration: source?.duration, frameRate: rate)
    }
}
