import Media
import TimeMaps
import TimeWarp

/// Writes a timeline as an MLT project, in the form of Shotcut's.
struct MLTWriter {
    private let timeline: ExchangeTimeline
    private let grid: FrameGrid
    private let media: ProjectMedia
    private(set) var notes = TimelineNotes()
    private var producers: [XMLItem] = []
    private var count = 0

    init(_ timeline: ExchangeTimeline, _ media: ProjectMedia) {
        self.timeline = timeline
        self.media = media
        grid = FrameGrid(timeline.format.frameRate ?? FrameGrid.usual.rate)
    }

    mutating func root() throws -> XMLItem {
        let ends = try timeline.tracks.flatMap(\.clips).map { try $0.end }
        let length = max(1, grid.frames(ends.max() ?? .zero))
        let black = XMLItem(
            "producer", ["id": "black", "in": "0", "out": "\(length - 1)"],
            [
                .property("length", length), .property("resource", "0"),
                .property("mlt_service", "color"),
            ])
        let background = XMLItem(
            "playlist", ["id": "background"],
            [XMLItem("entry", ["producer": "black", "in": "0", "out": "\(length - 1)"])])
        var playlists: [XMLItem] = []
        for (index, track) in timeline.tracks.enumerated() {
            playlists.append(try playlist(track, "playlist\(index)"))
        }
        let tracks =
            [XMLItem("track", ["producer": "background"])]
            + timeline.tracks.enumerated().map { index, track in
                let hidden: String? =
                    switch track.carries {
                    case .sound: "video"
                    case .video: "audio"
                    case .both: nil
                    }
                return XMLItem("track", ["producer": "playlist\(index)", "hide": hidden])
            }
        var settings: [XMLItem] = [.property("shotcut", 1)]
        settings += try markers()
        let main = XMLItem(
            "tractor", ["id": "main", "in": "0", "out": "\(length - 1)"],
            settings + tracks + mixing)
        return XMLItem(
            "mlt",
            [
                "LC_NUMERIC": "C", "version": "7.12.0", "producer": "main",
                "title": timeline.name.isEmpty ? nil : timeline.name,
            ], [profile, black, background] + producers + playlists + [main])
    }

    private var profile: XMLItem {
        let size = timeline.format.size ?? Composition.Size(known: 1920, height: 1080)
        return XMLItem(
            "profile",
            [
                "width": "\(size.width)", "height": "\(size.height)", "progressive": "1",
                "sample_aspect_num": "1", "sample_aspect_den": "1",
                "display_aspect_num": "\(size.width)", "display_aspect_den": "\(size.height)",
                "frame_rate_num": "\(grid.rate.numerator)",
                "frame_rate_den": "\(grid.rate.denominator)", "colorspace": "709",
            ])
    }

    /// Sound of all tracks is mixed, and upper tracks cover lower ones.
    private var mixing: [XMLItem] {
        timeline.tracks.indices.flatMap { index -> [XMLItem] in
            let track = [XMLItem.property("a_track", 0), .property("b_track", index + 1)]
            let sound = XMLItem(
                "transition", [:],
                track + [
                    .property("mlt_service", "mix"), .property("always_active", 1),
                    .property("sum", 1),
                ])
            let cover = XMLItem(
                "transition", [:],
                track + [
                    .property("mlt_service", "qtblend"), .property("compositing", 0),
                    .property("always_active", 1),
                ])
            return timeline.tracks[index].carries == .sound ? [sound] : [sound, cover]
        }
    }

    // MARK: - Tracks

    private mutating func playlist(_ track: ExchangeTrack, _ id: String) throws -> XMLItem {
        var items: [XMLItem] = []
        if !track.name.isEmpty {
            items.append(.property("shotcut:name", track.name))
        }
        let clips = try OverlappingClip.clips(of: track, grid)
        var place: Int64 = 0
        for (index, clip) in clips.enumerated() {
            if let range = clip.before, clip.isAfterClip, index > 0 {
                items.append(try dissolve(clips[index - 1], clip, range))
                place = range.upperBound
            }
            if clip.start > place {
                items.append(XMLItem("blank", ["length": "\(clip.start - place)"]))
                place = clip.start
            }
            let next = index + 1 < clips.count ? clips[index + 1] : nil
            let end = clip.isBeforeDissolve ? next?.start ?? clip.end : clip.end
            if place < end {
                items.append(try entry(clip, from: place, to: end, withFades: true))
                place = end
            }
        }
        return XMLItem("playlist", ["id": id], items)
    }

