import Media
import TimeMaps
import TimeWarp

/// Writes a timeline as a Final Cut Pro file.
///
/// The lowest track that is seen is the spine. Clips of the other tracks are connected to whatever is in the spine at their
/// start; those that dissolve are in spines of their own.
struct FCPXMLWriter {
    /// The version that is written: the oldest that names media as newer ones do, so that most programs read it.
    private static let version = "1.10"

    private let timeline: ExchangeTimeline
    private let rate: FrameRate
    private(set) var notes = TimelineNotes()
    private var resources: FCPXMLAssets

    init(_ timeline: ExchangeTimeline, _ media: ProjectMedia) {
        self.timeline = timeline
        rate = timeline.format.frameRate ?? FrameGrid.usual.rate
        resources = FCPXMLAssets(timeline, rate, media)
    }

    mutating func root() throws -> XMLItem {
        let main =
            timeline.tracks.firstIndex { $0.carries != .sound && !$0.clips.isEmpty }
            ?? timeline.tracks.indices.first ?? 0
        var spine = try elements(of: main)
        let below = timeline.tracks.indices.filter { $0 < main }
        let above = timeline.tracks.indices.filter { $0 > main }
        let sounds = above.filter { timeline.tracks[$0].carries == .sound }
        let covering = above.filter { timeline.tracks[$0].carries != .sound }
        let lower = Array(below.reversed()) + sounds
        for (number, index) in lower.enumerated() {
            try connect(index, on: -(number + 1), to: &spine)
        }
        for (number, index) in covering.enumerated() {
            try connect(index, on: number + 1, to: &spine)
        }
        let duration = try timeline.tracks.flatMap(\.clips).map { try $0.end }.max() ?? .zero
        let format = timeline.format
        let sequence = XMLItem(
            "sequence",
            [
                "format": "r1", "duration": duration.finalCut, "tcStart": "0s", "tcFormat": "NDF",
                "audioLayout": format.channels.flatMap(Self.layout),
                "audioRate": format.sampleRate.flatMap(Self.rateName),
            ], [XMLItem("spine", [:], try spine.flatMap { try $0.items() })])
        let name = timeline.name.isEmpty ? "TimeWarp" : timeline.name
        let event = XMLItem(
            "event", ["name": name], [XMLItem("project", ["name": name], [sequence])])
        return XMLItem(
            "fcpxml", ["version": Self.version],
            [XMLItem("resources", [:], resources.items), XMLItem("library", [:], [event])])
    }

    private static func layout(_ channels: String) -> String? {
        ["mono": "mono", "stereo": "stereo", "5.1": "surround", "5.1(side)": "surround"][channels]
    }

    private static func rateName(_ rate: Int) -> String? {
        [
            32_000: "32k", 44_100: "44.1k", 48_000: "48k", 88_200: "88.2k", 96_000: "96k",
            176_400: "176.4k", 192_000: "192k",
        ][rate]
    }

    // MARK: - The spine

    /// What is in the spine: clips, and gaps between them.
    private mutating func elements(of index: Int) throws -> [FCPXMLElement] {
        var elements: [FCPXMLElement] = []
        var end = RationalTime.zero
        let track =
            timeline.tracks.indices.contains(index) ? timeline.tracks[index] : ExchangeTrack()
        for placed in track.clips {
            let isAdjoining = placed.start == end && end > .zero
            if placed.start > end {
                elements.append(.gap(from: end, to: placed.start))
            }
            elements.append(try element(placed, track, afterClip: isAdjoining))
            end = try placed.end
        }
        // A connected clip needs something to be connected to.
        let last = timeline.tracks.flatMap(\.clips).map(\.start).max() ?? .zero
        if end <= last {
            elements.append(.gap(from: end, to: try last.sum(rate.frameDuration)))
        }
        return elements
    }

    private mutating func element(
        _ placed: ExchangeTrack.Placed, _ track: ExchangeTrack, afterClip isAdjoining: Bool
    ) throws -> FCPXMLElement {
        let clip = placed.clip
        let asset = resources.asset(of: clip.media)
        let (dissolve, fadeOut) = try TimelineClip.transitions(of: placed, afterClip: isAdjoining)
        let local = try FCPXMLLocalTime(of: clip, in: asset, FrameGrid(rate))
        var children: [XMLItem] = []
        if let own = asset.frameRate, own != rate {
            children.append(XMLItem("conform-rate", ["scaleEnabled": "0"]))
        }
        if let map = try local.timeMap(timeline.settings) {
            children.append(map)
        }
        if clip.blending.gain != .unity {
            children.append(try volume(clip.blending.gain, from: local.start))
        }
        var element = FCPXMLElement(
            name: "asset-clip", start: placed.start, end: try placed.end, local: local.start)
        element.attributes = [
            "ref": asset.id, "name": clip.name ?? asset.name,
            "srcEnable": track.carries == .video
                ? "video" : track.carries == .sound ? "audio" : nil,
        ]
        element.settings = children
        element.before = dissolve
        element.after = fadeOut
        for marker in try clip.placesOfMarkers(&notes) {
            let start = try local.start.sum(marker.start)
            element.markers.append(item(marker.marker, at: start, lasting: marker.duration))
        }
        return element
    }

