import Media
import TimeMaps
import TimeWarp

/// Reads the timeline of an MLT project.
///
/// Its elements refer to each other by `id`: a tractor has tracks, which are playlists; a playlist has entries of producers,
/// and blanks. `in` and `out` are both shown, so that an entry lasts `out − in + 1` frames.
struct MLTReader {
    let media: ProjectMedia
    let clock: MLTClock
    var grid: FrameGrid { clock.grid }
    var notes = TimelineNotes()
    let root: XMLItem
    private var elements: [String: XMLItem] = [:]
    var bounds = ReaderBounds()

    init(_ root: XMLItem, _ media: ProjectMedia) {
        self.root = root
        self.media = media
        let profile = root.first("profile")
        let top = profile?["frame_rate_num"].flatMap { Int32($0) } ?? 25
        let bottom = profile?["frame_rate_den"].flatMap { Int32($0) } ?? 1
        let isRate = top > 0 && bottom > 0 && (0.5...1000).contains(Double(top) / Double(bottom))
        clock = MLTClock(
            grid: FrameGrid(isRate ? FrameRate(known: top, over: bottom) : FrameRate(known: 25)))
        collect(root)
    }

    private mutating func collect(_ item: XMLItem) {
        for child in item.children where child.name != "property" {
            if let id = child["id"] {
                elements[id] = child
            }
            collect(child)
        }
    }

    mutating func timeline() throws -> ExchangeTimeline {
        let tractors = root.all("tractor")
        // Kdenlive names its bin of clips there.
        let named = root["producer"].flatMap { elements[$0] }
        let list = named?.name == "playlist" ? named : root.all("playlist").last
        var main =
            named?.name == "tractor" ? named : tractors.last ?? list ?? loneProducer
        // Newer versions of Kdenlive have one tractor more around the sequence.
        for _ in 0..<4 {
            if let tracks = main?.all("track"), tracks.count == 1,
                let inner = tracks[0]["producer"].flatMap({ elements[$0] }),
                inner.name == "tractor",
                inner.property("kdenlive:uuid") != nil
                    || main?.property("kdenlive:projectTractor") != nil
            {
                main = inner
            }
        }
        guard let main else {
            throw CompositionError(.unsupported, "it holds no tractor, playlist or producer")
        }
        var timeline = ExchangeTimeline(name: root["title"] ?? "")
        timeline.format.frameRate = grid.rate
        timeline.format.size = Composition.Size(
            stated: root.first("profile")?["width"].flatMap { Int($0) },
            root.first("profile")?["height"].flatMap { Int($0) })
        timeline.tracks = try tracks(of: main, hiding: nil)
        try timeline.attach(markers(of: main), &notes)
        return timeline
    }

    /// The last producer of a file that has nothing else, as a playlist.
    private var loneProducer: XMLItem? {
        let producer = root.children.last { ["producer", "chain"].contains($0.name) }
        return producer.map {
            XMLItem("playlist", [:], [XMLItem("entry", ["producer": $0["id"]])])
        }
    }

    // MARK: - Tracks

    /// The tracks of a tractor or a playlist, from the lowest.
    private mutating func tracks(of item: XMLItem, hiding hidden: String?) throws -> [ExchangeTrack]
    {
        defer {
            bounds.leave()
        }
        try bounds.enter("tractors")
        try bounds.read(item)
        guard item.name == "tractor" else {
            return try [track(of: item, hiding: hidden)].compactMap { $0 }
        }
        var result: [ExchangeTrack] = []
        for reference in item.all("track") {
            guard let inner = reference["producer"].flatMap({ elements[$0] }) else {
                continue
            }
            let hidden =
                reference["hide"] ?? inner["hide"]
                ?? inner.property("hide").flatMap { ["1": "video", "2": "audio", "3": "both"][$0] }
            if hidden == "both" {
                notes.add("A track is switched off and was dropped.")
            } else if inner.name == "tractor", isTrack(inner) {
                result += try [mixedTrack(inner)].compactMap { $0 }
            } else if inner.name == "playlist" || inner.name == "tractor" {
                result += try tracks(of: inner, hiding: hidden)
            }
        }
        return result
    }

    /// Whether a tractor is a track of Kdenlive, which has two playlists for the clips of a dissolve.
    private func isTrack(_ item: XMLItem) -> Bool {
        item.property("kdenlive:uuid") == nil
            && item.all("track").allSatisfy { track in
                track["producer"].flatMap { elements[$0] }?.name == "playlist"
            }
    }

