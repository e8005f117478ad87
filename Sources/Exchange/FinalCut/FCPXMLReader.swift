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

    /// The first clip of an event without a project; it is placed at 0.
    private static func loneClip(in root: XMLItem) -> XMLItem? {
        let places = [root] + root.all("event") + root.all("library").flatMap { $0.all("event") }
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
        let zero = try time(sequence, "tcStart") ?? .zero
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
            let offset = try time(item, "offset") ?? next
            if item.name == "transition" {
                let start = try axis.track(of: offset)
                let duration = try time(item, "duration") ?? .zero
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
            item, assetRange: content.assetRange, media: content.frameRate, sequence: lanes.rate)
        notes.add(all: window.notes)
        guard window.duration > .zero else {
            return .zero
        }
        if item["enabled"] == "0" {
            notes.add("\(title(of: item)) is switched off and became a gap.")
        } else {
            let points = window.points
            switch content.kind {
            case .file(let path, let zero, let carries):
                var clip = TimelineClip(
                    path, name: item["name"],
                    points: try points.map {
                        TimeAnchor(source: try $0.source.difference(zero), output: $0.output)
                    })
                try addMarkers(of: item, to: &clip, window)
                clip.blending.gain = gain(of: item, window)
                lanes.add(.init(start: start, clip: clip), carries, on: lane)
            case .tracks(let tracks):
                try place(tracks, along: points, at: start, on: lane, in: &lanes)
                noteLost(markersOf: item)
            case .nothing(let reason):
                if let reason {
                    notes.add("\(title(of: item)) \(reason); a gap took its place.")
                }
                noteLost(markersOf: item)
            }
        }
        noteEffects(of: item)
        try place(
            connectedTo: item, content, FCPXMLAxis(local: window.start, track: start), lane, &lanes)
        return window.duration
    }

    /// Places the tracks of a compound clip from a lane upwards.
    private mutating func place(
        _ tracks: [ExchangeTrack], along points: [TimeAnchor], at start: RationalTime, on lane: Int,
        in lanes: inout FCPXMLLanes
    ) throws {
        for (number, track) in tracks.enumerated() {
            for placed in try track.played(along: points, at: start) {
                try bounds.visit()
                lanes.add(placed, track.carries, on: lane, sublane: number)
            }
            if !track.transitions.isEmpty {
                notes.add("Dissolves within compound clips became cuts.")
            }
        }
    }

    private mutating func place(
        connectedTo item: XMLItem, _ content: FCPXMLContent, _ axis: FCPXMLAxis, _ lane: Int,
        _ lanes: inout FCPXMLLanes
    ) throws {
        guard !content.includesConnected else {
            return
        }
        for child in item.children {
            guard let own = child["lane"].flatMap(Int.init), own != 0, abs(own) < 10_000,
                child.name == "spine" || FCPXMLLanes.clips.contains(child.name)
            else {
                if child.name == "caption" {
                    notes.add("Captions were dropped.")
                }
                continue
            }
            let start = try axis.track(of: time(child, "offset") ?? axis.local)
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

// MARK: - Attributes

extension FCPXMLReader {
    func time(_ item: XMLItem, _ attribute: String) throws -> RationalTime? {
        do {
            return try item[attribute].map { try RationalTime(finalCut: $0) }
        } catch {
            throw CompositionError(.malformed, "\(attribute) of \(title(of: item)): \(error)")
        }
    }

    func title(of item: XMLItem) -> String {
        "the \(item.name) \"\(item["name"] ?? item["ref"] ?? "")\""
    }

    private mutating func addMarkers(
        of item: XMLItem, to clip: inout TimelineClip, _ window: FCPXMLWindow
    ) throws {
        for child in item.children where ["marker", "chapter-marker"].contains(child.name) {
            let at = try time(child, "start") ?? window.start
            let lasting = try time(child, "duration") ?? .zero
            let place = try window.output(ofLocal: at)
            let name = child["value"] ?? ""
            do {
                // A marker of one frame is a point.
                try clip.addMarker(
                    name, at: place, lasting: isPoint(lasting) ? .zero : lasting,
                    comment: child["note"])
            } catch let error as CompositionError {
                notes.add("The marker \"\(name)\" was dropped: \(error).")
            }
        }
    }

    /// Markers are one frame long unless somebody draws them longer.
    private func isPoint(_ duration: RationalTime) -> Bool {
        duration.seconds < 1.0 / 20
    }

    private mutating func noteLost(markersOf item: XMLItem) {
        if item.children.contains(where: { $0.name == "marker" || $0.name == "chapter-marker" }) {
            notes.add("Markers that are on no media file were dropped.")
        }
    }

    private mutating func gain(of item: XMLItem, _ window: FCPXMLWindow) -> Gain {
        guard let volume = item.first("adjust-volume") else {
            return .unity
        }
        func decibels(_ text: String?) -> Double? {
            guard let text else {
                return nil
            }
            return Double(text.replacing("dB", with: "")).map {
                min(max($0, Gain.limits.lowerBound), Gain.limits.upperBound)
            }
        }
        let frames = volume.deep("keyframeAnimation")?.all("keyframe") ?? []
        var keyframes: [(at: RationalTime, decibels: Double)] = []
        for frame in frames {
            guard let text = frame["time"], let time = try? RationalTime(finalCut: text),
                let at = try? window.output(ofLocal: time), let value = decibels(frame["value"]),
                at >= .zero, at <= window.duration, keyframes.last.map({ $0.at < at }) ?? true
            else {
                continue
            }
            keyframes.append((at, value))
        }
        if keyframes.isEmpty, let constant = decibels(volume["amount"]) {
            keyframes = [(.zero, constant)]
        }
        return (try? Gain(keyframes)) ?? .unity
    }

    private mutating func noteEffects(of item: XMLItem) {
        for child in item.children {
            switch child.name {
            case "filter-video", "filter-audio", "filter-video-mask":
                notes.add("The effect \"\(child["name"] ?? child.name)\" was dropped.")
            case "adjust-crop", "adjust-transform", "adjust-blend", "adjust-corners",
                "adjust-stabilization":
                if Self.changes(child) {
                    notes.add("Positions, scales, crops and opacities of frames were dropped.")
                }
            case "adjust-panner":
                notes.add("Panning was dropped.")
            default:
                break
            }
        }
    }

    /// Whether an adjustment is other than what it is by default.
    private static func changes(_ item: XMLItem) -> Bool {
        let defaults = [
            "scale": "1 1", "position": "0 0", "anchor": "0 0", "rotation": "0", "enabled": "1",
            "amount": "1", "mode": "fit",
        ]
        return !item.children.isEmpty || item.attributes.contains { defaults[$0.key] != $0.value }
    }
}
