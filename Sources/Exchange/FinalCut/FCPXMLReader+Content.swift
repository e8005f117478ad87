import Media
import TimeMaps
import TimeWarp

/// What a clip shows.
struct FCPXMLContent {
    enum Kind {
        /// A media file, and the clip's original time at which the file begins.
        case file(path: String, zero: RationalTime, carries: Track.Content)
        /// Tracks of clips, in the clip's original time.
        case tracks([ExchangeTrack])
        /// Nothing that can be played here, and why; nil if nothing was meant.
        case nothing(String?)
    }

    var kind: Kind
    /// The range of the asset in the clip's original time.
    var assetRange: TimeRange?
    var frameRate: FrameRate?
    /// Whether what is connected to the clip is part of the content.
    var includesConnected = false
}

extension FCPXMLReader {

    mutating func content(of item: XMLItem) throws -> FCPXMLContent {
        defer {
            bounds.leave()
        }
        try bounds.enter("compound clips")
        try bounds.read(item)
        switch item.name {
        case "asset-clip":
            let enabled = item["srcEnable"]
            return try asset(
                of: item, only: enabled == "audio" ? .sound : enabled == "video" ? .video : nil)
        case "video":
            let hasSound = item.all("audio").contains { $0["ref"] == item["ref"] }
            var content = try asset(of: item, only: hasSound ? nil : .video)
            content.includesConnected = hasSound && item.children.allSatisfy { $0.name == "audio" }
            return content
        case "audio":
            return try asset(of: item, only: .sound)
        case "clip", "sync-clip":
            return try contained(in: item)
        case "ref-clip":
            guard let sequence = resources.media[item["ref"] ?? ""]?.first("sequence") else {
                return FCPXMLContent(
                    kind: .nothing("refers to a compound clip that isn't in the file"))
            }
            return try compound(sequence, item)
        case "mc-clip":
            return try multicam(item)
        case "gap":
            return FCPXMLContent(kind: .nothing(nil))
        default:
            return FCPXMLContent(kind: .nothing("has no media file"))
        }
    }

    private func asset(of item: XMLItem, only carries: Track.Content?) throws -> FCPXMLContent {
        guard let asset = resources.assets[item["ref"] ?? ""] else {
            let isEffect = item.name != "asset-clip"
            return FCPXMLContent(
                kind: .nothing(
                    isEffect ? "is made by an effect" : "refers to an asset that isn't in the file")
            )
        }
        let carries =
            asset.carries == .both || carries == nil ? carries ?? asset.carries : asset.carries
        let range = try asset.duration.map { try TimeRange(start: asset.start, duration: $0) }
        return FCPXMLContent(
            kind: .file(path: asset.path, zero: asset.start, carries: carries), assetRange: range,
            frameRate: asset.format?.frameRate)
    }

    /// What a clip shows that contains others.
    private mutating func contained(in item: XMLItem) throws -> FCPXMLContent {
        let inner = item.children.filter {
            $0.name == "spine" ? $0["lane"] == nil : FCPXMLLanes.clips.contains($0.name)
        }
        let main = inner.filter { ($0.lane ?? 0) == 0 }
        if item.name == "clip", main.count == 1, main[0].name != "spine",
            main[0].first("timeMap") == nil
        {
            var content = try self.content(of: main[0])
            if let shift = try shift(of: main[0], content), let shifted = content.shifted(by: shift)
            {
                content = shifted
                content.includesConnected = false
                return content
            }
        }
        var lanes = FCPXMLLanes(rate: nil)
        let axis = FCPXMLAxis(local: .zero, track: .zero)
        let parts = item.name == "clip" ? main : inner
        for part in parts where part.name == "spine" {
            try place(
                spine: part, at: FCPXMLAxis(local: .zero, track: part.time("offset") ?? .zero),
                on: 0, in: &lanes)
        }
        let others = XMLItem("spine", [:], parts.filter { $0.name != "spine" })
        if !others.children.isEmpty {
            for child in others.children {
                let lane = child.lane ?? 0
                try place(spine: XMLItem("spine", [:], [child]), at: axis, on: lane, in: &lanes)
            }
        }
        return FCPXMLContent(
            kind: .tracks(lanes.tracks), includesConnected: item.name == "sync-clip")
    }

