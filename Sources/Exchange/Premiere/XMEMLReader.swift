import Foundation
import Media
import TimeMaps
import TimeWarp

/// Reads the timeline of a Premiere file.
///
/// All numbers of frames of a clip (`start`, `end`, `in`, `out`) are at the rate of the sequence, whatever the rate of its
/// file. A `start` or `end` of −1 is where the transition beside it starts or ends: the two clips overlap there.
struct XMEMLReader {
    let files: XMEMLFiles
    var notes = TimelineNotes()
    private let root: XMLItem
    private let media: ProjectMedia
    private var bounds = ReaderBounds()

    init(_ root: XMLItem, _ media: ProjectMedia) {
        self.root = root
        self.media = media
        files = XMEMLFiles(root)
    }

    mutating func timeline() throws -> ExchangeTimeline {
        let sequences = Self.sequences(in: root)
        guard let sequence = sequences.first else {
            throw CompositionError(.unsupported, "it holds no sequence")
        }
        var timeline = ExchangeTimeline(name: sequence.text(of: "name") ?? "")
        if sequences.count > 1 {
            notes.add(
                "Only the sequence \"\(timeline.name)\" was read; the file has \(sequences.count - 1) more."
            )
        }
        timeline.format = format(of: sequence)
        timeline.tracks = try tracks(of: sequence)
        let grid = grid(of: sequence)
        let markers = try sequence.all("marker").compactMap { item in
            try bounds.visit()
            return try item.text(of: "in").flatMap { Double(reading: $0) }.map {
                TimelineMarker(
                    name: item.text(of: "name") ?? "", at: try grid.time($0),
                    comment: item.text(of: "comment"))
            }
        }
        try timeline.attach(markers, &notes)
        return timeline
    }

    /// The sequences that aren't in a clip.
    private static func sequences(in item: XMLItem) -> [XMLItem] {
        item.children.flatMap { child -> [XMLItem] in
            switch child.name {
            case "sequence" where !child.children.isEmpty: return [child]
            case "project", "bin", "children": return sequences(in: child)
            default: return []
            }
        }
    }

    private func grid(of sequence: XMLItem) -> FrameGrid {
        let rate =
            FrameRate(xmeml: sequence.first("rate"))
            ?? FrameRate(
                xmeml: sequence.at("media", "video", "format", "samplecharacteristics", "rate"))
        return rate.map { FrameGrid($0) } ?? .usual
    }

    private func format(of sequence: XMLItem) -> Composition.Format {
        let video = sequence.at("media", "video", "format", "samplecharacteristics")
        let audio = sequence.at("media", "audio", "format", "samplecharacteristics")
        func number(_ item: XMLItem?, _ name: String, in range: ClosedRange<Int>) -> Int? {
            item?.text(of: name).flatMap { Double(reading: $0) }?.whole(in: range)
        }
        let sides = 1...Int(Int32.max)
        let size = Composition.Size(
            stated: number(video, "width", in: sides), number(video, "height", in: sides))
        let channels = number(
            sequence.at("media", "audio"), "numOutputChannels", in: 1...16
        ).flatMap { [1: "mono", 2: "stereo", 6: "5.1"][$0] }
        return Composition.Format(
            size: size, frameRate: grid(of: sequence).rate,
            sampleRate: number(audio, "samplerate", in: 4000...768_000), channels: channels)
    }

    // MARK: - Tracks

    private mutating func tracks(of sequence: XMLItem) throws -> [ExchangeTrack] {
        defer {
            bounds.leave()
        }
        try bounds.enter("sequences")
        try bounds.read(sequence)
        let grid = grid(of: sequence)
        let videos = sequence.at("media", "video")?.all("track") ?? []
        let sounds = sequence.at("media", "audio")?.all("track") ?? []
        var channels = XMEMLChannels()
        return try videos.flatMap { try tracks(of: $0, carrying: .video, grid, &channels) }
            + sounds.flatMap { try tracks(of: $0, carrying: .sound, grid, &channels) }
    }

    /// The track, and tracks of what its nested sequences show on more than one.
    private mutating func tracks(
        of item: XMLItem, carrying carries: Track.Content, _ grid: FrameGrid,
        _ channels: inout XMEMLChannels
    ) throws -> [ExchangeTrack] {
        guard item.text(of: "enabled")?.uppercased() != "FALSE" else {
            notes.add("A track is switched off and was dropped.")
            return []
        }
        var track = ExchangeTrack(carries: carries)
        var nested: [Int: ExchangeTrack] = [:]
        let children = item.children
        for (index, child) in children.enumerated() {
            switch child.name {
            case "transitionitem":
                try bounds.visit()
                if let range = try range(of: child, grid) {
                    track.transitions.append(range)
                    noteTransition(child)
                }
            case "clipitem":
                let place = XMEMLPlace(of: child, at: index, in: children)
                guard let place, channels.isNew(child, at: place.start) else {
                    continue
                }
                try bounds.visit()
                for (layer, part) in try clip(child, place, grid, carries) {
                    if layer == 0 {
                        track.clips.append(part)
                    } else {
                        nested[layer, default: ExchangeTrack(carries: carries)].clips.append(part)
                    }
                }
            case "generatoritem":
                notes.add("Generators such as titles became gaps.")
            default:
                break
            }
        }
        return [track] + nested.sorted { $0.key < $1.key }.map(\.value)
    }

    private func range(of item: XMLItem, _ grid: FrameGrid) throws -> TimeRange? {
        guard let start = item.text(of: "start").flatMap({ Double(reading: $0) }),
            let end = item.text(of: "end").flatMap({ Double(reading: $0) }), start >= 0, start < end
        else {
            return nil
        }
        return try TimeRange(start: grid.time(start), end: grid.time(end))
    }