    private func item(
        _ marker: Marker, at place: RationalTime, lasting duration: RationalTime
    ) -> XMLItem {
        XMLItem(
            "marker",
            [
                "start": place.finalCut,
                "duration": max(duration, rate.frameDuration).finalCut,
                "value": marker.name, "note": marker.comment,
            ])
    }

    private func volume(_ gain: Gain, from start: RationalTime) throws -> XMLItem {
        func text(_ decibels: Double) -> String { "\(decibels)dB" }
        guard gain.keyframes.count > 1 else {
            return XMLItem("adjust-volume", ["amount": text(gain.keyframes.first?.decibels ?? 0)])
        }
        let keyframes = try gain.keyframes.map {
            XMLItem(
                "keyframe",
                ["time": try start.sum($0.at).finalCut, "value": text($0.decibels)])
        }
        let animation = XMLItem("keyframeAnimation", [:], keyframes)
        return XMLItem(
            "adjust-volume", [:], [XMLItem("param", ["name": "amount"], [animation])])
    }

    // MARK: - Connected clips

    private mutating func connect(
        _ index: Int, on lane: Int, to spine: inout [FCPXMLElement]
    ) throws {
        let track = timeline.tracks[index]
        var run: [FCPXMLElement] = []
        for (number, placed) in track.clips.enumerated() {
            let isAdjoining =
                try number > 0 && track.clips[number - 1].end == placed.start
            if !(isAdjoining && placed.clip.blending.dissolve > .zero) {
                try connect(run, on: lane, to: &spine)
                run = []
            }
            run.append(try element(placed, track, afterClip: isAdjoining))
        }
        try connect(run, on: lane, to: &spine)
    }

    private func connect(
        _ run: [FCPXMLElement], on lane: Int, to spine: inout [FCPXMLElement]
    ) throws {
        guard let first = run.first else {
            return
        }
        let index = max(0, spine.indices.partitionPoint { spine[$0].start > first.start } - 1)
        let parent = spine[index]
        let offset = try parent.local.sum(first.start.difference(parent.start))
        let isPlain = run.count == 1 && first.before == nil && first.after == nil
        if isPlain {
            spine[index].connected.append(try first.item(offset: offset, lane: lane))
        } else {
            spine[index].connected.append(
                XMLItem(
                    "spine", ["lane": "\(lane)", "offset": offset.finalCut],
                    try run.flatMap { try $0.items(from: first.start) }))
        }
    }
}

/// A clip or a gap in a spine.
struct FCPXMLElement {
    let name: String
    /// In track time.
    let start: RationalTime
    let end: RationalTime
    /// Where its local time begins.
    let local: RationalTime
    var attributes: KeyValuePairs<String, String?> = [:]
    var settings: [XMLItem] = []
    var connected: [XMLItem] = []
    var markers: [XMLItem] = []
    /// The transitions at its ends, in track time.
    var before: TimeRange?
    var after: TimeRange?

    static func gap(from start: RationalTime, to end: RationalTime) -> FCPXMLElement {
        var gap = FCPXMLElement(name: "gap", start: start, end: end, local: .seconds(3600))
        gap.attributes = ["name": "Gap"]
        return gap
    }

    func item(offset: RationalTime, lane: Int? = nil) throws -> XMLItem {
        var item = XMLItem(name, attributes, settings + connected + markers)
        item.set("lane", lane.map { "\($0)" })
        item.set("offset", offset.finalCut)
        item.set("start", local.finalCut)
        item.set("duration", try end.difference(start).finalCut)
        return item
    }

    /// The element with its transitions, in a spine that begins at a time of the track.
    func items(from zero: RationalTime = .zero) throws -> [XMLItem] {
        func transition(_ range: TimeRange?) throws -> [XMLItem] {
            guard let range else {
                return []
            }
            let offset = try max(.zero, range.start.difference(zero))
            return [
                XMLItem(
                    "transition",
                    [
                        "name": "Cross Dissolve", "offset": offset.finalCut,
                        "duration": range.duration.finalCut,
                    ])
            ]
        }
        return try transition(before) + [item(offset: start.difference(zero))] + transition(after)
    }
}