    /// How much later the inner clip's own time is than the outer one's.
    private func shift(of inner: XMLItem, _ content: FCPXMLContent) throws -> RationalTime? {
        let start = try inner.time("start") ?? content.assetRange?.start ?? .zero
        return try start.difference(inner.time("offset") ?? .zero)
    }

    private mutating func compound(
        _ sequence: XMLItem, _ item: XMLItem
    ) throws -> FCPXMLContent {
        try bounds.read(sequence)
        let zero = try sequence.time("tcStart") ?? .zero
        let tracks = try tracks(of: sequence).map { track in
            var track = track
            track.clips = try track.clips.map {
                .init(start: try $0.start.sum(zero), clip: $0.clip)
            }
            switch item["srcEnable"] {
            case "audio": track.carries = .sound
            case "video": track.carries = .video
            default: break
            }
            return track
        }
        let duration = try sequence.time("duration")
        return FCPXMLContent(
            kind: .tracks(tracks),
            assetRange: try duration.map { try TimeRange(start: zero, duration: $0) },
            includesConnected: false)
    }

    /// The angles of a multicam clip that are seen and heard.
    private mutating func multicam(_ item: XMLItem) throws -> FCPXMLContent {
        guard let multicam = resources.media[item["ref"] ?? ""]?.first("multicam") else {
            return FCPXMLContent(kind: .nothing("refers to a multicam clip that isn't in the file"))
        }
        try bounds.read(multicam)
        var lanes = FCPXMLLanes(rate: nil)
        let sources = item.all("mc-source")
        for angle in multicam.all("mc-angle") {
            let enabled = sources.filter { $0["angleID"] == angle["angleID"] }
                .compactMap { $0["srcEnable"] ?? "all" }
            let isSeen = enabled.contains("all") || enabled.contains("video")
            let isHeard = enabled.contains("all") || enabled.contains("audio")
            guard isSeen || isHeard || sources.isEmpty else {
                continue
            }
            var own = FCPXMLLanes(rate: nil)
            // What an angle contains is placed from 0 on, wherever the multicam clip's own time begins.
            let zero = try multicam.time("tcStart") ?? .zero
            try place(
                spine: angle, at: FCPXMLAxis(local: .zero, track: zero), on: 0, in: &own)
            for track in own.tracks {
                let carries: Track.Content
                switch (isSeen || sources.isEmpty, isHeard || sources.isEmpty) {
                case (true, true): carries = track.carries
                case (true, false) where track.carries != .sound: carries = .video
                case (false, true) where track.carries != .video: carries = .sound
                default: continue
                }
                for placed in track.clips {
                    try bounds.visit()
                    lanes.add(placed, carries, on: 0)
                }
            }
            if sources.isEmpty {
                break
            }
        }
        return FCPXMLContent(kind: .tracks(lanes.tracks))
    }
}

extension FCPXMLContent {
    /// The content of a clip whose own time is earlier by `shift` than that of what it contains; nil if it can't be said
    /// without a rounding.
    fileprivate func shifted(by shift: RationalTime) -> FCPXMLContent? {
        var content = self
        switch kind {
        case .file(let path, let zero, let carries):
            guard let moved = try? zero.difference(shift) else {
                return nil
            }
            content.kind = .file(path: path, zero: moved, carries: carries)
        case .tracks(let tracks):
            let moved = try? tracks.map { track in
                var track = track
                track.clips = try track.clips.map {
                    .init(start: try $0.start.difference(shift), clip: $0.clip)
                }
                return track
            }
            guard let moved else {
                return nil
            }
            content.kind = .tracks(moved)
        case .nothing:
            break
        }
        content.assetRange = assetRange.flatMap { range in
            try? TimeRange(start: range.start.difference(shift), duration: range.duration)
        }
        return content
    }
}