    /// A track of Kdenlive: where clips of its two playlists overlap, they dissolve.
    private mutating func mixedTrack(_ item: XMLItem) throws -> ExchangeTrack? {
        var result: ExchangeTrack?
        for reference in item.all("track") {
            guard let list = reference["producer"].flatMap({ elements[$0] }),
                let track = try track(of: list, hiding: reference["hide"])
            else {
                continue
            }
            result = result ?? ExchangeTrack(name: track.name, carries: track.carries)
            result?.clips += track.clips
            result?.transitions += track.transitions
        }
        guard var track = result else {
            return nil
        }
        track.name = item.property("kdenlive:track_name") ?? track.name
        track.clips.sort { $0.start < $1.start }
        for (clip, next) in zip(track.clips, track.clips.dropFirst()) {
            let end = try clip.end
            if next.start < end, next.start > clip.start, try next.end > end {
                track.transitions.append(try TimeRange(start: next.start, end: end))
            }
        }
        return track
    }

    private mutating func track(of list: XMLItem, hiding hidden: String?) throws -> ExchangeTrack? {
        let isMain = list.children.allSatisfy { item in
            item.name != "entry" || isBlack(item["producer"].flatMap { elements[$0] })
        }
        if isMain {
            return nil
        }
        let carries: Track.Content =
            switch hidden {
            case "video": .sound
            case "audio": .video
            default: .both
            }
        var track = ExchangeTrack(name: list.property("shotcut:name") ?? "", carries: carries)
        var layers: [Int: [ExchangeTrack.Placed]] = [:]
        var place: Int64 = 0
        for item in list.children {
            switch item.name {
            case "blank":
                try bounds.visit()
                place += max(0, clock.whole(item["length"]) ?? 0)
            case "entry":
                place += try add(item, at: place, to: &track, &layers)
            default:
                break
            }
        }
        if !layers.isEmpty {
            notes.add("Of nested sequences, only the lowest track was read.")
        }
        try track.joinContinued()
        let fades = try MLTFilters.fades(of: [list], clock)
        if let first = track.clips.indices.first, track.clips[first].start == .zero {
            track.clips[first].clip.fade(in: fades.in, out: .zero)
        }
        if let last = track.clips.indices.last {
            track.clips[last].clip.fade(in: .zero, out: fades.out)
        }
        noteFilters(of: list)
        return track
    }

    private func isBlack(_ item: XMLItem?) -> Bool {
        guard let item else {
            return true
        }
        let resource = item.property("resource") ?? ""
        let isColour = ["color", "colour"].contains(item.property("mlt_service") ?? "")
        return item["id"] == "black" || item["id"] == "black_track"
            || (isColour
                && ["black", "#00000000", "0", "#ff000000", "0x000000ff"].contains(
                    resource.lowercased()))
    }

    // MARK: - Entries

    /// - Returns: how many frames the entry lasts.
    private mutating func add(
        _ entry: XMLItem, at place: Int64, to track: inout ExchangeTrack,
        _ layers: inout [Int: [ExchangeTrack.Placed]]
    ) throws -> Int64 {
        try bounds.visit()
        guard let producer = entry["producer"].flatMap({ elements[$0] }) else {
            notes.add("An entry refers to a producer that isn't in the file; a gap took its place.")
            return try length(of: entry, nil)
        }
        let frames = try length(of: entry, producer)
        guard frames > 0 else {
            return 0
        }
        let first = clock.whole(entry["in"]) ?? 0
        let start = try grid.time(place)
        if producer.name == "tractor" || producer.name == "playlist" {
            if let dissolve = try dissolve(producer, at: place, lasting: frames) {
                track.clips += dissolve
                track.transitions.append(
                    try TimeRange(start: start, duration: grid.time(frames)))
                return frames
            }
            let points = [
                TimeAnchor(source: try grid.time(first), output: .zero),
                TimeAnchor(source: try grid.time(first + frames), output: try grid.time(frames)),
            ]
            let inner = try tracks(of: producer, hiding: nil)
            for (layer, nested) in inner.enumerated() {
                let placed = try NestedTrack(nested).played(along: points, at: start, &bounds)
                if layer == 0 {
                    track.clips += placed
                } else {
                    layers[layer, default: []] += placed
                }
            }
            return frames
        }
        track.clips += try clips(
            producer, entry: entry, from: first, lasting: frames, at: place)
        return frames
    }

