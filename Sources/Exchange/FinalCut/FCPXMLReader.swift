import Media
import TimeMaps
import TimeWarp

/// Reads the timeline of a Final Cut Pro file.
///
/// Each element has a local time, in which the elements that it contains and those that are connected to it are placed:
/// their `offset` is in the local time of the element around them, and `start` is where their own local time begins.
///
/// ```
///  sequence    0 ──────────[ offset     duration ]──────
///  local                   [ start               )         retimed time; timeMap leads to:
///  original                  what the clip contains        value
///  asset                     value − the asset's start
/// ```
struct FCPXMLReader {
    let resources: FCPXMLResources
    var notes = TimelineNotes()
    private let root: XMLItem
    var bounds = ReaderBounds()

    init(_ root: XMLItem) throws {
        self.root = root
        resources = try FCPXMLResources(root)
    }

    /// The first project of the file.
    mutating func timeline() throws -> ExchangeTimeline {
        let projects = Self.projects(in: root)
        var timeline = ExchangeTimeline()
        let sequence: XMLItem
        if let project = projects.first, let first = project.first("sequence") {
            timeline.name = project["name"] ?? ""
            sequence = first
            if projects.count > 1 {
                notes.add(
                    "Only the project \"\(timeline.name)\" was read; the file has \(projects.count - 1) more."
                )
            }
        } else if let first = root.deep("sequence") {
            timeline.name = first["name"] ?? ""
            sequence = first
        } else if let clip = Self.loneClip(in: root) {
            timeline.name = clip["name"] ?? ""
            sequence = XMLItem("sequence", [:], [XMLItem("spine", [:], [clip])])
        } else {
            throw CompositionError(.unsupported, "it holds no project, sequence or clip")
        }
        timeline.format = format(of: sequence)
        timeline.tracks = try tracks(of: sequence)
        return timeline
    }

    private static func projects(in item: XMLItem) -> [XMLItem] {
        item.children.flatMap { child -> [XMLItem] in
            switch child.name {
            case "project": return [child]
            case "library", "event": return projects(in: child)
            default: return []
            }
        }
    }

    /// The first clip of an event without a timeline; it is placed at 0.
    private static func loneClip(in root: XMLItem) -> XMLItem? {
        let events = root.all("event") + root.all("library").flatMap { $0.all("event") }
        // Version 1.2 has a project for an event.
        let places = [root] + events + projects(in: root)
        for place in places {
            if var clip = place.children.first(where: { FCPXMLLanes.clips.contains($0.name) }) {
                clip.attributes["offset"] = "0s"
                return clip
            }
        }
        return nil
    }

    private func format(of sequence: XMLItem) -> Composition.Format {
        let format = sequence["format"].flatMap { resources.formats[$0] }
        let rates = [
            "32k": 32_000, "44.1k": 44_100, "48k": 48_000, "88.2k": 88_200, "96k": 96_000,
            "176.4k": 176_400, "192k": 192_000,
        ]
        let layouts = ["mono": "mono", "stereo": "stereo", "surround": "5.1"]
        return Composition.Format(
            size: format?.size, frameRate: format?.frameRate,
            sampleRate: sequence["audioRate"].flatMap { rates[$0] },
            channels: sequence["audioLayout"].flatMap { layouts[$0] })
    }

    // MARK: - Sequences

    /// The tracks of a sequence, whose time counts from its start.
    mutating func tracks(of sequence: XMLItem) throws -> [ExchangeTrack] {
        let zero = try sequence.time("tcStart") ?? .zero
        let rate = sequence["format"].flatMap { resources.formats[$0]?.frameRate }
        var lanes = FCPXMLLanes(rate: rate)
        for spine in sequence.all("spine") {
            try place(spine: spine, at: FCPXMLAxis(local: zero, track: .zero), on: 0, in: &lanes)
        }
        return lanes.tracks
    }

    /// Places what a spine contains.
    mutating func place(
        spine: XMLItem, at axis: FCPXMLAxis, on lane: Int, in lanes: inout FCPXMLLanes
    ) throws {
        var next = axis.local
        for item in spine.children {
            let offset = try item.time("offset") ?? next
            if item.name == "transition" {
                try bounds.visit()
                let start = try axis.track(of: offset)
                let duration = try item.time("duration") ?? .zero
                if duration > .zero {
                    lanes.addTransition(try TimeRange(start: start, duration: duration), on: lane)
                }
                noteTransition(item)
                continue
            }
            guard FCPXMLLanes.clips.contains(item.name) else {
                continue
            }
            let duration = try place(clip: item, at: axis.track(of: offset), on: lane, in: &lanes)
            next = try offset.sum(duration)
        }
    }

