import Media
import TimeMaps
import TimeWarp

/// Writes a composition as the objects of an OpenTimelineIO file.
struct OTIOWriter {
    let composition: Composition
    let mediaDurations: [String: RationalTime]
    private(set) var notes = TimelineNotes()

    /// The frame duration for compositions whose format has no frame rate: the shortest usual one.
    private static let shortestFrame = 1.0 / 60

    private var rate: FrameRate? { composition.format.frameRate }

    init(_ composition: Composition, mediaDurations: [String: RationalTime]) {
        self.composition = composition
        self.mediaDurations = mediaDurations
    }

    mutating func timeline() throws -> OTIOObject {
        let stack = OTIOObject.item("Stack.1", name: "tracks")
        var (videoTracks, sounds): ([OTIOObject], [OTIOObject]) = ([], [])
        for (index, track) in composition.tracks.enumerated() {
            if track.carries != .sound {
                videoTracks.append(try object(track, index, kind: "Video"))
            }
            if track.carries != .video {
                sounds.append(try object(track, index, kind: "Audio"))
            }
        }
        stack.children = videoTracks + sounds
        let timeline = OTIOObject("Timeline.1", name: composition.name)
        timeline.tracks = stack
        timeline.metadata?.timewarp = OTIOOurs(
            version: Composition.fileVersion, format: FileFormat(composition.format))
        return timeline
    }

    private mutating func object(
        _ track: Track, _ index: Int, kind: String
    ) throws -> OTIOObject {
        let object = OTIOObject.item("Track.1", name: track.name)
        object.kind = kind
        object.metadata?.timewarp = OTIOOurs(track: index, carries: track.carries)
        // The audio of a track that carries both repeats the video's segments without their markers.
        let isRepeated = track.carries == .both && kind == "Audio"
        var items: [OTIOObject] = []
        for (number, segment) in track.segments.enumerated() {
            var segment = segment
            if isRepeated {
                segment.markers = []
            }
            let place = "segment \(number + 1) of track \"\(track.name)\""
            let follows = number > 0 && !track.segments[number - 1].isGap
            if follows, segment.blending.dissolve > .zero {
                items.append(try dissolve(segment.blending.dissolve))
            }
            items += try objects(segment, place: place, follows: follows)
        }
        object.children = items
        return object
    }

    /// A dissolve, of which half lies before the cut and half after.
    private func dissolve(_ duration: RationalTime) throws -> OTIOObject {
        let transition = OTIOObject("Transition.1", name: "Dissolve")
        transition.transitionType = "SMPTE_Dissolve"
        let half = try duration.multiplied(by: 1, over: 2)
        transition.inOffset = OTIOTime(half, frames: rate)
        transition.outOffset = OTIOTime(half, frames: rate)
        return transition
    }

    private mutating func objects(
        _ segment: Segment, place: String, follows: Bool
    ) throws -> [OTIOObject] {
        guard let clip = segment.clip else {
            let gap = OTIOObject.item("Gap.1", name: "")
            gap.sourceRange = OTIORange(.zero, lasting: segment.duration, frames: rate)
            return [gap]
        }
        let frame = rate?.frameDuration.seconds ?? Self.shortestFrame
        let rules = LineRules(tolerance: frame / 4, clipsAreLines: true)
        let (clips, error) = try TimelineClip.clips(of: segment, clip, rules)
        let items = clips.map { object($0.clip) }
        if items.count == 1, isPlain(items[0], segment) {
            return items
        }
        try mark(items, as: segment, error)
        let dissolve = follows ? segment.blending.dissolve : .zero
        if segment.blending != Blending(dissolve: dissolve) {
            notes.add("Other programs don't see the fades and the gain of \(place).")
        }
        if error > LineRules.exact {
            let clips = items.count == 1 ? "1 clip" : "\(items.count) clips"
            notes.add(
                "Other programs see \(place) as \(clips) of constant speed, at most "
                    + "\(error) s from the original.")
        }
        return items
    }

    /// - Parameter clip: of one line.
    private func object(_ clip: TimelineClip) -> OTIOObject {
        let name = clip.name ?? PlacedClip.fileName(of: clip.media)
        let object = OTIOObject.item("Clip.2", name: name)
        object.sourceRange = OTIORange(
            min(clip.ends.first, clip.ends.last), lasting: clip.duration, frames: rate)
        object.markers = clip.markers.map(self.object)
        let reference = OTIOObject("ExternalReference.1")
        // Some programs on Windows write paths, and read them.
        reference.targetURL =
            clip.media.contains("\\") ? clip.media : MediaLocation.url(ofPath: clip.media)
        reference.availableRange = mediaDurations[clip.media].map {
            OTIORange(.zero, lasting: $0, frames: rate)
        }
        object.mediaReferences = ["DEFAULT_MEDIA": reference]
        object.activeMediaReferenceKey = "DEFAULT_MEDIA"
        guard !clip.isPlain else {
            return object
        }
        let kind = clip.isFrozen ? "FreezeFrame" : "LinearTimeWarp"
        let effect = OTIOObject(kind + ".1")
        effect.effectName = kind
        effect.enabled = true
        effect.timeScalar = clip.speed
        object.effects = [effect]
        return object
    }

    /// Whether reading the item without TimeWarp's metadata gives an equal segment.
    private func isPlain(_ item: OTIOObject, _ segment: Segment) -> Bool {
        let frame = (rate ?? FrameGrid.usual.rate).frameDuration
        let reading = try? OTIOClip(item).clip.segment(frame)
        return reading?.clip == segment.clip && reading?.duration == segment.duration
            && segment.blending == .none
    }

    /// Stores the segment in the first item's metadata, and in each item's metadata its present values.
    private func mark(_ items: [OTIOObject], as segment: Segment, _ error: Double) throws {
        var bare = segment
        bare.markers = []
        for (index, item) in items.enumerated() {
            item.metadata?.timewarp = try OTIOOurs(
                segment: index == 0 ? FileSegment(bare).text() : nil, piece: index, of: items.count,
                error: index == 0 ? error : nil, written: OTIOClip(item).written)
        }
    }

    private func object(_ marker: Marker) -> OTIOObject {
        let object = OTIOObject("Marker.2", name: marker.name)
        object.markedRange = OTIORange(marker.at, lasting: marker.duration, frames: rate)
        object.comment = marker.comment ?? ""
        object.color = OTIOColour(marker.colour ?? Self.anyColour)
        if marker.colour == nil {
            object.metadata?.timewarp = OTIOOurs(isColourless: true)
        }
        return object
    }

    /// The format has no markers without a colour.
    static let anyColour = "RED"
}