    private mutating func dissolve(
        _ outgoing: OverlappingClip, _ incoming: OverlappingClip, _ range: Range<Int64>
    ) throws -> XMLItem {
        let last = range.count - 1
        let tracks = try [outgoing, incoming].map { clip -> XMLItem in
            let part = try entry(
                clip, from: range.lowerBound, to: range.upperBound, withFades: false)
            return XMLItem(
                "track", ["producer": part["producer"], "in": part["in"], "out": part["out"]])
        }
        count += 1
        let id = "transition\(count)"
        func transition(_ service: String, _ more: [XMLItem] = []) -> XMLItem {
            XMLItem(
                "transition", ["in": "0", "out": "\(last)"],
                [
                    .property("a_track", 0), .property("b_track", 1),
                    .property("mlt_service", service),
                ] + more)
        }
        producers.append(
            XMLItem(
                "tractor", ["id": id, "in": "0", "out": "\(last)"],
                [.property("shotcut:transition", "lumaMix")] + tracks
                    + [transition("luma"), transition("mix", [.property("start", -1)])]))
        return XMLItem("entry", ["producer": id, "in": "0", "out": "\(last)"])
    }

    /// An entry of a clip between two frames of the track, with a producer of its own for the whole clip.
    private mutating func entry(
        _ clip: OverlappingClip, from start: Int64, to end: Int64, withFades: Bool
    ) throws -> XMLItem {
        count += 1
        let whole = clip.placed.clip
        let written = try MLTWrittenClip(
            whole, id: "chain\(count)", media.location(of: whole.media), grid,
            duration: media.source(of: whole.media)?.duration, timeline.settings)
        let first = written.first + start - clip.start
        var producer = written.producer
        producer.children += gain(whole.blending.gain, first: written.first)
        if withFades {
            producer.children += fades(clip, first: first, frames: end - start)
        }
        producers.append(producer)
        return XMLItem(
            "entry",
            [
                "producer": producer["id"], "in": "\(first)", "out": "\(first + end - start - 1)",
            ])
    }

    private func gain(_ gain: Gain, first: Int64) -> [XMLItem] {
        guard gain != .unity else {
            return []
        }
        let level: String
        if gain.keyframes.count < 2 {
            level = (gain.keyframes.first?.decibels ?? 0).shortText
        } else {
            level = gain.keyframes.map { "\(grid.frames($0.at))=\($0.decibels.shortText)" }
                .joined(separator: ";")
        }
        return [
            XMLItem(
                "filter", ["in": "\(first)"],
                [.property("mlt_service", "volume"), .property("level", level)])
        ]
    }

    /// Fades of video are a change of brightness here.
    private func fades(_ clip: OverlappingClip, first: Int64, frames: Int64) -> [XMLItem] {
        var result: [XMLItem] = []
        if let range = clip.before, !clip.isAfterClip {
            let length = min(frames, Int64(range.count))
            result += fade("In", from: first, lasting: length, brightness: "0 1", level: "-60 0")
        }
        if let range = clip.fadeOut {
            let length = min(frames, Int64(range.count))
            result += fade(
                "Out", from: first + frames - length, lasting: length, brightness: "1 0",
                level: "0 -60")
        }
        return result
    }

    /// The two filters of a fade. `brightness` and `level` (in decibels) are the values at its start and end.
    private func fade(
        _ direction: String, from start: Int64, lasting length: Int64, brightness: String,
        level: String
    ) -> [XMLItem] {
        [("brightness", "Brightness", brightness), ("volume", "Volume", level)].map { kind in
            let values = kind.2.split(separator: " ")
            return XMLItem(
                "filter", ["in": "\(start)", "out": "\(start + length - 1)"],
                [
                    .property("mlt_service", kind.0),
                    .property("shotcut:filter", "fade\(direction)\(kind.1)"),
                    .property("shotcut:anim\(direction)", length),
                    .property("level", "0=\(values[0]);\(length - 1)=\(values[1])"),
                ])
        }
    }

    // MARK: - Markers

    private mutating func markers() throws -> [XMLItem] {
        var items: [XMLItem] = []
        for placed in timeline.tracks.flatMap(\.clips) {
            for shown in try placed.clip.placesOfMarkers(&notes) {
                let marker = shown.marker
                let at = try grid.frames(placed.start.sum(shown.start))
                items.append(
                    XMLItem(
                        "properties", ["name": "\(items.count)"],
                        [
                            .property("text", marker.name), .property("start", at),
                            .property("end", at), .property("color", colour(of: marker)),
                        ]))
                if marker.duration > .zero || marker.comment != nil {
                    notes.add("Markers in the file have no length and no comment.")
                }
            }
        }
        return items.isEmpty ? [] : [XMLItem("properties", ["name": "shotcut:markers"], items)]
    }

    /// The colour that Shotcut gives a marker.
    static let usualColour = "#008000"

    private mutating func colour(of marker: Marker) -> String {
        guard let text = marker.colour else {
            return Self.usualColour
        }
        return MarkerColour.isHexadecimal(text)
            ? text : MarkerColour.written(for: marker, without: .green, &notes).hexadecimal
    }
}