    private mutating func noteTransition(_ item: XMLItem) {
        let name = item["name"] ?? ""
        if !name.isEmpty, !name.contains("Dissolve"), !name.contains("Fade") {
            notes.add("The transition \"\(name)\" became a dissolve.")
        }
    }

    // MARK: - Clips

    /// Places a clip, and what is connected to it.
    ///
    /// - Parameter start: in track time.
    /// - Returns: its duration on the track.
    private mutating func place(
        clip item: XMLItem, at start: RationalTime, on lane: Int, in lanes: inout FCPXMLLanes
    ) throws -> RationalTime {
        if item.name == "audition" {
            guard var first = item.children.first(where: { FCPXMLLanes.clips.contains($0.name) })
            else {
                return .zero
            }
            notes.add("Of each audition, only the clip that is picked was read.")
            first.attributes["offset"] = nil
            return try place(clip: first, at: start, on: lane, in: &lanes)
        }
        try bounds.visit()
        let content = try content(of: item)
        let window = try FCPXMLWindow(
            item, assetRange: content.assetRange, media: content.frameRate, sequence: lanes.rate,
            &bounds)
        notes.add(all: window.notes)
        guard window.duration > .zero else {
            return .zero
        }
        if item["enabled"] == "0" {
            notes.add("\(item.title) is switched off and became a gap.")
        } else {
            switch content.kind {
            case .file(let path, let zero, let carries):
                var clip = try TimelineClip(
                    path, name: item["name"],
                    points: try window.points.map {
                        TimeAnchor(source: try $0.source.difference(zero), output: $0.output)
                    })
                let frame = [lanes.rate, content.frameRate].compactMap { $0?.frameDuration }.max()
                try addMarkers(
                    of: item, to: &clip, window, frame ?? FrameGrid.usual.rate.frameDuration)
                clip.blending.gain = gain(of: item, window)
                clip.sampling = window.sampling
                lanes.add(.init(start: start, clip: clip), carries, on: lane)
            case .tracks(let tracks):
                try place(tracks, along: window, at: start, on: lane, in: &lanes)
                noteLost(markersOf: item)
            case .nothing(let reason):
                if let reason {
                    notes.add("\(item.title) \(reason); a gap took its place.")
                }
                noteLost(markersOf: item)
            }
        }
        noteEffects(of: item)
        try place(connectedTo: item, content, window, at: start, lane, &lanes)
        return window.duration
    }

    /// Places the tracks of a compound clip from a lane upwards.
    private mutating func place(
        _ tracks: [ExchangeTrack], along window: FCPXMLWindow, at start: RationalTime, on lane: Int,
        in lanes: inout FCPXMLLanes
    ) throws {
        for (number, track) in tracks.enumerated() {
            let nested = try NestedTrack(track)
            for var placed in try nested.played(along: window.points, at: start, &bounds) {
                if window.sampling != Sampling() {
                    placed.clip.sampling = window.sampling
                }
                lanes.add(placed, track.carries, on: lane, sublane: number)
            }
            if !track.transitions.isEmpty {
                notes.add("Dissolves within compound clips became cuts.")
            }
        }
    }

    private mutating func place(
        connectedTo item: XMLItem, _ content: FCPXMLContent, _ window: FCPXMLWindow,
        at start: RationalTime, _ lane: Int, _ lanes: inout FCPXMLLanes
    ) throws {
        guard !content.includesConnected else {
            return
        }
        for child in item.children {
            guard let own = child.lane, own != 0,
                child.name == "spine" || FCPXMLLanes.clips.contains(child.name)
            else {
                if child.name == "caption" {
                    notes.add("Captions were dropped.")
                }
                continue
            }
            let offset = try child.time("offset") ?? window.start
            let start = try start.sum(window.output(ofLocal: offset))
            if child.name == "spine" {
                try place(
                    spine: child, at: FCPXMLAxis(local: .zero, track: start), on: lane + own,
                    in: &lanes)
            } else {
                _ = try place(clip: child, at: start, on: lane + own, in: &lanes)
            }
        }
    }
}
