import Media
import TimeMaps
import TimeWarp

/// The media files of a file that is written: each is defined where it is named first.
struct XMEMLWrittenFiles {
    private struct File {
        let number: Int
        let path: String
        let source: MediaSource?
        /// Frames at the file's own rate.
        let frames: Int64?
        let rate: FrameRate
    }

    private var files: [String: File] = [:]
    private var defined: Set<String> = []

    init(_ timeline: ExchangeTimeline, _ grid: FrameGrid, _ media: ProjectMedia) {
        for track in timeline.tracks {
            for placed in track.clips where files[placed.clip.media] == nil {
                let path = placed.clip.media
                let source = media.source(of: path)
                let usual = source?.videoFormat?.usualRate ?? grid.rate
                let isWritable =
                    usual.denominator == 1
                    || (usual.denominator == 1001 && usual.numerator % 1000 == 0)
                let rate = isWritable ? usual : grid.rate
                files[path] = File(
                    number: files.count + 1, path: media.location(of: path), source: source,
                    frames: source.map { FrameGrid(rate).frames($0.duration) }, rate: rate)
            }
        }
    }

    /// How many channels a file has; 1 if unknown.
    func channels(of media: String) -> Int {
        let sound = files[media]?.source?.assets.first?.audioStreams.first?.audioFormat
        return min(16, sound?.channelCount ?? 1)
    }

    /// How long a file lasts as the file says; nil if unknown.
    func duration(of media: String) -> RationalTime? {
        files[media].flatMap { file in
            file.frames.flatMap { try? FrameGrid(file.rate).time($0) }
        }
    }

    mutating func item(of media: String) -> XMLItem {
        guard let file = files[media] else {
            preconditionFailure("every file of the timeline is known")
        }
        let id = "file-\(file.number)"
        guard defined.insert(media).inserted else {
            return XMLItem("file", ["id": id])
        }
        var children = [
            XMLItem("name", PlacedClip.fileName(of: media)),
            XMLItem("pathurl", MediaLocation.url(ofPath: file.path)), file.rate.xmeml,
        ]
        if let frames = file.frames {
            children.append(XMLItem("duration", frames))
        }
        var kinds: [XMLItem] = []
        if let video = file.source?.videoFormat {
            kinds.append(
                XMLItem(
                    "video", [:],
                    [
                        XMLItem(
                            "samplecharacteristics", [:],
                            [
                                file.rate.xmeml, XMLItem("width", video.width),
                                XMLItem("height", video.height),
                            ])
                    ]))
        }
        if let sound = file.source?.assets.first?.audioStreams.first?.audioFormat {
            kinds.append(
                XMLItem(
                    "audio", [:],
                    [
                        XMLItem(
                            "samplecharacteristics", [:],
                            [XMLItem("depth", 16), XMLItem("samplerate", sound.sampleRate)]),
                        XMLItem("channelcount", sound.channelCount),
                    ]))
        }
        if !kinds.isEmpty {
            children.append(XMLItem("media", [:], kinds))
        }
        return XMLItem("file", ["id": id], children)
    }
}