    private func length(of entry: XMLItem, _ producer: XMLItem?) throws -> Int64 {
        let first = clock.whole(entry["in"]) ?? 0
        if let last = clock.whole(entry["out"]) {
            return max(0, last - first + 1)
        }
        guard let producer else {
            return 0
        }
        if let last = clock.whole(producer["out"]) {
            return max(0, last - (clock.whole(producer["in"]) ?? 0) - first + 1)
        }
        let length =
            try clock.whole(producer.property("length"))
            ?? MLTSource(producer, root: root["root"]).map { source in
                let all =
                    try media.duration(of: source.path).seconds / (source.speed?.magnitude ?? 1)
                return Int64(nearest: (all * grid.rate.framesPerSecond).rounded(.down))
            }
        return max(0, (length ?? 0) - first)
    }

    /// The two clips of a dissolve as Shotcut writes it: a small tractor with the end of one and the beginning of the other.
    private mutating func dissolve(
        _ tractor: XMLItem, at place: Int64, lasting frames: Int64
    ) throws -> [ExchangeTrack.Placed]? {
        let isMixed = tractor.all("transition").contains {
            ["luma", "mix", "movit.luma_mix"].contains($0.property("mlt_service") ?? "")
        }
        let tracks = tractor.all("track")
        guard isMixed, tracks.count == 2 else {
            return nil
        }
        return try tracks.flatMap { track -> [ExchangeTrack.Placed] in
            guard let producer = track["producer"].flatMap({ elements[$0] }) else {
                return []
            }
            let first = clock.whole(track["in"]) ?? 0
            return try clips(producer, entry: track, from: first, lasting: frames, at: place)
        }
    }

    /// An entry of a file as clips: one, or more where its time map jumps.
    private mutating func clips(
        _ producer: XMLItem, entry: XMLItem, from first: Int64, lasting frames: Int64,
        at place: Int64
    ) throws -> [ExchangeTrack.Placed] {
        try bounds.read(producer)
        let name = producer.property("resource") ?? producer["id"] ?? ""
        do {
            guard let source = try MLTSource(producer, root: root["root"]) else {
                if !isBlack(producer) {
                    notes.add("\"\(name)\" is no media file; a gap took its place.")
                }
                return []
            }
            let clips = try clips(of: source, producer, entry, from: first, lasting: frames)
            noteFilters(of: producer)
            noteFilters(of: entry)
            return try clips.map { offset, clip in
                .init(start: try grid.time(place).sum(offset), clip: clip)
            }
        } catch let error where error is CompositionError || error is TimeError {
            notes.add("A clip of \(name) became a gap: \(error).")
            return []
        }
    }

    private mutating func clips(
        of source: MLTSource, _ producer: XMLItem, _ entry: XMLItem, from first: Int64,
        lasting frames: Int64
    ) throws -> [(offset: RationalTime, clip: TimelineClip)] {
        let media = media
        let (runs, sampling) = try source.runs(
            of: producer, entry, from: first, lasting: frames, clock, &bounds,
            mediaEnd: { media.source(of: source.path)?.duration },
            mediaDuration: { try media.duration(of: source.path) })
        let gain = try MLTFilters.gain(of: [entry, producer], clock, from: first)
        let fades = try MLTFilters.fades(of: [entry, producer], clock)
        var clips = try runs.map { points in
            let start = points[0].output
            var clip = try TimelineClip(
                source.path, name: source.name,
                points: points.map {
                    TimeAnchor(source: $0.source, output: try $0.output.difference(start))
                })
            clip.blending.gain = gain
            clip.sampling = sampling
            return (offset: start, clip: clip)
        }
        if let last = clips.indices.last {
            clips[0].clip.markers = try source.markers(on: grid, &bounds)
            clips[0].clip.fade(in: fades.in, out: .zero)
            clips[last].clip.fade(in: .zero, out: fades.out)
        }
        return clips
    }

    private mutating func noteFilters(of item: XMLItem) {
        for filter in item.all("filter") where filter.property("disable") != "1" {
            let service = filter.property("mlt_service") ?? ""
            if !MLTFilters.known.contains(service), filter.property("internal_added") == nil {
                notes.add("The filter \"\(service)\" was dropped.")
            }
        }
    }
}