    private mutating func noteTransition(_ item: XMLItem) {
        let name = item.first("effect")?.text(of: "name") ?? ""
        if !name.isEmpty, !["dissolve", "fade"].contains(where: name.lowercased().contains) {
            notes.add("The transition \"\(name)\" became a dissolve.")
        }
    }

    // MARK: - Clips

    /// A clip, or the clips of the sequence that it shows, each with the number of its layer.
    private mutating func clip(
        _ item: XMLItem, _ place: XMEMLPlace, _ grid: FrameGrid, _ carries: Track.Content
    ) throws -> [(Int, ExchangeTrack.Placed)] {
        let name = item.text(of: "name") ?? ""
        guard item.text(of: "enabled")?.uppercased() != "FALSE" else {
            notes.add("The clip \"\(name)\" is switched off and became a gap.")
            return []
        }
        noteEffects(of: item)
        let file = files.file(of: item)
        let start = try grid.time(place.start)
        let remap = XMEMLTimeRemap(item)
        let points = try points(of: item, remap, place, grid, file)
        let sampling = Sampling(frames: remap?.frames)
        if let file {
            var clip = try TimelineClip(file.path, name: name, points: points)
            clip.blending.gain = gain(of: item, place, grid)
            clip.sampling = sampling
            try addMarkers(of: item, to: &clip, place, grid)
            return [(0, .init(start: start, clip: clip))]
        }
        guard let sequence = files.sequence(of: item) else {
            notes.add("The clip \"\(name)\" names no file; a gap took its place.")
            return []
        }
        var result: [(Int, ExchangeTrack.Placed)] = []
        let layers = try tracks(of: sequence).filter { $0.carries == carries }
        for (layer, track) in layers.enumerated() {
            if !track.transitions.isEmpty {
                notes.add("Dissolves within nested sequences became cuts.")
            }
            let placed = try NestedTrack(track).played(along: points, at: start, &bounds)
            result += placed.map { placed in
                var placed = placed
                placed.clip.sampling = remap == nil ? placed.clip.sampling : sampling
                return (layer, placed)
            }
        }
        return result
    }

    private mutating func points(
        of item: XMLItem, _ remap: XMEMLTimeRemap?, _ place: XMEMLPlace, _ grid: FrameGrid,
        _ file: XMEMLFiles.File?
    ) throws -> [TimeAnchor] {
        let frames = place.end - place.start
        if let remap {
            try bounds.add(points: remap.pointCount(lasting: frames))
            if remap.isStraightened {
                notes.add("The speed of \"\(item.text(of: "name") ?? "")\" became straight lines.")
            }
            return try remap.points(
                from: place.first, lasting: frames, on: grid, stated: file?.duration
            ) {
                if let duration = file?.duration {
                    return duration
                }
                return try file.map { try media.duration(of: $0.path) } ?? .zero
            }
        }
        let first = try place.exactFirst(of: item, grid)
        return [
            TimeAnchor(source: first, output: .zero),
            TimeAnchor(source: try first.sum(grid.time(frames)), output: try grid.time(frames)),
        ]
    }

    private mutating func addMarkers(
        of item: XMLItem, to clip: inout TimelineClip, _ place: XMEMLPlace, _ grid: FrameGrid
    ) throws {
        for child in item.all("marker") {
            try bounds.visit()
            guard let at = child.text(of: "in").flatMap({ Double(reading: $0) }) else {
                continue
            }
            let end = child.text(of: "out").flatMap { Double(reading: $0) } ?? -1
            let name = child.text(of: "name") ?? ""
            do {
                try clip.addMarker(
                    name, at: grid.time(at - place.first),
                    lasting: grid.time(max(0, end - at)), comment: child.text(of: "comment"))
            } catch let error as CompositionError {
                notes.add("The marker \"\(name)\" was dropped: \(error).")
            }
        }
    }

    private func gain(of item: XMLItem, _ place: XMEMLPlace, _ grid: FrameGrid) -> Gain {
        let effects = item.all("filter").compactMap { $0.first("effect") }
        let levels = effects.first { $0.text(of: "effectid")?.lowercased() == "audiolevels" }
        guard
            let level = levels?.all("parameter").first(where: {
                $0.text(of: "parameterid") == "level"
            })
        else {
            return .unity
        }
        func decibels(_ item: XMLItem) -> Double? {
            item.text(of: "value").flatMap { Double(reading: $0) }.map { factor in
                // Factors are written with few digits.
                (Gain.decibels(ofFactor: factor) * 1000).rounded() / 1000
            }
        }
        var keyframes: [(at: RationalTime, decibels: Double)] = []
        for key in level.all("keyframe") {
            guard let when = key.text(of: "when").flatMap({ Double(reading: $0) }),
                let value = decibels(key), let at = try? grid.time(when - place.first), at >= .zero,
                keyframes.last.map({ $0.at < at }) ?? true
            else {
                continue
            }
            keyframes.append((at, value))
        }
        if keyframes.isEmpty, let constant = decibels(level) {
            keyframes = [(.zero, constant)]
        }
        return (try? Gain(keyframes)) ?? .unity
    }

    private mutating func noteEffects(of item: XMLItem) {
        // These are on every clip that Resolve and Premiere write.
        let harmless = ["timeremap", "audiolevels", "basic", "opacity", "crop", "audiopan"]
        for filter in item.all("filter") {
            guard let effect = filter.first("effect"), let id = effect.text(of: "effectid"),
                !harmless.contains(id.lowercased())
            else {
                continue
            }
            notes.add("The effect \"\(effect.text(of: "name") ?? id)\" was dropped.")
        }
    }
}
