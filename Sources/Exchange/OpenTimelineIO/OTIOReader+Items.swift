import TimeMaps
import TimeWarp

extension OTIOReader {
    /// Puts items on a track, one after the other.
    ///
    /// - Returns: the track, and above it those that nested stacks have more of.
    mutating func row(
        _ items: [OTIOObject], on empty: ExchangeTrack
    ) throws -> [ExchangeTrack] {
        var tracks = [empty]
        var transition: OTIOObject?
        var index = 0
        while index < items.count {
            let item = items[index]
            if item.kindOfSchema == "Transition" {
                (transition, index) = (item, index + 1)
                continue
            }
            let (cut, next) = (tracks[0].length, tracks[0].clips.count)
            let place = "Track \"\(empty.name)\": \(item.title)"
            if var own = try ownClip(items[index...], place) {
                // Its dissolve is in its metadata, too, but the transition counts.
                if try tracks[0].clips.last?.end == cut {
                    own.clip.blending.dissolve = .zero
                }
                try tracks[0].append(own.clip)
                index += own.count
            } else {
                try add(item, to: &tracks, place)
                index += 1
            }
            try join(transition, at: cut, before: next, &tracks[0])
            transition = nil
        }
        try join(transition, at: tracks[0].length, before: tracks[0].clips.count, &tracks[0])
        return tracks
    }

    /// Lets the clips on both sides of a cut dissolve.
    ///
    /// - Parameter next: the number that a clip has which starts at the cut.
    private mutating func join(
        _ transition: OTIOObject?, at cut: RationalTime, before next: Int,
        _ track: inout ExchangeTrack
    ) throws {
        guard let transition else {
            return
        }
        let isBefore = try next > 0 && track.clips[next - 1].end == cut
        let isAfter = next < track.clips.count && track.clips[next].start == cut
        let (outgoing, incoming) = (isBefore ? next - 1 : nil, isAfter ? next : nil)
        let place = "Track \"\(track.name)\": the transition \"\(transition.name ?? "")\""
        let before = try max(.zero, transition.inOffset?.time ?? .zero)
        let after = try max(.zero, transition.outOffset?.time ?? .zero)
        guard before > .zero || after > .zero else {
            notes.add("\(place) has no length and became a cut.")
            return
        }
        let words = transition.transitionType ?? ""
        if words != "SMPTE_Dissolve" {
            notes.add("\(place) (\(words)) became a dissolve.")
        }
        let range = try TimeRange(start: cut.difference(before), end: cut.sum(after))
        let shift = try after.difference(before).multiplied(by: 1, over: 2)
        if try !track.dissolve(outgoing, incoming, over: range, at: cut.sum(shift)) {
            notes.add("\(place) has no clips that are long enough and became a cut.")
        }
    }

    /// Puts an item at the end of the lowest track. What can't be shown becomes a gap.
    private mutating func add(
        _ item: OTIOObject, to tracks: inout [ExchangeTrack], _ place: String
    ) throws {
        let name = tracks[0].name
        switch item.kindOfSchema {
        case "Clip" where item.isEnabled:
            if let clip = try clip(item, place) {
                try tracks[0].append(clip)
                return
            }
        case "Track" where item.isEnabled, "Stack" where item.isEnabled:
            try addNested(item, to: &tracks, place)
            return
        case "Gap":
            noteExtras(of: item, called: "a gap in track \"\(name)\"")
        case "Clip", "Track", "Stack":
            notes.add("Track \"\(name)\": \(item.title) is switched off and became a gap.")
        default:
            notes.add(
                "Track \"\(name)\": a \(item.schema) can't be placed on a track; "
                    + "a gap took its place.")
        }
        tracks[0].length = try tracks[0].length.sum(length(of: item))
    }

    /// Puts what a track or a stack in a track shows at the track's end, and its upper layers on tracks above.
    private mutating func addNested(
        _ item: OTIOObject, to tracks: inout [ExchangeTrack], _ place: String
    ) throws {
        let (start, carries) = (tracks[0].length, tracks[0].carries)
        // What is switched off in it takes its time, too.
        tracks[0].length = try start.sum(length(of: item))
        let nested: [ExchangeTrack]
        do {
            nested = try self.tracks(of: item)
        } catch let error as TimeError {
            notes.add("\(place) became a gap: \(error).")
            return
        }
        // In a video track only the video of a nested timeline is shown, and of sound only its sound.
        let layers = nested.filter {
            $0.carries == carries || [carries, $0.carries].contains(.both)
        }
        if layers.isEmpty, !nested.isEmpty {
            notes.add(
                "\(place) holds only \(carries == .sound ? "pictures" : "sound") and became a gap.")
        }
        for (number, layer) in layers.enumerated() {
            if number == tracks.count {
                tracks.append(ExchangeTrack(name: tracks[0].name, carries: carries))
            }
            tracks[number].clips += try layer.clips.map {
                .init(start: try start.sum($0.start), clip: $0.clip)
            }
        }
    }

