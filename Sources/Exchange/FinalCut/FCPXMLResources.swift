import Media
import TimeMaps
import TimeWarp

/// What the clips of a Final Cut Pro file refer to.
struct FCPXMLResources {
    struct Format {
        let frameRate: FrameRate?
        let size: Composition.Size?
    }

    struct Asset {
        /// The path of the file, as written in the file.
        let path: String
        let name: String
        /// The timecode of its first instant.
        let start: RationalTime
        let duration: RationalTime?
        let carries: Track.Content
        let format: Format?
    }

    private(set) var formats: [String: Format] = [:]
    private(set) var assets: [String: Asset] = [:]
    /// Compound clips and multicam clips.
    private(set) var media: [String: XMLItem] = [:]
    /// How long files last, by their paths.
    private(set) var durations: [String: RationalTime] = [:]

    init(_ root: XMLItem) throws {
        let resources = root.deep("resources")?.children ?? []
        for item in resources where item.name == "format" {
            formats[item["id"] ?? ""] = Format(item)
        }
        for item in resources {
            switch item.name {
            case "asset":
                let asset = try Asset(item, formats)
                assets[item["id"] ?? ""] = asset
                durations[asset.path] = asset.duration.flatMap { $0 > .zero ? $0 : nil }
            case "media":
                media[item["id"] ?? ""] = item
            default:
                break
            }
        }
    }
}

extension FCPXMLResources.Format {
    init(_ item: XMLItem) {
        let frame = item["frameDuration"].flatMap { try? RationalTime(finalCut: $0) }
        frameRate = frame.flatMap { FrameRate(lasting: $0) }
        size = Composition.Size(
            stated: item["width"].flatMap(Int.init), item["height"].flatMap(Int.init))
    }
}

extension FrameRate {
    /// The rate whose frames last so long; nil if there is none.
    init?(lasting frame: RationalTime) {
        let common = gcd(Int128(frame.value), Int128(frame.timescale))
        guard frame > .zero, let bottom = Int32(exactly: Int128(frame.value) / common),
            let top = Int32(exactly: Int128(frame.timescale) / common),
            (0.01...100_000).contains(Double(top) / Double(bottom))
        else {
            return nil
        }
        self.init(known: top, over: bottom)
    }
}

extension FCPXMLResources.Asset {
    init(_ item: XMLItem, _ formats: [String: FCPXMLResources.Format]) throws {
        // Since version 1.9 the location is in an element of its own.
        let original = item.all("media-rep").first { $0["kind"] != "proxy-media" }
        let source = item["src"] ?? (original ?? item.first("media-rep"))?["src"] ?? ""
        name = item["name"] ?? ""
        path = source.isEmpty ? name : MediaLocation.path(ofURL: source)
        start = try item.time("start") ?? .zero
        duration = try item.time("duration")
        format = item["format"].flatMap { formats[$0] }
        switch (item["hasVideo"] == "1", item["hasAudio"] == "1") {
        case (true, false): carries = .video
        case (false, true): carries = .sound
        default: carries = .both
        }
    }
}