    /// The duration of an item on its track.
    private func length(of item: OTIOObject) throws -> RationalTime {
        if let range = item.sourceRange {
            return try max(.zero, range.duration.time)
        }
        switch item.kindOfSchema {
        case "Clip":
            if let range = item.activeReference?.usableRange {
                return range.duration
            }
            guard let url = item.activeReference?.targetURL else {
                return .zero
            }
            return try media.duration(of: MediaLocation.path(ofURL: url))
        case "Track":
            return try (item.children ?? []).reduce(.zero) { try $0.sum(length(of: $1)) }
        case "Stack":
            return try (item.children ?? []).map { try length(of: $0) }.max() ?? .zero
        default:
            return .zero
        }
    }

    // MARK: - Clips

    /// A clip as any program writes it; nil if a gap of its length takes its place.
    private mutating func clip(_ item: OTIOObject, _ place: String) throws -> TimelineClip? {
        noteExtras(of: item, called: item.title)
        guard try item.sourceRange == nil || length(of: item) > .zero else {
            notes.add("\(place) has no duration and was dropped.")
            return nil
        }
        if let reference = item.activeReference, reference.kindOfSchema != "ExternalReference",
            item.mediaName == nil
        {
            let kind = reference.kindOfSchema
            notes.add("\(place) has no file but a \(kind); a gap took its place.")
            return nil
        }
        do {
            let plain = try OTIOClip(item, mediaDuration: media.duration(of:))
            guard plain.points.contains(where: { $0.source >= .zero }) else {
                throw CompositionError(.malformed, "all of its range is before its file")
            }
            var clip = try plain.clip
            clip.markers = markers(of: item, plain, place)
            note(plain, of: item, place)
            return clip
        } catch let error where error is CompositionError || error is TimeError {
            notes.add("\(place) became a gap: \(error).")
            return nil
        }
    }

    private mutating func note(_ plain: OTIOClip, of item: OTIOObject, _ place: String) {
        if item.isPlaceholder {
            notes.add("\(place) has no file; it is looked for by its name.")
            placeholders.insert(plain.url)
        }
        for effect in plain.otherEffects {
            notes.add("\(place): the effect \(effect) was dropped.")
        }
        if MediaLocation.isForeign(plain.url) {
            notes.add("\(place) names \(plain.url), which is not a local file.")
        }
        if plain.hasBrokenRange {
            notes.add("\(place): the range of its file is impossible and was ignored.")
        }
        if item.sourceRange?.duration.hasRoundedRate == true {
            notes.add("Rates such as 29.97 were taken for 30000/1001 and the like.")
        }
        if plain.points.contains(where: { $0.source < .zero }) {
            notes.add("\(place) begins before its file, whose first frame is held.")
        }
        guard let available = plain.available else {
            return
        }
        mediaDurations[plain.media] = available
        if let end = plain.points.map(\.source).max(), end > available {
            notes.add(
                "\(place) uses its file up to \(end.secondsText) s, beyond the "
                    + "\(available.secondsText) s that the timeline says there are.")
        }
    }

    private mutating func markers(
        of item: OTIOObject, _ plain: OTIOClip, _ place: String
    ) -> [Marker] {
        (item.markers ?? []).compactMap { object in
            do {
                guard let range = object.markedRange else {
                    throw CompositionError(.malformed, "it marks nothing")
                }
                let isColourless =
                    object.ours?.isColourless == true && object.color?.name == OTIOWriter.anyColour
                return try Marker(
                    object.name ?? "", at: range.startTime.time - plain.zero,
                    lasting: range.duration.time, comment: object.comment,
                    colour: isColourless ? nil : object.color?.name)
            } catch {
                notes.add("\(place): \(object.title) was dropped: \(error).")
                return nil
            }
        }
    }

    /// The clip that was written here as this row of clips; nil if another program wrote or changed them.
    private mutating func ownClip(
        _ items: ArraySlice<OTIOObject>, _ place: String
    ) throws -> (clip: TimelineClip, count: Int)? {
        guard let first = items.first, first.isEnabled, let stored = first.ours?.segment else {
            return nil
        }
        let row = items.prefix(max(first.ours?.of ?? 1, 1))
        var clips: [OTIOClip] = []
        for (number, item) in row.enumerated() {
            guard item.isEnabled, item.ours?.piece == number, item.ours?.of == row.count,
                let clip = try? OTIOClip(item), clip.otherEffects.isEmpty,
                item.ours?.written == clip.written
            else {
                break
            }
            clips.append(clip)
        }
        guard clips.count == first.ours?.of else {
            notes.add("\(place) was changed by another program and is read without its original.")
            return nil
        }
        do {
            let media = media
            let segment = try FileSegment(text: stored).segment { path, _ in
                try media.duration(of: path)
            }
            guard let original = segment.clip else {
                throw CompositionError(.malformed, "it has no clip")
            }
            var clip = try TimelineClip(
                original.media, name: original.name,
                points: OTIOClip.points(ofRow: clips, lasting: segment.duration))
            clip.original = original
            if let available = clips[0].available {
                mediaDurations[original.media] = available
            }
            clip.blending = segment.blending
            for (item, plain) in zip(row, clips) {
                clip.markers += markers(of: item, plain, place)
                noteExtras(of: item, called: item.title)
            }
            return (clip, row.count)
        } catch {
            notes.add("\(place) is read without its original, which can't be read: \(error).")
            return nil
        }
    }
}

extension ExchangeTrack {
    /// Puts a clip at the track's end.
    fileprivate mutating func append(_ clip: TimelineClip) throws {
        clips.append(.init(start: length, clip: clip))
        length = try length.sum(clip.duration)
    }
}
